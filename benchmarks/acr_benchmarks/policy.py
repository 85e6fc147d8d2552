"""A real ACR proxy in a process of its own for each policy under test.

The child binds a free loopback port, says which, and ends when its standard input closes: so it ends with
its parent, however that one ends.
"""

import asyncio
import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE

from acr.errors import AcrError, BenchmarkError

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
    import uvicorn

    from acr.auxiliary import BYPASS
    from acr.proxy import log
    from acr.proxy.app import make_engine
    from acr.proxy.server import config
    from acr.settings import Settings
    from acr_benchmarks.baselines import BASELINES

    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    port = listener.getsockname()[1]
    settings = Settings.load(
        **json.loads(arguments),
        host="127.0.0.1",
        port=port,
        mode="auto",
        api_key=(),
        keep_text=True,  # episodes show the context that the model saw
        log_level="warning",
        shutdown_timeout=5.0,
    )

    served = config(settings, make_engine(settings, BASELINES))
    served.app.relay.upstream.headers = BYPASS  # type: ignore[union-attr]
    server = uvicorn.Server(served)
    log.configure(settings)

    def follow() -> None:
        os.read(sys.stdin.fileno(), 1)
        server.should_exit = True

    threading.Thread(target=follow, daemon=True).start()
    print(json.dumps({"port": port}), flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except AcrError as error:
        sys.exit(str(error))
