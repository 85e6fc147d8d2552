"""Which model server a command talks to."""

import pytest
from support.upstream import Reply, ScriptedUpstream

from acr.cli.upstream import models, target
from acr.errors import ConfigError, ModelError, UpstreamError


def test_the_configured_one(upstream: ScriptedUpstream) -> None:
    with target(None, upstream=upstream.url) as found:
        assert found.url == upstream.url
        assert found.server is None


def test_the_key_is_the_configured_one_else_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "http://127.0.0.1:1/v1"
    with target(None, upstream=url) as found:
        assert found.key == "none"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-user")
    with target(None, upstream=url) as found:
        assert found.key == "sk-user"
    with target(None, upstream=url, upstream_key="sk-own") as found:
        assert found.key == "sk-own"


def test_nothing_is_fetched_where_it_could_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("acr.cli.model.fetched", lambda model: pytest.fail("a gigabyte for nothing"))
    with pytest.raises(ModelError, match=r"\[local\]"), target(None):
        pass


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="unknown setting 'upstraem'"), target(None, upstraem="x"):
        pass


def test_models_are_asked_for_with_the_key(upstream: ScriptedUpstream) -> None:
    upstream.answer(Reply.of_json({"object": "list", "data": [{"id": "a"}, {"id": "b"}]}))
    assert models(upstream.url, "sk-x") == ["a", "b"]
    assert upstream.received[0].target == "/v1/models"
    assert upstream.received[0].header("authorization") == "Bearer sk-x"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply.of_json({"error": "no"}, 401), "answered HTTP 401"),
        (Reply.of_json({"error": "no"}), "gave no list of models"),
        (Reply([b"<html>"]), "gave no list of models"),
        (Reply(disconnect=True), "gave no list of models"),
    ],
)
def test_what_is_no_list_of_models(upstream: ScriptedUpstream, reply: Reply, said: str) -> None:
    upstream.answer(reply)
    with pytest.raises(UpstreamError, match=said):
        models(upstream.url, "sk-x")
