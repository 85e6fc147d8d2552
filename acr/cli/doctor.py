"""`acr doctor`: is everything there, does the upstream do what ACR needs, and what to do if not."""

import platform
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from acr.cli import output

if TYPE_CHECKING:
    from acr.settings import Settings

PACKAGES = (
    "adaptive-context-refactoring",
    "starlette",
    "uvicorn",
    "httptools",
    "pydantic",
    "openai",
    "tiktoken",
)
EXTRAS = {"xllamacpp": "local", "langgraph": "", "torch": "train"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    what: str
    state: Literal["ok", "warn", "fail", "info"]
    detail: str
    remedy: str = ""


def doctor(
    config: Annotated[Path | None, typer.Option(help="Settings file; acr.toml if it is there.")] = None,
    upstream: Annotated[str | None, typer.Option(help="Base URL of the model server.")] = None,
    model: Annotated[str | None, typer.Option(help="Model to ask for; the first one listed.")] = None,
    port: Annotated[int | None, typer.Option(help="Port that acr serve shall listen on.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Check this machine and the upstream, with a remedy for each problem.

    The upstream is asked for two very short answers. The exit code is 1 if there is a problem.
    """
    found: list[Finding] = []
    for finding in examine(config, upstream=upstream, port=port, model=model):
        found.append(finding)
        if not json:
            show(finding)
    if json:
        output.data(
            [{"what": f.what, "state": f.state, "detail": f.detail, "remedy": f.remedy} for f in found]
        )
    if any(finding.state == "fail" for finding in found):
        raise typer.Exit(1)


def show(finding: Finding) -> None:
    from rich.text import Text

    signs = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "bold red"), "info": ("·", "dim")}
    sign, style = signs[finding.state]
    line = Text(f"{sign} ", style).append(f"{finding.what:<12} ", "bold").append(output.safe(finding.detail))
    output.out().print(line)
    if finding.remedy:
        output.out().print(
            Text(f"               → {finding.remedy}", "" if finding.state != "info" else "dim")
        )


def examine(
    config: Path | None, *, upstream: str | None, port: int | None, model: str | None
) -> Iterator[Finding]:
    """All checks in order. Raises nothing: what goes wrong is a finding."""
    from acr.errors import AcrError
    from acr.settings import Settings

    yield from versions()
    yield tokenizer()
    yield plugins()
    try:
        settings = Settings.load(config, upstream=upstream, port=port)
    except AcrError as error:
        yield Finding("settings", "fail", str(error), "correct it, then run acr doctor again")
        return
    yield Finding("settings", "ok", f"controller {settings.controller}, mode {settings.mode}")
    yield listen(settings)
    if settings.upstream is None:
        yield from local(settings)
    else:
        yield from remote(settings, model)


def versions() -> Iterator[Finding]:
    where = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding("python", "ok", where)
    yield Finding("packages", "info", ", ".join(f"{name} {version(name)}" for name in PACKAGES))
    for name, extra in EXTRAS.items():
        try:
            yield Finding(name, "info", version(name))
        except PackageNotFoundError:
            install = (
                f"pip install 'adaptive-context-refactoring[{extra}]'" if extra else f"pip install {name}"
            )
            yield Finding(name, "info", "not installed", f"if you need it: {install}")


def tokenizer() -> Finding:
    from acr import tokens

    try:
        start = time.perf_counter()
        seen = tokens.count("Hello, <|endoftext|> world")
        took = time.perf_counter() - start
    except Exception as error:  # whatever it is, the remedy is the same
        remedy = "reinstall ACR; or set TIKTOKEN_CACHE_DIR to a folder that can be written to"
        return Finding("tokenizer", "fail", f"{tokens.ENCODING}: {type(error).__name__}: {error}", remedy)
    return Finding("tokenizer", "ok", f"{tokens.ENCODING} loads offline in {took:.2f} s ({seen} tokens)")


def plugins() -> Finding:
    from acr import registry
    from acr.errors import AcrError

    names = registry.available(registry.OPERATORS)
    broken = []
    for name in names:
        try:
            registry.operator(name)
        except AcrError as error:
            broken.append(str(error))
    if broken or not names:
        remedy = "reinstall the package that the operator comes from"
        return Finding("operators", "fail", "; ".join(broken) or "none installed", remedy)
    return Finding("operators", "ok", ", ".join(names))


def listen(settings: "Settings") -> Finding:
    """Whether `acr serve` could have its port; whether it already has it."""
    import json
    from urllib.request import ProxyHandler, build_opener

    from acr.cli.serve import address

    where = f"{settings.host}:{settings.port}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((settings.host.strip("[]"), settings.port))
        return Finding("port", "ok", f"{where} is free")
    except OSError as error:
        reason = error.strerror or "cannot be had"
    try:
        with build_opener(ProxyHandler({})).open(f"{address(settings)}/livez", timeout=3) as answer:
            if answer.status == 200 and json.load(answer):
                return Finding("port", "ok", f"something that answers like ACR already serves {where}")
    except (OSError, ValueError):
        pass
    return Finding("port", "fail", f"{where}: {reason}", "stop what uses it, or take another: --port N")


def local(settings: "Settings") -> Iterator[Finding]:
    """The embedded model: runtime, file, memory, disk."""
    from acr import embedded
    from acr.embedded.server import CONTEXT, SLOTS, check_memory
    from acr.errors import ModelError

    yield Finding("upstream", "info", "none configured: acr serve runs the embedded model")
    try:
        model = embedded.find(settings.model or embedded.DEFAULT)
    except ModelError as error:
        yield Finding("model", "fail", str(error), "acr model list shows them")
        return
    if not runtime():
        remedy = "pip install 'adaptive-context-refactoring[local]', or use --upstream URL"
        yield Finding("runtime", "fail", "xllamacpp is not installed", remedy)
    else:
        yield Finding("runtime", "ok", f"xllamacpp {version('xllamacpp')}")
    state = embedded.state(model)
    size = f"{model.size / 1e6:,.0f} MB"
    remedy = f"acr model pull {model.name}"
    if state == "present":
        yield Finding("model", "ok", f"{model.name} is here and whole ({size})")
    elif state == "damaged":
        yield Finding("model", "fail", f"the file of {model.name} is damaged", remedy)
    else:
        folder = embedded.store.cache()
        while not folder.exists():
            folder = folder.parent
        free = shutil.disk_usage(folder).free
        if free < model.size * 1.1:
            detail = f"{model.name} needs {size} of disk in {folder}, {free / 1e6:,.0f} MB are free"
            yield Finding("model", "fail", detail, "make room, or set ACR_CACHE to another folder")
        else:
            detail = f"{model.name} is not here; acr serve fetches it ({size})"
            yield Finding("model", "warn", detail, f"fetch it now: {remedy}")
    try:
        check_memory(model, SLOTS * CONTEXT)
        yield Finding("memory", "ok", "enough for the model and its context")
    except ModelError as error:
        yield Finding(
            "memory", "fail", str(error), "a smaller model: acr serve --model smollm2-135m-instruct"
        )


def runtime() -> bool:
    import importlib.util

    return importlib.util.find_spec("xllamacpp") is not None


def remote(settings: "Settings", model: str | None) -> Iterator[Finding]:
    """The upstream: reachable, key accepted, answers, streams, reports usage."""
    import openai

    from acr.cli.upstream import Target

    target = Target(settings, None)
    host = target.url
    with openai.OpenAI(base_url=host, api_key=target.key, max_retries=0, timeout=60) as client:
        try:
            listed = [one.id for one in client.models.list()]
        except openai.APIConnectionError:
            remedy = (
                "is it running, and is the URL right (most end in /v1)? ACR_UPSTREAM or --upstream sets it"
            )
            yield Finding("upstream", "fail", f"{host} cannot be reached", remedy)
            return
        except openai.APIStatusError as error:
            yield from refused(host, error)
            if error.status_code in (401, 403) or model is None:
                return
            listed = []
        except Exception as error:  # an answer that is no list of models
            yield Finding("upstream", "warn", f"{host} lists no models ({type(error).__name__})", NAME_ONE)
            listed = []
        else:
            yield Finding("upstream", "ok", f"{host} answers and lists {len(listed)} models")
            yield Finding("key", "ok", "accepted, or none is needed")
        chosen = model or next(iter(listed), None)
        if chosen is None:
            yield Finding("model", "warn", "no model to ask for", NAME_ONE)
            return
        yield from attempt("answers", lambda: answers(client, chosen))
        yield from attempt("streams", lambda: streams(client, chosen))


NAME_ONE = "name one: acr doctor --model NAME"


def refused(host: str, error: Any) -> Iterator[Finding]:
    code = error.status_code
    yield Finding("upstream", "ok" if code in (401, 403) else "warn", f"{host} answers")
    if code in (401, 403):
        remedy = "set OPENAI_API_KEY (clients' own key) or ACR_UPSTREAM_KEY (one for all clients)"
        yield Finding("key", "fail", f"refused with HTTP {code}", remedy)
    else:
        remedy = (
            "is the base URL right (most end in /v1)? Some servers list no models: --model NAME asks anyway"
        )
        yield Finding("models", "warn", f"listing them gave HTTP {code}", remedy)


def attempt(what: str, check: Callable[[], list[Finding]]) -> Iterator[Finding]:
    import openai

    try:
        yield from check()
    except openai.APIStatusError as error:
        reason = output.first_line(str(error.message), 100)
        yield Finding(
            what, "fail", f"HTTP {error.status_code}: {reason}", "see what the upstream says; try --model"
        )
    except openai.APIError as error:
        yield Finding(what, "fail", type(error).__name__, "try again; see the upstream's own log")


def answers(client: Any, model: str) -> list[Finding]:
    start = time.perf_counter()
    answer = client.chat.completions.create(model=model, messages=HELLO, max_tokens=1)
    took = time.perf_counter() - start
    found = [Finding("answers", "ok", f"{model} in {took:.1f} s")]
    if answer.usage is None:
        remedy = "harmless: ACR then estimates tokens itself"
        return [*found, Finding("usage", "warn", "not reported", remedy)]
    return [*found, Finding("usage", "ok", f"reported ({answer.usage.total_tokens} tokens)")]


def streams(client: Any, model: str) -> list[Finding]:
    options = {"include_usage": True}
    stream = client.chat.completions.create(
        model=model, messages=HELLO, max_tokens=4, stream=True, stream_options=options
    )
    chunks = list(stream)
    if not chunks:
        remedy = "is something between ACR and the upstream buffering or cutting event streams?"
        return [Finding("streams", "fail", "an empty stream", remedy)]
    found = [Finding("streams", "ok", f"{len(chunks)} chunks")]
    if not any(chunk.usage for chunk in chunks):
        remedy = "harmless: ACR then estimates tokens itself"
        return [*found, Finding("usage", "warn", "not reported in streams", remedy)]
    return found


HELLO = [{"role": "user", "content": "Say hi."}]
