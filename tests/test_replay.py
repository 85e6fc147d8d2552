from hypothesis import given
from hypothesis import strategies as st

from acr import registry, tokens
from acr.engine import Engine
from acr.replay import Totals, cached, common, prefixes, replay, shared
from acr.testing import talk

DIALOGUE = talk("Say a.", "a", "Say b.", "b", "Say c.")


def test_prefixes_end_with_the_user() -> None:
    assert [len(prefix) for prefix in prefixes(DIALOGUE)] == [1, 3, 5]


async def test_where_nothing_is_done_a_cache_hits_all_that_was_there() -> None:
    steps = await replay(DIALOGUE, Engine(registry.controller("never"), {}))
    assert [step.raw_cached for step in steps] == [0, steps[0].raw, steps[1].raw]
    assert all((step.sent, step.sent_cached) == (step.raw, step.raw_cached) for step in steps)
    totals = Totals.of(steps)
    assert totals.turns == 3 and totals.intervened == 0 and totals.raw_share == totals.sent_share


async def test_a_block_in_front_of_the_newest_turn_is_not_hit_again() -> None:
    steps = await replay(DIALOGUE, Engine(registry.controller("always:snowball"), registry.operators()))
    assert steps[2].sent_cached < steps[2].raw_cached


def test_shared_stops_at_the_first_difference() -> None:
    other = talk("Say a.", "a", "Say something else.", "b", "Say c.")
    whole = tokens.count_conversation(talk("Say a.", "a"))
    assert shared(DIALOGUE, other) == whole + tokens.count("Say ")
    assert cached([], other) == 0 and cached([DIALOGUE, other], other) == tokens.count_conversation(other)


@given(st.text(), st.text(), st.text())
def test_common(start: str, a: str, b: str) -> None:
    found = common(start + a, start + b)
    assert found.startswith(start) and (start + a).startswith(found) and (start + b).startswith(found)
