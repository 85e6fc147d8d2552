"""The trunk: the first layers of a small Llama model, as arrays, with its tokenizer. No torch.

From a model of the catalogue (its GGUF file, verified by SHA-256), or from a folder in the layout of
transformers. Serving and training read it here, so both have the very same weights.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from acr.embedded import find, store
from acr.errors import ModelError
from acr.lm.gguf import File, Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer

EMBEDDING = "model.embed_tokens.weight"
NORM = "model.norm.weight"
LAYER = "model.layers.{}."
PROJECTIONS = (
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
    "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj",
)  # fmt: skip
NORMS = ("input_layernorm", "post_attention_layernorm")
_GGUF = {
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """What the arrays do not tell."""

    layers: int
    heads: int
    kv_heads: int
    head: int
    """Size of one head."""
    epsilon: float
    """Of the root-mean-square norms."""
    theta: float
    """Base of the rotary positions."""


@dataclass(frozen=True, slots=True)
class Trunk:
    """Weights by their names in transformers, float32, each projection as (out, in)."""

    shape: Shape
    weights: Mapping[str, Floats]
    tokenizer: "Tokenizer"


def names(layer: int) -> list[str]:
    """The weights of one layer."""
    return [LAYER.format(layer) + part + ".weight" for part in (*PROJECTIONS, *NORMS)]


def load(base: str, layers: int) -> Trunk:
    """The first `layers` layers of `base`: a model of the catalogue, or a folder.

    Raises `ModelError` if the model is not on this machine, or is not a Llama model.
    """
    folder = Path(base)
    if folder.is_dir():
        return _folder(folder, layers)
    return _gguf(store.ready(find(base)), layers)


def tokenizer(base: str) -> "Tokenizer":
    """The tokenizer alone."""
    folder = Path(base)
    if folder.is_dir():
        return _saved(folder)
    return _tokenizer(File(store.ready(find(base))))


def _gguf(path: Path, layers: int) -> Trunk:
    file = File(path)
    meta = file.fields
    if meta.get("general.architecture") != "llama":
        raise ModelError(f"{path} holds a model of type {meta.get('general.architecture')}, wanted is llama")
    heads = meta["llama.attention.head_count"]
    shape = Shape(
        layers=_enough(layers, meta["llama.block_count"], path),
        heads=heads,
        kv_heads=meta.get("llama.attention.head_count_kv", heads),
        head=meta["llama.embedding_length"] // heads,
        epsilon=meta["llama.attention.layer_norm_rms_epsilon"],
        theta=meta.get("llama.rope.freq_base", 10_000.0),
    )
    weights = {EMBEDDING: file.read("token_embd.weight"), NORM: file.read("output_norm.weight")}
    for layer in range(layers):
        for name in names(layer):
            part = name.removeprefix(LAYER.format(layer)).removesuffix(".weight")
            found = file.read(f"blk.{layer}.{_GGUF[part]}.weight")
            if part in ("self_attn.q_proj", "self_attn.k_proj"):
                found = _halves(found, shape.heads if "q_proj" in part else shape.kv_heads)
            weights[name] = found
    return Trunk(shape, weights, _tokenizer(file))


def _halves(rows: Floats, heads: int) -> Floats:
    """From neighbours that are rotated together (llama.cpp) to halves that are (transformers)."""
    paired = rows.reshape(heads, -1, 2, rows.shape[-1])
    return np.ascontiguousarray(paired.swapaxes(1, 2).reshape(rows.shape))


def _enough(wanted: int, has: int, where: Path) -> int:
    if not 1 <= wanted <= has:
        raise ModelError(f"{where} has {has} layers, wanted are {wanted}")
    return wanted


def _tokenizer(file: File) -> "Tokenizer":
    """Byte-level BPE with single digits, as SmolLM2 was trained with.

    Control tokens are no part of it: text that looks like one is read as text.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    kind = file.fields.get("tokenizer.ggml.pre")
    if kind != "smollm":
        raise ModelError(f"{file.path}: its tokenizer ({kind}) is not known here")
    vocabulary = {token: id for id, token in enumerate(file.fields["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ")) for merge in file.fields["tokenizer.ggml.merges"]]
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    return made


def _folder(folder: Path, layers: int) -> Trunk:
    from safetensors.numpy import load_file

    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        stored = load_file(folder / "model.safetensors")
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{folder} does not hold a model of transformers: {error}") from error
    if config.get("model_type") != "llama" or not config.get("tie_word_embeddings"):
        raise ModelError(f"{folder}: wanted is a model of type llama with tied embeddings")
    shape = Shape(
        layers=_enough(layers, config["num_hidden_layers"], folder),
        heads=config["num_attention_heads"],
        kv_heads=config["num_key_value_heads"],
        head=config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"],
        epsilon=config["rms_norm_eps"],
        theta=_theta(config),
    )
    wanted = [EMBEDDING, NORM, *(name for layer in range(layers) for name in names(layer))]
    return Trunk(shape, {name: _float(stored, name, folder) for name in wanted}, _saved(folder))


def _theta(config: Mapping[str, Any]) -> float:
    return float((config.get("rope_parameters") or config).get("rope_theta", 10_000.0))


def _float(stored: Mapping[str, NDArray[Any]], name: str, folder: Path) -> Floats:
    if name not in stored:
        raise ModelError(f"{folder} has no tensor {name!r}")
    return stored[name].astype(np.float32)


def _saved(folder: Path) -> "Tokenizer":
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(folder / "tokenizer.json"))
