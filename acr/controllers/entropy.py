"""ERGO's trigger: the model has become unsure, so start again from what the user said.

Khalid et al., *ERGO: Entropy-guided Resetting for Generation Optimization* (arXiv 2510.14077): the mean
entropy of an answer's tokens, over the alternatives that the model reported for each; where it rises from
one answer to the next by a threshold or more, all user messages become one and the answers go.

What differs here. ERGO throws the unsure answer away and generates it anew; a proxy has passed its bytes on
already, so the reset comes with the next request, and a rise at the last answer comes too late. ERGO has a
model rewrite the user's messages; here an operator joins them as they are. ERGO's dialogue goes on from
the reset; clients of a proxy send the whole history again, so once a rise was seen the reset is made at
every turn after it.

Entropies come from log-probabilities that the *client* asked for (`logprobs` with `top_logprobs`): ACR
adds nothing to a request. Where none came, nothing is done.
"""

from dataclasses import dataclass
from math import isfinite, nan

from acr.conversation import Conversation
from acr.decision import Decision
from acr.errors import ConfigError
from acr.signals import Signals

THRESHOLD = 0.5
"""Nats. The default of ERGO's own code; the paper calibrates it for each model."""
OPERATOR = "consolidate"


@dataclass(frozen=True, slots=True)
class Entropy:
    """Asks for `operator` once the entropy of the answers has risen by `threshold` nats."""

    threshold: float = THRESHOLD
    operator: str = OPERATOR
    recalls: bool = True

    @property
    def name(self) -> str:
        return f"entropy:{self.threshold:g}:{self.operator}"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        if not signals["entropy"].evidence:
            return Decision(None, "no logprobs", controller=self.name)
        if not signals["entropy_rise"].evidence:
            return Decision(None, "the entropy of one answer only is known", controller=self.name)
        rise = signals["entropy_rise"].value
        if rise < self.threshold:
            reason = f"entropy rose by {rise:.2f} nats at most" if rise > 0 else "entropy did not rise"
            return Decision(None, reason, controller=self.name)
        reason = f"entropy rose by {rise:.2f} nats from one answer to the next"
        return Decision(self.operator, reason, controller=self.name)


def make(argument: str = "") -> Entropy:
    """The controller of `entropy`, `entropy:0.3` or `entropy:0.3:recap`. Raises `ConfigError`."""
    threshold, _, operator = argument.partition(":")
    try:
        value = float(threshold or THRESHOLD)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise ConfigError(f"entropy needs a threshold in nats, as in entropy:0.3, not {threshold!r}")
    return Entropy(value, operator or OPERATOR)
