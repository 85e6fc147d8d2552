"""The controller behind a real proxy: rules while it loads, then its own decisions, in the headers."""

import json
import time
import urllib.request
from pathlib import Path

from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream

from acr.lm import artefact
from acr.lm.artefact import Card

MESSAGES = [
    {"role": "user", "content": "How many apples do I have?"},
    {"role": "assistant", "content": "You have 12 apples. 3 * 4 = 12"},
    {"role": "user", "content": "I bought 3 bags."},
    {"role": "assistant", "content": "You have 36 apples. 3 * 12 = 36"},
    {"role": "user", "content": "Each bag has 7 apples."},
]


def ask(url: str) -> dict[str, str]:
    """The headers of an answer."""
    body = json.dumps({"model": "m", "messages": MESSAGES}).encode()
    request = urllib.request.Request(f"{url}/chat/completions", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}


def test_a_served_controller_loads_behind_the_first_requests(tiny_trunk: Path, tmp_path: Path) -> None:
    card = Card(str(tiny_trunk), 2, ("none", "consolidate"), (70, 71), threshold=0.0, deadline=20.0)
    artefact.save(card, tmp_path)
    with ScriptedUpstream() as upstream, RunningProxy(upstream.url, controller=str(tmp_path)) as proxy:
        first = ask(proxy.url)
        assert first["x-acr-reason"].startswith("lm is still loading; rules: ")
        until = time.monotonic() + 60
        while (found := ask(proxy.url))["x-acr-reason"].startswith("lm is still loading"):
            assert time.monotonic() < until
            time.sleep(0.05)
        assert found["x-acr-reason"].startswith("lm: consolidate (")
        assert found["x-acr-operator"] == "consolidate"
        seen = json.loads(upstream.received[-1].body)["messages"]
        assert "Each bag has 7 apples." in json.dumps(seen)
