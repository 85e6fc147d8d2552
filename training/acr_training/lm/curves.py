"""The curves of runs: loss and held-out figures by step, as JSON for programs and as a plot for people."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from acr.errors import TrainingError
from acr_training import manifest

FILE = "curves.json"
SHOWN = ("accuracy", "regret", "nll")
LOSSES = ("loss", "reward", "rewards/accuracies", "kl", "mean_token_accuracy", "learning_rate")
"""What is kept of a trainer's log, where it has it."""

Curves = Mapping[str, Sequence[Mapping[str, Any]]]
"""`train`: the trainer's figures by step; `heldout`: those on held-out states."""


def write(out: Path, title: str, log: Sequence[Mapping[str, Any]], held: Sequence[Mapping[str, Any]]) -> None:
    """`curves.json` and `curves.png`. `log` is the trainer's, `held` what was measured on held-out states."""
    train = [
        {"step": row["step"], **{name: row[name] for name in LOSSES if name in row}}
        for row in log
        if "loss" in row
    ]
    found: Curves = {"train": train, "heldout": list(held)}
    manifest.save(out / FILE, found)
    plot(out / "curves.png", {title: found})


def load(places: Sequence[Path]) -> dict[str, Curves]:
    """The curves of runs, by the names of their folders; or of a file that keeps those of several.

    Raises `TrainingError` where there are none.
    """
    found: dict[str, Curves] = {}
    for place in places:
        if place.is_dir():
            found[place.name] = manifest.read_json(place / FILE, None)
        else:
            found |= manifest.read_json(place, {"": None})
    missing = [name for name, curves in found.items() if not curves]
    if missing:
        raise TrainingError(f"no curves of {', '.join(missing) or 'anything'}: run a step of training first")
    return found


def plot(path: Path, runs: Mapping[str, Curves]) -> None:
    """The loss beside each held-out figure, of all runs together."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * (1 + len(SHOWN)), 3), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 1 + len(SHOWN))
    axes[0].set_title("training loss")
    for name, found in runs.items():
        train, held = found["train"], found["heldout"]
        axes[0].plot([row["step"] for row in train], [row["loss"] for row in train], lw=1, label=name)
        for axis, figured in zip(axes[1:], SHOWN, strict=True):
            axis.plot([row["step"] for row in held], [row[figured] for row in held], marker="o", ms=3, lw=1)
            axis.set_title(f"held-out {figured}")
    for axis in axes:
        axis.set_xlabel("step")
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.savefig(path, dpi=110)
