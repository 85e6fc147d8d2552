"""A real ACR proxy in a process of its own for each policy under test.

The child binds a free loopback port, says which, and ends when its standard input closes: so it ends with
its parent, however that one ends.
"""

import asyncio
import json
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE

from acr.errors import BenchmarkError

START = 60.0
"""Seconds a proxy may take to come up."""


@asynccontextmanager
async def proxy(policy: str, upstream: str, log: Path) -> AsyncIterator[str]:
    """Base URL (with `/v1`) of an ACR proxy with that controller in front of `upstream`.

    `log` gets the child's messages. Raises `BenchmarkError` if it does not come up, with its last words.
    """
    arguments = json.dumps({"controller": policy, "upstream": upstream})
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, arguments, stdin=PIPE, stdout=PIPE, stderr=output
        )
    assert process.stdin is not None and process.stdout is not None
    try:
        try:
            line = await asyncio.wait_for(process.stdout.readline(), START)
        except TimeoutError:
            line = b""
        if not line:
            raise BenchmarkError(f"the proxy for acr:{policy} did not start: {last_words(log)}")
        yield f"http://127.0.0.1:{json.loads(line)['port']}/v1"
    finally:
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 15)
        except TimeoutError:
            process.kill()
            await process.wait()


def last_words(log: Path) -> str:
    """The last line the child wrote."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def main(arguments: str) -> None:
    """The child: serve until standard input closes."""
    import socket

    import uvicorn

    from acr.proxy import create_app
    from acr.settings import Settings

    wanted = json.loads(arguments)
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    port = listener.getsockname()[1]
    settings = Settings.load(**wanted, host="127.0.0.1", port=port, mode="auto", api_key=())
    config = uvicorn.Config(create_app(settings), log_level="warning", timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)

    def follow() -> None:
        os.read(sys.stdin.fileno(), 1)
        server.should_exit = True

    threading.Thread(target=follow, daemon=True).start()
    print(json.dumps({"port": port}), flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1])
