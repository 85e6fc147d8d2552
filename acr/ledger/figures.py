"""Figures that the assistant worked out, and who uses them later."""

from collections.abc import Set
from dataclasses import dataclass, field, replace

from acr import text as t
from acr.ledger.core import Figure
from acr.reading.dialogue import Answer
from acr.reading.features import features

_DIGITS = 2
"""Shorter figures come up by chance."""
_HELD = 4000
_USES = 8
_REDONE = 0.3
"""Share of an earlier attempt's content from which an answer only does that work again."""


@dataclass(slots=True)
class Worked:
    """Figures of the assistant that the user had not given, by figure."""

    known: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """Turn, text of the turn, task."""
    used: dict[str, Figure] = field(default_factory=dict)

    def copy(self) -> "Worked":
        """The same, to go on from without a change to this one."""
        return Worked(dict(self.known), dict(self.used))

    def answer(self, answer: Answer, given: Set[str], task: int) -> None:
        """Take in an assistant turn; `given` are the figures that the user has said so far."""
        numbers = features(answer.turn.text).numbers
        if answer.repeats < _REDONE:
            self._use(answer.turn.id, numbers)
        if answer.figures and len(self.known) < _HELD:
            for number in numbers - given:
                if sum(map(str.isdigit, number)) >= _DIGITS:
                    self.known.setdefault(number, (answer.turn.id, answer.turn.text, task))

    def user(self, turn: str, numbers: Set[str]) -> None:
        """Take in a user turn."""
        self._use(turn, numbers)

    def _use(self, turn: str, numbers: Set[str]) -> None:
        for number in numbers & self.known.keys():
            source, text, task = self.known[number]
            if source == turn:
                continue
            held = self.used.get(number) or Figure(source, _stating(text, number), number, (), task)
            if turn not in held.used_in and len(held.used_in) < _USES:
                held = replace(held, used_in=(*held.used_in, turn))
            self.used[number] = held


def _stating(text: str, number: str) -> str:
    """The last sentence of a text that has the figure: results stand at the end."""
    return next((part for part in reversed(t.sentences(text)) if number in part), number)
