"""Two plots of a run: rates beside the bare relay's, and what one exchange takes of the processor."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def write(run: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write rates.png and processor.png; nothing where matplotlib is not installed (extra `bench`)."""
    if find_spec("matplotlib") is None:
        return []
    from matplotlib.figure import Figure

    written = []
    for file, key, label in (
        ("rates.png", "rate_to_bare", "exchanges a second / bare relay's"),
        ("processor.png", "cpu_ms", "processor time of an exchange, ms"),
    ):
        figure = Figure(figsize=(9, 4), layout="constrained")
        axes = figure.subplots()
        scenarios = list(run["figures"])
        subjects = list(
            dict.fromkeys(name for rows in run["figures"].values() for name in rows if name != "direct")
        )
        for number, subject in enumerate(subjects):
            values = [run["figures"][name].get(subject, {}).get(key) or 0 for name in scenarios]
            heights = [value[0] if isinstance(value, list | tuple) else value for value in values]
            places = [at + 0.8 * number / len(subjects) for at in range(len(scenarios))]
            axes.bar(places, heights, 0.8 / len(subjects), label=subject, align="edge")
        axes.set_xticks([at + 0.4 for at in range(len(scenarios))], scenarios, rotation=20)
        axes.set_ylabel(label)
        axes.legend()
        figure.savefig(folder / file, dpi=120)
        written.append(folder / file)
    return written
