"""All signals of a conversation, family by family, each worked out when it is first asked for."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from acr.conversation import Conversation
from acr.reading.dialogue import read
from acr.signals import answers, attempts, information, mood, similarity, size, times, tooling, topics, turns
from acr.signals.core import ABSENT, Signal, Signals
from acr.signals.seen import Seen
from acr.signals.similarity import Embed

Family = Callable[[Seen], Iterator[tuple[str, Signal]]]

_FAMILIES = (turns, attempts, answers, information, topics, mood, times, tooling, size)
FAMILIES: Mapping[str, Family] = {name: family.signals for family in _FAMILIES for name in family.NAMES}
"""The family that each signal belongs to."""


def observe(conversation: Conversation, embed: Embed | None = None) -> Signals:
    """The signals. Linear in the number of turns; what was read before is remembered.

    `embed` adds the family of `acr.signals.similarity`.
    """
    families = dict(FAMILIES)
    if embed is not None:
        families |= dict.fromkeys(similarity.NAMES, partial(similarity.signals, embed=embed))
    return Signals(Lazy(Seen(conversation, tuple(read(conversation))), families))


class Lazy(Mapping[str, Signal]):
    """Signals by name; the first of a family that is asked for computes the family."""

    def __init__(self, seen: Seen, families: Mapping[str, Family]) -> None:
        self.seen = seen
        self.families = families
        self.worked_out: dict[str, Signal] = {}
        self._done: set[Family] = set()

    def __getitem__(self, name: str) -> Signal:
        known = self.worked_out.get(name)
        if known is not None:
            return known
        family = self.families[name]
        if family not in self._done:
            self.worked_out.update(family(self.seen))
            self._done.add(family)
        return self.worked_out.setdefault(name, ABSENT)

    def __iter__(self) -> Iterator[str]:
        return iter(self.families)

    def __len__(self) -> int:
        return len(self.families)
