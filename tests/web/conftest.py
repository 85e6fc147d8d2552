"""A real Chromium before a real proxy. Skipped where there is none of them."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from support.engines import Broken
from support.proxy import RunningProxy, forget_settings
from support.story import Start, answering, told
from support.upstream import ScriptedUpstream

from acr import registry
from acr.engine import Engine

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.fixture(autouse=True)
def _no_settings_around(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_settings(monkeypatch)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium. Stopped with its module: while Playwright runs, no other event loop can in this thread."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium on this system: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def upstream() -> Iterator[ScriptedUpstream]:
    with ScriptedUpstream(answering) as running:
        yield running


@pytest.fixture(scope="module")
def start(upstream: ScriptedUpstream) -> Iterator[Start]:
    with ExitStack() as stack:

        def begin(**settings: Any) -> RunningProxy:
            made = Engine(registry.controller("rules"), {**registry.operators(), "broken": Broken()})
            return stack.enter_context(RunningProxy(upstream.url, replace(made), **settings))

        yield begin


@pytest.fixture(scope="module")
def proxy(start: Start) -> RunningProxy:
    """A proxy that keeps text and has seen something of each kind."""
    running = start(keep_text=True)
    told(running)
    return running


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a page, and fail afterwards for anything that went wrong in it."""
    with ExitStack() as stack:
        wrong: list[str] = []

        def opened(url: str, *, width: int = 1280, height: int = 860, dark: bool = False, **more: Any) -> Any:
            scheme = "dark" if dark else "light"
            size = {"width": width, "height": height}
            context = browser.new_context(viewport=size, color_scheme=scheme, **more)
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(15000)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda one: wrong.append(one.text) if "Content Security" in one.text else None)
            page.goto(url)
            return page

        yield opened
        assert not wrong
