"""The state of a dialogue, rebuilt from the verbatim turns each time.

It never inherits an error from an earlier summary, since it never reads one. What is in it, and how well it
knows the state: docs/ledger.md.
"""

from acr.ledger.core import Decision, Figure, Gone, Item, Ledger, Process, Question
from acr.ledger.read import of_tasks, read

__all__ = ["Decision", "Figure", "Gone", "Item", "Ledger", "Process", "Question", "of_tasks", "read"]
