"""One forward pass, held against the plainest possible one in numpy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acr.lm import trunk
from acr.lm.graph import Scorer, rotary
from acr.lm.trunk import EMBEDDING, NORM, Trunk

LABELS = [3, 70, 71]


def plainly(loaded: Trunk, ids: list[int]) -> Any:
    """A Llama forward pass head by head, position by position, in float64."""
    shape, weights = loaded.shape, {name: w.astype(np.float64) for name, w in loaded.weights.items()}
    cos, sin = rotary(len(ids), shape)

    def norm(x: Any, name: str) -> Any:
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + shape.epsilon) * weights[name]

    def turn(x: Any) -> Any:
        half = shape.head // 2
        return x * cos + np.concatenate([-x[:, half:], x[:, :half]], axis=1) * sin

    x = weights[EMBEDDING][ids]
    for layer in range(shape.layers):
        at = f"model.layers.{layer}."
        h = norm(x, at + "input_layernorm.weight")
        q, k, v = (h @ weights[f"{at}self_attn.{name}_proj.weight"].T for name in "qkv")
        out = []
        for head in range(shape.heads):
            own = slice(head * shape.head, (head + 1) * shape.head)
            group = head // (shape.heads // shape.kv_heads)
            theirs = slice(group * shape.head, (group + 1) * shape.head)
            scores = turn(q[:, own]) @ turn(k[:, theirs]).T / np.sqrt(shape.head)
            scores[np.triu_indices(len(ids), 1)] = -np.inf
            attention = np.exp(scores - scores.max(-1, keepdims=True))
            out.append(attention / attention.sum(-1, keepdims=True) @ v[:, theirs])
        x = x + np.concatenate(out, axis=1) @ weights[at + "self_attn.o_proj.weight"].T
        h = norm(x, at + "post_attention_layernorm.weight")
        gate = h @ weights[at + "mlp.gate_proj.weight"].T
        up = h @ weights[at + "mlp.up_proj.weight"].T
        x = x + (gate / (1 + np.exp(-gate)) * up) @ weights[at + "mlp.down_proj.weight"].T
    return weights[EMBEDDING][LABELS] @ norm(x, NORM)[-1]


@pytest.mark.parametrize("text", ["x", "Write a letter about a poem 3.", "decide " * 60])
@pytest.mark.parametrize(("precision", "tolerance"), [("f32", 0.005), ("", 0.3)])
def test_it_computes_what_a_plain_pass_computes(
    tiny_trunk: Path, text: str, precision: str, tolerance: float
) -> None:
    loaded = trunk.load(str(tiny_trunk), 2)
    wanted = plainly(loaded, loaded.tokenizer.encode(text).ids)
    found = Scorer(loaded, LABELS, precision=precision).logits(text)
    assert np.ptp(wanted) > 0.5
    assert np.abs(found - wanted).max() < tolerance
