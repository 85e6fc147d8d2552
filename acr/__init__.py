"""ACR: a layer between user and language model that keeps multi-turn conversations from getting lost.

    conversation ─► signals ─► controller ─► operator ─► edits ─► checked view for the model

The names below are the public surface; everything else may change. They load on first use, so that
`import acr` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from acr.conversation import Conversation, Turn
    from acr.decision import Answer, Context, Controller, Decision, Flawed, Operator
    from acr.edits import Drop, Edit, Insert, Rewrite, apply
    from acr.engine import Engine, Outcome
    from acr.errors import AcrError
    from acr.ledger import Ledger
    from acr.library import View, arefactor, refactor
    from acr.signals import Signal, Signals
    from acr.trace import Trace

__version__ = "0.1.0"

_HOME = {
    "AcrError": "acr.errors",
    "Answer": "acr.decision",
    "Context": "acr.decision",
    "Controller": "acr.decision",
    "Conversation": "acr.conversation",
    "Decision": "acr.decision",
    "Drop": "acr.edits",
    "Edit": "acr.edits",
    "Engine": "acr.engine",
    "Flawed": "acr.decision",
    "Insert": "acr.edits",
    "Ledger": "acr.ledger",
    "Operator": "acr.decision",
    "Outcome": "acr.engine",
    "Rewrite": "acr.edits",
    "Signal": "acr.signals",
    "Signals": "acr.signals",
    "Trace": "acr.trace",
    "Turn": "acr.conversation",
    "View": "acr.library",
    "apply": "acr.edits",
    "arefactor": "acr.library",
    "refactor": "acr.library",
}

__all__ = [
    "AcrError",
    "Answer",
    "Context",
    "Controller",
    "Conversation",
    "Decision",
    "Drop",
    "Edit",
    "Engine",
    "Flawed",
    "Insert",
    "Ledger",
    "Operator",
    "Outcome",
    "Rewrite",
    "Signal",
    "Signals",
    "Trace",
    "Turn",
    "View",
    "__version__",
    "apply",
    "arefactor",
    "refactor",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'acr' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
