"""How unsure the model was: mean entropies of its recent answers, for the requests that follow them.

A client sends the text of an answer back, never its log-probabilities. So the entropy of an answer is
remembered under a digest of the dialogue that it ended. Nothing is guessed: another word anywhere in that
dialogue, and nothing is known. Each worker remembers its own, and those of others where views are shared.
"""

from collections import OrderedDict
from collections.abc import Iterator
from hashlib import blake2b
from itertools import pairwise
from math import isfinite

from acr.conversation import Conversation
from acr.signals import Signal
from acr.text import digest
from acr.viewstore import Views

MAKER = "entropy"

SIZE = 10_000
"""Answers remembered, of some 100 bytes each. The oldest go."""
LOOKBACK = 200
"""Answers back that others are asked for."""


class Entropies:
    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self._held: OrderedDict[bytes, float] = OrderedDict()

    def note(
        self, conversation: Conversation, answer: str, entropy: float, views: Views | None = None
    ) -> None:
        """Remember the entropy, in nats, of the answer with that digest to what the client sent."""
        *_, (_, before) = [("", b""), *chain(conversation)]
        key = link(before, "assistant", answer)
        self._hold(key, entropy)
        if views is not None:
            views.put_at(MAKER, key, repr(entropy))

    async def fetch(self, conversation: Conversation, views: Views) -> None:
        """Learn what others noted of the answers in a conversation, in one look."""
        keys = [key for id, key in chain(conversation) if conversation.turn(id).role == "assistant"]
        wanted = [key for key in keys[-LOOKBACK:] if key not in self._held]
        if not wanted:
            return
        for key, value in zip(wanted, await views.get_each(MAKER, wanted), strict=True):
            try:
                entropy = float(value or "nan")
            except ValueError:
                continue
            if isfinite(entropy):
                self._hold(key, entropy)

    def _hold(self, key: bytes, entropy: float) -> None:
        self._held[key] = entropy
        while len(self._held) > self.size:
            self._held.popitem(last=False)

    def signals(self, conversation: Conversation) -> dict[str, Signal]:
        """What is known of the answers in a conversation.

        `entropy`: that of the last one. `entropy_rise`: the largest rise from one answer to the next.
        """
        if not self._held:
            return {}
        known = [
            (id, self._held.get(key))
            for id, key in chain(conversation)
            if conversation.turn(id).role == "assistant"
        ]
        found: dict[str, Signal] = {}
        if known and (last := known[-1][1]) is not None:
            found["entropy"] = Signal(last, (known[-1][0],))
        rises = [
            (after - before, (first, second))
            for (first, before), (second, after) in pairwise(known)
            if before is not None and after is not None
        ]
        if rises:
            found["entropy_rise"] = Signal(*max(rises))
        return found


def chain(conversation: Conversation) -> Iterator[tuple[str, bytes]]:
    """Each turn of the dialogue with a digest of everything up to it. Instructions are left out: some
    clients put the time of day there.
    """
    key = b""
    for turn in conversation.dialogue:
        key = link(key, turn.role, digest(turn.text))
        yield turn.id, key


def link(before: bytes, role: str, text: str) -> bytes:
    return blake2b(f"{role} {text}".encode(), digest_size=16, key=before).digest()
