"""The demo's task: written for it, told in pieces, with one right answer."""

import re
from dataclasses import dataclass

SYSTEM = (
    "You help people solve math word problems. Work step by step, and put the result on a last line of its "
    "own, in the form 'Answer: <number>'."
)

_NUMBER = r"-?\d[\d,]*\.?\d*"
_FORMS = (rf"Answer:\D{{0,20}}?({_NUMBER})", rf"boxed\{{\D{{0,10}}?({_NUMBER})", rf"({_NUMBER})")
"""How an answer may be given, the asked form first; small models forget it."""


@dataclass(frozen=True, slots=True)
class Task:
    """A problem in pieces: the goal first, then one fact a turn, as people type them."""

    pieces: tuple[str, ...]
    answer: float

    @property
    def whole(self) -> str:
        """The same words in one message, the goal last."""
        return " ".join((*self.pieces[1:], self.pieces[0]))

    def right(self, text: str) -> bool:
        return number(text) == self.answer


def number(text: str) -> float | None:
    """The number that a text gives as its result: the last one in the asked form, else the last there is."""
    for form in _FORMS:
        if found := re.findall(form, text):
            return float(found[-1].replace(",", "").rstrip("."))
    return None


TASK = Task(
    pieces=(
        "How many kilograms of fruit does my orchard give?",
        "I have 24 apple trees.",
        "There are half as many pear trees as apple trees.",
        "Each apple tree gives 35 kilograms of apples.",
        "Each pear tree gives 20 kilograms of pears.",
    ),
    answer=1080,
)
