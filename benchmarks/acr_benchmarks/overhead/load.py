"""The load generator, a process that does one job after another.

    python -m acr_benchmarks.overhead.load FILE

Reads jobs as JSON lines from standard input, puts what came of each into the file and says so by a line. Raw
protocols: a client library would cost more than the relay that is measured.
"""

import asyncio
import json
import random
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

import uvloop

from acr_benchmarks.overhead.connection import Connection
from acr_benchmarks.overhead.job import Job, Result
from acr_benchmarks.overhead.payload import bodies

HEAD = (
    "POST /v1/chat/completions HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n"
    "authorization: Bearer unused\r\naccept: */*\r\nuser-agent: load\r\n"
)


async def run(job: Job) -> Result:
    """Load one address as the job says. Connections are made before the clock starts."""
    loop = asyncio.get_running_loop()
    result = Result(job)
    requests = requester(job)
    connections = [
        (await loop.create_connection(lambda: Connection(job.paced), job.host, job.port))[1]
        for _ in range(job.connections)
    ]
    start = perf_counter()
    until = start + job.seconds
    try:
        if job.rate:
            await open_loop(job, connections, requests, result, until)
        else:
            work = [closed_loop(one, requests, result, until, job.requests) for one in connections]
            await asyncio.gather(*work)
    finally:
        for one in connections:
            one.transport.close()
    result.seconds = perf_counter() - start
    return result


async def closed_loop(
    connection: Connection, request: Callable[[], bytes], result: Result, until: float, most: int
) -> None:
    """The next request when the answer to the last is here, until the time is over or `most` were begun."""
    while perf_counter() < until and (most == 0 or result.begun < most):
        result.begun += 1
        result.take(await connection.exchange(request()))


async def open_loop(
    job: Job, connections: list[Connection], request: Callable[[], bytes], result: Result, until: float
) -> None:
    """Requests at random times that no answer puts off. Time is counted from when each was due, so waiting
    for a free connection is part of it.
    """
    chance = random.Random(job.seed)
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for connection in connections:
        free.put_nowait(connection)

    async def one(due: float) -> None:
        connection = await free.get()
        try:
            result.take(await connection.exchange(request(), due))
        finally:
            free.put_nowait(connection)

    due = perf_counter()
    async with asyncio.TaskGroup() as group:
        while (due := due + chance.expovariate(job.rate)) < until:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            result.begun += 1
            group.create_task(one(due))


def requester(job: Job) -> Callable[[], bytes]:
    """Makes the next request: one conversation after another, always with a newest turn never seen before."""
    made = bodies(job)
    more = "".join(f"{name}: {value}\r\n" for name, value in job.headers.items())
    head = f"{HEAD}{more}content-length: %d\r\n\r\n".encode()
    number = job.seed * 1_000_000

    def request() -> bytes:
        nonlocal number
        number += 1
        before, after = made[number % len(made)]
        body = b"%b%09d%b" % (before, number, after)
        return head % len(body) + body

    return request


def main() -> None:
    place = Path(sys.argv[1])
    for line in sys.stdin:
        result = uvloop.run(run(Job(**json.loads(line))))
        place.write_text(json.dumps(asdict(result)), encoding="utf-8")
        print("done", flush=True)


if __name__ == "__main__":
    main()
