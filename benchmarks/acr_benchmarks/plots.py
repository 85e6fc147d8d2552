"""The plots of a report as PNG files, for slides and papers. The HTML page draws its own."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acr_benchmarks.overall import FULL, LOST, is_control

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 3
SIZE = (4.2, 3.2)
"""Inches of one panel."""

Tasks = Mapping[str, Mapping[str, Any]]
"""Figures of each task, by setting."""


def write(figures: Mapping[str, Any], target: Path) -> list[Path]:
    """Write recovery.png, cost.png and first_answer.png into a folder; what has no data is not drawn.

    None at all where matplotlib is not installed (extra `bench`): the report does not hang on it.
    """
    if find_spec("matplotlib") is None:
        return []
    tasks: Tasks = {
        task: rows["settings"]
        for task, rows in figures["tasks"].items()
        if not is_control(task, rows["settings"])
    }
    names = list(dict.fromkeys(name for settings in tasks.values() for name in settings))
    colours = {name: f"C{index % 10}" for index, name in enumerate(names)}
    drawings: dict[str, Callable[[Axes, Mapping[str, Any], Mapping[str, str]], bool]] = {
        "cost.png": cost,
        "first_answer.png": first_answer,
    }
    written = [
        target / name for name, draw in drawings.items() if panels(draw, tasks, colours, target / name)
    ]
    if recovery(tasks, colours, target / "recovery.png"):
        written.append(target / "recovery.png")
    return written


def panels(
    draw: Callable[["Axes", Mapping[str, Any], Mapping[str, str]], bool],
    tasks: Tasks,
    colours: Mapping[str, str],
    path: Path,
) -> bool:
    """One panel a task. False, and no file, if none has anything to show."""
    from matplotlib.figure import Figure

    shown = dict(tasks)
    columns = min(COLUMNS, max(1, len(shown)))
    lines = ceil(len(shown) / columns)
    page = Figure(figsize=(SIZE[0] * columns, SIZE[1] * max(1, lines)), layout="constrained")
    drawn = False
    for index, (task, settings) in enumerate(shown.items(), 1):
        axes = page.add_subplot(lines, columns, index)
        axes.set_title(task)
        drawn |= draw(axes, settings, colours)
    if drawn:
        save(page, path)
    return drawn


def cost(axes: "Axes", settings: Mapping[str, Any], colours: Mapping[str, str]) -> bool:
    """Tokens of a conversation against the score, with its interval."""
    drawn = False
    for name, one in settings.items():
        if one["prompt_tokens"] is None or one["completion_tokens"] is None:
            continue
        drawn = True
        score, tokens = one["score"], one["prompt_tokens"] + one["completion_tokens"]
        bars = [[value] for value in spread(score)]
        at = [tokens], [100 * score["value"]]
        axes.errorbar(*at, yerr=bars, fmt="o", color=colours[name], capsize=2, label=name)
    axes.set(xlabel="tokens in + out", ylabel="score of the last answer", ylim=(-4, 104))
    axes.set_xlim(left=0)
    return drawn


def first_answer(axes: "Axes", settings: Mapping[str, Any], colours: Mapping[str, str]) -> bool:
    """Score of conversations by the turn of their first answer."""
    from matplotlib.ticker import MaxNLocator

    known = {name: one["by_first_answer"] for name, one in settings.items() if one["by_first_answer"]}
    for name, points in known.items():
        turns, scores = [p["turn"] for p in points], [100 * p["score"] for p in points]
        axes.plot(turns, scores, marker="o", color=colours[name], label=name)
    axes.set(xlabel="turn of the first answer", ylabel="score of the last answer", ylim=(-4, 104))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return bool(known)


def recovery(tasks: Tasks, colours: Mapping[str, str], path: Path) -> bool:
    """Share of the gap between SHARDED and FULL that each setting closes, task by task."""
    from matplotlib.figure import Figure

    names = [name for name in colours if name not in (FULL, LOST)]
    found = {
        name: {
            place: value
            for place, settings in enumerate(tasks.values())
            if name in settings
            and (value := settings[name]["gap_recovered"]) is not None
            and value["value"] is not None
        }
        for name in names
    }
    found = {name: values for name, values in found.items() if values}
    if not found:
        return False
    page = Figure(figsize=(max(5.0, 1.8 * len(tasks)), 3.6), layout="constrained")
    axes = page.add_subplot()
    width = 0.8 / len(found)
    for row, (name, values) in enumerate(found.items()):
        places = [place + (row - (len(found) - 1) / 2) * width for place in values]
        heights = [100 * value["value"] for value in values.values()]
        bars = list(zip(*map(spread, values.values()), strict=True))
        axes.bar(places, heights, width, yerr=bars, color=colours[name], label=name, capsize=2)
    axes.axhline(100, color="grey", linewidth=0.8, linestyle="--")
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xticks(range(len(tasks)), list(tasks))
    axes.set(ylabel="gap recovered, %", ylim=(-60, 200), xlim=(-0.5, len(tasks) - 0.5))
    save(page, path)
    return True


def spread(value: Mapping[str, float | None]) -> tuple[float, float]:
    """How far an interval reaches below and above its figure, in points; 0 where there is none."""
    middle, low, high = value["value"], value["low"], value["high"]
    if middle is None or low is None or high is None:
        return 0.0, 0.0
    return max(0.0, 100 * (middle - low)), max(0.0, 100 * (high - middle))


def save(page: "Figure", path: Path) -> None:
    """With one legend for all panels, below them."""
    named: dict[str, Any] = {}
    for axes in page.axes:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(name, handle)
    page.legend(list(named.values()), list(named), loc="outside lower center", ncols=4, fontsize=8)
    page.savefig(path, dpi=120, metadata={"Software": None})
