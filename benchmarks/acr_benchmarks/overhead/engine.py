"""What the parts of the engine cost by the length of the conversation, in milliseconds of one thread.

Each time the newest turn is new; what came before it has been read. `cold` is a conversation never seen.
The growth exponent is the slope of a line through the logarithms of turns and of times.
"""

import asyncio
import gc
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from statistics import median
from time import thread_time
from typing import Any

from acr import registry, tokens
from acr.conversation import Conversation
from acr.dialects import Request
from acr.dialects.chat import Chat, said
from acr.engine import Engine, Outcome
from acr.ledger import of_tasks
from acr.ledger.read import known
from acr.memo import Memo
from acr.reading.dialogue import read, readers
from acr.signals import observe
from acr_benchmarks.overhead.job import Job, Talk
from acr_benchmarks.overhead.payload import body

TURNS = (10, 20, 100, 1_000, 2_000, 10_000)
TOKENS = 100
"""Of one turn, on average."""
BUDGET = 0.3
"""Seconds for one figure, or one call if it takes longer."""
FIT_FROM = 100
"""Turns from which the exponent is fitted: below, what does not grow is most of it."""
_number = count(1)


def request(turns: int, talk: Talk) -> bytes:
    """A body of that many turns whose newest one is new."""
    before, after = body(Job(0, turns=turns, tokens=turns * TOKENS, talk=talk), 1)
    return b"%b%09d%b" % (before, next(_number), after)


def measure(turns: Sequence[int] = TURNS) -> dict[str, Any]:
    """All figures as plain data, by part: `new_turn_ms` and `cold_ms` by turns, and `exponent`."""
    tokens.encoding()  # loaded once a process: no part of what a conversation costs
    found: dict[str, dict[str, Any]] = {}
    for length in turns:
        for name, (talk, prepare, work) in parts().items():
            row = found.setdefault(name, {"new_turn_ms": {}, "cold_ms": {}})
            fresh = partial(_prepared, prepare, length, talk)
            forget()
            row["cold_ms"][str(length)] = once(fresh(), work)
            row["new_turn_ms"][str(length)] = typical(fresh, work)
    for row in found.values():
        row["exponent"] = exponent(row["new_turn_ms"])
    return found


def _prepared(prepare: Callable[[bytes], Any], turns: int, talk: Talk) -> Any:
    return prepare(request(turns, talk))


def forget() -> None:
    """Empty what is remembered of texts and conversations."""
    for one in gc.get_objects():
        if isinstance(one, Memo):
            one.clear()
    said.cache_clear()
    readers.clear()
    known.clear()


Part = tuple[Talk, Callable[[bytes], Any], Callable[[Any], object]]


def parts() -> Mapping[str, Part]:
    """Each part: the talk it gets, what is prepared outside of the clock, and the work."""
    chat, rules = Chat(), registry.controller("rules")

    def conversation(raw: bytes) -> Conversation:
        found = chat.parse(raw).conversation
        assert found is not None
        return found

    def decide(said: Conversation) -> object:
        signals = observe(said)
        of_tasks(read(said))
        return rules.decide(said, signals)

    found: dict[str, Part] = {
        "parse": ("plain", lambda raw: raw, chat.parse),
        "observe": ("plain", conversation, lambda said: observe(said)["stale"]),
        "all signals": ("plain", conversation, lambda said: observe(said).numbers()),
        "ledger": ("plain", conversation, lambda said: of_tasks(read(said))),
        "observe, ledger, decide": ("plain", conversation, decide),
    }
    operators = registry.operators()
    for name, operator in operators.items():
        if not getattr(operator, "model_backed", False):
            engine = Engine(rules, operators, deadline=600.0)
            found[f"operator {name}"] = ("lost", conversation, forced(engine, name))
    found["patch"] = ("lost", patched(Engine(rules, operators, deadline=600.0), chat), lambda pair: pair())
    return found


def forced(engine: Engine, name: str) -> Callable[[Conversation], Outcome]:
    return lambda said: asyncio.run(engine.run(said, operator=name))


def patched(engine: Engine, chat: Chat) -> Callable[[bytes], Callable[[], bytes]]:
    def prepare(raw: bytes) -> Callable[[], bytes]:
        parsed: Request = chat.parse(raw)
        assert parsed.conversation is not None
        outcome = asyncio.run(engine.run(parsed.conversation, operator="consolidate"))
        return lambda: chat.patch(parsed, outcome.conversation)

    return prepare


def once(given: Any, work: Callable[[Any], object]) -> float:
    """Milliseconds of this thread's processor time."""
    start = thread_time()
    work(given)
    return 1000 * (thread_time() - start)


def typical(prepare: Callable[[], Any], work: Callable[[Any], object]) -> float:
    """The median of as many calls as the budget allows."""
    times: list[float] = []
    while not times or (sum(times) < 1000 * BUDGET and len(times) < 20):
        times.append(once(prepare(), work))
    return median(times)


def exponent(by_turns: Mapping[str, float]) -> float:
    """The slope in the logarithms, from `FIT_FROM` turns on. 0 where there are fewer than two lengths."""
    points = [(math.log(int(n)), math.log(ms)) for n, ms in by_turns.items() if int(n) >= FIT_FROM and ms > 0]
    if len(points) < 2:
        return 0.0
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    slope: float = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return slope


def table(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures as a Markdown table: milliseconds, newest turn new (never seen before)."""
    turns = list(next(iter(found.values()))["new_turn_ms"])
    lines = [["part", *(f"{int(n):,} turns" for n in turns), "exponent"], ["---"] * (len(turns) + 2)]
    for name, row in found.items():
        cells = [f"{row['new_turn_ms'][n]:.2f} ({row['cold_ms'][n]:.1f})" for n in turns]
        lines.append([name, *cells, f"{row['exponent']:.2f}"])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
