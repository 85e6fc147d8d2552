"""`acr train label`, `signals`, `calibrate`, `evaluate`, `card`."""

import asyncio
import os
from pathlib import Path
from typing import Annotated, Any

import aiohttp
import typer

from acr import registry
from acr.cli import output
from acr.decision import names as in_turn
from acr.errors import ConfigError
from acr_training import card as cards
from acr_training import curve, decided, manifest, table
from acr_training import label as labels
from acr_training import signals as folders
from acr_training.commands.collect import names
from acr_training.config import Endpoint
from acr_training.learn import RECIPES
from acr_training.records import Example, Kind, State

Runs = Annotated[list[Path], typer.Argument(help="Run directories of acr train collect, labelled.")]


def label(
    run: Annotated[Path, typer.Argument(help="A run directory of acr train collect.")],
    price: Annotated[float, typer.Option(help="Score that 1,000 tokens are worth.")] = labels.PRICE,
    margin: Annotated[float, typer.Option(help="Reward by which none must be beaten.")] = labels.MARGIN,
    mix: Annotated[
        str | None,
        typer.Option(help="Proportions of kinds to train on, such as corrective=1,compressive=1,none=2."),
    ] = None,
    teacher_url: Annotated[str | None, typer.Option(help="Server of a teacher model, with /v1.")] = None,
    teacher_model: Annotated[str, typer.Option(help="Teacher. \\[its server's first]")] = "",
    concurrency: Annotated[int, typer.Option(min=1, help="Calls of the teacher at once.")] = 4,
    seed: Annotated[int, typer.Option(help="Of the draw into proportions, and of the teacher.")] = 0,
) -> None:
    """Decide by the outcomes what would have been best at each state."""
    shares = parts(mix) if mix else None
    found = labels.run(run, price=price, margin=margin, mix=shares, seed=seed)
    states = table.states(run)
    if teacher_url:
        endpoint = Endpoint(base_url=teacher_url, model=teacher_model, temperature=0.0, max_tokens=200)
        found = asyncio.run(taught(found, states, endpoint, concurrency, seed))
        arguments = {"price": price, "margin": margin, "mix": shares, "seed": seed, "teacher": endpoint.model}
        labels.write(run, found, arguments=arguments)
    output.data(labels.summary(found, states))
    output.err().print(f"Now: acr train signals {run}")


async def taught(
    examples: list[Example], states: dict[str, State], endpoint: Endpoint, concurrency: int, seed: int
) -> list[Example]:
    """The examples with what a teacher says of them."""
    from acr import registry
    from acr_training import teacher
    from acr_training.endpoint import client
    from acr_training.model import Bounded

    known = {part for one in examples for name in one.rewards for part in in_turn(name)}
    operators = registry.operators(sorted(known - {"none"}))
    key = os.environ.get("OPENAI_API_KEY", "")
    async with aiohttp.ClientSession(trust_env=False) as session:
        assert endpoint.base_url is not None
        model, _ = await client(session, endpoint.base_url, endpoint.model_copy(update={"key": key}))
        bounded = Bounded(model, asyncio.Semaphore(concurrency))
        asked = (teacher.ask(one, states[one.state], operators, bounded, seed) for one in examples)
        return list(await asyncio.gather(*asked))


def parts(text: str) -> dict[Kind, float]:
    """Proportions of kinds. Raises `ConfigError`."""
    known: tuple[Kind, ...] = ("corrective", "compressive", "none")
    found: dict[Kind, float] = {}
    for one in names(text) or ():
        name, _, value = one.partition("=")
        kind = next((each for each in known if each == name), None)
        try:
            share = float(value)
        except ValueError:
            share = -1.0
        if kind is None or share < 0:
            raise ConfigError(f"--mix {one!r}: wanted is KIND=NUMBER, with a kind of {', '.join(known)}")
        found[kind] = share
    return found


def signals(
    runs: Runs,
    out: Annotated[Path | None, typer.Option(help="Folder of the controller. [RUN/signals]")] = None,
    seed: Annotated[int, typer.Option(help="Of folds and trees.")] = 0,
    kind: Annotated[str, typer.Option(help="Models to choose from: linear, trees or all.")] = "all",
    plot: Annotated[bool, typer.Option(help="Draw the learning curve (needs matplotlib).")] = False,
) -> None:
    """Train the small controller that decides by signals."""
    out = out or runs[0] / "signals"
    recipes = [recipe for recipe in RECIPES if kind in ("all", recipe.kind)]
    if not recipes:
        raise ConfigError(f"there is no kind {kind!r}; known: linear, trees, all")
    results = folders.train(runs, out, seed=seed, recipes=recipes)
    if plot:
        import json

        found = json.loads((out / "curves.json").read_text(encoding="utf-8"))
        curve.plot(out / "curves.png", found, "signals")
    output.data({name: value for name, value in results.items() if name not in ("collected", "items")})
    output.err().print(f"Now: acr train calibrate {out} {' '.join(map(str, runs))}")


def calibrate(
    folder: Annotated[Path, typer.Argument(help="Folder of a signals controller.")],
    runs: Runs,
    method: Annotated[str, typer.Option(help="none, temperature, isotonic, or best.")] = "best",
    rate: Annotated[
        float | None, typer.Option(min=0, max=1, help="Intervene at most at this share of turns.")
    ] = None,
) -> None:
    """Make its probabilities mean what they say, on the split dev; and set how often it intervenes."""
    from acr_training.calibrate import METHODS

    chosen = next((name for name in METHODS if name == method), None)
    if chosen is None and method != "best":
        raise ConfigError(f"there is no method {method!r}; known: {', '.join(METHODS)}, best")
    if registry.owner(folder) == "lm":
        from acr_training.lm.calibrate import adjust

        if len(runs) > 1 or chosen not in (None, "temperature"):
            raise ConfigError("lm is calibrated on one table, by temperature")
        output.data(adjust(folder, runs[0], rate))
        return
    output.data(folders.adjust(folder, runs, method=chosen, rate=rate))
    output.err().print(f"Now: acr train evaluate {' '.join(map(str, runs))} --controller {folder}")


def evaluate(
    runs: Runs,
    controller: Annotated[
        str, typer.Option(help="Controllers, separated by commas: names, or folders of trained ones.")
    ] = "",
    split: Annotated[str, typer.Option(help="Splits, separated by commas.")] = "test",
    cross: Annotated[
        bool, typer.Option(help="Add signals controllers made from the other four fifths of the states.")
    ] = False,
    kept: Annotated[
        Path | None,
        typer.Option("--decided", help="A decisions.json of an earlier evaluation, measured again."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for evaluation.md, evaluation.json, decisions.json. \\[the first folder]"),
    ] = None,
) -> None:
    """Measure controllers on held-out states by the table, beside constant ones and the oracle."""
    specs = names(controller) or []
    wanted: list[Any] = [each for each in ("train", "dev", "test") if each in (names(split) or ())]
    if not wanted:
        raise ConfigError(f"there is no split {split!r}; known: train, dev, test")
    recipes = RECIPES if cross else ()
    earlier = decided.load(kept) if kept else {}
    report = asyncio.run(folders.report(runs, specs, wanted, cross=recipes, kept=earlier))
    place = out or next((Path(spec) for spec in specs if Path(spec).is_dir()), runs[0])
    titles = {spec: title(spec) for spec in report.figures}
    text = report.text
    for spec, name in titles.items():
        text = text.replace(f"`{spec}`", f"`{name}`")
    place.mkdir(parents=True, exist_ok=True)
    (place / "evaluation.md").write_text(text, encoding="utf-8")
    manifest.save(place / "evaluation.json", {titles[spec]: row for spec, row in report.figures.items()})
    decided.add(place / decided.FILE, {titles[spec]: each for spec, each in report.decided.items()})
    print(text)


def title(spec: str) -> str:
    """What a controller is called in a table: of a folder its name, or that of the run it lies in."""
    place = Path(spec)
    if not place.is_dir():
        return spec
    return place.parent.name if place.name == "controller" else place.name


def card(
    folder: Annotated[Path, typer.Argument(help="Folder of a signals controller.")],
) -> None:
    """Print the model card of a trained controller, made from its manifest."""
    text = cards.card(folder)
    (folder / "card.md").write_text(text, encoding="utf-8")
    print(text)
