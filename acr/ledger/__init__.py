"""The state of a dialogue, rebuilt from the user's verbatim turns each time.

It never inherits an error from an earlier summary, since it never reads one.
"""

from acr.ledger.core import Item, Ledger
from acr.ledger.read import read

__all__ = ["Item", "Ledger", "read"]
