"""Redaction: what is taken out of message text before anything of it is written.

A redactor is a function of a text that gives the text to store: `secrets`, one that a package has under the
entry point group `acr.redactors`, or any by `module:function`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import cast

from acr import registry
from acr.errors import ConfigError, boundary

Redactor = Callable[[str], str]
GROUP = "acr.redactors"

PIECE, UNCUT = 16 * 1024, 64 * 1024
"""Characters that are searched at once, at least and at most: no other thread runs meanwhile. Cut at the end
of a line or sentence; where there is none for so long it is no prose, and cut anywhere."""
_CUT = re.compile(r"\n|[.!?,;] (?=[^\W\d])")

_PRIVATE = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_VENDORS = (
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghs_",
    "xox",
    "hf_",
    "glpat-",
    "AKIA",
    "ASIA",
    "AIza",
)
_SECRETS: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (("bearer ", "basic "), re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]{8,}", re.IGNORECASE), r"\1 [key]"),
    (
        tuple(name.lower() for name in _VENDORS),
        re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(_VENDORS)})[\w-]{{16,}}"),
        "[key]",
    ),
    (("eyj",), re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+"), "[key]"),
    (
        ("key", "token", "secret", "passw"),
        re.compile(
            r"((?:api[_-]?key|token|secret|password|passwd)[\"']?\s*[:=]\s*[\"']?)[^\s\"',;]{4,}",
            re.IGNORECASE,
        ),
        r"\1[key]",
    ),
    (("@",), re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}"), "[e-mail]"),
    ((), re.compile(r"\d(?:[ ().-]?\d){8,}"), "[number]"),
)
"""What must be there, in small letters, for a search to be worth it; what is taken out; what stands there
then. The last one: nine digits and more, as of cards, accounts and telephones."""


def secrets(text: str) -> str:
    """Take out e-mail addresses, keys and passwords that look like it, and runs of nine digits and more.

    Names, addresses and whatever else has no such shape stay: this lessens what is stored, and makes nothing
    anonymous.
    """
    if "PRIVATE KEY" in text:
        text = _PRIVATE.sub("[key]", text)
    return "".join(map(_clean, _pieces(text)))


def _clean(piece: str) -> str:
    lowered = piece.lower()
    for signs, pattern, instead in _SECRETS:
        if not signs or any(sign in lowered for sign in signs):
            piece = pattern.sub(instead, piece)
    return piece


def _pieces(text: str) -> Iterator[str]:
    """The text in order, cut where no secret goes on."""
    begin = 0
    while len(text) - begin > PIECE:
        cut = _CUT.search(text, begin + PIECE, begin + UNCUT)
        end = cut.end() if cut else min(begin + UNCUT, len(text))
        yield text[begin:end]
        begin = end
    yield text[begin:]


def nothing(text: str) -> str:
    """Leave the text as it is."""
    return text


BUILT_IN: dict[str, Redactor] = {"secrets": secrets, "none": nothing}


def redactor(names: Sequence[str]) -> Redactor:
    """These redactors, one after the other. Raises `ConfigError` for one that cannot be had."""
    steps = [_load(name) for name in names]

    def redact(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return redact


def _load(name: str) -> Redactor:
    if name in BUILT_IN:
        return BUILT_IN[name]
    module, _, attribute = name.partition(":")
    with boundary(ConfigError, f"loading the redactor {name!r}"):
        if attribute:
            made = getattr(import_module(module), attribute)
        elif name in registry.available(GROUP):
            made = registry.available(GROUP)[name].load()
        else:
            known = ", ".join([*BUILT_IN, *registry.available(GROUP)])
            raise ConfigError(f"there is no redactor named {name!r}; known: {known}, or module:function")
    if not callable(made):
        raise ConfigError(f"the redactor {name!r} is no function")
    return cast(Redactor, made)
