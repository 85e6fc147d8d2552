"""Tasks that outlive the line that starts them, held so that they are not collected half-way."""

import asyncio
from collections.abc import Coroutine
from typing import Any

_running: set[asyncio.Task[Any]] = set()


def spawn(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Start `work` in the running loop and hold it until it is done."""
    task = asyncio.get_running_loop().create_task(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    return task
