"""Blocks of code in the documentation, and what stands in front of them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n)?"
    r"```(?P<language>[a-z]*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    line: int
    language: str
    text: str
    title: str | None
    """Name of the file that it is; `prints` for the output of the block before."""
    reason: str | None
    """Why it is not run; None if it is."""


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            text.count("\n", 0, found.start()) + 1,
            found["language"],
            found["text"],
            found["title"],
            found["reason"],
        )
        for found in BLOCK.finditer(text)
    ]
