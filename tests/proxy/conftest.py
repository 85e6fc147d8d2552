from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from support.engines import engine
from support.proxy import RunningProxy, forget_settings
from support.upstream import ScriptedUpstream

from acr.engine import Engine


@pytest.fixture(autouse=True)
def _no_settings_around(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_settings(monkeypatch)


@pytest.fixture(scope="module")
def upstream() -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream() as running:
        yield running


@pytest.fixture(autouse=True)
def _fresh_script(upstream: ScriptedUpstream) -> None:
    upstream.answer()


@pytest.fixture(scope="module")
def proxy(upstream: ScriptedUpstream) -> Iterator[RunningProxy]:
    """A proxy whose controller never acts; operators can be forced."""
    with RunningProxy(upstream.url, engine(), keep_text=True) as running:
        yield running


Start = Callable[..., RunningProxy]


@pytest.fixture
def start(upstream: ScriptedUpstream) -> Iterator[Start]:
    """Start another proxy, with other settings or another engine."""
    with ExitStack() as stack:

        def begin(made: Engine | None = None, url: str | None = None, **settings: Any) -> RunningProxy:
            return stack.enter_context(RunningProxy(url or upstream.url, made or engine(), **settings))

        yield begin
