"""Named numbers about a conversation, each with the turns that are its evidence.

Pure functions of the text, no model, microseconds. One file a family; `observe` computes a family when one of
its signals is asked for.
"""

from acr.reading.attempt import ATTEMPT
from acr.signals.core import Signal, Signals
from acr.signals.observe import FAMILIES, observe

__all__ = ["ATTEMPT", "FAMILIES", "Signal", "Signals", "observe"]
