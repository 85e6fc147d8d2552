"""What came out of a run: a Markdown page, an HTML page, figures as data, a table for a README."""

import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError
from acr_benchmarks import page as pages
from acr_benchmarks import plots, store
from acr_benchmarks.figures import summarise
from acr_benchmarks.prices import Price
from acr_benchmarks.records import Episode


def markdown(figures: Mapping[str, Any], name: str) -> str:
    """The report as one Markdown page."""
    data = figures.get("data") or {}
    parts = [f"# {name}", "", describe(figures), ""]
    if overall := figures.get("overall"):
        parts += ["## All tasks", "", f"The mean of {listed(overall['tasks'])}.", ""]
        parts += [overall_table(overall), "", comparison_table(overall), ""]
    if figures.get("not_yet"):
        parts += [f"Not in every setting yet: {listed(figures['not_yet'])}.", ""]
    for task, rows in figures["tasks"].items():
        source = data.get(task, {}).get("file", "")
        parts += [f"## {task}", "", f"{rows['items']} items{f' of `{source}`' if source else ''}."]
        if rows["left_out"]:
            parts.append(f"{rows['left_out']} more are left out: they were not held in every setting.")
        parts += ["", scores_table(rows), "", cost_table(rows), "", responses_table(rows), ""]
        parts += [comparison_table(rows), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*parts, NOTES]))


def describe(figures: Mapping[str, Any]) -> str:
    """One paragraph: what was run."""
    fingerprints = ", ".join(figures["fingerprints"])
    return (
        f"Model `{figures['model']}`{f' ({fingerprints})' if fingerprints else ''}, temperature "
        f"{figures['temperature']}, at most {figures['max_tokens']} tokens a response, user "
        f"`{figures['user']}`, seed {figures['seed']}; ACR {', '.join(figures['acr'])}; "
        f"{figures['episodes']} episodes."
        + (f" Dollars at the prices of `{price['model']}`." if (price := figures.get("price")) else "")
    )


def listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


NOTES = """\
Scores are per cent; in brackets the 95% interval from resampling the items. An interval of no width means
that all items came out alike, not that the figure is certain.

- **last answer**: score of the last answer in the conversation. **any answer**: the score of the original
  protocol, which ends a conversation at its first right answer and so gives many tries.
- **gap recovered**: share of the distance between `sharded` and `full`.
- **intervened**: share of turns at which the model saw a refactored context. **early answers**: share of
  turns before the last that present an answer. **cut off**: share of responses ended by the token limit.
  **no room**: conversations that outgrew the model's context.
- **length of full**: characters of the response with the final answer over that of `full`, mean over items.
- **controls**: score on the control conversations, which a policy must not lower. **change**: against no
  policy on the same conversations, with its p.
- All tasks: score and "% of full" are means of the tasks; "gap recovered" is that of the mean scores.
- **auxiliary**: tokens of a model that ACR itself asked, in and out; not in the other columns.
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


def overall_table(overall: Mapping[str, Any]) -> str:
    """Scores over all tasks, and beside them what the control conversations say."""
    head = ["setting", "last answer", "% of full", "gap recovered", "controls", "change", "p"]
    lines = []
    for name, one in overall["settings"].items():
        change = one["controls_change"]
        lines.append(
            [
                f"`{name}`",
                shown(one["score"]),
                shown(one["of_full"]),
                shown(one["gap_recovered"], unit="%"),
                shown(one["controls"]),
                shown(change["difference"], signed=True) if change else "–",
                probability(change["p"]) if change else "–",
            ]
        )
    return grid(head, lines)


def cost_table(rows: Mapping[str, Any]) -> str:
    """Tokens, time and behaviour by setting."""
    settings = rows["settings"]
    asked = any(figures.get("auxiliary_tokens") for figures in settings.values())
    priced = any(figures.get("dollars") is not None for figures in settings.values())
    head = [
        "setting", "turns", "tokens in", "of these cached", "tokens out", "in + out",
        *(["auxiliary"] if asked else []), *(["dollars"] if priced else []), "seconds", "ACR ms a turn",
        "intervened", "early answers", "length of full", "cut off", "no room",
    ]  # fmt: skip
    lines = []
    for name, figures in settings.items():
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
                *([count(figures["auxiliary_tokens"])] if asked else []),
                *([dollars(figures["dollars"])] if priced else []),
                f"{figures['seconds']:.1f}",
                "–" if figures["overhead_ms"] is None else f"{figures['overhead_ms']:.2f}",
                percent(figures["interventions"], "%"),
                percent(figures["premature"], "%"),
                percent(figures.get("length_of_full"), "%"),
                percent(figures["cut_off"], "%"),
                str(figures["overflowed"]),
            ]
        )
    return grid(head, lines)


def responses_table(rows: Mapping[str, Any]) -> str:
    """What the responses were, by setting; only the kinds that occur."""
    shares = {name: one.get("responses") or {} for name, one in rows["settings"].items()}
    kinds = list(dict.fromkeys(kind for one in shares.values() for kind in one))
    if not kinds:
        return ""
    lines = [
        [f"`{name}`", *(percent(one.get(kind, 0.0), "%") for kind in kinds)] for name, one in shares.items()
    ]
    return grid(["responses", *(kind.replace("_", " ") for kind in kinds)], lines)


def comparison_table(rows: Mapping[str, Any]) -> str:
    """Paired differences."""
    lines = [
        [
            f"`{row['first']}` − `{row['second']}`",
            shown(row["difference"], signed=True),
            str(row["better"]),
            str(row["worse"]),
            str(row["same"]),
            probability(row["p"]),
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


def probability(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def dollars(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def readme_table(figures: Mapping[str, Any]) -> str:
    """What a README shows: scores and tokens, a table a task; of several tasks one table for all."""
    if overall := figures.get("overall"):
        return f"{describe(figures)}\n\n{across(overall, figures['tasks'])}"
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


def across(overall: Mapping[str, Any], tasks: Mapping[str, Any]) -> str:
    """Several tasks in one table, a row a setting."""
    names = overall["tasks"]
    items = ", ".join(f"{tasks[name]['items']} of {name}" for name in names)
    lines = []
    for setting, one in overall["settings"].items():
        of_tasks = [tasks[name]["settings"][setting] for name in names]
        tokens = [each[kind] for each in of_tasks for kind in ("prompt_tokens", "completion_tokens")]
        lines.append(
            [
                f"`{setting}`",
                shown(one["score"]),
                shown(one["gap_recovered"], unit="%"),
                *(percent(each["score"]["value"]) for each in of_tasks),
                count(sum(tokens) / len(names) if None not in tokens else None),
                shown(one["controls"]),
            ]
        )
    head = ["setting", "mean of tasks", "gap recovered", *names, "tokens in + out", "controls"]
    return (
        f"Score of the last answer in per cent, 95% interval in brackets; {items}, beside them the control "
        f"conversations.\n\n{grid(head, lines)}"
    )


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


def write(
    source: Path,
    target: Path,
    name: str,
    price: Price | None = None,
    only: Callable[[Episode], bool] = lambda episode: True,
) -> dict[str, Any]:
    """Make the report of the run in `source` and put it into `target`, with the episodes if it is elsewhere.

    Only episodes for which `only` holds are looked at, and put there. Files: report.md, report.html,
    report.json, plots as PNG where matplotlib is installed, and in another directory run.json and
    episodes.jsonl.gz. Packed bytes depend on the episodes only.
    """
    episodes, manifest = list(filter(only, store.episodes(source))), store.manifest(source)
    figures = summarise(episodes, manifest, price)
    target.mkdir(parents=True, exist_ok=True)
    text = json.dumps(figures, indent=2, ensure_ascii=False)
    (target / "report.json").write_text(text + "\n", encoding="utf-8")
    page = markdown(figures, name)
    (target / "report.md").write_text(page, encoding="utf-8")
    (target / "report.html").write_text(pages.page(figures, page, name), encoding="utf-8")
    plots.write(figures, target)
    if target.resolve() != source.resolve():
        lines = "".join(episode.model_dump_json() + "\n" for episode in sorted(episodes, key=lambda e: e.key))
        packed = gzip.compress(lines.encode(), 9, mtime=0)
        (target / f"{store.EPISODES}.gz").write_bytes(packed)
        (target / store.MANIFEST).write_text(
            json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8"
        )
    return figures
