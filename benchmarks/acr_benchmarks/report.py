"""What came out of a run: figures as data, a Markdown page, a table for a README."""

import gzip
import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from statistics import fmean, median
from typing import Any

from acr.errors import BenchmarkError
from acr_benchmarks import metrics, store
from acr_benchmarks.metrics import Interval, Table
from acr_benchmarks.records import Episode, total
from acr_benchmarks.settings import SHAPES

FULL, LOST, DIRECT = "full", "sharded", "direct"
ORDER = SHAPES


def summarise(episodes: Sequence[Episode], manifest: Mapping[str, Any]) -> dict[str, Any]:
    """All figures of a run, task by task. Raises `BenchmarkError` for a run without episodes."""
    if not episodes:
        raise BenchmarkError("there are no episodes to report on")
    tasks = sorted({episode.task for episode in episodes})
    facts = {key: manifest.get(key) for key in ("model", "temperature", "max_tokens", "seed", "user", "data")}
    return {
        "version": 1,
        **facts,
        "episodes": len(episodes),
        "acr": sorted({episode.acr_version for episode in episodes}),
        "fingerprints": sorted({episode.fingerprint for episode in episodes if episode.fingerprint}),
        "tasks": {task: task_figures([e for e in episodes if e.task == task]) for task in tasks},
    }


def task_figures(episodes: Sequence[Episode]) -> dict[str, Any]:
    """Figures of one task. Only items that every setting has are compared; the others are counted."""
    names = sorted({episode.setting for episode in episodes}, key=rank)
    by_setting = {name: [episode for episode in episodes if episode.setting == name] for name in names}
    common = set.intersection(*({episode.item for episode in rows} for rows in by_setting.values()))
    if not common:
        raise BenchmarkError("no item was held in every setting yet: let the run go on")
    compared = {name: [e for e in rows if e.item in common] for name, rows in by_setting.items()}
    return {
        "items": len(common),
        "left_out": len({episode.item for episode in episodes} - common),
        "settings": {name: setting_figures(name, compared) for name in names},
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


def setting_figures(name: str, compared: Mapping[str, Sequence[Episode]]) -> dict[str, Any]:
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
        "seconds": fmean(episode.seconds for episode in episodes),
        "overhead_ms": median(overhead) if overhead else None,
        "interventions": fmean(turn.intervened for turn in turns),
        "premature": fmean(turn.explicit for turn in early) if early else None,
        "first_answer": answered_at(episodes),
        "bloat": bloat(episodes),
        "cut_off": fmean(turn.finish_reason == "length" for turn in turns),
        "overflowed": sum(bool(episode.turns[-1].error) for episode in episodes),
    }
    if FULL in compared:
        full = metrics.mean(table(compared[FULL]))
        figures["of_full"] = metrics.mean(scores) / full if full else None
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


def answered_at(episodes: Sequence[Episode]) -> float | None:
    """Mean place of the first presented answer in conversations of several turns: 0 first turn, 1 last."""
    places = []
    for episode in episodes:
        first = next((index for index, turn in enumerate(episode.turns) if turn.explicit), None)
        if first is not None and len(episode.turns) > 1:
            places.append(first / (len(episode.turns) - 1))
    return fmean(places) if places else None


def bloat(episodes: Sequence[Episode]) -> float | None:
    """How much longer the last answering response is than the first of its conversation; 1 is as long."""
    ratios = []
    for episode in episodes:
        lengths = [len(turn.assistant) for turn in episode.turns if turn.explicit]
        if len(lengths) > 1:
            ratios.append(lengths[-1] / lengths[0])
    return fmean(ratios) if ratios else None


def average(counts: Sequence[int | None]) -> float | None:
    """The mean; None where the server did not say for every one."""
    known = [count for count in counts if count is not None]
    return fmean(known) if known and len(known) == len(counts) else None


def number(text: str | None) -> bool:
    try:
        return isfinite(float(text or ""))
    except ValueError:
        return False


def interval(value: Interval) -> dict[str, float | None]:
    """An interval as data; JSON has no nan."""
    fields = {"value": value.value, "low": value.low, "high": value.high}
    return {name: one if isfinite(one) else None for name, one in fields.items()}


def markdown(figures: Mapping[str, Any], name: str) -> str:
    """The report as one Markdown page."""
    data = figures.get("data") or {}
    parts = [f"# {name}", "", describe(figures), ""]
    for task, rows in figures["tasks"].items():
        source = data.get(task, {}).get("file", "")
        parts += [f"## {task}", "", f"{rows['items']} items{f' of `{source}`' if source else ''}."]
        if rows["left_out"]:
            parts.append(f"{rows['left_out']} more are left out: they were not held in every setting.")
        parts += ["", scores_table(rows), "", cost_table(rows), "", comparison_table(rows), ""]
    return "\n".join([*parts, NOTES])


def describe(figures: Mapping[str, Any]) -> str:
    """One paragraph: what was run."""
    fingerprints = ", ".join(figures["fingerprints"])
    return (
        f"Model `{figures['model']}`{f' ({fingerprints})' if fingerprints else ''}, temperature "
        f"{figures['temperature']}, at most {figures['max_tokens']} tokens a response, user "
        f"`{figures['user']}`, seed {figures['seed']}; ACR {', '.join(figures['acr'])}; "
        f"{figures['episodes']} episodes."
    )


NOTES = """\
Scores are per cent; in brackets the 95% interval from resampling the items. An interval of no width means
that all items came out alike, not that the figure is certain.

- **last answer**: score of the last answer in the conversation. **any answer**: the score of the original
  protocol, which ends a conversation at its first right answer and so gives many tries.
- **gap recovered**: share of the distance between `sharded` and `full`.
- **intervened**: share of turns at which the model saw a refactored context. **early answers**: share of
  turns before the last that present an answer. **cut off**: share of responses ended by the token limit.
  **no room**: conversations that outgrew the model's context.
- tokens and seconds are per conversation; seconds depend on what else the machine did.
- better, worse, same: items. p: two-sided sign-flip test on the items' differences.
"""


def scores_table(rows: Mapping[str, Any]) -> str:
    """Scores by setting. A90 and U90-10 only where there are runs enough."""
    settings = rows["settings"]
    deep = any(figures["aptitude"] is not None for figures in settings.values())
    head = ["setting", "runs", "last answer", "any answer", "% of full", "gap recovered"]
    lines = []
    for name, figures in settings.items():
        low, high = figures["runs"]
        row = [
            f"`{name}`",
            str(low) if low == high else f"{low}-{high}",
            shown(figures["score"]),
            shown(figures["protocol_score"]),
            percent(figures["of_full"]),
            shown(figures["gap_recovered"], unit="%"),
        ]
        if deep:
            row += [percent(figures["aptitude"]), percent(figures["unreliability"])]
        lines.append(row)
    return grid(head + (["A90", "U90-10"] if deep else []), lines)


def cost_table(rows: Mapping[str, Any]) -> str:
    """Tokens, time and behaviour by setting."""
    head = [
        "setting", "turns", "tokens in", "of these cached", "tokens out", "in + out", "seconds",
        "ACR ms a turn", "intervened", "early answers", "cut off", "no room",
    ]  # fmt: skip
    lines = []
    for name, figures in rows["settings"].items():
        tokens = figures["prompt_tokens"], figures["completion_tokens"]
        both = sum(tokens) if None not in tokens else None
        lines.append(
            [
                f"`{name}`",
                f"{figures['turns']:.1f}",
                count(tokens[0]),
                count(figures["cached_tokens"]),
                count(tokens[1]),
                count(both),
                f"{figures['seconds']:.1f}",
                "–" if figures["overhead_ms"] is None else f"{figures['overhead_ms']:.2f}",
                percent(figures["interventions"], "%"),
                percent(figures["premature"], "%"),
                percent(figures["cut_off"], "%"),
                str(figures["overflowed"]),
            ]
        )
    return grid(head, lines)


def comparison_table(rows: Mapping[str, Any]) -> str:
    """Paired differences."""
    lines = [
        [
            f"`{row['first']}` − `{row['second']}`",
            shown(row["difference"], signed=True),
            str(row["better"]),
            str(row["worse"]),
            str(row["same"]),
            f"{row['p']:.3f}" if row["p"] >= 0.001 else "< 0.001",
        ]
        for row in rows["comparisons"]
    ]
    return grid(["paired by item", "points", "better", "worse", "same", "p"], lines) if lines else ""


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, numbers to the right, padded so that it reads well as text too."""
    widths = [max(3, *(len(row[column]) for row in (head, *rows))) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first, *others = cells
        padded = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)),
        ]
        return f"| {' | '.join(padded)} |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(map(line, (head, rule, *rows)))


def shown(value: Mapping[str, float | None] | None, *, unit: str = "", signed: bool = False) -> str:
    """A figure times 100, with its interval."""
    if value is None or value["value"] is None:
        return "–"
    sign = "+" if signed else ""
    text = f"{100 * value['value']:{sign}.0f}{unit}"
    if value["low"] is None or value["high"] is None:
        return text
    return f"{text} [{100 * value['low']:.0f}, {100 * value['high']:.0f}]"


def percent(value: float | None, unit: str = "") -> str:
    return "–" if value is None else f"{100 * value:.0f}{unit}"


def count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def readme_table(figures: Mapping[str, Any]) -> str:
    """What a README shows: scores and tokens, one table a task."""
    head = ["setting", "score", "gap recovered", "tokens in + out", "turns intervened at"]
    parts = [describe(figures)]
    for task, rows in figures["tasks"].items():
        lines = []
        for name, one in rows["settings"].items():
            tokens = one["prompt_tokens"], one["completion_tokens"]
            lines.append(
                [
                    f"`{name}`",
                    shown(one["score"]),
                    shown(one["gap_recovered"], unit="%"),
                    count(sum(tokens) if None not in tokens else None),
                    percent(one["interventions"], "%"),
                ]
            )
        runs = max(one["runs"][1] for one in rows["settings"].values())
        parts.append(
            f"{task}: {rows['items']} items, {runs} run{'s' if runs > 1 else ''}; score of the last answer "
            f"in per cent, 95% interval in brackets.\n\n{grid(head, lines)}"
        )
    return "\n\n".join(parts)


def insert(readme: Path, name: str, content: str) -> None:
    """Put `content` between the marks of that name. Raises `BenchmarkError` naming them if missing."""
    begin, end = f"<!-- bench {name} -->", f"<!-- /bench {name} -->"
    text = readme.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise BenchmarkError(
            f"{readme} needs the lines {begin} and {end}, once each, where the table shall stand"
        )
    readme.write_text(pattern.sub(lambda _: f"{begin}\n{content}\n{end}", text), encoding="utf-8")


def write(source: Path, target: Path, name: str) -> dict[str, Any]:
    """Make the report of the run in `source` and put it into `target`, with the episodes if it is elsewhere.

    Files: report.md, report.json, and in another directory run.json and episodes.jsonl.gz. Packed bytes
    depend on the episodes only.
    """
    episodes, manifest = store.episodes(source), store.manifest(source)
    figures = summarise(episodes, manifest)
    target.mkdir(parents=True, exist_ok=True)
    text = json.dumps(figures, indent=2, ensure_ascii=False)
    (target / "report.json").write_text(text + "\n", encoding="utf-8")
    (target / "report.md").write_text(markdown(figures, name), encoding="utf-8")
    if target.resolve() != source.resolve():
        lines = "".join(episode.model_dump_json() + "\n" for episode in sorted(episodes, key=lambda e: e.key))
        packed = gzip.compress(lines.encode(), 9, mtime=0)
        (target / f"{store.EPISODES}.gz").write_bytes(packed)
        (target / store.MANIFEST).write_text(
            json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8"
        )
    return figures


__all__ = ["Table", "insert", "markdown", "readme_table", "summarise", "write"]
