"""The review file: what a person reads, edits and ticks. Written and read here, so that both agree.

    ## item-id

    > the instruction

    - checks: nothing found
    - verified: FULL 90%, CONCAT 90%, SHUFFLE-CONCAT 80%
    - [ ] accept

    1. What is wanted?
       - another wording
    2. A fact.

A line with five spaces in front goes on with the one above it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from acr.errors import BenchmarkError
from acr_benchmarks.sharding.cut import Piece

HEAD = """# Review of shards

Read each item, change its pieces as you like, and tick `[x] accept` where they say what the instruction
says: all of it, in any order, the first one only what is wanted. Then: `acr shard --accept` with this file.
Items that are not ticked are left out. Indented lines with a dash are other wordings of the piece above them.
"""
ITEM = re.compile(r"^## (.+)$")
TICK = re.compile(r"^- \[([ xX])\] accept\s*$")
PIECE = re.compile(r"^\d+\. (.*)$")
WORDING = re.compile(r"^ {3}- (.*)$")
MORE = " " * 5


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One item as it stands in the file."""

    id: str
    accepted: bool
    pieces: tuple[Piece, ...]


def section(id: str, instruction: str, pieces: Sequence[Piece], notes: Iterable[str]) -> str:
    """One item for a person to read."""
    quoted = "\n".join(f"> {line}".rstrip() for line in lines(instruction))
    listed = []
    for number, piece in enumerate(pieces, 1):
        listed.append(indented(f"{number}. ", piece.text))
        listed += [indented("   - ", wording) for wording in piece.variants]
    said = "\n".join(f"- {' '.join(note.split())}" for note in notes)
    return f"## {id}\n\n{quoted}\n\n{said}\n- [ ] accept\n\n" + "\n".join(listed) + "\n"


def indented(mark: str, text: str) -> str:
    first, *others = lines(text)
    return "\n".join([mark + first, *(MORE + line for line in others)])


def lines(text: str) -> list[str]:
    return text.strip().replace("\r\n", "\n").replace("\r", "\n").split("\n")


def read(text: str) -> list[Reviewed]:
    """The items of a review file. Raises `BenchmarkError` naming the line that makes no sense."""
    found: list[Reviewed] = []
    ids: set[str] = set()
    texts: list[
        list[list[str]]
    ] = []  # pieces of the open item, each a list of wordings, each a list of lines
    id, accepted = "", False

    def close() -> None:
        if id:
            made = [[ended(wording) for wording in piece] for piece in texts]
            pieces = tuple(Piece(first, tuple(others)) for first, *others in made)
            found.append(Reviewed(id, accepted, pieces))

    for number, line in enumerate(lines(text), 1):
        if match := ITEM.match(line):
            close()
            id, accepted, texts = match[1].strip(), False, []
            if id in ids:
                raise BenchmarkError(f"line {number}: item {id!r} is there twice")
            ids.add(id)
        elif match := TICK.match(line):
            accepted = match[1] != " "
        elif match := PIECE.match(line):
            texts.append([[match[1]]])
        elif (match := WORDING.match(line)) and texts:
            texts[-1].append([match[1]])
        elif line.startswith(MORE) and texts:
            texts[-1][-1].append(line[len(MORE) :])
        elif line.strip() and texts:
            raise BenchmarkError(f"line {number} of item {id!r} is neither a piece nor a wording: {line!r}")
    close()
    return found


def ended(parts: Sequence[str]) -> str:
    return "\n".join(parts).strip()
