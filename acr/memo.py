"""A bounded memory for work done on texts that come again with every request of a conversation."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")
Value = TypeVar("Value")

_SHORT = 128


class Memo(Generic[Result]):
    """Remembers `function(text)` by content. Long texts are keyed by digest, so the memory that this
    holds is bounded by `size` results, not by the size of what clients send.

    One request asks for the same text many times over. So the texts asked for last are held as they are, up
    to `characters` in all: to find one of them no digest is needed.
    """

    def __init__(
        self, function: Callable[[str], Result], size: int = 8192, characters: int = 1_000_000
    ) -> None:
        self.function = function
        self.size = size
        self.characters = characters
        self._known: dict[str | bytes, Result] = {}
        self._recent: dict[str, Result] = {}
        self._held = 0

    def __call__(self, text: str) -> Result:
        recent = self._recent.get(text)
        if recent is not None:
            return recent
        result = self._find(text)
        if self._held > self.characters:  # all at once: cheaper than order on every hit
            self._recent.clear()
            self._held = 0
        self._recent[text] = result
        self._held += len(text)
        return result

    def _find(self, text: str) -> Result:
        key: str | bytes = text
        if len(text) > _SHORT:
            key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self._known
        result = known.get(key)
        if result is None:
            result = self.function(text)
            if len(known) >= self.size:  # drop the older half at once: cheaper than order on every hit
                for old in list(known)[: self.size // 2]:
                    known.pop(old, None)
            known[key] = result
        return result

    def clear(self) -> None:
        self._known.clear()
        self._recent.clear()
        self._held = 0


class Bounded(Generic[Value]):
    """Values by key, at most `size` of them and `weight` in all; those put in first go first.

    What is taken is out of here until it is put back, so no two threads ever go on with the same.
    """

    def __init__(self, size: int, weight: int) -> None:
        self.size = size
        self.weight = weight
        self._held: OrderedDict[int, tuple[Value, int]] = OrderedDict()
        self._weighs = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, key: int) -> bool:
        return key in self._held

    def get(self, key: int) -> Value | None:
        """The value of a key, which stays."""
        held = self._held.get(key)
        return None if held is None else held[0]

    def take(self, key: int, wanted: Callable[[Value], bool]) -> Value | None:
        """The value of a key, out of the memory, if it is the one that is wanted."""
        with self._lock:
            held = self._held.get(key)
            if held is None or not wanted(held[0]):
                return None
            self._drop(key)
            return held[0]

    def put(self, key: int, value: Value, weight: int) -> None:
        """Remember a value in place of the key's old one."""
        with self._lock:
            if key in self._held:
                self._drop(key)
            self._held[key] = value, weight
            self._weighs += weight
            while self._held and (len(self._held) > self.size or self._weighs > self.weight):
                self._drop(next(iter(self._held)))

    def _drop(self, key: int) -> None:
        self._weighs -= self._held.pop(key)[1]

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._weighs = 0
