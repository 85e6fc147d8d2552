"""The steps around the folder of a `signals` controller: train, calibrate, evaluate."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acr.controllers.weights import FILE, load
from acr.errors import TrainingError
from acr_training import calibrate, crossfit, curve, data, decided, evaluate, learn, manifest, table
from acr_training.data import Data
from acr_training.fit import Recipe
from acr_training.records import Split
from acr_training.table import EXAMPLES, OUTCOMES, STATES

CROSS = "signals, cross-fitted"


@dataclass(frozen=True)
class Report:
    """What an evaluation found."""

    figures: dict[str, dict[str, Any]]
    text: str
    """The figures as a table."""
    decided: dict[str, decided.Decided]
    """What the controllers decided."""


SPLITS: tuple[Split, ...] = ("train", "dev", "test")


def train(
    runs: Sequence[Path],
    out: Path,
    *,
    seed: int = 0,
    curves: bool = True,
    recipes: Sequence[Recipe] = learn.RECIPES,
) -> dict[str, Any]:
    """Train on the split `train` of some run directories and write a folder that acr serves.

    Raises `TrainingError` if there is nothing to learn from.
    """
    whole = data.load(*runs)
    part, held = whole.of("train"), whole.of("dev", "test")
    if not len(part):
        raise TrainingError("the split train is empty: collect more")
    content, report = learn.train(part, recipes, seed)
    collected = [manifest.load(run)["steps"].get("collect") for run in runs]
    items = {name: sorted(set(whole.of(name).groups)) for name in SPLITS}
    about = {
        "base": sorted({step["arguments"]["base"] for step in collected if step}),
        "states": len(part),
        "inputs": {name: manifest.sha256(path) for name, path in inputs(runs).items()},
        "items": items,
    }
    manifest.save(out / FILE, content | {"about": about})
    load(str(out))  # what is served must load
    labels = [example.label for example in part.examples]
    results = {
        "states": len(part),
        "features": len(content["features"]),
        "labels": {name: labels.count(name) for name in sorted(set(labels))},
        "recipe": report["recipe"],
        "threshold": report["threshold"],
        "held_out_regret": report["held_out_regret"],
        "recipes": len(recipes),
        "collected": [step for step in collected if step and step["results"]],
        "items": items,
    }
    manifest.save(out / "training.json", report)
    manifest.note(out, "signals", arguments={"seed": seed}, inputs=inputs(runs), results=results)
    if curves and len(held):
        found = curve.learning(part, held, Recipe(**report["recipe"]), report["threshold"], seed)
        manifest.save(out / "curves.json", found)
    return results


def inputs(runs: Sequence[Path]) -> dict[str, Path]:
    """The files that training reads."""
    names = (STATES, OUTCOMES, EXAMPLES)
    return {f"{number}:{name}": run / name for number, run in enumerate(runs) for name in names}


def adjust(
    folder: Path,
    runs: Sequence[Path],
    *,
    method: calibrate.Method | None = None,
    rate: float | None = None,
) -> dict[str, Any]:
    """Calibrate a folder's weights on the split `dev`, and set the threshold from a rate if one is given."""
    dev = data.load(*runs).of("dev")
    content = read(folder)
    wanted = content if rate is None else calibrate.at_rate(content, dev, rate)
    made = calibrate.calibrate(wanted, dev, method)
    manifest.save(folder / FILE, made)
    load(str(folder))
    before, after = (calibrate.confidences(each, dev) for each in (wanted, made))
    results = {
        "states": len(dev),
        "temperature": made["temperature"],
        "curve_points": len(made["confidence"]),
        "threshold": made["threshold"],
        "intervention_rate": float(calibrate.intervening(made, dev)[1].mean()),
        "ece_before": evaluate.calibration_error(before[0].tolist(), before[1].tolist()),
        "ece_after": evaluate.calibration_error(after[0].tolist(), after[1].tolist()),
    }
    arguments = {"method": method or "best", "rate": rate}
    manifest.note(folder, "calibrate", arguments=arguments, inputs=inputs(runs), results=results)
    return results


def read(folder: Path) -> dict[str, Any]:
    """A folder's weights as plain data, checked. Raises `ConfigError`."""
    load(str(folder))
    return dict(json.loads((folder / FILE).read_text(encoding="utf-8")))


async def report(
    runs: Sequence[Path],
    specs: Sequence[str],
    splits: Sequence[Split],
    seed: int = 0,
    *,
    cross: Sequence[Recipe] = (),
    kept: Mapping[str, decided.Decided] | None = None,
) -> Report:
    """Figures of controllers beside the references. Raises `TrainingError`.

    `cross` are recipes to choose from for a row of cross-fitted decisions; `kept` are decisions of
    controllers that are not there any more.
    """
    held = of_splits(data.load(*runs), splits)
    outcomes = table.by_state(outcome for run in runs for outcome in table.outcomes(run))
    references = evaluate.reference(held)
    asked = {spec: await evaluate.decisions(spec, held) for spec in specs if spec not in references}
    made = asked | {name: decided.at(name, each, held) for name, each in (kept or {}).items()}
    if cross:
        made[CROSS] = crossfit.decisions(held, cross, seed=seed)
    found = await evaluate.evaluate(references, held, outcomes, seed, wanted=specs, decided=made)
    text = evaluate.markdown(found, "+".join(splits))
    return Report(found, text, {name: decided.of(each, held) for name, each in asked.items()})


def of_splits(whole: Data, splits: Sequence[Split]) -> Data:
    found = whole.of(*splits)
    if not len(found):
        raise TrainingError(f"no states of split {', '.join(splits)}: collect more")
    return found
