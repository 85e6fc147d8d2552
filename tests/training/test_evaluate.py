from dataclasses import replace

import pytest
from acr_training import data as arrays
from acr_training.evaluate import calibration_error, evaluate, interval, markdown, measure, reference
from acr_training.label import label
from acr_training.records import state
from acr_training.table import by_state
from hypothesis import given
from hypothesis import strategies as st
from training.synthetic import outcome

from acr.errors import TrainingError


def talk(number, *more):
    return [
        {"role": "user", "content": f"How many shells did Leigh find? {number}"},
        {"role": "assistant", "content": f"Leigh found {number + 3} shells. Answer: {number + 3}"},
        *more,
    ]


def made():
    """Ten states at which `recap` is right, and ten at which it harms."""
    states, outcomes, examples = {}, [], []
    for number in range(20):
        one = state(
            task="math", item=str(number), messages=talk(number, {"role": "user", "content": "And Kyle 4."})
        )
        right = float(number < 10)
        rows = [outcome(one, None, 1.0 - right, 1000), outcome(one, "recap", right, 500)]
        states[one.id] = one
        outcomes += rows
        examples.append(label(one.id, rows))
    return arrays.of(states, examples), by_state(outcomes)


async def test_never_always_and_the_oracle():
    data, outcomes = made()
    found = await evaluate(["never", "always:recap", "oracle"], data, outcomes)
    assert found["oracle"]["regret"]["value"] == 0.0
    assert found["oracle"]["accuracy"]["value"] == found["oracle"]["score"]["value"] == 1.0
    assert found["never"]["score"]["value"] == found["always:recap"]["score"]["value"] == 0.5
    assert found["never"]["regret"]["value"] == pytest.approx((10 * 1.01 + 0) / 20)
    assert found["never"]["tokens"]["value"] == 1000
    assert found["always:recap"]["tokens"]["value"] == 500
    assert (found["never"]["intervened"], found["oracle"]["intervened"]) == (0.0, 0.5)
    low, high = found["oracle"]["reward_over_first"]["low"], found["oracle"]["reward_over_first"]["high"]
    assert 0.2 < low < 0.5 < high < 0.9
    text = markdown(found, "test")
    assert "20 states of 20 conversations" in text
    assert "| `oracle` | 0.000 [0.000, 0.000] |" in text
    assert reference(data) == ["never", "rules", "always:recap", "oracle"]


async def test_controls_have_a_score_of_their_own():
    data, outcomes = made()
    states = tuple(
        state.model_copy(update={"task": "controls"}) if number < 5 else state
        for number, state in enumerate(data.states)
    )
    found = await evaluate(["never", "oracle"], replace(data, states=states), outcomes)
    expected = sum(outcomes[state.id][0].score for state in states[:5]) / 5
    assert found["never"]["controls"]["value"] == pytest.approx(expected)
    assert found["oracle"]["controls"]["value"] == 1.0
    assert "1.000 [1.000, 1.000] | 1.00 [1.00, 1.00] | 750" in markdown(found, "test")


async def test_off_the_table_is_an_error():
    data, outcomes = made()
    with pytest.raises(TrainingError, match="no outcome"):
        await measure("always:snowball", data, outcomes)
    assert "always:snowball" not in await evaluate(["never", "always:snowball"], data, outcomes)
    with pytest.raises(TrainingError, match="no outcome"):
        await evaluate(["never", "always:snowball"], data, outcomes, wanted=["always:snowball"])


def test_calibration_error():
    assert calibration_error([0.75] * 4, [True, True, True, False]) == 0.0
    assert calibration_error([1.0] * 4, [True, True, False, False]) == 0.5
    assert calibration_error([0.9, 0.1], [True, False]) == pytest.approx(0.1)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc")), min_size=1, max_size=12))
def test_intervals_hold_the_mean(rows):
    values, groups = zip(*rows, strict=True)
    found = interval(values, groups)
    assert found["low"] - 1e-9 <= found["value"] <= found["high"] + 1e-9 or len(set(groups)) > 1
    assert min(values) - 1e-9 <= found["low"] <= found["high"] <= max(values) + 1e-9


def test_states_of_one_conversation_count_as_one():
    many = interval([0.0] * 30 + [1.0] * 30, [str(n) for n in range(60)])
    few = interval([0.0] * 30 + [1.0] * 30, [str(n // 15) for n in range(60)])
    assert few["high"] - few["low"] > 2 * (many["high"] - many["low"])
