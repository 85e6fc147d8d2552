"""`acr bench report` and `acr bench compare`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from acr_benchmarks import compare
from acr_benchmarks import prices as priced
from acr_benchmarks import report as reports
from acr_benchmarks.cli.base import app, names, told
from acr_benchmarks.records import Episode


@app.command()
def report(
    directory: Annotated[Path, typer.Argument(help="A run directory, or one under benchmarks/reports.")],
    save: Annotated[
        Path | None, typer.Option(help="Also put report and packed episodes there, to be kept or published.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the report; the directory's if not given.")
    ] = None,
    readme: Annotated[
        Path | None,
        typer.Option(help="Put a short table between <!-- bench NAME --> and <!-- /bench NAME -->."),
    ] = None,
    task: Annotated[str, typer.Option(help="Only these tasks, separated by commas.")] = "",
    setting: Annotated[
        str,
        typer.Option(help="Only these settings: fewer may have more items in common. 'direct' is kept."),
    ] = "",
    prices: Annotated[
        Path | None, typer.Option(help="Price list (TOML); the example that comes with ACR if not given.")
    ] = None,
    price_as: Annotated[
        str, typer.Option(help="Also give dollars, at the prices of that model in the list.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Write report.md, report.html, report.json and plots for a run, and print it."""
    with told():
        title = name or (save or directory).resolve().name
        price = priced.load(price_as, prices or priced.PATH) if price_as else None
        tasks, settings = names(task), names(setting)

        def only(episode: Episode) -> bool:
            fits = not settings or episode.setting in (*settings, "direct")
            return fits and (not tasks or episode.task in tasks)

        figures = reports.write(directory, save or directory, title, price, only)
        if readme is not None:
            reports.insert(readme, title, reports.readme_table(figures))
    if as_json:
        sys.stdout.write(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(reports.markdown(figures, title))


@app.command("compare")
def compare_runs(
    first: Annotated[Path, typer.Argument(help="A run directory: before.")],
    second: Annotated[Path, typer.Argument(help="Another one: after.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Compare two runs setting by setting, on the items both have."""
    with told():
        result = compare.compare(first, second)
    if as_json:
        sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(compare.markdown(result))
