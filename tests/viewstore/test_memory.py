"""Views in the memory of the process: bounded in time, number and size; and what a client of it sees."""

from acr.testing import talk
from acr.viewstore import MAX_VALUE, Memory, Views

TURNS = talk("one", "two", "three").turns


async def test_a_view_expires() -> None:
    now = [0.0]
    memory = Memory(ttl=10, clock=lambda: now[0])
    memory.keep(b"k", b"v")
    now[0] = 9.9
    assert (await memory.fetch([b"k"])).values == [b"v"]
    now[0] = 10.1
    found = await memory.fetch([b"k"])
    assert found.values == [None] and found.told == "miss"


async def test_what_is_too_large_is_not_kept() -> None:
    memory = Memory()
    memory.keep(b"k", b"x" * (MAX_VALUE + 1))
    assert (await memory.fetch([b"k"])).values == [None]
    assert memory.counts.writes == {"too_large": 1}


async def test_memory_is_bounded_and_the_oldest_go() -> None:
    memory = Memory()
    for number in range(100):
        memory.keep(b"%d" % number, b"x" * MAX_VALUE)
    kept = [value is not None for value in (await memory.fetch([b"%d" % n for n in range(100)])).values]
    assert 0 < sum(kept) <= 64 and kept == sorted(kept)


async def test_a_view_is_its_own_client_s_and_maker_s_and_conversation_s() -> None:
    told: list[str] = []
    views = Views()
    ours = views.of(b"us", told)
    ours.put("maker", TURNS, "a view — with “signs”")
    assert await ours.get("maker", TURNS) == "a view — with “signs”"
    for other in (views.of(b"them", told).get("maker", TURNS), ours.get("other", TURNS)):
        assert await other is None
    assert await ours.get("maker", TURNS[:2]) is None
    assert told == ["hit", "miss", "miss", "miss"]
