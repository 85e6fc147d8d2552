import json

import pytest
from support.engines import engine
from support.http import send
from support.proxy import RunningProxy

from acr.errors import ConfigError
from acr.proxy import create_app
from acr.settings import Settings


def test_an_application_needs_an_upstream() -> None:
    with pytest.raises(ConfigError, match="ACR_UPSTREAM"):
        create_app(Settings(), engine())


def test_names_are_checked_when_it_is_made() -> None:
    with pytest.raises(ConfigError, match=r"no controller named 'luck'; known: "):
        create_app(Settings(upstream="http://x/v1", controller="luck"))
    with pytest.raises(ConfigError, match=r"no operator named 'fix'; known: "):
        create_app(Settings(upstream="http://x/v1", operators=("fix",)))


def test_without_an_engine_the_settings_make_one() -> None:
    app = create_app(Settings(upstream="http://x/v1", controller="always:recap", operators=("recap",)))
    assert app.relay.refactorer.engine.controller.name.startswith("always")
    assert list(app.relay.refactorer.engine.operators) == ["recap"]


def test_health_and_status(proxy: RunningProxy) -> None:
    assert json.loads(send(proxy.port, "GET", "/livez").body) == {"status": "ok"}
    assert json.loads(send(proxy.port, "GET", "/readyz").body) == {"status": "ok"}
    status = json.loads(send(proxy.port, "GET", "/v1/acr/status").body)
    assert status["mode"] == "auto" and status["operators"] == ["broken", "fold", "insert", "lead"]
    assert status["open_requests"] == 0 and status["open_upstream_calls"] == 0


@pytest.mark.parametrize("path", ["/", "/chat/completions", "/v1", "/v1/acr/none"])
def test_other_paths_say_where_to_go(proxy: RunningProxy, path: str) -> None:
    answer = send(proxy.port, "GET", path)
    assert answer.status == 404 and "/v1" in json.loads(answer.body)["error"]["message"]
