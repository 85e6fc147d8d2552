"""A LoRA adapter as PEFT saves it, added to a trunk's weights: W + s·B·A (Hu et al., arXiv 2106.09685)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acr.errors import ModelError
from acr.lm.gguf import Floats
from acr.lm.trunk import Trunk

CONFIG = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"
_PREFIX = "base_model.model."


def merged(trunk: Trunk, folder: Path) -> Trunk:
    """The trunk with the adapter in `folder` added.

    Raises `ModelError` if the adapter is unreadable, no plain LoRA, or made for another trunk.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        tensors = load_file(folder / WEIGHTS)
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelError(f"{folder} does not hold an adapter that PEFT saved: {error}") from error
    return Trunk(trunk.shape, {**trunk.weights, **_changed(trunk, config, tensors, folder)}, trunk.tokenizer)


def _changed(
    trunk: Trunk, config: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]], folder: Path
) -> dict[str, Floats]:
    if config.get("peft_type") != "LORA" or config.get("use_dora") or config.get("rank_pattern"):
        raise ModelError(f"{folder} holds another adapter than plain LoRA")
    rank, alpha = config["r"], config["lora_alpha"]
    scale = np.float32(alpha / np.sqrt(rank) if config.get("use_rslora") else alpha / rank)
    rest = dict(tensors)
    changed = {}
    for name, weight in trunk.weights.items():
        stem = _PREFIX + name.removesuffix(".weight")
        down, up = rest.pop(f"{stem}.lora_A.weight", None), rest.pop(f"{stem}.lora_B.weight", None)
        if down is None or up is None:
            continue
        if (up.shape[0], down.shape[1]) != weight.shape:
            raise ModelError(
                f"{folder}: the adapter was made for another trunk: {name} has shape {weight.shape}"
            )
        changed[name] = weight + scale * (up.astype(np.float32) @ down.astype(np.float32))
    if rest:
        raise ModelError(f"{folder}: the adapter has weights that the trunk has no place for: {min(rest)}")
    return changed
