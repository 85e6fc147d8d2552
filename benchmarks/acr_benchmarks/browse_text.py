"""Episodes in the terminal."""

from collections.abc import Callable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from acr_benchmarks import browse
from acr_benchmarks.records import Episode

STYLES = {"kept": "dim", "left out": "red", "added": "green"}
MARKS = {"kept": " ", "left out": "-", "added": "+"}
MOST = {"kept": 100, "left out": 300, "added": 100_000}
"""Characters that are shown of a message."""


def listing(episodes: Sequence[Episode]) -> Table:
    """One line an episode."""
    table = Table("", "task", "item", "setting", "run", "score", "turns", "changed", box=None, pad_edge=False)
    for number, one in enumerate(episodes, 1):
        changed = sum(turn.intervened for turn in one.turns)
        table.add_row(
            str(number), one.task, one.item, one.setting, str(one.run), f"{100 * one.score:.0f}",
            str(len(one.turns)), str(changed) if changed else "",
        )  # fmt: skip
    return table


def show(episode: Episode, place: str = "") -> RenderableType:
    """A whole episode, turn by turn."""
    title = f"{episode.task}  {episode.item}  {episode.setting}  run {episode.run}"
    facts = Text(f"score {100 * episode.score:.0f}", style="bold green" if episode.score >= 1 else "bold red")
    if episode.protocol_score != episode.score:
        facts.append(f"  (any answer: {100 * episode.protocol_score:.0f})", style="not bold")
    parts: list[RenderableType] = [Rule(f"{place}{title}", align="left"), facts]
    if episode.system:
        parts.append(Text(f"system: {browse.shortened(episode.system, 200)}", style="dim"))
    parts += [Padding(turn(episode, index), (1, 0, 0, 0)) for index in range(len(episode.turns))]
    return Group(*parts)


def turn(episode: Episode, index: int) -> RenderableType:
    """One exchange: what was said, what ACR made of it, what came back, what it is worth."""
    one = episode.turns[index]
    parts: list[RenderableType] = [Text.assemble((f"{index + 1}  user  ", "bold cyan"), one.user)]
    if decision := browse.decision(one):
        style = "bold yellow" if one.intervened else "dim"
        parts.append(Padding(Text(f"ACR  {decision}", style=style), (0, 0, 0, 3)))
    for message in browse.context(episode, index):
        text = browse.shortened(message.text, MOST[message.change])
        line = Text(f"{MARKS[message.change]} {message.role}: {text}", style=STYLES[message.change])
        parts.append(Padding(line, (0, 0, 0, 8)))
    if signals := {name: value for name, value in one.signals.items() if value}:
        shown = "  ".join(f"{name} {value:g}" for name, value in signals.items())
        parts.append(Padding(Text(f"signals  {shown}", style="dim"), (0, 0, 0, 8)))
    parts.append(Padding(Text.assemble(("assistant  ", "bold"), one.assistant), (0, 0, 0, 3)))
    right = one.score is not None and one.score >= 1
    parts.append(Padding(Text(browse.verdict(one), style="green" if right else "red"), (0, 0, 0, 3)))
    parts.append(Padding(Text(browse.cost(one), style="dim"), (0, 0, 0, 3)))
    return Group(*parts)


def walk(episodes: Sequence[Episode], console: Console, ask: Callable[[str], str]) -> None:
    """Show one episode after the other, forth and back, until the reader has enough."""
    place = 0
    while True:
        console.print(show(episodes[place], f"{place + 1} of {len(episodes)}  "))
        answer = ask("\nEnter: next, p: previous, l: list, a number, q: quit > ").strip().lower()
        if answer == "q":
            return
        if answer == "l":
            console.print(listing(episodes))
            answer = ask("\nA number > ").strip()
        if answer == "p":
            place = max(0, place - 1)
        elif answer.isdecimal():
            place = min(len(episodes), max(1, int(answer))) - 1
        elif place + 1 == len(episodes):
            console.print("That was the last one.")
            return
        else:
            place += 1
