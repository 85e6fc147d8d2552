"""The figures of a run, as data: what the report shows and what others may compute with."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from statistics import fmean, median
from typing import Any

from acr.errors import BenchmarkError
from acr_benchmarks import metrics
from acr_benchmarks.metrics import Interval
from acr_benchmarks.overall import DIRECT, FULL, LOST, overall
from acr_benchmarks.prices import Price, auxiliary
from acr_benchmarks.records import Episode, TurnRecord, total
from acr_benchmarks.settings import SHAPES

ORDER = SHAPES


def summarise(
    episodes: Sequence[Episode], manifest: Mapping[str, Any], price: Price | None = None
) -> dict[str, Any]:
    """All figures of a run, task by task and over all tasks.

    Raises `BenchmarkError` for a run without episodes.
    """
    if not episodes:
        raise BenchmarkError("there are no episodes to report on")
    by_task: dict[str, list[Episode]] = {}
    for episode in sorted(episodes, key=lambda episode: episode.key):
        by_task.setdefault(episode.task, []).append(episode)
    comparable = {task: rows for task in by_task if (rows := compared(by_task[task]))}
    if not comparable:
        raise BenchmarkError("no item was held in every setting yet: let the run go on")
    tables = {task: {name: table(rows[name]) for name in rows} for task, rows in comparable.items()}
    facts = {key: manifest.get(key) for key in ("model", "temperature", "max_tokens", "seed", "user", "data")}
    return {
        "version": 1,
        **facts,
        "episodes": len(episodes),
        "not_yet": [task for task in by_task if task not in comparable],
        "acr": sorted({episode.acr_version for episode in episodes}),
        "fingerprints": sorted({episode.fingerprint for episode in episodes if episode.fingerprint}),
        "price": asdict(price) if price else None,
        "overall": plain(overall(tables)),
        "tasks": {task: task_figures(by_task[task], rows, price) for task, rows in comparable.items()},
    }


def compared(episodes: Sequence[Episode]) -> dict[str, list[Episode]]:
    """The episodes of one task by setting, of those items only that every setting has; empty without any."""
    names = sorted({episode.setting for episode in episodes}, key=rank)
    by_setting = {name: [episode for episode in episodes if episode.setting == name] for name in names}
    common = set.intersection(*({episode.item for episode in rows} for rows in by_setting.values()))
    if not common:
        return {}
    return {name: [e for e in rows if e.item in common] for name, rows in by_setting.items()}


def task_figures(
    episodes: Sequence[Episode], compared: Mapping[str, Sequence[Episode]], price: Price | None = None
) -> dict[str, Any]:
    """Figures of one task. Items that not every setting has are only counted."""
    common = {episode.item for rows in compared.values() for episode in rows}
    return {
        "items": len(common),
        "left_out": len({episode.item for episode in episodes} - common),
        "settings": {name: setting_figures(name, compared, price) for name in compared},
        "comparisons": comparisons(compared),
    }


def rank(name: str) -> tuple[int, str]:
    """Settings in the order of the protocol, policies after them."""
    return (ORDER.index(name), name) if name in ORDER else (len(ORDER), name)


def table(episodes: Sequence[Episode], *, protocol: bool = False) -> dict[str, list[float]]:
    """Scores by item, in the order of the runs."""
    rows: dict[str, list[float]] = {}
    for episode in sorted(episodes, key=lambda episode: episode.key):
        rows.setdefault(episode.item, []).append(episode.protocol_score if protocol else episode.score)
    return rows


def setting_figures(
    name: str, compared: Mapping[str, Sequence[Episode]], price: Price | None = None
) -> dict[str, Any]:
    """Figures of one setting."""
    episodes = compared[name]
    scores = table(episodes)
    turns = [turn for episode in episodes for turn in episode.turns]
    early = [turn for episode in episodes for turn in episode.turns[:-1]]
    overhead = [float(turn.acr["overhead-ms"]) for turn in turns if number(turn.acr.get("overhead-ms"))]
    figures: dict[str, Any] = {
        "episodes": len(episodes),
        "runs": [min(map(len, scores.values())), max(map(len, scores.values()))],
        "score": interval(metrics.mean_interval(scores)),
        "protocol_score": interval(metrics.mean_interval(table(episodes, protocol=True))),
        "aptitude": metrics.aptitude(scores),
        "unreliability": metrics.unreliability(scores),
        "of_full": None,
        "gap_recovered": None,
        "turns": fmean(len(episode.turns) for episode in episodes),
        "prompt_tokens": average([episode.prompt_tokens for episode in episodes]),
        "completion_tokens": average([episode.completion_tokens for episode in episodes]),
        "cached_tokens": average([total([turn.cached_tokens for turn in e.turns]) for e in episodes]),
        "auxiliary_tokens": average([sum(auxiliary(episode)) for episode in episodes]),
        "dollars": average([price.of(episode) for episode in episodes]) if price else None,
        "seconds": fmean(sum(turn.seconds for turn in episode.turns) for episode in episodes),
        "overhead_ms": median(overhead) if overhead else None,
        "interventions": fmean(turn.intervened for turn in turns),
        "premature": fmean(turn.explicit for turn in early) if early else None,
        "first_answer": answered_at(episodes),
        "by_first_answer": by_first_answer(episodes),
        "responses": responses(turns),
        "bloat": bloat(episodes),
        "length_of_full": None,
        "cut_off": fmean(turn.finish_reason == "length" for turn in turns),
        "overflowed": sum(bool(episode.turns[-1].error) for episode in episodes),
    }
    if FULL in compared:
        full = metrics.mean(table(compared[FULL]))
        figures["of_full"] = metrics.mean(scores) / full if full else None
        figures["length_of_full"] = longer(episodes, compared[FULL])
    if FULL in compared and LOST in compared and name not in (FULL, LOST):
        figures["gap_recovered"] = interval(
            metrics.recovered_interval(table(compared[LOST]), table(compared[FULL]), scores)
        )
    return figures


def comparisons(compared: Mapping[str, Sequence[Episode]]) -> list[dict[str, Any]]:
    """Each setting against SHARDED (or no policy), and policies against each other."""
    policies = [name for name in compared if name not in ORDER]
    base = LOST if LOST in compared else DIRECT
    pairs = [(name, base) for name in compared if name != base and base in compared]
    pairs += [(a, b) for index, a in enumerate(policies) for b in policies[index + 1 :]]
    rows = []
    for a, b in pairs:
        result = metrics.paired(table(compared[a]), table(compared[b]))
        rows.append(
            {
                "first": a,
                "second": b,
                "difference": interval(result.difference),
                "better": result.better,
                "worse": result.worse,
                "same": result.same,
                "p": result.p,
            }
        )
    return rows


def responses(turns: Sequence[TurnRecord]) -> dict[str, float]:
    """The share of each of the protocol's seven types among the responses that were sorted."""
    kinds = Counter(turn.response for turn in turns if turn.response is not None)
    return {kind: count / kinds.total() for kind, count in kinds.most_common()}


def answered_at(episodes: Sequence[Episode]) -> float | None:
    """Mean place of the first presented answer in conversations of several turns: 0 first turn, 1 last."""
    places = []
    for episode in episodes:
        first = next((index for index, turn in enumerate(episode.turns) if turn.explicit), None)
        if first is not None and len(episode.turns) > 1:
            places.append(first / (len(episode.turns) - 1))
    return fmean(places) if places else None


def by_first_answer(episodes: Sequence[Episode]) -> list[dict[str, float]]:
    """Mean score by the turn (from 1) of the first presented answer, for conversations of several turns."""
    found: dict[int, list[float]] = {}
    for episode in episodes:
        first = next((index for index, turn in enumerate(episode.turns, 1) if turn.explicit), None)
        if first is not None and len(episode.turns) > 1:
            found.setdefault(first, []).append(episode.score)
    return [
        {"turn": turn, "episodes": len(scores), "score": fmean(scores)}
        for turn, scores in sorted(found.items())
    ]


def bloat(episodes: Sequence[Episode]) -> float | None:
    """How much longer the last answering response is than the first of its conversation; 1 is as long."""
    ratios = []
    for episode in episodes:
        lengths = [len(turn.assistant) for turn in episode.turns if turn.explicit]
        if len(lengths) > 1:
            ratios.append(lengths[-1] / lengths[0])
    return fmean(ratios) if ratios else None


def longer(episodes: Sequence[Episode], full: Sequence[Episode]) -> float | None:
    """How long the response with the final answer is, over that of FULL: the mean over items that have both.

    LiC, appendix F: answers bloat over the turns, the right ones too.
    """
    ours, theirs = (lengths(rows) for rows in (episodes, full))
    ratios = [fmean(ours[item]) / fmean(theirs[item]) for item in sorted(ours.keys() & theirs.keys())]
    return fmean(ratios) if ratios else None


def lengths(episodes: Sequence[Episode]) -> dict[str, list[int]]:
    """Characters of the last response that holds an answer, by item."""
    found: dict[str, list[int]] = {}
    for episode in episodes:
        length = next((len(turn.assistant) for turn in reversed(episode.turns) if turn.answer is not None), 0)
        if length:
            found.setdefault(episode.item, []).append(length)
    return found


def average(counts: Sequence[float | None]) -> float | None:
    """The mean; None where the server did not say for every one."""
    known = [count for count in counts if count is not None]
    return fmean(known) if known and len(known) == len(counts) else None


def number(text: str | None) -> bool:
    try:
        return isfinite(float(text or ""))
    except ValueError:
        return False


def plain(figures: Any) -> Any:
    """Figures with their intervals as data."""
    if isinstance(figures, Interval):
        return interval(figures)
    if isinstance(figures, dict):
        return {key: plain(value) for key, value in figures.items()}
    return [plain(value) for value in figures] if isinstance(figures, list) else figures


def interval(value: Interval) -> dict[str, float | None]:
    """An interval as data; JSON has no nan."""
    fields = {"value": value.value, "low": value.low, "high": value.high}
    return {name: one if isfinite(one) else None for name, one in fields.items()}
