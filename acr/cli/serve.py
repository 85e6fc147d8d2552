"""`acr serve`: the proxy."""

import os
import signal
import socket
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from acr.cli.upstream import Target
    from acr.errors import ModelError
    from acr.settings import Settings


def serve(
    config: Annotated[Path | None, typer.Option(help="Settings file; acr.toml if it is there.")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on. [127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one. [8300]")] = None,
    upstream: Annotated[
        str | None,
        typer.Option(help="Base URL of the model server, as an OpenAI client has it. [$OPENAI_BASE_URL]"),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Embedded model to run where there is no upstream; see acr model list.")
    ] = None,
    controller: Annotated[
        str | None, typer.Option(help="Who decides: rules, never, always:recap, … \\[rules]")
    ] = None,
    operators: Annotated[
        str | None, typer.Option(help="Operators that may be used, comma separated. \\[all]")
    ] = None,
    mode: Annotated[
        str | None, typer.Option(help="auto, observe (decide, change nothing) or off. \\[auto]")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes. [1]")] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error. \\[info]")] = None,
) -> None:
    """Run the proxy until it is stopped.

    Every setting can also come from a variable, ACR_PORT and so on, or from acr.toml.
    """
    from acr import proxy, registry
    from acr.cli.upstream import target
    from acr.settings import Settings

    given = {
        "host": host,
        "port": port,
        "upstream": upstream,
        "model": model,
        "controller": controller,
        "operators": operators,
        "mode": mode,
        "workers": workers,
        "log_level": log_level,
    }
    settings = Settings.load(config, **given)
    known = registry.operators(settings.operators)  # a misspelt name is told before a model is fetched for it
    registry.check(registry.controller(settings.controller), settings.controller, known)
    signal.signal(signal.SIGTERM, leave)
    with listener(settings) as socket:  # before a model is loaded for nothing
        given["port"] = socket.getsockname()[1]
        with target(config, **given) as found:
            deaths: list[ModelError] = []
            if found.server:
                found.server.on_death(lambda error: stop(deaths, error))
            threading.Thread(target=announce, args=(found,), daemon=True, name="acr-announce").start()
            try:
                proxy.serve(found.settings, sockets=[socket])
            finally:
                if deaths:
                    raise deaths[0] from None


def leave(*_: object) -> None:
    """Answer SIGTERM, which uvicorn raises again once it has ended, by leaving all blocks in good order."""
    raise SystemExit(0)


def stop(deaths: "list[ModelError]", error: "ModelError") -> None:
    """The embedded model died: end the proxy in good order, so that whoever watches it starts it anew."""
    deaths.append(error)
    os.kill(os.getpid(), signal.SIGTERM)


def listener(settings: "Settings") -> socket.socket:
    """A socket bound to where the proxy shall listen. Raises `ConfigError` if that cannot be had."""
    from acr.errors import ConfigError

    family, host = socket.AF_INET, settings.host.strip("[]")
    if ":" in host:
        family = socket.AF_INET6
    try:
        return socket.create_server((host, settings.port), family=family, backlog=2048)
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise ConfigError(
            f"cannot listen on {settings.host}:{settings.port} ({reason}): stop what uses it, or take "
            "another port, --port N"
        ) from None


def announce(found: "Target") -> None:
    """Once the proxy answers, say how to use it, and whether there is somebody behind it."""
    if listening(found.settings):
        print(greeting(found), flush=True)
        if found.server is None and not answers(found.url):
            print(
                f"The upstream {found.url} did not answer: until it does, requests get status 502. "
                f"To find out more: acr doctor --upstream {found.url}\n",
                flush=True,
            )


def answers(url: str, seconds: float = 5.0) -> bool:
    """Whether anything answers there; any status counts. Asked without a key, as `/readyz` does."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, build_opener

    try:
        build_opener(ProxyHandler({})).open(f"{url.rstrip('/')}/models", timeout=seconds).close()
    except (HTTPError, HTTPException):
        return True
    except (OSError, ValueError):
        return False
    return True


def listening(settings: "Settings", patience: float = 60.0) -> bool:
    """Wait until the proxy answers on its own address."""
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, build_opener

    opener = build_opener(ProxyHandler({}))
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            opener.open(f"{address(settings)}/livez", timeout=5).close()
            return True
        except HTTPError:
            return True
        except OSError:
            time.sleep(0.05)
    return False


def address(settings: "Settings") -> str:
    """Where clients on this machine reach the proxy."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    return f"http://{host}:{settings.port}"


def greeting(found: "Target") -> str:
    """The address, and a program that works as it stands."""
    settings = found.settings
    url = f"{address(settings)}/v1"
    key, keyed = '"unused"', ""
    if settings.api_key:
        key, keyed = 'os.environ["ACR_API_KEY"]', "import os\n\n"
    elif found.server is None and settings.upstream_key is None:
        key, keyed = 'os.environ["OPENAI_API_KEY"]', "import os\n\n"
    upstream = f"embedded model {found.server.model.name}" if found.server else found.url
    return f"""
ACR is ready at {url}
upstream: {upstream}   controller: {settings.controller}   mode: {settings.mode}

Any OpenAI client: export OPENAI_BASE_URL={url}
Or in Python (pip install openai):

{keyed}from openai import OpenAI

client = OpenAI(base_url="{url}", api_key={key})
answer = client.chat.completions.create(
    model={model(found)},
    messages=[{{"role": "user", "content": "Say hello in five words."}}],
)
print(answer.choices[0].message.content)

Stop with Ctrl-C. See what ACR decided: {address(settings)}/acr/ in a browser, or the x-acr-* response headers
"""


def model(found: "Target") -> str:
    """The snippet's model, as Python: its name, or an expression that finds one.

    The upstream is asked with the configured key or none. The user's own key in `OPENAI_API_KEY` may be meant
    for somebody else; only the client sends it.
    """
    from acr.cli.upstream import models
    from acr.errors import UpstreamError

    if found.server:
        return f'"{found.server.model.name}"'
    configured = found.settings.upstream_key
    try:
        listed = models(found.url, configured.get_secret_value() if configured else "none", timeout=5)
    except UpstreamError:
        listed = []
    return f'"{listed[0]}"' if listed else "client.models.list().data[0].id"
