from acr.proxy import traces
from acr.proxy.traces import Traces
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
