"""What the demo shows: two conversations as they run, then the account of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acr.cli import output
from acr.cli.demo_run import Side, Turn
from acr.cli.demo_task import Task, number

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.panel import Panel
    from rich.text import Text

WIDTH = 100
"""Columns of the account, so that it can be pasted anywhere."""


def live(sides: Sequence[Side], console: "Console") -> "RenderableType":
    """The conversations side by side, the newest lines of each."""
    from rich.table import Table

    grid = Table.grid(expand=True)
    for _ in sides:
        grid.add_column(ratio=1)
    width = console.width // len(sides) - 4
    grid.add_row(*(pane(side, console, width, console.height - 4) for side in sides))
    return grid


def pane(side: Side, console: "Console", width: int, height: int) -> "Panel":
    from rich.panel import Panel
    from rich.text import Text

    text = Text()
    for turn in side.turns:
        text.append("you    ", "bold").append(turn.user + "\n", "cyan")
        if why := decided(turn):
            text.append("ACR    ", "bold").append(why + "\n", "green" if acted(turn) else "dim")
        text.append("model  ", "bold").append(output.safe(turn.text.strip()) + "\n\n")
    lines = text.wrap(console, max(20, width))
    return Panel(Text("\n").join(lines[-height:]), title=side.title, height=height + 2)


def acted(turn: Turn) -> bool:
    return turn.decision.get("decision") == "intervened"


def decided(turn: Turn) -> str:
    """What ACR did at a turn and why, in one line; nothing if it was not asked."""
    said = turn.decision
    if not said:
        return ""
    reason = said.get("reason", "")
    if not acted(turn):
        return f"left alone: {reason}"
    return f"{said.get('operator')}: {reason}{saved(said)}"


def saved(said: dict[str, str]) -> str:
    if "tokens-before" not in said or "tokens-after" not in said:
        return ""
    return f" ({said['tokens-before']} → {said['tokens-after']} prompt tokens)"


def account(task: Task, direct: Side, through: Side, whole: Side, console: "Console") -> None:
    """What was said, what ACR did, who was right, and what it cost."""
    console.width = min(console.width, WIDTH)
    for index, (plain, helped) in enumerate(zip(direct.turns, through.turns, strict=True), start=1):
        console.print(styled(f"turn {index}   ", "bold", plain.user, "cyan"))
        console.print(styled("  direct  ", "", gave(plain), ""))
        console.print(styled("  ACR     ", "", gave(helped), ""))
        console.print(styled("          ", "", decided(helped), "green" if acted(helped) else "dim"))
    console.print()
    console.print(table(task, (direct, through, whole)))
    if not all(turn.counted for side in (direct, through) for turn in side.turns):
        console.print("Tokens are estimates: the server reports no usage.")
    console.print()
    console.print(verdict(task, direct, through, whole))


def styled(head: str, head_style: str, text: str, style: str) -> "Text":
    from rich.text import Text

    return Text(head, head_style).append(text, style)


def gave(turn: Turn) -> str:
    found = number(turn.text)
    value = "gives no number" if found is None else f"answers {found:g}"
    return f"{value}   ({turn.prompt_tokens} + {turn.completion_tokens} tokens, {turn.seconds:.1f} s)"


def table(task: Task, sides: Sequence[Side]) -> "RenderableType":
    from rich.table import Table

    grid = Table(box=None, pad_edge=False)
    grid.add_column("")
    for side in sides:
        grid.add_column(side.title, justify="right")
    values = [number(side.answer) for side in sides]
    marks = ["right" if task.right(side.answer) else "wrong" for side in sides]
    shown = ["none" if value is None else f"{value:g}" for value in values]
    pairs = zip(shown, marks, strict=True)
    grid.add_row(f"final answer (it is {task.answer:g})", *(f"{value}  {mark}" for value, mark in pairs))
    grid.add_row("prompt + completion tokens", *(f"{side.tokens:,}" for side in sides))
    grid.add_row("seconds", *(f"{side.seconds:.1f}" for side in sides))
    return grid


def verdict(task: Task, direct: Side, through: Side, whole: Side) -> str:
    """One honest sentence or two."""
    alone, helped, able = (task.right(side.answer) for side in (direct, through, whole))
    share = through.tokens / direct.tokens if direct.tokens else 1.0
    cost = f"with {share:.0%} of the tokens"
    if helped and not alone:
        return f"Told in pieces, the model got lost; through ACR it came to the right answer, {cost}."
    if helped:
        return f"This time the model did not get lost: it was right both ways, through ACR {cost}."
    if alone:
        return f"This time the model was right alone and wrong through ACR, {cost}: ACR did harm here."
    if able:
        return (
            f"The model got lost both ways, {cost}; told everything at once it was right. ACR did not help."
        )
    return f"The model cannot solve this task, not even told everything at once ({cost}). Try a larger one."
