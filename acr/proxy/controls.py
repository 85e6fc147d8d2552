"""What one request may ask of ACR: by headers, or by the field `acr` of its body. Headers win."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from acr.decision import names as names_of
from acr.errors import AcrError
from acr.proxy.headers import OURS, Headers
from acr.settings import MODES, Mode

FIELDS = ("mode", "operator", "controller", "bypass", "questions")
_NO = ("", "0", "false", "no", "off")


class ControlError(AcrError):
    """A request asks ACR for something it does not have. The message names what there is."""


@dataclass(frozen=True, slots=True)
class Controls:
    mode: Mode
    operator: str | None = None
    controller: str | None = None
    bypass: bool = False
    questions: int | None = None
    """How many times in a row ACR may answer with a question; None leaves it to the settings."""


def of_headers(headers: Headers) -> dict[str, str]:
    """The `x-acr-*` request headers by field name."""
    return {
        key[len(OURS) :].decode("latin-1"): value.decode("latin-1").strip()
        for key, value in headers
        if key.startswith(OURS)
    }


def off(asked: Mapping[str, str], mode: Mode) -> bool:
    """Whether nothing shall be done, as far as the headers tell. A body may still ask for more."""
    bypass = asked.get("bypass")
    return asked.get("mode", mode).lower() == "off" or (bypass is not None and _yes(bypass))


def read(
    asked: Mapping[str, str],
    body: Mapping[str, Any] | None,
    mode: Mode,
    operators: Container[str],
    names: str,
    operator: str | None = None,
) -> Controls:
    """Put together what was asked; `mode` and `operator` hold if nothing was. Raises `ControlError`."""
    if not asked and body is None:
        return Controls(mode, operator)
    fields: dict[str, Any] = {} if operator is None else {"operator": operator}
    for where, source in (("field 'acr.", body or {}), ("header 'x-acr-", asked)):
        for name, value in source.items():
            if name not in FIELDS:
                raise ControlError(f"there is no {where}{name}'; known: {', '.join(FIELDS)}")
            if value is None:
                continue
            if name == "bypass":
                fields[name] = _yes(value)
            elif name == "questions":
                fields[name] = _count(value, where)
            elif isinstance(value, str):
                fields[name] = value
            else:
                raise ControlError(f"{where}{name}' must be a string")
    wanted = str(fields.get("mode", mode)).lower()
    chosen = next((known for known in MODES if known == wanted), None)
    if chosen is None:
        raise ControlError(f"there is no mode {wanted[:40]!r}; known: {', '.join(MODES)}")
    operator = fields.get("operator") or None
    if operator is not None and any(name not in operators for name in names_of(operator)):
        raise ControlError(f"there is no operator {operator[:40]!r}; known: {names}")
    return Controls(
        chosen,
        operator,
        fields.get("controller") or None,
        bool(fields.get("bypass")),
        fields.get("questions"),
    )


def _yes(value: Any) -> bool:
    return str(value).lower() not in _NO


def _count(value: Any, where: str) -> int:
    """A number of questions; they may be given as a number or as its digits."""
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 4):
        raise ControlError(f"{where}questions' must be a whole number such as 1; 0 is never")
    return int(text)
