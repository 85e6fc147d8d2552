"""`acr train select`."""

from pathlib import Path
from typing import Annotated

import typer

from acr.cli import output
from acr_training import data, learn, manifest, select, table
from acr_training.fit import Recipe
from acr_training.table import EXAMPLES, STATES

SELECTED = "selected.json"


def choose(
    run: Annotated[Path, typer.Argument(help="A run directory of acr train collect, labelled.")],
    share: Annotated[float, typer.Option(help="Share of the training dialogues to keep.")] = 0.5,
    out: Annotated[
        Path | None, typer.Option(help="Run directory with the chosen part. [RUN-selected]")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the bins and of the random halves.")] = 0,
    compare: Annotated[
        bool, typer.Option(help="Measure the chosen part against random ones of its size.")
    ] = True,
) -> None:
    """Keep the dialogues that cover the rest and are reliable, of the split train."""
    out = out or run.with_name(run.name + "-selected")
    states, examples = table.states(run), table.examples(run)
    train = [one for one in states.values() if one.split == "train"]
    scored = select.score(train, seed)
    chosen = select.choose(scored, share)
    results = dict(select.summary(scored, chosen))
    if compare:
        whole = data.load(run)
        part, held = whole.of("train"), whole.of("dev", "test")
        _, report = learn.train(part, learn.RECIPES[:8], seed)
        recipe = Recipe(**report["recipe"])
        results["comparison"] = select.compare(part, held, chosen, recipe, report["threshold"], seed=seed)
    kept = {one.id for one in states.values() if one.split != "train" or one.group in set(chosen)}
    table.write(out / STATES, [one for one in states.values() if one.id in kept])
    table.write(out / table.OUTCOMES, [one for one in table.outcomes(run) if one.state in kept])
    table.write(out / EXAMPLES, [one for one in examples if one.state in kept])
    rows = [
        {"group": one.group, "bin": one.bin, "reliability": one.reliability, "chosen": one.group in chosen}
        for one in scored
    ]
    manifest.save(out / SELECTED, rows)
    inputs = {STATES: run / STATES, EXAMPLES: run / EXAMPLES}
    manifest.note(out, "select", arguments={"share": share, "seed": seed}, inputs=inputs, results=results)
    output.data(results)
    output.err().print(f"Now: acr train signals {out}")
