"""Settings of the proxy: command line over environment (`ACR_…`) over `acr.toml` over defaults.

A setting that ACR does not know is an error that names the known ones: a misspelt key that is silently
ignored is how a proxy ends up open, or pointed at the wrong server.
"""

import difflib
import ipaddress
import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from acr.errors import ConfigError

PREFIX = "ACR_"
FILE = "acr.toml"

Mode = Literal["off", "observe", "auto"]
MODES: tuple[Mode, ...] = ("off", "observe", "auto")

OTHER_VARIABLES = frozenset({"ACR_CACHE", "ACR_CONFIG", "ACR_TEST_DATA"})
"""Variables with our prefix that are not settings."""

_ORCHESTRATOR = re.compile(r"ACR_(SERVICE_\w+|PORT_\d+_\w+)")
"""What Kubernetes puts into every container next to a service that is called `acr`."""

Names = Annotated[tuple[str, ...], NoDecode]
Keys = Annotated[tuple[SecretStr, ...], NoDecode]
Seconds = Annotated[float, Field(gt=0)]


class Settings(BaseSettings):
    """Everything `acr serve` can be told. Make one with `Settings.load`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        protected_namespaces=(),
    )

    host: str = "127.0.0.1"
    """Address to listen on. Anything but loopback needs `api_key`."""
    port: int = Field(default=8300, ge=0, le=65535)
    """Port to listen on; 0 takes a free one."""

    upstream: str | None = None
    """Base URL of the model server, as an OpenAI client would be given it. Falls back to OPENAI_BASE_URL."""
    upstream_key: SecretStr | None = None
    """Sent upstream instead of the client's own credential. Never read from OPENAI_API_KEY."""
    model: str | None = None
    """Embedded model to run where there is no upstream; unset takes the default of `acr model list`."""

    api_key: Keys = ()
    """Keys that clients must show, as `Authorization: Bearer` or `x-api-key`. Several: comma separated."""

    controller: str = "rules"
    """Who decides: `rules`, `rules:20%` (at most at that share of turns), `never`, `always:recap`, …"""
    operators: Names | None = None
    """Operators that may be used; unset is all that are installed."""
    mode: Mode = "auto"
    """`auto` refactors, `observe` decides and reports but changes nothing, `off` only relays."""
    deadline: Seconds = 2.0
    """Seconds ACR may think about a request before it goes on as it came."""
    questions: Annotated[int, Field(ge=0)] = 0
    """How many times in a row ACR may answer a client with a question of its own; 0 is never."""
    auxiliary: str | None = None
    """Base URL of the model server for operators that ask a model; unset: `upstream` if `auxiliary_model`."""
    auxiliary_model: str | None = None
    """Model that operators such as `abstract` ask; unset: they are not configured, and do nothing."""
    auxiliary_key: SecretStr | None = None
    """Key for `auxiliary`. Unset: `upstream_key` where the server is the upstream, else none is sent."""
    auxiliary_timeout: Seconds = 30.0
    """Seconds such an operator may take, repair included, before the request goes on as it came."""

    views: SecretStr | None = None
    """Redis that instances share views through, `redis://host:6379/0`. Unset: each worker's own memory."""
    views_secret: SecretStr | None = None
    """Seals what is kept there; the same for all instances. Unset: made of `api_key`."""
    views_timeout: Seconds = 0.05
    """Seconds that one exchange with Redis may take; after that the request goes on without."""
    views_ttl: Seconds = 86_400.0
    """Seconds a view is kept."""

    max_body_mb: Annotated[float, Field(gt=0)] = 64.0
    """Largest request body that ACR reads, in MiB. Uploads that it only relays are not held in memory."""
    max_header_kb: Annotated[float, Field(gt=0)] = 64.0
    """Largest block of request headers, in KiB."""
    max_concurrency: Annotated[int, Field(gt=0)] = 1000
    """Requests under way at once in one worker; more get 503 with `retry-after`."""
    connect_timeout: Seconds = 10.0
    """Seconds to reach the upstream."""
    first_byte_timeout: Seconds | None = None
    """Seconds until the upstream answers; unset waits as long as the client does."""
    idle_timeout: Seconds | None = None
    """Seconds between two pieces of an answer; unset waits as long as the client does."""
    shutdown_timeout: Seconds = 30.0
    """Seconds that running answers get to finish when the proxy is told to stop."""
    workers: Annotated[int, Field(ge=1)] = 1
    """Processes that serve. Each has its own traces and its own bound on requests."""

    cors_origins: Names = ()
    """Origins whose pages may call the proxy from a browser, such as `https://app.example`; `*` is any."""

    allowed_hosts: Names = ()
    """Names beside localhost that browsers may call a proxy without a key by; `*` is any."""

    list_models: bool = False
    """Add `acr-…` names to `GET /v1/models`, for clients that let people choose from that list."""

    keep_text: bool = False
    """Keep message text in traces. Off: numbers and names only."""
    keep_traces: Annotated[int, Field(ge=0)] = 1000
    """Traces kept in memory for `GET /v1/acr/decisions`."""
    store: SecretStr | None = None
    """Database that traces are written to, `sqlite:///traces.db` or `postgresql://user:key@host/name`; with
    the text of messages if `keep_text`. Unset: none. Needs the extra `store`."""
    store_redact: Names = ("secrets",)
    """What changes text before it is stored, in turn: `secrets` (e-mail addresses, keys, long numbers),
    `none`, a package's, or `module:function`."""
    store_days: Annotated[float, Field(gt=0)] = 30.0
    """Days that traces are stored."""
    store_mb: Annotated[float, Field(ge=1)] = 1024.0
    """MiB that traces may take in the database; the oldest go."""
    metrics: Literal["off", "key", "open"] = "key"
    """Who may read `GET /metrics`: `off`, nobody; `key`, who has a client key (anybody where there are none);
    `open`, anybody."""
    otel: bool = False
    """Send traces and metrics by OpenTelemetry, as its own OTEL_… variables say. Needs the extra `otel`."""
    log_format: Literal["pretty", "json"] = "pretty"
    """For people, or one JSON object a line."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """What is logged at least. At no level is there a key, a text or an address of the upstream in it."""

    @classmethod
    def load(cls, config: Path | None = None, **overrides: Any) -> "Settings":
        """Read settings from all sources; an override of None counts as not given.

        `config` defaults to `$ACR_CONFIG`, then `acr.toml` in the working folder if there is one.
        Raises `ConfigError` for every problem, naming the key and what would be right.
        """
        known = list(cls.model_fields)
        file, data = _read(config)
        _refuse_unknown(data, known, f"in {file}")
        _refuse_unknown(overrides, known, "given")
        variables = [name for name in os.environ if name.upper().startswith(PREFIX)]
        ours = [name for name in variables if not _foreign(name)]
        _refuse_unknown(ours, [PREFIX + name.upper() for name in known], "in the environment")
        overrides = {name: value for name, value in overrides.items() if value is not None}

        class Loaded(cls):  # type: ignore[valid-type,misc]
            @classmethod
            def settings_customise_sources(
                cls,
                settings_cls: type[BaseSettings],
                init_settings: PydanticBaseSettingsSource,
                env_settings: PydanticBaseSettingsSource,
                dotenv_settings: PydanticBaseSettingsSource,
                file_secret_settings: PydanticBaseSettingsSource,
            ) -> tuple[PydanticBaseSettingsSource, ...]:
                environment = env_settings()
                if str(environment.get("port", "")).startswith("tcp://"):  # see _ORCHESTRATOR
                    del environment["port"]
                last = {"upstream": os.environ.get("OPENAI_BASE_URL")}
                rest = (InitSettingsSource(settings_cls, init_kwargs=kw) for kw in (environment, data, last))
                return init_settings, *rest

        try:
            values: dict[str, Any] = dict(Loaded(**overrides))
        except ValidationError as error:
            raise ConfigError(_explain(error, overrides, data, file)) from None
        return Settings.model_construct(**values).checked()  # of a class that worker processes know

    def checked(self) -> Self:
        """Itself, if its values fit together. Raises `ConfigError` if not."""
        if not is_loopback(self.host) and not self.api_key:
            raise ConfigError(
                f"refusing to listen on {self.host} without a key: anyone who can reach the port could use "
                "your upstream. Set ACR_API_KEY to a key that clients must send, or listen on 127.0.0.1."
            )
        if self.upstream is not None:
            target = urlsplit(self.upstream)
            port = target.port or {"http": 80, "https": 443}[target.scheme]
            if port == self.port and (is_loopback(target.hostname or "") or target.hostname == self.host):
                raise ConfigError(
                    f"upstream {self.upstream} is this proxy's own address: every request would go round in "
                    "a circle. Point `upstream` at the model server, or give the proxy another `port`."
                )
        return self

    @field_validator("upstream", "auxiliary", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return value or None

    @field_validator("upstream", "auxiliary")
    @classmethod
    def _is_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        try:
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            good = False
        if not good or parts.query or parts.fragment or parts.username:
            raise ValueError("must be a URL such as http://127.0.0.1:8000/v1, without query or credentials")
        return value.rstrip("/")

    @field_validator("views", mode="after")
    @classmethod
    def _is_redis(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None or not value.get_secret_value():
            return None
        parts = urlsplit(value.get_secret_value())
        try:
            good = bool(parts.path if parts.scheme == "unix" else parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            good = False
        if not good or parts.scheme not in ("redis", "rediss", "unix"):
            raise ValueError("must be a URL such as redis://127.0.0.1:6379/0, rediss://… or unix://…")
        return value

    @field_validator("store", mode="after")
    @classmethod
    def _is_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None or not value.get_secret_value():
            return None
        scheme, _, rest = value.get_secret_value().partition("://")
        good = rest.startswith("/") and len(rest) > 1 if scheme == "sqlite" else bool(rest)
        if not good or scheme not in ("sqlite", "postgresql", "postgres"):
            raise ValueError(
                "must be sqlite:///traces.db (with a fourth / for an absolute path) or postgresql://host/name"
            )
        return value

    @field_validator("api_key", "operators", "cors_origins", "allowed_hosts", "store_redact", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, SecretStr):
            value = value.get_secret_value()
        if isinstance(value, str):
            return tuple(part for part in map(str.strip, value.split(",")) if part)
        return value

    @field_validator("host")
    @classmethod
    def _is_host(cls, value: str) -> str:
        if not value or "/" in value or " " in value:
            raise ValueError("must be a host name or an address, such as 127.0.0.1")
        return value

    @field_validator("log_level", "log_format", "metrics", "mode", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _read(config: Path | None) -> tuple[Path, dict[str, Any]]:
    wanted = config or (Path(os.environ["ACR_CONFIG"]) if os.environ.get("ACR_CONFIG") else None)
    path = wanted or Path(FILE)
    if wanted is None and not path.is_file():
        return path, {}
    return path, read_toml(path)


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a configuration file. Raises `ConfigError` naming the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from None


def _foreign(name: str) -> bool:
    return name.upper() in OTHER_VARIABLES or _ORCHESTRATOR.fullmatch(name.upper()) is not None


def _refuse_unknown(names: Any, known: list[str], where: str) -> None:
    for name in names:
        if name not in known and name.upper() not in known:
            near = difflib.get_close_matches(name, known, n=1) or difflib.get_close_matches(
                name.upper(), known, n=1
            )
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ConfigError(f"unknown setting {name!r} {where}: {hint}known: {', '.join(known)}")


def _explain(error: ValidationError, overrides: dict[str, Any], data: dict[str, Any], file: Path) -> str:
    """Tell the first problem in one sentence. Never shows a value: it may be a key."""
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    name = str(problem["loc"][0]) if problem["loc"] else ""
    if name in overrides:
        where = "given"
    elif PREFIX + name.upper() in {variable.upper() for variable in os.environ}:
        where = f"in the environment ({PREFIX}{name.upper()})"
    elif name not in data:
        where = "in the environment (OPENAI_BASE_URL)"
    else:
        where = f"in {file}"
    message = problem["msg"].removeprefix("Value error, ")
    return f"setting {name!r} {where}: {message[0].lower()}{message[1:]}"
