"""`acr bench export` and `acr bench import-lic`: conversations to and from other people's formats."""

from pathlib import Path
from typing import Annotated

import typer

from acr_benchmarks import lic, store
from acr_benchmarks.cli.base import app, console, told


@app.command()
def export(
    directory: Annotated[Path, typer.Argument(help="A run directory, or one under benchmarks/reports.")],
    to: Annotated[
        Path, typer.Option("--lic", help="Folder for logs as the Lost-in-Conversation viewer reads them.")
    ],
    dataset: Annotated[
        str,
        typer.Option(help="Name of the data file that the logs shall give; the run's own if not given."),
    ] = "",
) -> None:
    """Write a run's conversations in the Lost-in-Conversation log format, below LIC/TASK/SETTING."""
    with told():
        episodes = store.episodes(directory)
        data = store.manifest(directory).get("data", {})
        names = {one.task: dataset or data.get(one.task, {}).get("file", "") for one in episodes}
        files = lic.export(episodes, to, names)
    console.print(f"{len(episodes)} conversations in {len(files)} files below {to}", highlight=False)


@app.command("import-lic")
def import_lic(
    source: Annotated[Path, typer.Argument(help="A log file of theirs, or a folder of them.")],
    out: Annotated[Path, typer.Option(help="Run directory to make.")],
    model: Annotated[str, typer.Option(help="Only this model's; needed where there are several.")] = "",
) -> None:
    """Read Lost-in-Conversation logs into a run directory, to report on them."""
    with told():
        episodes = lic.read(source, model)
        with store.Store(out) as kept:
            if not kept.done:
                kept.write_manifest(lic.manifest(episodes, source))
            for episode in episodes:
                kept.append(episode)
    console.print(f"{len(episodes)} conversations. Now: acr bench report {out}", highlight=False)
