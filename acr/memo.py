"""A bounded memory for work done on texts that come again with every request of a conversation."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Generic, TypeVar

Result = TypeVar("Result")

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
