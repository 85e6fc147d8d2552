"""Redaction: what is taken out of message text before anything of it is written.

A redactor is a function of a text that gives the text to store: `secrets`, one that a package has under the
entry point group `acr.redactors`, or any by `module:function`.
"""

import re
from collections.abc import Callable, Sequence
from functools import reduce
from importlib import import_module
from typing import cast

from acr import registry
from acr.errors import ConfigError, boundary

Redactor = Callable[[str], str]
GROUP = "acr.redactors"

_SECRETS = (
    (
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S),
        "[key]",
    ),
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]{8,}", re.I), r"\1 [key]"),
    (re.compile(r"\b(sk|pk|rk|ghp|gho|ghs|xox[abp]|hf|glpat|AKIA|ASIA|AIza)[-_]?[\w-]{16,}"), "[key]"),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+"), "[key]"),
    (
        re.compile(
            r"((?:api[_-]?key|token|secret|password|passwd)[\"']?\s*[:=]\s*[\"']?)[^\s\"',;]{4,}", re.I
        ),
        r"\1[key]",
    ),
    (re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}"), "[e-mail]"),
    (re.compile(r"\+?\d(?:[ ().-]?\d){8,}"), "[number]"),
)
"""What is taken out, and what stands there then. The last one: nine digits and more, as of cards, accounts
and telephones."""


def secrets(text: str) -> str:
    """Take out e-mail addresses, keys and passwords that look like it, and runs of nine digits and more.

    Names, addresses and whatever else has no such shape stay: this lessens what is stored, and makes nothing
    anonymous.
    """
    return reduce(lambda made, rule: rule[0].sub(rule[1], made), _SECRETS, text)


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
