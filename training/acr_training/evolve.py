"""Self-evolution: let the new controller reach states of its own, learn from them, keep what gets better.

    controller ─► collect (it is in charge) ─► label ─► retrain on everything so far ─► better on dev? ─► keep
         ▲                                                                                   │ no: reject
         └───────────────────────────────────────────────────────────────────────────────────┘

A controller changes which states are reached: the answers that stand in the history are those it led to. A
round is kept if the new controller earns more than the old one on the dev states of all collections, the new
one's included; the split test is never looked at. Every round goes into a ledger, kept or rejected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acr.errors import TrainingError
from acr_training import collect, data, evaluate, label, manifest, signals, table
from acr_training.collect import Watcher
from acr_training.config import Collect
from acr_training.endpoint import ANSWERS
from acr_training.fit import Recipe

LEDGER = "ledger"
TABLE = "table"
CONTROLLER = "controller"


@dataclass(frozen=True)
class Evolution:
    """What to evolve."""

    base: tuple[Path, ...]
    """Run directories that the first controller was trained on, labelled."""
    start: Path
    """Folder of the first controller."""
    out: Path
    plan: Collect
    """How to collect; `out`, `controller` and `seed` are set for each round."""
    recipes: tuple[Recipe, ...]
    price: float = label.PRICE
    margin: float = label.MARGIN


def ledger(out: Path) -> list[dict[str, Any]]:
    """The rounds so far. Raises `TrainingError` if the file is damaged."""
    return list(manifest.read_json(out / f"{LEDGER}.json", []))


def kept(evolution: Evolution, rounds: Sequence[dict[str, Any]]) -> tuple[Path, list[Path]]:
    """The controller now, and the collections that it was trained on."""
    good = [evolution.out / row["folder"] for row in rounds if row["kept"]]
    folder = good[-1] / CONTROLLER if good else evolution.start
    return folder, [*evolution.base, *(one / TABLE for one in good)]


async def evolve(evolution: Evolution, rounds: int, watcher: Watcher | None = None) -> list[dict[str, Any]]:
    """Go round until the ledger holds that many rounds. Started again, it goes on where it stopped.

    Raises `TrainingError` or `BenchmarkError` as the steps do.
    """
    done = ledger(evolution.out)
    while len(done) < rounds:
        done.append(await once(evolution, done, watcher))
        manifest.save(evolution.out / f"{LEDGER}.json", done)
        (evolution.out / f"{LEDGER}.md").write_text(markdown(done), encoding="utf-8")
    return done


async def once(
    evolution: Evolution, done: Sequence[dict[str, Any]], watcher: Watcher | None
) -> dict[str, Any]:
    """One round."""
    number = len(done) + 1
    now, tables = kept(evolution, done)
    folder = evolution.out / f"round-{number}"
    plan = evolution.plan.model_copy(
        update={
            "out": folder / TABLE,
            "controller": str(now),
            "seed": evolution.plan.seed + number,
            "answers": evolution.out / ANSWERS,
        }
    )
    result = await collect.run(plan, watcher)
    if result.failed:
        raise TrainingError(
            f"round {number}: {len(result.failed)} conversations could not be finished; start again"
        )
    label.run(folder / TABLE, price=evolution.price, margin=evolution.margin)
    everything = [*tables, folder / TABLE]
    trained = signals.train(everything, folder / CONTROLLER, curves=False, recipes=evolution.recipes)
    signals.adjust(folder / CONTROLLER, everything)
    ahead = await compared(now, folder / CONTROLLER, everything)
    return {
        "round": number,
        "folder": folder.name,
        "from": "start" if now == evolution.start else now.parent.name,
        "new_states": len(table.states(folder / TABLE)),
        "training_states": trained["states"],
        "recipe": trained["recipe"],
        **ahead,
        "kept": ahead["gain"]["value"] > 0,
    }


async def compared(old: Path, new: Path, tables: Sequence[Path]) -> dict[str, Any]:
    """Reward of both on the dev states of those tables, and the difference with its interval."""
    dev = signals.of_splits(data.load(*tables), ("dev",))
    outcomes = table.by_state(outcome for path in tables for outcome in table.outcomes(path))
    before, after = [await evaluate.measure(str(each), dev, outcomes) for each in (old, new)]
    gains = [b.reward - a.reward for a, b in zip(before, after, strict=True)]
    return {
        "held_out_states": len(dev),
        "reward_before": evaluate.interval([row.reward for row in before], dev.groups)["value"],
        "reward_after": evaluate.interval([row.reward for row in after], dev.groups)["value"],
        "gain": evaluate.interval(gains, dev.groups),
    }


def markdown(rounds: Sequence[dict[str, Any]]) -> str:
    """The ledger as a table."""
    lines = [
        "| round | from | new states | held-out states | reward before | after | gain | |",
        "|--:|---|--:|--:|--:|--:|--:|---|",
    ]
    for row in rounds:
        cells = [
            str(row["round"]),
            row["from"],
            str(row["new_states"]),
            str(row["held_out_states"]),
            f"{row['reward_before']:.3f}",
            f"{row['reward_after']:.3f}",
            evaluate.with_interval(row["gain"], 3, sign="+"),
            "kept" if row["kept"] else "rejected",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
