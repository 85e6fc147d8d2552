"""The report as one HTML file that needs nothing else: plots as SVG, and the tables of the Markdown page."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 150, 20, 16, 36
COLOURS = ("#1b6ca8", "#c2571a", "#2f8f5b", "#8a4fa3", "#7a7a7a", "#b03a5b", "#4f7d8c", "#a38a2a")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
code { background: #f2f2f2; padding: 0 .25em; border-radius: 3px; }
svg { max-width: 100%; height: auto; } figure { display: inline-block; margin: 1rem 1rem 1rem 0; }
figcaption { font-weight: 600; } text { font: 12px system-ui, sans-serif; fill: #222; }
@media (prefers-color-scheme: dark) {
  body { background: #181818; color: #ddd; } code { background: #333; } th, td { border-color: #444; }
  text { fill: #ddd; } .axis { stroke: #888; }
}
"""


def page(figures: Mapping[str, Any], markdown: str, name: str) -> str:
    """The whole file. `markdown` is the report's, whose text and tables are shown below the plots."""
    plots = [
        figure(f"{name}: gap recovered by task, per cent", bars(tasks))
        for name, tasks in recovered(figures["tasks"]).items()
    ]
    for task, rows in figures["tasks"].items():
        settings = rows["settings"]
        plots += [
            figure(f"{task}: score of the last answer", bars(settings)),
            figure(f"{task}: tokens against score", scatter(settings)),
            figure(f"{task}: score by the turn of the first answer", curves(settings)),
        ]
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(name)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>\n'
        f"{''.join(plots)}\n{html(markdown)}\n</html>\n"
    )


def recovered(tasks: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The share of the gap recovered by setting and task, within 0 and 1; where several tasks have one."""
    found: dict[str, dict[str, Any]] = {}
    for task, rows in tasks.items():
        for name, one in rows["settings"].items():
            share = one.get("gap_recovered")
            if share and share["value"] is not None:
                within = {
                    key: None if value is None else min(1.0, max(0.0, value)) for key, value in share.items()
                }
                found.setdefault(name, {})[task] = {"score": within}
    return {name: tasks for name, tasks in found.items() if len(tasks) > 1}


def figure(caption: str, svg: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>\n" if svg else ""


def bars(settings: Mapping[str, Any]) -> str:
    """One bar a setting, with its interval."""
    step = (HEIGHT - TOP - BOTTOM) / len(settings)
    parts = [axis("per cent")]
    for row, (name, one) in enumerate(settings.items()):
        score, y = one["score"], TOP + step * row
        middle, colour = y + step / 2, COLOURS[row % len(COLOURS)]
        parts += [
            label(name, LEFT - 8, middle + 4, "end"),
            f'<rect x="{LEFT}" y="{y + step * 0.2:.1f}" width="{along(score["value"]) - LEFT:.1f}" '
            f'height="{step * 0.6:.1f}" fill="{colour}" opacity=".75"/>',
        ]
        if score["low"] is not None:
            parts.append(line(along(score["low"]), middle, along(score["high"]), middle))
    return svg(parts)


def scatter(settings: Mapping[str, Any]) -> str:
    """Score to the right, tokens upwards; empty where the server did not count."""
    tokens = {
        name: one["prompt_tokens"] + one["completion_tokens"]
        for name, one in settings.items()
        if one["prompt_tokens"] is not None and one["completion_tokens"] is not None
    }
    if not tokens:
        return ""
    most = max(*tokens.values(), 1)
    parts = [
        axis("per cent"),
        label(f"{most:,.0f} tokens", LEFT - 8, TOP + 10, "end"),
        label("0", LEFT - 8, HEIGHT - BOTTOM, "end"),
    ]
    for row, (name, count) in enumerate(tokens.items()):
        x, y = along(settings[name]["score"]["value"]), upwards(count / most)
        anchor, shift = ("end", -8) if x > WIDTH * 0.7 else ("start", 8)
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{COLOURS[row % len(COLOURS)]}"/>',
            label(name, x + shift, y + 4, anchor),
        ]
    return svg(parts)


def curves(settings: Mapping[str, Any]) -> str:
    """Score of conversations by the turn at which the model first answered, one curve a setting."""
    known = {name: one["by_first_answer"] for name, one in settings.items() if one["by_first_answer"]}
    if not known:
        return ""
    last = max(point["turn"] for points in known.values() for point in points)
    parts = [
        label("turn", WIDTH - RIGHT, HEIGHT - 6, "end"),
        label("100", LEFT - 8, TOP + 10, "end"),
        label("0", LEFT - 8, HEIGHT - BOTTOM, "end"),
    ]
    parts += [
        label(str(turn), place(turn, last), HEIGHT - BOTTOM + 16, "middle") for turn in range(1, last + 1)
    ]
    for row, (name, points) in enumerate(known.items()):
        colour = COLOURS[list(settings).index(name) % len(COLOURS)]
        path = " ".join(f"{place(p['turn'], last):.1f},{upwards(p['score']):.1f}" for p in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [dot(place(point["turn"], last), point, colour) for point in points]
        parts.append(f'<text x="8" y="{TOP + 40 + 16 * row}" style="fill:{colour}">{escape(name)}</text>')
    return svg(parts)


def dot(x: float, point: Mapping[str, float], colour: str) -> str:
    """A point of a curve, larger for more conversations."""
    size = 2 + min(8.0, point["episodes"] ** 0.5)
    hint = f"{point['episodes']} conversations, {100 * point['score']:.0f}"
    y = upwards(point["score"])
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="{colour}" opacity=".7">'
        f"<title>{hint}</title></circle>"
    )


def along(share: float) -> float:
    """Where a share of 1 stands from left to right."""
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def upwards(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def place(turn: int, last: int) -> float:
    return along((turn - 0.5) / last)


def axis(unit: str) -> str:
    ticks = "".join(
        label(str(tick), along(tick / 100), HEIGHT - BOTTOM + 16, "middle") for tick in range(0, 101, 20)
    )
    return (
        line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM)
        + ticks
        + label(unit, WIDTH - RIGHT, HEIGHT - 4, "end")
    )


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line class="axis" {ends} stroke="#333" stroke-width="1.5"/>'


def label(text: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def svg(parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img">{"".join(parts)}</svg>'


def html(markdown: str) -> str:
    """The few things that the report's Markdown uses: headings, tables, lists, code, bold."""
    out: list[str] = []
    for block in markdown.split("\n\n"):
        lines = block.strip().splitlines()
        if not lines:
            continue
        if lines[0].startswith("#"):
            level = len(lines[0]) - len(lines[0].lstrip("#"))
            out.append(f"<h{level}>{inline(lines[0].lstrip('# '))}</h{level}>")
        elif lines[0].startswith("|"):
            rows = [[cell.strip() for cell in one.strip("|").split("|")] for one in lines]
            body = "".join(f"<tr>{''.join(f'<td>{inline(c)}</td>' for c in row)}</tr>" for row in rows[2:])
            out.append(f"<table><tr>{''.join(f'<th>{inline(c)}</th>' for c in rows[0])}</tr>{body}</table>")
        elif lines[0].startswith("- "):
            entries = "\n".join(lines).removeprefix("- ").split("\n- ")
            out.append(f"<ul>{''.join(f'<li>{inline(entry)}</li>' for entry in entries)}</ul>")
        else:
            out.append(f"<p>{inline(chr(10).join(lines))}</p>")
    return "\n".join(out)


def inline(text: str) -> str:
    """Code between backticks, bold between double stars, all else escaped."""
    parts = escape(text, quote=False).split("`")
    text = "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))
    bold = text.split("**")
    return "".join(f"<b>{part}</b>" if index % 2 else part for index, part in enumerate(bold))
