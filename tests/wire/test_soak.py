"""Many streams at once, clients that hang up, upstreams that fail: all that survives is whole, nothing is left over.

`--soak SECONDS` sets how long, `--streams N` how many.
"""

import asyncio
import json
import random
import time

import pytest
from support.engines import engine
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream, deltas

from acr.proxy import background


def fate(number: int) -> str:
    return random.Random(number).choices(["whole", "client", "upstream", "refused"], [6, 2, 1, 1])[0]


def script(request: Received) -> Reply:
    number = json.loads(request.body)["number"]
    if fate(number) == "refused":
        return Reply(disconnect=True)
    end = "abort" if fate(number) == "upstream" else "clean"
    events = deltas(*map(str, range(20)))[:10] if end == "abort" else deltas(*map(str, range(20)))
    return Reply.of_events(*events, done=end == "clean", end=end, delays=[0.005] * len(events))


async def client(port: int, number: int) -> str | None:
    """One request; None, or what is wrong with what came of it."""
    body = json.dumps({"model": "m", "number": number, "stream": True, "messages": []}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        if fate(number) == "client":
            await reader.read(400)
            writer.transport.abort()
            return None
        answer = await asyncio.wait_for(reader.read(-1), 60)
    except (ConnectionError, TimeoutError) as error:
        return f"{number} {fate(number)}: {type(error).__name__}"
    finally:
        writer.close()
    status, done = answer[9:12], b"data: [DONE]\n\n" in answer and answer.endswith(b"0\r\n\r\n")
    expected = {"whole": (b"200", True), "upstream": (b"200", False), "refused": (b"502", False)}[
        fate(number)
    ]
    return None if (status, done) == expected else f"{number} {fate(number)}: {status!r}, done: {done}"


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


@pytest.mark.timeout(600)
def test_many_streams(request: pytest.FixtureRequest) -> None:
    with ScriptedUpstream(script) as upstream, RunningProxy(upstream.url, engine()) as proxy:
        seconds, streams = request.config.getoption("--soak"), request.config.getoption("--streams")
        count, problems = asyncio.run(run(proxy.port, seconds, streams))
        assert not problems and count > streams, problems
        relay, state = proxy.app.relay, proxy.server.server_state

        def left() -> dict[str, int]:
            return {
                "requests": relay.open,
                "calls": relay.upstream.calls,
                "tasks": len(background._running),
                "clients": len(state.connections),
                "sockets": len(relay.upstream.session.connector._acquired),
            }

        end = time.monotonic() + 20
        while any(left().values()) and time.monotonic() < end:
            time.sleep(0.05)
        assert not any(left().values()), left()
