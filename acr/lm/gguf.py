"""Reads GGUF files: metadata, and tensors as float32. Only what small Llama models need.

The `gguf` package makes an array view of every token of the vocabulary: 20 s for a file that this reads in a
fraction of one. Format: ggml-org/ggml, docs/gguf.md; block types: ggml/src/ggml-common.h there.
"""

import mmap
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acr.errors import ModelError

Floats = NDArray[np.float32]

_SCALARS = dict(
    zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), (f"<{form}" for form in "BbHhIif?Qqd"), strict=True)
)
"""By the format's number of a type, what `struct` calls it."""
_STRING, _ARRAY = 8, 9
_ALIGNMENT = 32
BLOCK = 32
"""Weights that share a scale in the quantised types."""


def _q4_1(raw: NDArray[np.uint8]) -> Floats:
    """Two half floats, scale and minimum, then 16 bytes of two weights each, low half first."""
    rows = raw.reshape(-1, 20)
    scale, least = (rows[:, at : at + 2].copy().view(np.float16).astype(np.float32) for at in (0, 2))
    packed = rows[:, 4:]
    return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32) * scale + least


def _q8_0(raw: NDArray[np.uint8]) -> Floats:
    """A half float, the scale, then 32 signed bytes."""
    rows = raw.reshape(-1, 34)
    scale = rows[:, :2].copy().view(np.float16).astype(np.float32)
    return rows[:, 2:].copy().view(np.int8).astype(np.float32) * scale


def _plain(dtype: type[np.generic]) -> Callable[[NDArray[np.uint8]], Floats]:
    return lambda raw: raw.copy().view(dtype).astype(np.float32)


_TYPES: Mapping[int, tuple[int, int, Callable[[NDArray[np.uint8]], Floats]]] = {
    0: (1, 4, _plain(np.float32)),
    1: (1, 2, _plain(np.float16)),
    3: (BLOCK, 20, _q4_1),
    8: (BLOCK, 34, _q8_0),
}
"""By the format's number of a type: weights a block, bytes a block, how it is read."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where a tensor lies. `shape` is row-major, the reverse of the file's own order."""

    shape: tuple[int, ...]
    type: int
    offset: int


class File:
    """An open GGUF file. Raises `ModelError` for what is not one, or has types that are not read here."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as stream:
                self._bytes = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            self._at = 0
            self.fields, self.tensors = self._header()
        except (struct.error, ValueError, KeyError, OverflowError) as error:
            raise ModelError(f"{path} is not a GGUF file that can be read: {error}") from error

    def read(self, name: str) -> Floats:
        """The tensor of that name as float32."""
        tensor = self.tensors.get(name)
        if tensor is None:
            raise ModelError(f"{self.path} has no tensor {name!r}")
        if tensor.type not in _TYPES:
            raise ModelError(f"{self.path}: tensor {name!r} has type {tensor.type}, which is not read here")
        each, size, decode = _TYPES[tensor.type]
        count = int(np.prod(tensor.shape)) // each * size
        raw = np.frombuffer(self._bytes, np.uint8, count, self._data + tensor.offset)
        return decode(raw).reshape(tensor.shape)

    def _header(self) -> tuple[dict[str, Any], dict[str, Tensor]]:
        if self._bytes[:4] != b"GGUF":
            raise ValueError("it does not begin with GGUF")
        self._at = 8
        tensors, fields = self._scalar(10), self._scalar(10)
        values = {self._string(): self._value(self._scalar(4)) for _ in range(fields)}
        found = dict(self._tensor() for _ in range(tensors))
        align = values.get("general.alignment", _ALIGNMENT)
        self._data = -(-self._at // align) * align
        return values, found

    def _tensor(self) -> tuple[str, Tensor]:
        name, dimensions = self._string(), self._scalar(4)
        shape = tuple(self._scalar(10) for _ in range(dimensions))
        return name, Tensor(shape[::-1], self._scalar(4), self._scalar(10))

    def _scalar(self, kind: int) -> Any:
        form = _SCALARS[kind]
        (value,) = struct.unpack_from(form, self._bytes, self._at)
        self._at += struct.calcsize(form)
        return value

    def _string(self) -> str:
        start = self._at + 8
        (length,) = struct.unpack_from("<Q", self._bytes, self._at)
        self._at = start + length
        return self._bytes[start : self._at].decode("utf-8", "replace")

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return list(self._array())
        return self._scalar(kind)

    def _array(self) -> Iterator[Any]:
        kind, count = self._scalar(4), self._scalar(10)
        for _ in range(count):
            yield self._value(kind)
