import subprocess
import sys

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


def test_the_proxy_imports_nothing_heavy() -> None:
    """Each of these costs memory at rest and time until it is ready."""
    heavy = (
        "aiohttp",
        "httpx",
        "langchain",
        "langchain_core",
        "langgraph",
        "openai",
        "torch",
        "transformers",
    )
    code = (
        "import sys; from acr.proxy.app import create_app; from acr.settings import Settings; "
        "create_app(Settings(upstream='http://127.0.0.1:9/v1')); "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
