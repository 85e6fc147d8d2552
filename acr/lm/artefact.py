"""The folder that a trained language-model controller is.

    controller.json                                    the card: what it was made for
    adapter_config.json, adapter_model.safetensors     the LoRA adapter, as PEFT saves it; not where the
    config.json, model.safetensors, tokenizer.json     whole model lies there instead (base ".")

The base model is not in it but named, with its hash.
"""

import json
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from acr.embedded.catalogue import MODELS
from acr.errors import ConfigError

FILE = "controller.json"
NAME = "lm"
RENDERING = 1
"""`acr.lm.rendering.VERSION` that this code renders; kept here so that a card is checked without it."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a trained controller was made for."""

    base: str
    """Model of `acr model list`; a folder; or "." where the whole model lies beside the card."""
    layers: int
    labels: tuple[str, ...]
    """What it can decide: "none" and operators."""
    tokens: tuple[int, ...]
    """Token ids of the labels, in their order."""
    base_sha256: str = ""
    """Of the base model's file; "" for a folder."""
    rendering: int = RENDERING
    temperature: float = 1.0
    """Divides the logits; set by calibration."""
    threshold: float = 0.5
    """Probability that anything should be done from which on something is."""
    confidence: tuple[tuple[float, float], ...] = ()
    """Points of the map from that probability to one that doing it is right, or as good as anything; none:
    the model's own probability of what is decided."""
    deadline: float = 1.0
    """Seconds until `rules` decide instead."""
    controller: str = NAME


def load(folder: Path) -> Card:
    """The card in `folder`. Raises `ConfigError` saying what is wrong."""
    path = folder / FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = {name: tuple(content[name]) for name in ("labels", "tokens")}
        points = tuple((float(x), float(y)) for x, y in content.get("confidence", ()))
        card = Card(**{**content, **rows, "confidence": points})
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError) as error:
        raise ConfigError(f"{path} does not describe a controller {NAME!r}: {error}") from None
    _check(card, path)
    return card


def save(card: Card, folder: Path) -> None:
    """Write the card."""
    folder.mkdir(parents=True, exist_ok=True)
    content: dict[str, Any] = {"controller": card.controller, **asdict(card)}
    (folder / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def where(card: Card, folder: Path) -> str:
    """The base model as `acr.lm.trunk` takes it."""
    return str(folder) if card.base == "." else card.base


def _check(card: Card, path: Path) -> None:
    if card.controller != NAME:
        raise ConfigError(f"{path} holds the weights of {card.controller!r}, not of {NAME!r}")
    if card.rendering != RENDERING:
        raise ConfigError(
            f"{path}: trained on rendering {card.rendering} of conversations, this version has {RENDERING}: "
            "train it anew, or take the version of acr that it was trained with"
        )
    if len(card.labels) != len(card.tokens) or len(card.labels) < 2 or "none" not in card.labels:
        raise ConfigError(f"{path}: its labels must be none and at least one operator, each with a token")
    if card.temperature <= 0 or not 0 <= card.threshold <= 1 or card.deadline <= 0:
        raise ConfigError(f"{path}: temperature, threshold or deadline is out of its range")
    if any(a[0] >= b[0] for a, b in pairwise(card.confidence)):
        raise ConfigError(f"{path}: the points of 'confidence' must rise")
    model = MODELS.get(card.base)
    if card.base_sha256 and model is not None and model.sha256 != card.base_sha256:
        raise ConfigError(f"{path}: trained on another file of {card.base} than this version of acr fetches")
