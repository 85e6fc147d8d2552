"""A ledger as plain data, for JSON."""

from dataclasses import asdict
from typing import Any

from acr.ledger.core import Decision, Item, Ledger


def data(ledger: Ledger) -> dict[str, Any]:
    """Everything in a ledger, and what follows from it: what holds, what is settled, how it goes."""
    return {
        "task": ledger.task,
        "goal": ledger.goal.text if ledger.goal else None,
        "items": [_item(item) for item in ledger.items],
        "decisions": [_decision(decision) for decision in ledger.decisions],
        "questions": [asdict(question) for question in ledger.questions],
        "figures": [{**asdict(figure), "used_in": list(figure.used_in)} for figure in ledger.figures],
        "process": {
            **asdict(ledger.process),
            "share_answered": ledger.process.share_answered,
            "open_commitments": ledger.process.open_commitments,
        },
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        "turn": item.turn,
        "text": item.text,
        "kind": item.kind,
        "task": item.task,
        "holds": item.holds,
        "parts": list(item.parts),
        "replaced_by": item.replaced_by,
        "gone": [
            {"text": item.text[gone.start : gone.end], "how": gone.how, "turn": gone.turn, "by": gone.by}
            for gone in item.gone
        ],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        **_item(decision.proposal),
        "proposed_by": decision.proposed_by,
        "settled_in": decision.settled_in,
        "settled_by": decision.settled_by,
    }
