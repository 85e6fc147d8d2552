from acr_training import crossfit, learn
from acr_training.evaluate import evaluate
from acr_training.fit import Recipe
from training.synthetic import shuffled, world

RECIPES = [Recipe("linear", strength=0.3)]


def lost(data):
    made = [decision.operator or "none" for decision in crossfit.decisions(data, RECIPES)]
    return learn.regret(data, made), min(learn.regret(data, [action] * len(data)) for action in data.actions)


def test_what_can_be_learned_is_seen():
    mine, constant = lost(world(160))
    assert mine < 0.7 * constant


def test_nothing_is_seen_where_there_is_nothing():
    """Were a state's own outcome used, shuffled ones would look learnt."""
    mine, constant = lost(shuffled(world(160)))
    assert mine > 0.85 * constant


async def test_it_is_a_row_of_the_evaluation():
    data = world(40)
    from training.synthetic import outcome

    outcomes = {
        state.id: [outcome(state, None if a == "none" else a, reward, 10)
                   for a, reward in zip(data.actions, rewards, strict=True)]
        for state, rewards in zip(data.states, data.rewards.tolist(), strict=True)
    }  # fmt: skip
    decided = {"mine": crossfit.decisions(data, RECIPES)}
    found = await evaluate(["never", "oracle"], data, outcomes, decided=decided)
    assert list(found) == ["never", "mine", "oracle"]
    assert found["mine"]["regret"]["value"] >= 0
    assert 0.0 < found["mine"]["intervened"] < 1.0
