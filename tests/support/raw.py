"""Servers on loopback that do with their connections what a test says."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[int]:
    """Serve each connection as the script does, and give the port. At the end all of them are closed."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await script(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, ten seconds at most."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110  it is nobody's event
            await asyncio.sleep(0.01)
