import pytest
from acr_training.label import label, mixed, rewards, summary
from acr_training.records import Outcome, state
from hypothesis import given
from hypothesis import strategies as st

from acr.errors import TrainingError


def outcome(operator, score, tokens=0, run=0, changed=None):
    return Outcome(
        state="s",
        operator=operator,
        view=operator or "raw",
        changed=(operator is not None) if changed is None else changed,
        score=score,
        prompt_tokens=tokens,
        completion_tokens=0,
        answer="",
        last="",
        run=run,
    )


def test_a_better_answer_is_corrective():
    found = label("s", [outcome(None, 0.0, 900), outcome("recap", 1.0, 1000), outcome("prune", 1.0, 500)])
    assert (found.label, found.kind) == ("prune", "corrective")
    assert found.gain == pytest.approx(1.0 + 0.02 * 0.4)
    assert {(pair.better, pair.worse) for pair in found.pairs} == {("recap", "none"), ("prune", "none")}


def test_fewer_tokens_for_the_same_answer_is_compressive():
    found = label("s", [outcome(None, 1.0, 4000), outcome("prune", 1.0, 1000)])
    assert (found.label, found.kind) == ("prune", "compressive")


def test_ties_go_to_none():
    assert label("s", [outcome(None, 1.0, 1000), outcome("prune", 1.0, 500)]).label == "none"
    worse = label("s", [outcome(None, 1.0), outcome("prune", 0.0)])
    assert (worse.label, worse.kind, worse.gain) == ("none", "none", 0.0)
    assert [(pair.better, pair.worse, pair.margin) for pair in worse.pairs] == [("none", "prune", 1.0)]


def test_what_changed_nothing_is_none():
    rows = [outcome(None, 0.0), outcome("prune", 0.0, changed=False), outcome("recap", 0.0)]
    found = label("s", [*rows, outcome("reask", 1.0)])
    assert found.rewards == {"none": 0.0, "prune": 0.0, "recap": 0.0, "reask": 1.0}
    assert found.unchanged == ["prune"]
    assert {(pair.better, pair.worse) for pair in found.pairs} == {("reask", "none"), ("reask", "recap")}
    with pytest.raises(TrainingError, match="no outcome without operator"):
        rewards([outcome("prune", 1.0)])


def test_runs_are_averaged():
    rows = [
        outcome(None, 0.0),
        outcome(None, 1.0, run=1),
        outcome("prune", 1.0),
        outcome("prune", 1.0, run=1),
    ]
    assert rewards(rows) == {"none": 0.5, "prune": 1.0}


ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 1), st.integers(0, 9000)), max_size=8)


@given(ROWS, st.floats(0, 1), st.floats(0, 0.2), st.floats(0, 0.5))
def test_the_label_is_never_worse_than_none(rows, raw, price, margin):
    found = label(
        "s", [outcome(None, raw, 1000), *(outcome(*row) for row in rows)], price=price, margin=margin
    )
    best = max(found.rewards.values())
    assert found.rewards[found.label] >= min(best, best - margin)
    assert found.gain >= 0
    assert (found.label == "none") == (found.kind == "none")
    assert all(pair.margin > margin for pair in found.pairs)


def test_stated_proportions_hold_in_training_only():
    states = {}
    examples = []
    for number in range(300):
        one = state(task="math", item=str(number), messages=[{"role": "user", "content": "x"}])
        states[one.id] = one
        score = {0: (0.0, 1.0, 0), 1: (1.0, 1.0, -3000)}.get(number % 10, (1.0, 0.0, 0))
        rows = [outcome(None, score[0], 4000), outcome("prune", score[1], 4000 + score[2])]
        examples.append(label(one.id, rows))
    kept = mixed(examples, states, {"corrective": 1, "compressive": 1, "none": 2})
    before, after = summary(examples, states), summary(kept, states)
    assert before["dev"] == after["dev"]
    assert before["test"] == after["test"]
    kinds = after["train"]["kinds"]
    assert kinds["none"] == pytest.approx(2 * kinds["corrective"], abs=1)
    assert kinds["corrective"] == kinds["compressive"] == min(before["train"]["kinds"].values())
    assert kept == mixed(examples, states, {"corrective": 1, "compressive": 1, "none": 2})
