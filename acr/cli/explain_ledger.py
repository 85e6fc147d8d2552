"""How `acr explain` shows a ledger: what holds, what no longer does, what is settled, what is open."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from acr.cli import output

if TYPE_CHECKING:
    from rich.text import Text

    from acr.ledger import Item, Ledger


def lines(ledger: "Ledger") -> Iterator["Text"]:
    """The lines to print. Of earlier tasks only what still stands: prohibitions and preferences."""
    earlier = [item for item in ledger.standing if item.task != ledger.task]
    for item in (*earlier, *(item for item in ledger.items if item.task == ledger.task)):
        yield _row(item.kind, item.turn, struck(item))
        for gone in item.gone:
            if gone.turn != item.turn:
                yield _row("", "", _text(f"  {gone.how} by [{gone.turn}] {output.safe(gone.by)}", "dim"))
    for decision in ledger.settled:
        by = _text(f"  agreed in [{decision.settled_in}] {output.safe(decision.settled_by)}", "dim")
        yield _row("settled", decision.proposal.turn, struck(decision.proposal).append_text(by))
    for figure in ledger.figures:
        used = _text(f"  used in {', '.join(f'[{turn}]' for turn in figure.used_in)}", "dim")
        yield _row("figure", figure.turn, _text(output.safe(figure.text)).append_text(used))
    for question in ledger.open_questions:
        whose = "the user's" if question.asked_by == "user" else "the assistant's"
        yield _row("open", question.turn, _text(output.safe(question.text)).append(f"  {whose}", "dim"))
    process = ledger.process
    if ledger.items:
        yield _text(
            f"  {process.answered} of {process.questions} questions answered, "
            f"{process.grounded} of {process.commitments} commitments taken up, "
            f"{process.repaired} of {process.repairs} corrections taken up",
            "dim",
        )


def struck(item: "Item") -> "Text":
    """An item's text, what no longer holds of it struck through."""
    shown, start = _text(""), 0
    for gone in item.gone:
        shown.append(output.safe(item.text[start : gone.start]))
        shown.append(output.safe(item.text[gone.start : gone.end]), "strike dim")
        start = gone.end
    return shown.append(output.safe(item.text[start:]))


def _row(kind: str, turn: str, text: "Text") -> "Text":
    line = _text(f"  {kind:<12} ", "cyan")
    return line.append(f"[{turn}] " if turn else "    ", "dim").append_text(text)


def _text(content: str, style: str = "") -> "Text":
    from rich.text import Text

    return Text(content, style)
