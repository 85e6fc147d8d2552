import pytest
from support.engines import engine

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
