"""The proxy, really started, in a thread of the test."""

import os
import threading
import time
from typing import Any

import pytest
import uvicorn

from acr.engine import Engine
from acr.proxy.server import config
from acr.settings import Settings


class RunningProxy:
    """A context manager around uvicorn with ACR in it. `url` is the base URL for a client."""

    def __init__(self, upstream: str, engine: Engine | None = None, **settings: Any) -> None:
        self.settings = Settings.load(upstream=upstream, **{"port": 0, **settings})
        self.server = uvicorn.Server(config(self.settings, engine))
        self.server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        self.port = 0

    @property
    def app(self) -> Any:
        return self.server.config.loaded_app

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    def __enter__(self) -> "RunningProxy":
        self._thread = threading.Thread(target=self.server.run, daemon=True)
        self._thread.start()
        end = time.monotonic() + 90
        while not self.server.started:
            assert self._thread.is_alive() and time.monotonic() < end, "the proxy did not start"
            time.sleep(0.01)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self._thread.join(90)
        assert not self._thread.is_alive(), "the proxy did not stop"


def forget_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out of the environment whatever would be read as a setting."""
    for name in list(os.environ):
        if name.startswith("ACR_") or name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
            monkeypatch.delenv(name)
