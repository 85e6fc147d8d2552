"""The whole pipeline, small: a real model, a few conversations, minutes on two cores, a controller to serve.

It shows that everything works, not that the controller is any good: for that, collect more. A model of 135
million parameters solves nothing, so with it tokens decide, at a price (`PRICE`) that one would not pay
otherwise; what is learned is where context can be saved.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from acr.controllers import features
from acr.controllers.weights import FILE, NONE, SCHEMA
from acr.errors import TrainingError
from acr_training import card, collect, evolve, label, learn, manifest, signals
from acr_training.collect import Watcher
from acr_training.config import Collect, Endpoint, Source
from acr_training.records import Split

PRICE = 2.0
OPERATORS = ("consolidate", "recap", "snowball")
SOFT = [recipe for recipe in learn.RECIPES if recipe.target == "soft" and recipe.features != "rules"]
RECIPES = tuple(SOFT[:4])
TASK = "math"

Say = Callable[[str], None]


PARTS: tuple[tuple[Split, int], ...] = (("train", 5), ("dev", 2), ("test", 2))
"""Conversations of each split."""


def plan(out: Path, model: Endpoint, concurrency: int, seed: int) -> Collect:
    """A few conversations of each split."""
    return Collect(
        out=out / "table",
        source=tuple(Source(task=TASK, items=count, turns=2, splits=(split,)) for split, count in PARTS),
        model=model,
        operators=OPERATORS,
        concurrency=concurrency,
        seed=seed,
    )


async def run(
    out: Path, model: Endpoint, *, rounds: int, concurrency: int, seed: int, say: Say, watcher: Watcher
) -> dict[str, Any]:
    """All steps; figures of the controller. Raises what the steps raise. Started again, it goes on."""
    wanted = plan(out, model, concurrency, seed)
    count = sum(number for _, number in PARTS)
    say(f"1/6 collect: every operator and none at the states of {count} conversations")
    result = await collect.run(wanted, watcher)
    if result.failed:
        raise TrainingError(f"{len(result.failed)} conversations could not be finished; start again")
    say("2/6 label: what would have been best, by the outcomes")
    label.run(wanted.out, price=PRICE)
    folder = out / "controller"
    say("3/6 signals: train the controller")
    trained = attempt(wanted.out, folder, say)
    say("4/6 calibrate")
    if trained:
        signals.adjust(folder, [wanted.out])
    say(f"5/6 evolve: {rounds} round")
    if trained and rounds:
        evolution = evolve.Evolution((wanted.out,), folder, out / "evolution", wanted, RECIPES, price=PRICE)
        done = await evolve.evolve(evolution, rounds, watcher)
        folder, _ = evolve.kept(evolution, done)
    say("6/6 evaluate, on states that it was not made from")
    report = await signals.report([wanted.out], [str(folder)], ("test",))
    text = report.text.replace(str(folder), "signals")
    (folder / "evaluation.md").write_text(text, encoding="utf-8")
    if trained:
        (folder / "card.md").write_text(card.card(folder), encoding="utf-8")
    say(text)
    return {"controller": str(folder), "states": report.figures[str(folder)]["states"], "trained": trained}


def attempt(run: Path, folder: Path, say: Say) -> bool:
    """Train; where there is nothing to learn, write a controller that never intervenes, and say so."""
    try:
        signals.train([run], folder, curves=False, recipes=RECIPES)
    except TrainingError as error:
        say(f"{error}. The controller will never intervene: collect more, or with a better model")
        manifest.save(folder / FILE, constant())
        return False
    return True


def constant() -> dict[str, Any]:
    """Weights that never intervene."""
    return {
        "schema": SCHEMA,
        "controller": "signals",
        "features_version": features.VERSION,
        "features": [],
        "labels": [NONE],
        "model": {"kind": "trees", "bias": [0.0], "trees": []},
    }
