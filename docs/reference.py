"""Writes the tables of these pages that the code knows best: `python docs/reference.py`, `--check` in tests.

A table stands between `<!-- generated: NAME -->` and `<!-- /generated -->`; the rest of a page is by hand.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
MARKED = re.compile(r"(<!-- generated: ([a-z]+) -->\n)(.*?)(<!-- /generated -->)", re.DOTALL)


def settings() -> str:
    """All settings, with their variables and defaults."""
    from acr.cli.settings_text import settings, toml

    rows = (
        (
            f"`{each.name}`",
            f"`{each.variable}`",
            "–" if each.default is None else f"`{toml(each.default)}`",
            each.about,
        )
        for each in settings()
    )
    return table(("in `acr.toml`", "variable", "default", "what it is"), rows)


def operators() -> str:
    """The installed operators, with what can be configured when they are made in Python."""
    from acr import registry

    rows = []
    for name, entry in registry.available(registry.OPERATORS).items():
        made = registry.operator(name)
        rows.append((f"`{name}`", made.kind, first_line(type(made)), own_fields(made), f"`{entry.value}`"))
    return table(("name", "kind", "what it does", "fields", "class"), rows)


def controllers() -> str:
    """The installed controllers. Some need an argument, so nothing is made here."""
    from acr import registry

    rows = []
    for name, entry in registry.available(registry.CONTROLLERS).items():
        loaded = entry.load()
        made = loaded if isinstance(loaded, type) else loaded.__annotations__["return"]
        rows.append((f"`{name}`", first_line(made), f"`{entry.value}`"))
    return table(("name", "what it does", "from"), rows)


def commands() -> str:
    """The `--help` of every command, also of those that other packages add."""
    from typer import Context
    from typer.main import get_command

    from acr.cli.app import COMMANDS, app

    added = {entry.name: entry for entry in entry_points(group=COMMANDS)}
    root: Any = get_command(app)
    context = Context(root, info_name="acr")
    parts = []
    for name in root.list_commands(context):
        command = get_command(added[name].load()) if name in added else root.get_command(context, name)
        parts.append(page_of(command, name, context))
    return "\n\n".join(parts) + "\n"


def page_of(command: Any, name: str, context: Any) -> str:
    """A command and what is below it, as typer documents it."""
    from typer.cli import get_docs_for_click

    text = get_docs_for_click(obj=command, ctx=context, name=name, call_prefix="acr", indent=1)
    text = re.sub(r"\*\*Commands\*\*:\n\n(\* .*\n)+\n*", "", text)  # cut short; each follows in full
    text = (
        text.replace("```console\n$ ", "```text\n")
        .replace("<!--", "&lt;!--")
        .replace("* `--help`: Show this message and exit.\n", "")
    )
    return re.sub(r"\n{3,}", "\n\n", text.replace("**Options**:\n\n\n", "")).strip()


TABLES: dict[str, Callable[[], str]] = {
    "settings": settings,
    "operators": operators,
    "controllers": controllers,
    "commands": commands,
}


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def first_line(documented: type) -> str:
    return (documented.__doc__ or "").strip().partition("\n")[0]


def own_fields(made: Any) -> str:
    """Configuration of an operator: names with defaults."""
    if not is_dataclass(made):
        return "–"
    shown = (
        f"`{field.name}={json.dumps(value, ensure_ascii=False, default=str)}`"
        for field in fields(made)
        if field.name not in ("name", "kind", "model_backed", "opens")
        and isinstance(value := getattr(made, field.name), str | int | float | bool | None)
    )
    return ", ".join(shown) or "–"


def renewed(text: str) -> str:
    """A page with its tables as the code has them now. Raises `KeyError` for a name that is none."""
    return MARKED.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[4]}", text)


def main() -> int:
    stale = []
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        new = renewed(text)
        if new != text:
            stale.append(page.name)
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    print(f"{'stale' if '--check' in sys.argv else 'written'}: {', '.join(stale) or 'none'}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
