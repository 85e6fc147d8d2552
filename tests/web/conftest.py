"""A real Chromium before a real proxy. Skipped where there is none of them."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from openai import OpenAI
from support.engines import Broken
from support.proxy import RunningProxy
from support.upstream import Received, Reply, ScriptedUpstream, completion, deltas

from acr import registry
from acr.engine import Engine

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

ANSWERS = {
    "orchard": "Without the number of trees I assume 50 trees of 2 kilograms: 50 × 2 = 100 kilograms.",
    "24 apple": "24 apple trees of 5 kilograms give 24 × 5 = 120 kilograms.",
    "half as many": "There are 12 pear trees. 24 × 1.5 + 12 × 1.5 = 54 kilograms.",
    "35 kilograms": "The apple trees give 24 × 35 = 840 kilograms, the pear trees 12 × 35 = 420: 1260 kilograms in all.",
    "20 kilograms": "24 × 35 = 840 kilograms of apples and 12 × 20 = 240 kilograms of pears: 1080 kilograms.",
}
PIECES = (
    "How many kilograms of fruit does my orchard give?",
    "I have 24 apple trees.",
    "There are half as many pear trees as apple trees.",
    "Each apple tree gives 35 kilograms of apples.",
    "Each pear tree gives 20 kilograms of pears.",
)
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script><b>bold</b>"


def answering(request: Received) -> Reply:
    """The model: answers by the newest message, streamed where that is asked for."""
    if request.method == "GET":
        return Reply.of_json({"object": "list", "data": [{"id": "demo-model", "object": "model"}]})
    newest = request.json["messages"][-1]["content"]
    found = [text for cue, text in ANSWERS.items() if cue in newest]
    text = found[-1] if found else f"You said: {newest}"
    if not request.json.get("stream"):
        return Reply.of_json(completion(text))
    usage = {"prompt_tokens": 50, "completion_tokens": 9, "total_tokens": 59}
    last = {**deltas()[0], "choices": [], "usage": usage}
    return Reply.of_events(*deltas(*(word + " " for word in text.split(" "))), last)


@pytest.fixture(autouse=True)
def _no_settings_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ACR_") or name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
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


Start = Callable[..., RunningProxy]


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


def talk(
    proxy: RunningProxy, pieces: Sequence[str], *, key: str = "unused", **more: Any
) -> list[dict[str, Any]]:
    """Hold a conversation as a client does: the whole history each time."""
    client = OpenAI(base_url=proxy.url, api_key=key, max_retries=0)
    messages: list[Any] = []
    for piece in pieces:
        messages.append({"role": "user", "content": piece})
        answer = client.chat.completions.create(model="demo-model", messages=messages, **more)
        messages.append({"role": "assistant", "content": answer.choices[0].message.content})
    client.close()
    return messages


def told(proxy: RunningProxy, **more: Any) -> None:
    talk(proxy, ["Hello there"], **more)
    talk(proxy, [HOSTILE, f"again {HOSTILE}"], extra_headers={"x-acr-operator": "recap"}, **more)
    talk(proxy, ["Write a list.", "Shorter."], extra_headers={"x-acr-operator": "broken"}, **more)
    talk(proxy, ["What is a monad?", "And a functor?"], extra_headers={"x-acr-bypass": "true"}, **more)
    talk(proxy, PIECES, **more)


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
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda one: wrong.append(one.text) if "Content Security" in one.text else None)
            page.goto(url)
            return page

        yield opened
        assert not wrong
