"""What a decision says in probabilities: that the conversation is lost, and which operator is right.

A controller with calibrated probabilities gives them in its decision. For the others its `confidence` is
taken for what it says: the probability that what it wants is the right thing to do.
"""

from collections.abc import Iterable, Mapping

from acr.decision import Decision

NONE = "none"
"""The choice to leave the conversation alone."""


def lost(decision: Decision) -> float:
    """Probability in [0, 1] that something should be done at this turn."""
    given = probabilities(decision)
    if given:
        return _within(1.0 - given.get(NONE, 0.0))
    return _within(decision.confidence if decision.operator else 1.0 - decision.confidence)


def among(decision: Decision, choices: Iterable[str]) -> dict[str, float]:
    """A probability for each choice, summing to 1. `choices` are names of operators and `none`.

    What the controller gives to names that are not offered is left out, and the rest scaled. Where it says
    nothing of the offered ones, they share alike what it does not give to its own.
    """
    offered = list(dict.fromkeys(choices))
    given = probabilities(decision)
    if given:
        shares = {name: _within(given.get(name, 0.0)) for name in offered}
    else:
        wanted, sure = decision.operator or NONE, _within(decision.confidence)
        others = [name for name in offered if name != wanted]
        shares = {name: (1.0 - sure) / len(others) for name in others}
        shares = {name: sure if name == wanted else shares[name] for name in offered}
    total = sum(shares.values())
    if total <= 0:
        return {name: 1.0 / len(offered) for name in offered}
    return {name: share / total for name, share in shares.items()}


def probabilities(decision: Decision) -> Mapping[str, float]:
    """By operator and `none`, where the controller gives them; empty where it does not."""
    return getattr(decision, "probabilities", None) or {}


def _within(value: float) -> float:
    return min(1.0, max(0.0, value))
