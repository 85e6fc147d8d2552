"""Named numbers about a conversation, each with the turns that are its evidence.

Pure functions of the text, no model, microseconds. `observe` computes all of them in one pass.
"""

from acr.reading.attempt import ATTEMPT
from acr.signals.core import Signal, Signals
from acr.signals.observe import observe

__all__ = ["ATTEMPT", "Signal", "Signals", "observe"]
