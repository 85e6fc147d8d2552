import asyncio
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest
from support.engines import engine

from acr import registry
from acr.controllers.always import Always
from acr.conversation import Conversation
from acr.decision import Context, Decision, Kind
from acr.dialects import Request
from acr.dialects.chat import Chat
from acr.edits import Edit, Rewrite
from acr.engine import Engine
from acr.proxy import refactor
from acr.proxy.controls import ControlError
from acr.proxy.refactor import Refactorer
from acr.signals import Signals

STOP = threading.Event()
SMALL = json.dumps(
    {
        "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "a"},
            {"role": "user", "content": "two"},
        ]
    }
).encode()
LARGE = SMALL.replace(b'"one"', b'"one ' + b"and more. " * 40_000 + b'"')


@dataclass(frozen=True)
class Slow:
    """Takes its time without giving way, as work on a huge text does."""

    seconds: float
    name: str = "slow"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        STOP.wait(self.seconds)
        newest = conversation.turns[-1]
        return [Rewrite(newest.id, "late " + newest.text)]


@dataclass(frozen=True)
class Modelled:
    name: str = "modelled"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        assert context.complete is not None
        newest = conversation.turns[-1]
        return [Rewrite(newest.id, await context.complete([]) + newest.text)]


class Raising:
    name = "raising"

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        raise RuntimeError("secret")


@pytest.mark.parametrize("body", [SMALL, LARGE], ids=["inline", "in a thread"])
async def test_an_intervention(body: bytes) -> None:
    prepared = await Refactorer(engine("lead", deadline=60), "auto").prepare(Chat(), body, {})
    assert prepared.verdict == "intervened" and prepared.body == body.replace(b'"two"', b'"[note] two"')
    assert prepared.seconds > 0


@pytest.mark.parametrize("body", [SMALL, LARGE], ids=["inline", "in a thread"])
async def test_a_controller_that_raises(body: bytes) -> None:
    prepared = await Refactorer(replace(engine(deadline=60), controller=Raising()), "auto").prepare(
        Chat(), body, {}
    )
    assert (prepared.verdict, prepared.body) == ("failed", body)
    assert prepared.reason == "failed open: ControllerError"


async def test_an_engine_that_breaks_its_word_and_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(self: Engine, conversation: Conversation, *, operator: str | None = None) -> None:
        raise KeyError("secret")

    monkeypatch.setattr(Engine, "run", run)
    prepared = await Refactorer(engine("lead"), "auto").prepare(Chat(), SMALL, {})
    assert (prepared.verdict, prepared.body, prepared.reason) == (
        "failed",
        SMALL,
        "failed open: OperatorError",
    )


@pytest.mark.parametrize("body", [SMALL, LARGE], ids=["inline", "in a thread"])
async def test_the_impossible_is_told_to_the_client(body: bytes) -> None:
    with pytest.raises(ControlError, match="there is no operator 'x'"):
        await Refactorer(engine(deadline=60), "auto").prepare(Chat(), body, {"operator": "x"})
    with pytest.raises(ControlError, match="there is no controller named 'x'"):
        await Refactorer(engine(deadline=60), "auto").prepare(Chat(), body, {"controller": "x"})


async def test_a_large_body_does_not_stall_the_loop_and_keeps_the_deadline() -> None:
    slow = replace(engine("slow", deadline=0.5), operators={"slow": Slow(20.0)})
    start = time.perf_counter()
    work = asyncio.create_task(Refactorer(slow, "auto").prepare(Chat(), LARGE, {}))
    turns = 0
    while not work.done():
        await asyncio.sleep(0.01)
        turns += 1
    prepared = await work
    STOP.set()  # the thread that was left behind may go
    assert time.perf_counter() - start < 15 and turns > 5
    assert (prepared.verdict, prepared.body) == ("failed", LARGE)
    assert prepared.outcome is not None and prepared.outcome.failure is not None


@pytest.mark.parametrize("body", [SMALL, LARGE], ids=["inline", "in a thread"])
async def test_an_auxiliary_model_is_called_in_its_own_loop(body: bytes) -> None:
    home = asyncio.get_running_loop()

    async def complete(messages: Sequence[Mapping[str, str]]) -> str:
        assert asyncio.get_running_loop() is home
        return "aux "

    made = replace(engine("modelled", deadline=60), operators={"modelled": Modelled()}, complete=complete)
    prepared = await Refactorer(made, "auto").prepare(Chat(), body, {})
    assert prepared.body.endswith(b'"aux two"}]}'), prepared.reason


async def test_tokens_are_not_counted_where_nothing_is_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    def count(conversation: Conversation) -> int:
        raise AssertionError("counted")

    monkeypatch.setattr("acr.tokens.count_conversation", count)
    prepared = await Refactorer(engine(), "auto").prepare(Chat(), SMALL, {})
    assert prepared.verdict == "none" and prepared.reason == "as the test wants it"


async def test_a_named_controller_is_loaded_once_and_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def load(spec: str) -> Always:
        threads.append(threading.get_ident())
        time.sleep(0.05)
        return Always("lead")

    monkeypatch.setattr(registry, "controller", load)
    monkeypatch.setattr(refactor, "_controllers", {})
    refactorer = Refactorer(engine(), "auto")
    asked = {"controller": "always:slow"}
    prepared = await asyncio.gather(*(refactorer.prepare(Chat(), SMALL, asked) for _ in range(3)))
    assert [each.verdict for each in prepared] == ["intervened"] * 3
    assert len(threads) == 1 and threads[0] != threading.get_ident()


async def test_clients_cannot_fill_memory_with_controllers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "controller", Always)
    monkeypatch.setattr(refactor, "_controllers", {})
    refactorer = Refactorer(engine(), "auto")
    for number in range(40):
        await refactorer.prepare(Chat(), SMALL, {"controller": f"always:{number}"})
    assert len(refactor._controllers) == 32 and "always:39" in refactor._controllers


class Unreadable(Chat):
    """A dialect with a fault of its own."""

    def parse(self, body: bytes, *, history: bool = True) -> Request:
        raise TypeError("object of type 'int' has no len()")


@pytest.mark.parametrize("body", [SMALL, LARGE], ids=["small", "large"])
async def test_a_fault_while_reading_leaves_the_request_as_it_came(body: bytes) -> None:
    prepared = await Refactorer(engine("lead"), "auto").prepare(Unreadable(), body, {})
    assert (prepared.body, prepared.verdict) == (body, "failed")
    assert prepared.reason == "failed open: OperatorError"
