"""The benchmark's own model: asking it, and reading JSON out of what it says."""

import pytest
from acr_benchmarks import endpoint
from acr_benchmarks.endpoint import Endpoint, json_object
from hypothesis import given
from hypothesis import strategies as st

from acr.errors import BenchmarkError, UpstreamError


async def test_asking(server, make_completion) -> None:
    server.handler = lambda body: make_completion("fine")
    one = Endpoint(server.url, key="secret", pauses=())
    assert await one.ask([{"role": "user", "content": "?"}], 7, temperature=0.5, max_tokens=3) == "fine"
    (body,) = server.requests
    assert (body["model"], body["seed"], body["temperature"], body["max_tokens"]) == ("scripted", 7, 0.5, 3)
    assert (await one.known()).model == "scripted"
    assert "secret" not in repr(one)


async def test_errors_say_what_went_wrong(server) -> None:
    one = Endpoint(server.url, "m", pauses=())
    server.handler = lambda body: (500, {"error": "down"})
    with pytest.raises(UpstreamError, match="500"):
        await one.ask([], 0)
    server.handler = lambda body: (401, {"error": "key"})
    with pytest.raises(BenchmarkError, match="401"):
        await one.ask([], 0)
    server.handler = lambda body: (400, {"error": {"type": "exceed_context_size_error"}})
    with pytest.raises(UpstreamError, match="does not fit the context of m"):
        await one.ask([], 0)


def test_the_judge_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (endpoint.JUDGE_URL, endpoint.JUDGE_MODEL, endpoint.JUDGE_KEY, "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert endpoint.judge() is None
    monkeypatch.setenv(endpoint.JUDGE_URL, "http://judge/v1/")
    monkeypatch.setenv("OPENAI_API_KEY", "general")
    assert endpoint.judge() == Endpoint("http://judge/v1", "", "general")
    monkeypatch.setenv(endpoint.JUDGE_KEY, "own")
    made = endpoint.judge()
    assert made is not None and made.key == "own"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Sure!\n```json\n{"a": {"b": "}"}}\n```', {"a": {"b": "}"}}),
        ('{broken {"a": 1} {"a": 2}', {"a": 1}),
        ("[1, 2]", None),
        ("", None),
        ("{" * 100_000, None),
        ('{"a": ' * 3000, None),
    ],
)
def test_json_in_an_answer(text: str, found: dict | None) -> None:
    assert json_object(text) == found


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    assert json_object(f'{text}{{"a": 1}}') is not None or "{" in text
    json_object(text)
