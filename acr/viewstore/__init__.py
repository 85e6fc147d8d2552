"""Views: what was made of the beginning of a conversation, remembered under a digest of exactly that.

What an operator can work out again for nothing is not kept here. What cost a call of a model is (the states
of `abstract`), and what cannot be worked out again (how unsure the model was of an answer). Both are pure
additions: whoever finds nothing does without, so a store may forget, fail or be away at any time.

    Views ── scope, maker and turns to a key ──► Store: Memory, or Redis with a Memory beside it

No key is guessed, and none is chosen by a client: it is a keyed digest of whose conversation it is, who made
the view, and every turn that the view was made from. Whoever uses a view holds it against the conversation
once more (`acr_operators.state.problems`, `acr.invariants`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from acr.conversation import Turn
from acr.viewstore.core import MAX_VALUE, Counts, Found, Store
from acr.viewstore.elsewhere import Elsewhere
from acr.viewstore.memory import Memory
from acr.viewstore.seal import Seal, digest

__all__ = ["MAX_VALUE", "Counts", "Elsewhere", "Found", "Memory", "Seal", "Store", "Views", "digest"]


@dataclass(frozen=True, slots=True)
class Views:
    """A store seen by one client's conversations. Never raises, and waits no longer than the store does."""

    store: Store = field(default_factory=Memory)
    seal: Seal = field(default_factory=Seal)
    scope: bytes = b""
    """Stands for whose conversations these are: nobody finds the views of another scope."""
    told: list[str] | None = None
    """What came of each look, where somebody wants to know: `hit`, `miss`, or what kept the store away."""

    def of(self, scope: bytes, told: list[str]) -> "Views":
        """The same store, for one request of one client; what comes of each look is added to `told`."""
        return Views(self.store, self.seal, scope, told)

    async def get(self, maker: str, turns: Sequence[Turn]) -> str | None:
        """What `maker` made of exactly these turns, or None."""
        (value,) = await self.get_each(maker, [digest(turns)])
        return value

    async def get_each(self, maker: str, contents: Sequence[bytes]) -> list[str | None]:
        """The same for several digests at once, in one exchange with the store."""
        found = await self.store.fetch([self.seal.key(self.scope, maker, content) for content in contents])
        if self.told is not None:
            self.told.append(found.told)
        return [None if value is None else value.decode("utf-8", "replace") for value in found.values]

    def put(self, maker: str, turns: Sequence[Turn], value: str) -> None:
        """Remember what `maker` made of these turns. Returns at once; the store is written to behind."""
        self.put_at(maker, digest(turns), value)

    def put_at(self, maker: str, content: bytes, value: str) -> None:
        """The same for a digest."""
        self.store.keep(self.seal.key(self.scope, maker, content), value.encode("utf-8", "replace"))
