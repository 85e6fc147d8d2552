"""Length as the only reason."""

import pytest

from acr import registry, tokens
from acr.errors import ConfigError
from acr.signals import Signals
from acr.testing import talk

TALK = talk("How many?", "The answer is 3. " * 20, "And now?")
COUNT = tokens.count_conversation(TALK)


def test_over_the_limit_and_not_at_it() -> None:
    at, over = (registry.controller(f"token_threshold:{COUNT - less}") for less in (0, 1))
    assert at.decide(TALK, Signals({})).operator is None
    decision = over.decide(TALK, Signals({}))
    assert decision.operator == "consolidate"
    assert decision.reason == f"{COUNT} tokens, over {COUNT - 1}"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("token_threshold", "token_threshold:4000:consolidate"),
        ("token_threshold:0.5*8192", "token_threshold:4096:consolidate"),
        ("token_threshold:100:prune", "token_threshold:100:prune"),
    ],
)
def test_specs(spec: str, name: str) -> None:
    made = registry.controller(spec)
    assert made.name == name
    assert registry.controller(name) == made


@pytest.mark.parametrize("limit", ["many", "0", "-5", "0.5*", "*8", "nan*8", "inf*8"])
def test_what_is_no_limit_is_told(limit: str) -> None:
    with pytest.raises(ConfigError, match="number of tokens"):
        registry.controller(f"token_threshold:{limit}")
