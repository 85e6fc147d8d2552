from math import log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.controllers.features import LEDGER, NAMES, RULES, features
from acr.dialects.chat import read
from acr.signals import Signal, Signals, observe

ROLES = st.sampled_from(["user", "assistant"])
TALK = st.lists(st.tuples(ROLES, st.text(max_size=200)), min_size=1, max_size=8)


def conversation(*turns):
    return read([{"role": role, "content": text} for role, text in turns])


@given(TALK)
def test_any_conversation_has_all_features_finite_and_small(turns):
    talk = conversation(*turns)
    found = features(talk, observe(talk))
    assert list(found) == list(NAMES)
    assert all(0.0 <= value < 10.0 for value in found.values())


def test_what_they_say():
    talk = conversation(
        ("system", "Be brief."),
        ("user", "How many apples?"),
        ("assistant", "```python\nprint(3)\n```\nWhich kind?"),
        ("user", "Red ones."),
    )
    found = features(talk, Signals({"stale": Signal(2.0), "bloat": Signal(-1.0)}))
    assert found["stale"] == log1p(2)
    assert found["bloat"] == found["redone"] == 0.0
    assert found["last_asks"] == found["last_code"] == found["last_figures"] == 1.0
    assert found["last_calls"] == found["newest_asks"] == 0.0
    assert found["said"] == log1p((len("How many apples?") + len("Red ones.")) / 1000)
    assert found["ledger_items"] > 0


def test_a_group_that_is_not_asked_for_is_not_computed(monkeypatch):
    monkeypatch.setattr("acr.ledger.read", lambda _: pytest.fail("the ledger was read"))
    talk = conversation(("user", "Hello"))
    names = [name for name in NAMES if not name.startswith("ledger_")]
    assert list(features(talk, observe(talk), names)) == names
    assert len(NAMES) == len(names) + len(LEDGER)
    with pytest.raises(KeyError):
        features(talk, observe(talk), ["stael"])


def test_what_the_rules_would_do_is_a_feature():
    talk = conversation(
        ("user", "How many apples do I have?"),
        ("assistant", "You have 12 apples.\n\nAnswer: 12"),
        ("user", "There are 3 boxes with 8 apples each."),
    )
    found = features(talk, observe(talk))
    assert [found[name] for name in RULES.values()] == [1.0, 0.0, 0.0]
