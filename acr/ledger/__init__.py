"""The state of a dialogue, rebuilt from the user's verbatim turns each time.

It never inherits an error from an earlier summary, since it never reads one.
"""

from acr.ledger.core import Item, Ledger
from acr.ledger.read import of_tasks, read

__all__ = ["Item", "Ledger", "of_tasks", "read"]
