"""The curves of a run: loss and held-out figures by step, as JSON for programs and as a plot for people."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from acr_training import manifest

SHOWN = ("accuracy", "regret", "nll")
LOSSES = ("loss", "reward", "rewards/accuracies", "kl", "mean_token_accuracy", "learning_rate")
"""What is kept of a trainer's log, where it has it."""


def write(out: Path, title: str, log: Sequence[Mapping[str, Any]], held: Sequence[Mapping[str, Any]]) -> None:
    """`curves.json` and `curves.png`. `log` is the trainer's, `held` what was measured on held-out states."""
    train = [
        {"step": row["step"], **{name: row[name] for name in LOSSES if name in row}}
        for row in log
        if "loss" in row
    ]
    manifest.save(out / "curves.json", {"train": train, "heldout": list(held)})
    plot(out / "curves.png", title, train, held)


def plot(
    path: Path, title: str, train: Sequence[Mapping[str, Any]], held: Sequence[Mapping[str, Any]]
) -> None:
    """The loss beside each held-out figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * (1 + len(SHOWN)), 3), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 1 + len(SHOWN))
    axes[0].plot([row["step"] for row in train], [row["loss"] for row in train], lw=1)
    axes[0].set_title(f"{title}: training loss")
    for axis, name in zip(axes[1:], SHOWN, strict=True):
        axis.plot([row["step"] for row in held], [row[name] for row in held], marker="o", ms=3, lw=1)
        axis.set_title(f"held-out {name}")
    for axis in axes:
        axis.set_xlabel("step")
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
