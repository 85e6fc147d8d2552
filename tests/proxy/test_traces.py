import asyncio

import pytest
from support.raw import until

from acr.conversation import Conversation, Turn
from acr.proxy import traces
from acr.proxy.traces import Traces
from acr.signals import FAMILIES, Signals, observe
from acr.trace import Trace


def test_the_oldest_go() -> None:
    held = Traces(2)
    for id in "abc":
        held.add(Trace(id=id))
    assert held.get("a") is None
    assert [trace.id for trace in held.newest(10)] == ["c", "b"]
    assert [trace.id for trace in held.newest(1)] == ["c"]


def test_an_id_used_anew_wins_and_is_the_newest() -> None:
    held = Traces(2)
    for id, reason in [("a", "old"), ("b", ""), ("a", "new"), ("c", "")]:
        held.add(Trace(id=id, reason=reason))
    assert [(trace.id, trace.reason) for trace in held.newest(10)] == [("c", ""), ("a", "new")]


def test_text_is_bounded_too_but_the_newest_stays(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(traces, "MAX_TEXT", 100)
    held = Traces(10)
    held.add(Trace(id="a"), 60)
    held.add(Trace(id="b"), 40)
    assert held.get("a")
    held.add(Trace(id="c"), 1)
    assert not held.get("a") and held.get("b")
    held.add(Trace(id="d"), 1000)
    assert [trace.id for trace in held.newest(10)] == ["d"]
    held.add(Trace(id="e"), 50)
    held.add(Trace(id="f"), 50)
    assert [trace.id for trace in held.newest(10)] == ["f", "e"]


def test_none_are_kept_where_none_are_wanted() -> None:
    held = Traces(0)
    held.add(Trace(id="a"))
    assert held.newest(10) == []


def signals() -> Signals:
    said = ("user", "one"), ("assistant", "two"), ("user", "three")
    return observe(Conversation(tuple(Turn(str(n), role, text) for n, (role, text) in enumerate(said))))  # type: ignore[arg-type]


async def test_signals_are_there_when_somebody_looks() -> None:
    held, looked = Traces(10), signals()
    assert looked["user_turns"]
    trace = Trace(id="a", signals=looked.known())
    assert "user_turns" in trace.signals and "tokens" not in trace.signals
    held.add(trace, 0, looked)
    found = held.get("a")
    assert found and found.signals == looked.numbers() and set(found.signals) >= set(FAMILIES)


async def test_signals_are_worked_out_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    held, made = Traces(10), [Trace(id=str(number)) for number in range(5)]
    for trace in made:
        held.add(trace, 0, signals())
    assert not any(trace.signals for trace in made)
    await until(lambda: all(trace.signals for trace in made))
    await asyncio.sleep(3 * traces.PAUSE)
    assert held._soon is None


async def test_where_there_is_no_time_the_oldest_go_without() -> None:
    held, made = Traces(1000), [Trace(id=str(number)) for number in range(traces.BACKLOG + 3)]
    for trace in made:
        held.add(trace, 0, signals())
    held.newest(1)
    assert [bool(trace.signals) for trace in made] == [False] * 3 + [True] * traces.BACKLOG
