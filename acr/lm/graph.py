"""The trunk as an OpenVINO model: embedded tokens in, the last token's state out.

Built from arrays, so neither torch nor a file of the whole model is needed. OpenVINO computes in bfloat16
where the processor has it, which takes a quarter of the time (docs/decisions.md); norms, softmax and the
label head stay in float32.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from acr.errors import ModelError, boundary
from acr.lm.gguf import Floats
from acr.lm.trunk import EMBEDDING, LAYER, NORM, Shape, Trunk


class Scorer:
    """Scores labels for a rendering: one forward pass. Not safe for two threads at once."""

    def __init__(self, trunk: Trunk, labels: Sequence[int], *, threads: int = 1, precision: str = "") -> None:
        """Compile the trunk for `labels` (token ids). `precision`: "f32", "bf16", or the processor's best.

        Takes about a second. Raises `ModelError` if OpenVINO is missing or fails.
        """
        self.tokenizer = trunk.tokenizer
        table = trunk.weights[EMBEDDING]
        self._heads = table[list(labels)].copy()
        self._table = table.astype(np.float16)
        self._shape = trunk.shape
        with boundary(ModelError, "compiling the controller's model"):
            import openvino

            settings: dict[str, Any] = {
                "INFERENCE_NUM_THREADS": threads,
                "PERFORMANCE_HINT": "LATENCY",
                "NUM_STREAMS": 1,
            }
            if precision:
                settings["INFERENCE_PRECISION_HINT"] = precision
            compiled = openvino.Core().compile_model(build(trunk), "CPU", settings)
            self.precision = str(compiled.get_property("INFERENCE_PRECISION_HINT").to_string())
            self._request = compiled.create_infer_request()

    def logits(self, text: str) -> Floats:
        """Logits of the labels, in their order, after `text`."""
        ids = self.tokenizer.encode(text).ids
        cos, sin = rotary(len(ids), self._shape)
        embedded = self._table[ids].astype(np.float32)
        found = self._request.infer({"x": embedded, "cos": cos, "sin": sin})
        state: Floats = next(iter(found.values()))
        return np.asarray(self._heads @ state, np.float32)


def rotary(length: int, shape: Shape) -> tuple[Floats, Floats]:
    """Cosines and sines of the positions 0 … length-1, (length, head) each."""
    rates = shape.theta ** (-np.arange(0, shape.head, 2, dtype=np.float64) / shape.head)
    angles = np.outer(np.arange(length), np.concatenate([rates, rates]))
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def build(trunk: Trunk) -> Any:
    """The OpenVINO model."""
    import openvino
    from openvino import opset13 as op

    shape, weights = trunk.shape, trunk.weights
    hidden = weights[NORM].shape[0]
    x = op.parameter([-1, hidden], np.float32, name="x")
    cos = op.parameter([-1, shape.head], np.float32, name="cos")
    sin = op.parameter([-1, shape.head], np.float32, name="sin")

    def number(value: Any) -> Any:
        return op.constant(np.asarray(value))

    def linear(state: Any, name: str) -> Any:
        return op.matmul(state, op.constant(weights[name]), False, True)

    def norm(state: Any, name: str) -> Any:
        mean = op.reduce_mean(op.multiply(state, state), number([-1]), keep_dims=True)
        scaled = op.divide(state, op.sqrt(op.add(mean, number(np.float32(shape.epsilon)))))
        return op.multiply(scaled, op.constant(weights[name]))

    def heads(state: Any, count: int) -> Any:
        """(length, count·head) to (count, length, head)."""
        return op.transpose(op.reshape(state, number([0, count, shape.head]), True), number([1, 0, 2]))

    def turned(state: Any) -> Any:
        left, right = op.split(state, number(-1), 2).outputs()
        return op.add(op.multiply(state, cos), op.multiply(op.concat([op.negative(right), left], -1), sin))

    def shared(state: Any) -> Any:
        """Each key and value head serves a group of query heads."""
        group = np.repeat(np.arange(shape.kv_heads), shape.heads // shape.kv_heads)
        return op.gather(state, number(group), number(0))

    def attention(state: Any, layer: str) -> Any:
        q = turned(heads(linear(state, f"{layer}self_attn.q_proj.weight"), shape.heads))
        k = shared(turned(heads(linear(state, f"{layer}self_attn.k_proj.weight"), shape.kv_heads)))
        v = shared(heads(linear(state, f"{layer}self_attn.v_proj.weight"), shape.kv_heads))
        batched = (op.unsqueeze(part, number(0)) for part in (q, k, v))
        mixed = op.squeeze(op.scaled_dot_product_attention(*batched, causal=True), number(0))
        flat = op.reshape(op.transpose(mixed, number([1, 0, 2])), number([0, shape.heads * shape.head]), True)
        return linear(flat, f"{layer}self_attn.o_proj.weight")

    def feed_forward(state: Any, layer: str) -> Any:
        gate = op.swish(linear(state, f"{layer}mlp.gate_proj.weight"))
        up = linear(state, f"{layer}mlp.up_proj.weight")
        return linear(op.multiply(gate, up), f"{layer}mlp.down_proj.weight")

    state = x
    for number_of in range(shape.layers):
        layer = LAYER.format(number_of)
        state = op.add(state, attention(norm(state, f"{layer}input_layernorm.weight"), layer))
        state = op.add(state, feed_forward(norm(state, f"{layer}post_attention_layernorm.weight"), layer))
    last = op.gather(state, number(-1), number(0))
    return openvino.Model([norm(last, NORM)], [x, cos, sin], "controller")
