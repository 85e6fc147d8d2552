"""Two instances of `acr serve`, one Redis that is killed, restarted, paused and filled up, and steady load."""

import pytest
from acr_benchmarks.reliability import postgres_server, views
from acr_benchmarks.reliability.dialogues import conversation
from acr_benchmarks.reliability.load import spread
from acr_benchmarks.reliability.redis_server import installed


@pytest.mark.timeout(900)
async def test_every_client_gets_the_right_answer_whatever_becomes_of_redis() -> None:
    if not installed():
        pytest.skip("no redis-server (Debian: apt install redis-server)")
    pytest.importorskip("redis", reason="the client of the extra 'redis' is not installed")
    plan = views.Plan(seconds=3.0, warm=3.0, rate=5.0, timeout=0.25)
    found = await views.measure(plan)
    assert found["requests"] >= 5 * 2 * len(plan.states)
    assert found["wrong"] == found["lost"] == 0
    for name, state in found["states"].items():
        assert state["right"] == state["requests"] > 0, f"{name}: {state}"
        assert [told["status"] for told in state["readyz"]] == [200, 200], name
    assert all("cannot be asked" in told["views"] for told in found["states"]["killed"]["readyz"])
    assert all("cannot be asked" in told["views"] for told in found["states"]["paused"]["readyz"])
    assert all("takes no more" in told["views"] for told in found["states"]["full"]["readyz"])
    for metrics in found["metrics"]:
        assert metrics['acr_view_lookups_total{result="hit",store="redis"}'] > 0
        assert metrics['acr_view_lookups_total{result="here",store="redis"}'] > 0
        assert 'acr_view_lookups_total{result="invalid",store="redis"}' not in metrics
    assert found["auxiliary_calls"] < 2 * found["conversations"], "nothing was shared"


@pytest.mark.timeout(900)
async def test_every_client_gets_the_right_answer_whatever_becomes_of_the_store_of_traces() -> None:
    if not postgres_server.installed():
        pytest.skip("no PostgreSQL (Debian: apt install postgresql)")
    for name in ("sqlalchemy", "alembic", "psycopg"):
        pytest.importorskip(name, reason="the extra 'store' is not installed")
    from acr_benchmarks.reliability import store

    found = (await store.measure(store.Plan(seconds=4.0, rate=6.0)))["stores"]
    for name, seen in found.items():
        assert seen["right"] == seen["requests"] > 0, f"{name}: {seen}"
        assert seen["stored"] == (0 if name == "off" else seen["requests"]), f"{name}: {seen}"
        for state, row in seen["states"].items():
            assert row["right"] == row["requests"] > 0 and row["readyz"]["status"] == 200, (
                f"{name} {state}: {row}"
            )
    assert all(
        "traces" in found["postgresql"]["states"][state]["readyz"] for state in ("paused", "killed", "full")
    )
    assert "traces" in found["sqlite"]["states"]["locked"]["readyz"]


async def test_a_conversation_changes_the_instance_with_each_request() -> None:
    dialogues = [await conversation(number) for number in range(2 * views.WOVEN)]
    order = list(views.woven(dialogues))
    for number in range(2 * views.WOVEN):
        places = [place for place, step in enumerate(order) if step.number == number]
        assert [place % 2 for place in places] in ([0, 1, 0, 1], [1, 0, 1, 0])


async def test_right_answers_tell_conversations_and_steps_apart() -> None:
    steps = [step for number in (1, 2) for step in await conversation(number)]
    answers = {answer for step in steps for answer in (step.right, step.raw)}
    assert len(answers) == 2 * len(steps)


def test_spread() -> None:
    assert spread([]) == {}
    assert spread([3.0, 1.0, 2.0]) == {"p50": 2.0, "p99": 3.0, "max": 3.0}
