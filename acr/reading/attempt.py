"""Answer attempts: does an assistant turn offer a solution, or does it ask, hedge, refuse or chat?

The LiC protocol has a model sort responses into seven types (Laban et al. 2025, §4); this reads the form
instead: results and code speak for an attempt, requests for information and a closing question against it.
"""

from collections.abc import Set
from math import exp

from acr.reading.features import Features, features

ATTEMPT = 0.5
"""From this probability on a turn counts as an attempt."""

_SHORT = 30
"""Characters: below, without a number, code or a call, a turn is an acknowledgement."""


def attempt(text: str, known_numbers: Set[str] = frozenset()) -> float:
    """Probability in [0, 1] that the text attempts an answer. `known_numbers` are those the user gave:
    a number that is not among them was worked out.
    """
    read = features(text)
    if not read.tokens:
        return 0.0
    tail = features(text[-220:]) if read.length > 220 else read
    return 1 / (1 + exp(-_score(read, tail, known_numbers)))


def _score(read: Features, tail: Features, known_numbers: Set[str]) -> float:
    concrete = read.code or read.call or read.result
    score = 0.8
    if read.code or read.call:
        score += 2.0
    if read.result:
        score += 0.8
    if read.numbers - known_numbers:
        score += 0.6
    if tail.result or tail.numbers - known_numbers:
        score += 0.7
    if _asks_for_more(tail):
        score -= 2.6
    elif _asks_for_more(read):
        score -= 1.2
    if tail.asks and not tail.does("offer"):
        score -= 1.6
    if read.questions > 1:
        score -= 0.8
    if not concrete and read.length < _SHORT and not read.numbers:
        score -= 2.5
    return score


def _asks_for_more(read: Features) -> bool:
    """Says that something is missing. "Let me know if you'd like any changes" offers, and does not ask."""
    return not set(read.acts.get("more_needed", ())) <= set(read.acts.get("offer", ()))
