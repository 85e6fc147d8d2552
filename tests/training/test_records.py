import collections

import pytest
from acr_training.records import SHARES, state
from acr_training.records import split as split_of
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

USER = {"role": "user", "content": "How many?"}


def made(**more):
    return state(**({"task": "math", "item": "a", "messages": [USER]} | more))


def test_the_id_covers_what_outcomes_depend_on():
    ids = {
        made().id,
        made(item="b").id,
        made(task="code").id,
        made(rest=["Two more."]).id,
        made(messages=[{"role": "system", "content": "Be brief."}, USER]).id,
    }
    assert len(ids) == 5
    assert made().id == made(language="en", policy="rules", signals={"stale": 1.0}).id


@given(st.text(), st.integers(1, 6))
def test_states_of_one_item_never_cross_splits(item, turns):
    found = {
        made(item=item, messages=[USER] * turn, rest=["more"] * (turns - turn)).split
        for turn in range(1, turns + 1)
    }
    assert len(found) == 1


def test_splits_have_their_shares_and_do_not_move():
    counts = collections.Counter(split_of(f"math/{number}") for number in range(5000))
    start = 0.0
    for name, end in SHARES:
        assert counts[name] / 5000 == pytest.approx(end - start, abs=0.03)
        start = end
    assert [split_of(f"math/acr-math/{name}") for name in ("bakery-rolls", "bus-trip", "w")] == [
        "train",
        "test",
        "test",
    ]


def test_unknown_fields_are_refused():
    with pytest.raises(ValidationError):
        made(scoer=1)


def test_the_turn_is_counted():
    talk = [USER, {"role": "assistant", "content": "4"}, USER]
    assert made(messages=talk).turn == 2
