"""Which model server a command talks to: the one configured, else the embedded model, started for it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acr.cli import output

if TYPE_CHECKING:
    from acr.embedded import EmbeddedServer
    from acr.settings import Settings


@dataclass(frozen=True, slots=True)
class Target:
    """A model server that can be asked."""

    settings: "Settings"
    """With `upstream` set."""
    server: "EmbeddedServer | None"
    """The child process, if it is the embedded model."""

    @property
    def url(self) -> str:
        assert self.settings.upstream is not None
        return self.settings.upstream

    @property
    def key(self) -> str:
        """What ACR's own calls show the upstream: the configured key, else the user's own."""
        configured = self.settings.upstream_key
        return configured.get_secret_value() if configured else os.environ.get("OPENAI_API_KEY", "none")


@contextmanager
def target(config: Path | None, **given: Any) -> Iterator[Target]:
    """Settings with an upstream that answers; the embedded model runs as long as the block does.

    Raises `ConfigError` for wrong settings, `ModelError` if the embedded model cannot be had.
    """
    from acr.settings import Settings

    settings = Settings.load(config, **given)
    if settings.upstream is not None:
        yield Target(settings, None)
        return
    from acr import embedded
    from acr.cli.model import fetched

    model = embedded.find(settings.model or embedded.DEFAULT)
    embedded.check_runtime()  # before a gigabyte is fetched for it
    fetched(model)
    console = output.err()
    console.print(f"no upstream is configured: starting {model.name} on this machine")
    with embedded.launch(model, say=console.print) as server:
        yield Target(Settings.load(config, **(given | {"upstream": server.url})), server)


def models(url: str, key: str, timeout: float = 10.0) -> list[str]:
    """Ids of the models that a server lists. Raises `UpstreamError` saying what it answered instead."""
    import json
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    from acr.errors import UpstreamError

    request = Request(f"{url.rstrip('/')}/models", headers={"authorization": f"Bearer {key}"})
    try:
        with urlopen(request, timeout=timeout) as answer:
            listed = json.load(answer)["data"]
            return [str(model["id"]) for model in listed]
    except HTTPError as error:
        raise UpstreamError(f"{url}/models answered HTTP {error.code}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UpstreamError(f"{url}/models gave no list of models ({type(error).__name__})") from error
