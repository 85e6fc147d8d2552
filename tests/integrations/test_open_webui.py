"""The filter of examples/, loaded and called as Open WebUI 0.12 does: its own loader where it is installed."""

import copy
import sys
import types
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

SOURCE = (Path(__file__).parents[2] / "examples" / "open_webui_filter.py").read_text(encoding="utf-8")
LOST = [
    {"role": "system", "content": "You are a helpful assistant."},
    {"role": "user", "content": "How much do I earn in a week?"},
    {"role": "assistant", "content": "You earn $400 in a week.\n\nAnswer: 400"},
    {"role": "user", "content": "I get $30 an hour and work 7 hours a day, 5 days a week."},
]
REST = {
    "model": "m",
    "stream": True,
    "params": {},
    "features": {},
    "metadata": {"chat_id": "c", "files": None},
}


@pytest.fixture
async def loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The filter, as `load_function_module_by_id` makes it: run in a module that is no module afterwards."""
    if find_spec("open_webui"):
        monkeypatch.setenv("DATA_DIR", str(tmp_path))
        monkeypatch.setenv("WEBUI_SECRET_KEY", "a")
        monkeypatch.setenv("ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS", "false")
        from open_webui.utils.plugin import load_function_module_by_id

        instance, kind, front, *_ = await load_function_module_by_id("acr", SOURCE)
        assert kind == "filter" and front["requirements"] == "adaptive-context-refactoring"
        return instance
    module = types.ModuleType("function_acr")
    sys.modules[module.__name__] = module
    try:
        exec(SOURCE, module.__dict__)
        return module.Filter()
    finally:
        del sys.modules[module.__name__]


async def called(instance: Any, messages: Any, **valves: str) -> dict[str, Any]:
    """What the filter makes of a request, with the settings that an administrator chose."""
    instance.valves = instance.Valves(**valves)
    body = copy.deepcopy({**REST, "messages": messages})
    made = await instance.inlet(body=body, __user__={"id": "u", "role": "user"})
    assert {**made, "messages": None} == {**REST, "messages": None}
    return list(made["messages"])


async def test_a_lost_chat_is_refactored_and_nothing_else_of_the_request(loaded: Any) -> None:
    assert loaded.valves.controller == "rules"
    made = await called(loaded, LOST)
    assert made[0] == LOST[0] and len(made) == 2
    assert "How much do I earn" in made[1]["content"] and "$30" in made[1]["content"]


async def test_a_picture_stays(loaded: Any) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    newest = {"role": "user", "content": [{"type": "text", "text": LOST[3]["content"]}, picture]}
    made = await called(loaded, [*LOST[:3], newest])
    assert picture in made[-1]["content"] and "400" not in str(made)


@pytest.mark.parametrize("valves", [{"controller": "never"}, {"controller": "there is none"}])
async def test_the_chat_goes_on_as_it_is(loaded: Any, valves: dict[str, str]) -> None:
    assert await called(loaded, LOST, **valves) == LOST
