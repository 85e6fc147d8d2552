"""GGUF files: written here by hand, and the real one."""

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.embedded import store
from acr.embedded.catalogue import Model
from acr.errors import ModelError
from acr.lm.gguf import File


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def q4_1(weights: np.ndarray) -> bytes:
    """As ggml writes it, weight by weight: 16 bytes hold weight i and weight i + 16."""
    out = b""
    for block in weights.reshape(-1, 32):
        low, high = float(block.min()), float(block.max())
        scale = (high - low) / 15
        bits = [min(15, round((float(one) - low) / scale)) if scale else 0 for one in block]
        out += struct.pack("<ee", scale, low) + bytes(bits[i] | bits[i + 16] << 4 for i in range(16))
    return out


def q8_0(weights: np.ndarray) -> bytes:
    out = b""
    for block in weights.reshape(-1, 32):
        scale = float(np.abs(block).max()) / 127
        out += struct.pack("<e32b", scale, *(round(float(one) / scale) if scale else 0 for one in block))
    return out


FORMS = {0: lambda w: w.astype("<f4").tobytes(), 1: lambda w: w.astype("<f2").tobytes(), 3: q4_1, 8: q8_0}


def write(
    path: Path, tensors: dict[str, tuple[int, np.ndarray]], fields: bytes = b"", count: int = 0
) -> Path:
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), count) + fields
    body = b""
    for name, (form, weights) in tensors.items():
        body += b"\0" * (-len(body) % 32)
        head += (
            text(name)
            + struct.pack("<I", weights.ndim)
            + struct.pack(f"<{weights.ndim}Q", *weights.shape[::-1])
        )
        head += struct.pack("<IQ", form, len(body))
        body += FORMS.get(form, FORMS[0])(weights)
    path.write_bytes(head + b"\0" * (-len(head) % 32) + body)
    return path


@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 3, 8]), st.integers(1, 5))
def test_weights_come_back_within_a_step_of_their_type(seed: int, form: int, rows: int) -> None:
    import tempfile

    weights = np.random.default_rng(seed).normal(size=(rows, 64)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        found = File(write(Path(folder) / "x.gguf", {"pad": (0, weights[:1]), "w": (form, weights)})).read(
            "w"
        )
    assert found.shape == weights.shape and found.dtype == np.float32
    span = np.abs(weights).max()
    step = {0: 0.0, 1: span / 1000, 3: 2 * span / 15 * 0.52 + span / 500, 8: span / 127 * 0.52 + span / 500}[
        form
    ]
    assert np.abs(found - weights).max() <= step


def test_fields_of_every_kind(tmp_path: Path) -> None:
    fields = text("a") + struct.pack("<II", 4, 7)
    fields += text("b") + struct.pack("<I", 8) + text("größe")
    fields += text("c") + struct.pack("<IIQ", 9, 8, 2) + text("x") + text("y")
    fields += text("d") + struct.pack("<If", 6, 0.5)
    file = File(write(tmp_path / "x.gguf", {}, fields, 4))
    assert file.fields == {"a": 7, "b": "größe", "c": ["x", "y"], "d": 0.5}


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF" + b"\xff" * 40, b"PK\3\4" + b"\0" * 40])
def test_what_is_no_such_file_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="not a GGUF file"):
        File(path)


def test_a_type_that_is_not_read_is_told(tmp_path: Path) -> None:
    file = File(write(tmp_path / "x.gguf", {"w": (14, np.zeros((1, 32), np.float32))}))
    with pytest.raises(ModelError, match="type 14"):
        file.read("w")
    with pytest.raises(ModelError, match="no tensor 'v'"):
        file.read("v")


@pytest.mark.model
def test_the_real_file(small: Model) -> None:
    file = File(store.path(small))
    assert file.fields["llama.block_count"] == 30 and len(file.fields["tokenizer.ggml.tokens"]) == 49152
    weights = file.read("blk.11.ffn_down.weight")
    assert weights.shape == (576, 1536) and 0.01 < weights.std() < 1
