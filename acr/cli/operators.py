"""`acr operators`: what is installed to refactor with, and who may decide."""

from dataclasses import fields, is_dataclass
from typing import Annotated, Any

import typer

from acr.cli import output


def operators(
    json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List the operators and controllers that are installed."""
    from acr import registry
    from acr.errors import AcrError

    rows: list[dict[str, Any]] = []
    for name, entry in registry.available(registry.OPERATORS).items():
        try:
            rows.append(describe(name, registry.operator(name), entry.value))
        except AcrError as error:  # one broken package must not hide the others
            rows.append({"name": name, "kind": None, "about": None, "from": entry.value, "error": str(error)})
    if json:
        output.data(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("operator", "kind", "what it does"):
        table.add_column(column, no_wrap=column != "what it does")
    for row in rows:
        table.add_row(row["name"], row["kind"] or "broken", row.get("error") or row["about"])
    console = output.out()
    console.print(table)
    controllers = ", ".join(
        name + (":OPERATOR" if name == "always" else "") for name in registry.available(registry.CONTROLLERS)
    )
    console.print(f"\ncontrollers: {controllers or 'none installed'}")


def describe(name: str, operator: Any, origin: str) -> dict[str, Any]:
    """An operator as plain data: the first line of its documentation, its configuration."""
    about = (type(operator).__doc__ or "").strip().splitlines()
    if about and about[0].startswith(f"{type(operator).__name__}("):
        about = []  # not documentation: the signature that dataclass puts where there is none
    shown = (
        {field.name: getattr(operator, field.name) for field in fields(operator)}
        if is_dataclass(operator)
        else {}
    )
    return {
        "name": name,
        "kind": operator.kind,
        "about": about[0] if about else "",
        "from": origin,
        "configuration": {key: plain(value) for key, value in shown.items() if key not in ("name", "kind")},
    }


def plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | None) else str(value)
