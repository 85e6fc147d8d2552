"""Episodes as one HTML file that needs nothing else: a list with filters, and the one that was chosen."""

from collections.abc import Iterable, Sequence
from html import escape

from acr_benchmarks import browse
from acr_benchmarks.records import Episode

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; display: flex; height: 100vh; }
nav { width: 23rem; flex: none; border-right: 1px solid var(--line); display: flex; flex-direction: column; }
form { padding: .7rem; display: grid; gap: .4rem; border-bottom: 1px solid var(--line); }
form label { display: flex; gap: .4rem; } select, input[type=search] { width: 100%; font: inherit; }
ol { list-style: none; margin: 0; padding: 0; overflow-y: auto; flex: 1; }
li button { all: unset; display: block; box-sizing: border-box; width: 100%; padding: .25rem .7rem;
  cursor: pointer; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
li button:focus-visible { outline: 2px solid; outline-offset: -2px; }
li button[aria-current=true] { background: #48f3; } li.right button::before { content: "✓ "; color: #2a8; }
li.wrong button::before { content: "✗ "; color: #c44; } li small { opacity: .65; }
main { flex: 1; overflow-y: auto; padding: 0 1.5rem 4rem; } article { max-width: 60rem; }
h1 { font-size: 1.1rem; } section { border-top: 1px solid var(--line); padding: .6rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .2rem 0; }
.user { background: #48f2; padding: .3rem .6rem; border-radius: .4rem; } .soft { opacity: .65; }
.acr { margin: .4rem 0; } details > div { border-left: 3px solid var(--line); padding-left: .8rem; }
.left { background: #e5533d22; text-decoration: line-through; } .added { background: #2a882a33; }
.kept { opacity: .6; } .good { color: #2a8; font-weight: 600; } .bad { color: #c44; font-weight: 600; }
@media (max-width: 50rem) { body { display: block; height: auto; } nav { width: auto; max-height: 45vh; } }
"""
SCRIPT = """
const rows = [...document.querySelectorAll('li')], form = document.forms[0];
const main = document.querySelector('main');
let at = -1;
function fits(row) {
  const d = row.dataset, f = form.elements;
  return (!f.task.value || d.task === f.task.value) && (!f.setting.value || d.setting === f.setting.value) &&
    (!f.wrong.checked || row.className === 'wrong') && (!f.changed.checked || d.changed === 'true') &&
    d.item.toLowerCase().includes(f.item.value.toLowerCase());
}
function filter() {
  let shown = 0;
  for (const row of rows) { row.hidden = !fits(row); shown += !row.hidden; }
  document.querySelector('output').textContent = shown + ' of ' + rows.length;
  if (at < 0 || rows[at].hidden) choose(rows.findIndex(row => !row.hidden));
}
function choose(next) {
  if (at >= 0) rows[at].firstChild.removeAttribute('aria-current');
  at = next;
  main.replaceChildren();
  if (at < 0) return;
  rows[at].firstChild.setAttribute('aria-current', 'true');
  rows[at].scrollIntoView({block: 'nearest'});
  main.append(rows[at].querySelector('template').content.cloneNode(true));
  main.scrollTop = 0;
}
function step(by) {
  let next = at + by;
  while (rows[next] && rows[next].hidden) next += by;
  if (rows[next]) choose(next);
}
form.addEventListener('input', filter);
form.addEventListener('submit', event => event.preventDefault());
rows.forEach((row, index) => row.firstChild.addEventListener('click', () => choose(index)));
document.addEventListener('keydown', event => {
  if (event.target.matches('input, select')) return;
  if (event.key === 'j' || event.key === 'ArrowRight') step(1);
  if (event.key === 'k' || event.key === 'ArrowLeft') step(-1);
});
filter();
"""
CLASSES = {"kept": "kept", "left out": "left", "added": "added"}


def page(episodes: Sequence[Episode], title: str) -> str:
    """The whole file. Every text in it is escaped: models write HTML too."""
    rows = "\n".join(map(row, episodes))
    tasks, settings = ({getattr(one, name) for one in episodes} for name in ("task", "setting"))
    form = (
        f"<form>{select('task', tasks)}{select('setting', settings)}"
        '<input type="search" name="item" placeholder="part of an item\'s id" aria-label="item">'
        '<label><input type="checkbox" name="wrong"> wrong only</label>'
        '<label><input type="checkbox" name="changed"> changed by ACR only</label>'
        '<small class="soft"><output></output>; next and previous with j and k, or the arrows</small></form>'
    )
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>\n'
        f"<nav>{form}<ol>\n{rows}\n</ol></nav><main></main>\n<script>{SCRIPT}</script></html>\n"
    )


def select(name: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in sorted(values))
    return f'<select name="{name}" aria-label="{name}"><option value="">any {name}</option>{options}</select>'


def row(episode: Episode) -> str:
    """A line of the list, with the episode folded into it."""
    data = {
        "task": episode.task,
        "setting": episode.setting,
        "item": episode.item,
        "changed": str(any(turn.intervened for turn in episode.turns)).lower(),
    }
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    kind = "right" if episode.score >= 1 else "wrong"
    run = f" · run {episode.run}" if episode.run else ""
    return (
        f'<li class="{kind}" {attributes}><button type="button">{escape(episode.item)} '
        f"<small>{escape(episode.setting)}{run}</small></button>"
        f"<template>{article(episode)}</template></li>"
    )


def article(episode: Episode) -> str:
    """One episode."""
    title = f"{episode.task} · {episode.item} · {episode.setting} · run {episode.run}"
    score = f"score {100 * episode.score:.0f}"
    if episode.protocol_score != episode.score:
        score += f" (any answer: {100 * episode.protocol_score:.0f})"
    turns = "".join(section(episode, index) for index in range(len(episode.turns)))
    system = f'<pre class="soft">{escape(episode.system)}</pre>' if episode.system else ""
    return (
        f'<article><h1>{escape(title)}</h1><p class="{quality(episode.score)}">{score}</p>'
        f"{system}{turns}</article>"
    )


def section(episode: Episode, index: int) -> str:
    """One exchange."""
    turn = episode.turns[index]
    parts = [f'<pre class="user">{escape(turn.user)}</pre>']
    if decision := browse.decision(turn):
        shown = "".join(
            f'<pre class="{CLASSES[one.change]}"><b>{escape(one.role)}</b> {escape(one.text)}</pre>'
            for one in browse.context(episode, index)
        )
        signals = ", ".join(f"{name} {value:g}" for name, value in turn.signals.items() if value)
        more = f'<p class="soft">signals: {escape(signals)}</p>' if signals else ""
        acr = f"ACR: {escape(decision)}"
        folded = f"<details open><summary><b>{acr}</b></summary><div>{shown}{more}</div></details>"
        parts.append(f'<div class="acr">{folded if shown else f"<span class=soft>{acr}</span>"}</div>')
    parts += [
        f"<pre>{escape(turn.assistant)}</pre>",
        f'<p class="{quality(turn.score)}">{escape(browse.verdict(turn))}</p>',
        f'<p class="soft">{escape(browse.cost(turn))}</p>',
    ]
    return f"<section>{''.join(parts)}</section>"


def quality(score: float | None) -> str:
    return "soft" if score is None else "good" if score >= 1 else "bad"
