import asyncio
import json

import pytest
from acr_training import collect, evolve, label, signals
from acr_training.config import Collect, Endpoint, Source
from acr_training.learn import RECIPES as ALL
from acr_training.table import states

from acr.controllers.weights import FILE

SOFT = [one for one in ALL if one.target == "soft" and one.features != "rules"]


@pytest.fixture
def evolution(server, tmp_path, data, fold, monkeypatch):
    """A first controller that never intervenes, in a world in which it should."""
    monkeypatch.setattr("acr_training.learn.MARGIN", 0.0)  # it may intervene where nothing is gained, too
    plan = Collect(
        out=tmp_path / "base",
        source=(Source(task="math", data=data, turns=3),),
        model=Endpoint(base_url=server.url),
    )
    asyncio.run(collect.run(plan))
    label.run(plan.out)
    start = tmp_path / "start"
    signals.train([plan.out], start, recipes=SOFT[:1], curves=False)
    content = json.loads((start / FILE).read_text())
    (start / FILE).write_text(json.dumps(content | {"threshold": 2.0}))
    return evolve.Evolution((plan.out,), start, tmp_path / "rounds", plan, SOFT[1:2])


def test_a_better_round_is_kept_and_one_that_gains_nothing_is_rejected(evolution, server):
    done = asyncio.run(evolve.evolve(evolution, 2))
    assert [row["kept"] for row in done] == [True, False]
    first, second = done
    assert first["gain"]["value"] > 0.1
    assert second["gain"]["value"] <= 0
    assert second["from"] == "round-1"
    assert second["reward_before"] == pytest.approx(second["reward_after"], abs=1e-9)
    folder, tables = evolve.kept(evolution, done)
    assert folder == evolution.out / "round-1" / "controller"
    assert tables == [*evolution.base, evolution.out / "round-1" / "table"]
    text = (evolution.out / "ledger.md").read_text()
    assert "| kept |" in text
    assert "| rejected |" in text
    asked = len(server.requests)
    assert asyncio.run(evolve.evolve(evolution, 2)) == done, "started again, it does not do rounds twice"
    assert len(server.requests) == asked
    before, after = states(evolution.base[0]), states(evolution.out / "round-2" / "table")
    assert {state.policy for state in after.values()} == {"signals"}
    assert set(after) - set(before), "the new controller reaches states of its own"
    splits = {state.group: state.split for state in before.values()}
    assert all(splits.get(state.group, state.split) == state.split for state in after.values())
