"""Many streams at once, clients that hang up, upstreams that fail: all that survives is whole, nothing is left over.

`--soak SECONDS` sets how long, `--streams N` how many. Once against `acr serve` as a process, whose memory and
sockets can be told from outside; once in this process, where tasks and objects can be counted.
"""

import asyncio
import gc
import json
import random
import time
from collections import Counter
from collections.abc import Callable

import pytest
from support.engines import engine
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream, deltas, ok
from wire.subject import AcrServe

from acr.proxy import background

TOKENS = 20
WHOLE = deltas(*map(str, range(TOKENS)))
MEMORY = 8 * 1024 * 1024
"""Bytes that may be there more than before: what the allocator keeps for itself. Half a kilobyte lost at each
of the requests of one minute would be more.
"""


def fate(number: int) -> str:
    return random.Random(number).choices(["whole", "client", "upstream", "refused"], [6, 2, 1, 1])[0]


def script(request: Received) -> Reply:
    if request.method == "GET":  # what the proxy asks for itself when it starts
        return ok(request)
    number = json.loads(request.body)["number"]
    pace = random.Random(number).uniform(0.002, 0.03)
    if fate(number) == "refused":
        return Reply(disconnect=True)
    end = "abort" if fate(number) == "upstream" else "clean"
    events = WHOLE[: random.Random(number).randrange(1, TOKENS)] if end == "abort" else WHOLE
    return Reply.of_events(*events, done=end == "clean", end=end, delays=[pace] * len(events))


async def client(port: int, number: int) -> str | None:
    """One request; None, or what is wrong with what came of it."""
    messages = [{"role": "user", "content": f"part {part}"} for part in range(3)]
    body = json.dumps({"model": "m", "number": number, "stream": True, "messages": messages}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        if fate(number) == "client":
            await reader.read(random.Random(number).randrange(4000))
            writer.transport.abort()
            return None
        answer = await asyncio.wait_for(reader.read(-1), 60)
    except (ConnectionError, TimeoutError) as error:
        return f"{number} {fate(number)}: {type(error).__name__}"
    finally:
        writer.close()
    status, events, ended = answer[9:12], answer.count(b"data: {"), answer.endswith(b"0\r\n\r\n")
    if fate(number) == "whole":
        good = status == b"200" and events == len(WHOLE) and b"data: [DONE]\n\n" in answer and ended
    elif fate(number) == "upstream":
        good = status == b"200" and 0 < events < len(WHOLE) and not ended
    else:
        good = status == b"502" and events == 0
    return None if good else f"{number} {fate(number)}: {status!r}, {events} events, ended: {ended}"


async def run(port: int, seconds: float, streams: int) -> tuple[int, list[str]]:
    end, number, problems = time.monotonic() + seconds, 0, []
    running: set[asyncio.Task[str | None]] = set()
    while running or time.monotonic() < end:
        while len(running) < streams and time.monotonic() < end:
            running.add(asyncio.create_task(client(port, number)))
            number += 1
        finished, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        problems += [problem for task in finished if (problem := task.result())]
    return number, problems


def settled(left: Callable[[], dict[str, int]]) -> dict[str, int]:
    """What is left over, given time to go."""
    end, found = time.monotonic() + 20, left()
    while any(found.values()) and time.monotonic() < end:
        time.sleep(0.3)  # a look may open a connection of its own
        found = left()
    return found


@pytest.mark.timeout(600)
def test_a_process_gives_back_memory_and_sockets(request: pytest.FixtureRequest) -> None:
    seconds, streams = request.config.getoption("--soak"), request.config.getoption("--streams")
    env = {"ACR_KEEP_TRACES": "20", "ACR_LOG_LEVEL": "warning", "ACR_KEEP_TEXT": "false"}
    with ScriptedUpstream(script) as upstream:
        proxy = AcrServe(upstream.url, "any", env)
        try:
            asyncio.run(run(proxy.port, max(1.0, seconds / 4), streams))  # buffers, pools and caches fill
            upstream.received.clear()
            before = settled(proxy.left), proxy.memory()
            count, problems = asyncio.run(run(proxy.port, seconds, streams))
            after = settled(proxy.left), proxy.memory()
            assert "Traceback" not in proxy.log()
            print(
                f"{count} streams, {streams} at once, {seconds:g} s: RSS {before[1] >> 20} → {after[1] >> 20} MiB"
            )
        finally:
            proxy.stop()
    assert not problems and count > streams, problems
    assert not any(before[0].values()) and not any(after[0].values()), (before, after)
    assert after[1] - before[1] < MEMORY, (before, after, count)


@pytest.mark.timeout(600)
def test_no_task_and_no_object_is_left(request: pytest.FixtureRequest) -> None:
    seconds, streams = request.config.getoption("--soak"), request.config.getoption("--streams")
    with ScriptedUpstream(script) as upstream, RunningProxy(upstream.url, engine(), keep_traces=20) as proxy:
        relay, state = proxy.app.relay, proxy.server.server_state

        def left() -> dict[str, int]:
            return {
                "requests": relay.open,
                "calls": relay.upstream.calls,
                "tasks": len(background._running),
                "server tasks": len(state.tasks),
                "clients": len(state.connections),
                "sockets": len(relay.upstream.busy),
                "traces that wait for their signals": relay.traces.waiting,
            }

        asyncio.run(run(proxy.port, 0.5, streams))
        assert not any(settled(left).values()), left()
        upstream.received.clear()
        before = objects()
        count, problems = asyncio.run(run(proxy.port, seconds, streams))
        assert not problems and count > streams, problems
        assert not any(settled(left).values()), left()
        upstream.received.clear()
        more = {name: n for name, n in (objects() - before).items() if n > 25}
        assert not more, (more, count)


def objects() -> Counter[str]:
    """How many of each type of ours and of asyncio there are; pooled connections come and go."""
    gc.collect()
    kinds = (type(each) for each in gc.get_objects())
    ours = ("acr.", "asyncio", "_asyncio", "uvicorn", "starlette", "uvloop", "builtins.coroutine")
    names = (f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if isinstance(kind.__module__, str))
    return Counter(name for name in names if name.startswith(ours))
