"""What is written of the settings in `acr/settings.py`, read from its source: one place for text and code.

Pydantic can attach attribute docstrings to its fields, but reads the source for that at each import; this is
needed by `acr init` and by the documentation only.
"""

import ast
import inspect
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import SecretStr

from acr.settings import PREFIX, Settings

EXAMPLES: dict[str, Any] = {
    "upstream": "http://127.0.0.1:8000/v1",
    "upstream_key": "sk-…",
    "model": "qwen2.5-coder-1.5b-instruct",
    "operators": ["consolidate", "prune"],
    "auxiliary": "http://127.0.0.1:8000/v1",
    "auxiliary_model": "gpt-5-mini",
    "auxiliary_key": "sk-…",
    "views": "redis://127.0.0.1:6379/0",
    "views_secret": "…",
    "store": "sqlite:///traces.db",
    "first_byte_timeout": 600.0,
    "idle_timeout": 120.0,
}
"""What a setting could be that is not set by default."""


@dataclass(frozen=True)
class Setting:
    name: str
    about: str
    """Its docstring, on one line."""
    default: Any
    """None where it is not set; a list in place of a tuple."""

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def shown(self) -> Any:
        """A value to show: the default, or an example where that is nothing."""
        return EXAMPLES[self.name] if self.default is None else self.default


@cache
def settings() -> tuple[Setting, ...]:
    """All settings, in the order of the source."""
    source = inspect.getsource(Settings)
    (body,) = [node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    texts = dict(_documented(body))
    found: list[Setting] = []
    for node in body:
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
            continue
        name = node.target.id
        default = Settings.model_fields[name].get_default()
        if isinstance(default, tuple):
            default = [part.get_secret_value() if isinstance(part, SecretStr) else part for part in default]
        found.append(Setting(name, texts[name], default))
    return tuple(found)


def toml(value: Any) -> str:
    """A setting's value as TOML; JSON's strings, numbers, truth values and lists of them are TOML too."""
    return json.dumps(value, ensure_ascii=False)


def _documented(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Names of fields with the text that stands under each."""
    for node, after in itertools.pairwise(body):
        match node, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())
