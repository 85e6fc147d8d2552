"""Two runs held against each other, setting by setting, on the items both have."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError
from acr_benchmarks import metrics, store
from acr_benchmarks.figures import average, interval, rank, table
from acr_benchmarks.records import Episode, total
from acr_benchmarks.report import grid, shown

FACTS = ("model", "temperature", "max_tokens", "seed", "user")


def compare(first: Path, second: Path) -> dict[str, Any]:
    """What changed from `first` to `second`. Raises `BenchmarkError` if they have nothing in common."""
    manifests = store.manifest(first), store.manifest(second)
    rows = [
        row
        for key, (a, b) in sorted(pairs(store.episodes(first), store.episodes(second)).items(), key=order)
        if (row := changed(key, a, b)) is not None
    ]
    if not rows:
        raise BenchmarkError(f"{first} and {second} have no item of one task in one setting in common")
    return {"differ": differ(*manifests), "settings": rows}


def order(pair: tuple[tuple[str, str], object]) -> tuple[str, tuple[int, str]]:
    (task, setting), _ = pair
    return task, rank(setting)


def pairs(
    first: Sequence[Episode], second: Sequence[Episode]
) -> dict[tuple[str, str], tuple[list[Episode], list[Episode]]]:
    """Episodes of both by task and setting, where both have that setting."""
    split: tuple[dict[tuple[str, str], list[Episode]], ...] = ({}, {})
    for rows, episodes in zip(split, (first, second), strict=True):
        for episode in episodes:
            rows.setdefault((episode.task, episode.setting), []).append(episode)
    return {key: (split[0][key], split[1][key]) for key in split[0] if key in split[1]}


def changed(key: tuple[str, str], first: list[Episode], second: list[Episode]) -> dict[str, Any] | None:
    """One setting; None if no item was held in both runs."""
    common = {episode.item for episode in first} & {episode.item for episode in second}
    if not common:
        return None
    first, second = ([e for e in episodes if e.item in common] for episodes in (first, second))
    result = metrics.paired(table(second), table(first))
    tokens = [
        average([total([e.prompt_tokens, e.completion_tokens]) for e in rows]) for rows in (first, second)
    ]
    return {
        "task": key[0],
        "setting": key[1],
        "items": len(common),
        "before": metrics.mean(table(first)),
        "after": metrics.mean(table(second)),
        "difference": interval(result.difference),
        "better": result.better,
        "worse": result.worse,
        "p": result.p,
        "tokens": tokens,
    }


def differ(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Facts in which the runs differ: then the difference in score may come from these."""
    known = {fact: (first.get(fact), second.get(fact)) for fact in FACTS}
    found = [f"{fact}: {one} and {other}" for fact, (one, other) in known.items() if one != other]
    for task, one in sorted(first.get("data", {}).items()):
        other = second.get("data", {}).get(task, one)
        if one["sha256"] != other["sha256"]:
            found.append(f"data of {task}: {one['file']} and {other['file']} are not the same file")
    return found


def markdown(result: Mapping[str, Any]) -> str:
    """The comparison as Markdown."""
    head = [
        "task",
        "setting",
        "items",
        "before",
        "after",
        "points",
        "better",
        "worse",
        "p",
        "tokens before",
        "after",
    ]
    rows = [
        [
            row["task"],
            f"`{row['setting']}`",
            str(row["items"]),
            f"{100 * row['before']:.0f}",
            f"{100 * row['after']:.0f}",
            shown(row["difference"], signed=True),
            str(row["better"]),
            str(row["worse"]),
            f"{row['p']:.3f}",
            *("–" if tokens is None else f"{tokens:,.0f}" for tokens in row["tokens"]),
        ]
        for row in result["settings"]
    ]
    warning = "".join(f"The runs differ in {fact}.\n" for fact in result["differ"])
    return f"{warning}\n{grid(head, rows)}\n"
