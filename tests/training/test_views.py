from acr_training.records import state
from acr_training.views import views
from support.engines import Broken, Fold, Lead

STATE = state(
    task="",
    item="",
    messages=[
        {"role": "user", "content": "How many?"},
        {"role": "assistant", "content": "Three."},
        {"role": "user", "content": "Five more."},
    ],
)


async def test_operators_with_one_context_share_it():
    found = await views(STATE, {"fold": Fold(), "lead": Lead(), "same": Lead(name="same"), "idle": Lead("")})
    assert [view.operators for view in found] == [(None, "idle"), ("fold",), ("lead", "same")]
    assert found[0].messages == STATE.messages
    assert found[1].messages == [{"role": "user", "content": "How many?\n\nFive more."}]


async def test_several_in_turn_are_one_candidate():
    found = await views(STATE, {"fold": Fold(), "lead": Lead()}, ["fold+lead", "lead"])
    assert [view.operators for view in found] == [(None,), ("fold+lead",), ("lead",)]
    assert found[1].messages == [{"role": "user", "content": found[1].messages[0]["content"]}]
    assert found[1].messages[0]["content"].endswith("How many?\n\nFive more.")


async def test_one_that_fails_is_left_out_and_named(caplog):
    found = await views(STATE, {"broken": Broken()})
    assert [view.operators for view in found] == [(None,)]
    assert "broken failed at state" in caplog.text
