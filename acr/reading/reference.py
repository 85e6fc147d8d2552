"""Does a user turn need what the assistant wrote? Then nobody may take that away.

Pronouns and ordinals are not enough (they also point at the user's own words), so several kinds of
evidence count: phrases that name the assistant's text, requests to rework it, spans quoted from it, and
names or figures that nobody but the assistant has used. Ma et al. (arXiv 2602.24287) drop assistant turns
where they are not needed; this errs on the side of keeping.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp

from acr.conversation import Turn
from acr.reading.clues import clues, source
from acr.reading.features import Features
from acr.reading.lasting import lasts
from acr.reading.operations import RELATES
from acr.reading.weights import BIAS, THRESHOLD, WEIGHTS
from acr.text import fold

_TELLING = 5
"""Digits: a figure that only the assistant has used counts as a reference if it has at least this many.
Shorter ones come up by chance, for assistants make figures up."""


@dataclass(slots=True)
class Shown:
    """What has been said so far, by whom. Grows turn by turn."""

    user_numbers: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    tokens: set[str] = field(default_factory=set)
    user_tokens: set[str] = field(default_factory=set)
    capitals: bool = False
    """The user has begun a turn with a capital."""
    said: set[str] = field(default_factory=set)
    """Sentences of the user, folded, without bullets and closing marks."""
    content: set[str] = field(default_factory=set)
    user_content: set[str] = field(default_factory=set)
    theirs: dict[str, str] = field(default_factory=dict)
    """Stems of rare words that only the assistant has used, with the last turn that did."""
    theirs_common: set[str] = field(default_factory=set)
    """Stems of words of middling frequency that the assistant's last turn has and no user turn."""
    figures: dict[str, str] = field(default_factory=dict)
    """Figures that only the assistant has used, with the last turn that did."""
    result: bool = False
    """The assistant's last turn works something out or makes a call."""
    introduced: dict[str, str] = field(default_factory=dict)
    """Names and figures that only the assistant has used, with the turn that brought them."""
    texts: list[tuple[str, str]] = field(default_factory=list)
    """Id and folded text of assistant turns."""

    def user(self, found: Features, sentences: Sequence[str]) -> None:
        self.capitals = self.capitals or any(text[:1].isupper() for text in sentences[:1])
        self.said.update(map(bare, sentences))
        self.user_numbers |= found.numbers
        self.user_tokens.update(found.tokens)
        self._all(found)
        self.user_content |= found.content
        self.theirs_common -= found.content
        for stem in found.rare & self.theirs.keys():
            del self.theirs[stem]
        for number in found.numbers & self.figures.keys():
            del self.figures[number]
        for known in (*found.tokens, *found.names, *found.numbers):
            self.introduced.pop(known, None)

    def assistant(self, turn: Turn, found: Features) -> None:
        figures = {number for number in found.numbers if sum(map(str.isdigit, number)) >= _TELLING}
        for name in ((found.names | found.capitals) - self.tokens) | (figures - self.numbers):
            self.introduced.setdefault(name, turn.id)
        for stem in found.rare - self.user_content:
            self.theirs[stem] = turn.id
        self.theirs_common = set(found.telling - self.user_content)
        for number in found.numbers - self.user_numbers:
            self.figures[number] = turn.id
        self.result = found.worked or (found.call and not found.code)
        self.texts.append((turn.id, fold(turn.text)))
        self._all(found)

    def tool(self, turn: Turn) -> None:
        self.texts.append((turn.id, fold(turn.text)))

    def _all(self, found: Features) -> None:
        self.numbers |= found.numbers
        self.tokens.update(found.tokens)
        self.content |= found.content


@dataclass(frozen=True, slots=True)
class Evidence:
    """How far a user turn may need the assistant's words."""

    refers_to: tuple[str, ...] = ()
    """Assistant turns that it is taken to refer to: those whose words, names or figures it uses; the last
    one where it points at nothing in particular. Empty if it stands on its own."""
    certain: bool = False
    """Something in it speaks of the assistant's text and of nothing else."""
    apart: bool = True
    """Nothing in it could speak of the assistant's text."""
    joined: bool = True
    """It has something to do with what was said before."""
    edits: bool = False
    """Orders a change of what is there, or says what is wrong with it."""
    lasts: bool = False
    """Edits, and what it orders stays true once it is done."""


JOINS = ("pointer", "also", "subject", "states", "self", "degree", "corrects", "and")
"""Clues of which one is there where a turn goes on from what was said, and does not order something else."""
SPEAKS_OF_IT = ("quotes", "reworks", "why", "asks", "you")
"""Clues that leave no doubt, together with the chance: questions, and words for the text or who wrote it."""
COULD = (
    *("names_it", "ordinal", "points", "quotes", "named", "theirs", "theirs_common", "figure", "operates"),
    *("reworks", "why", "and", "pointer", "asks", "you", "degree", "tongue", "accepts"),
)
"""Clues of which none may be there where nothing points at the assistant's text."""


def reference(found: Features, text: str, shown: Shown, threshold: float = THRESHOLD) -> Evidence:
    """What speaks for a user turn needing the assistant's words."""
    if not shown.texts:
        return Evidence()
    quotes = source(text, shown)
    names = [shown.introduced[used] for used in (found.names | found.numbers) & shown.introduced.keys()]
    read = clues(found, shown, quotes=quotes is not None, named=bool(names))
    apart = not (
        any(read[name] for name in COULD)
        or found.does("faults", "relative", "artefact")
        or _spelled(text, shown)
    )
    edits = _edits(found, read)
    lasting = edits and lasts(text)
    version = found.does("version")
    if quotes is None and not version and chance(read) < threshold:
        return Evidence(apart=apart, joined=_joined(found, text, read, shown), edits=edits, lasts=lasting)
    figures = [shown.figures[used] for used in found.numbers & shown.figures.keys()]
    theirs = [shown.theirs[used] for used in found.rare & shown.theirs.keys()]
    ids = dict.fromkeys([*([quotes] if quotes else []), *sorted(names), *sorted(figures), *sorted(theirs)])
    if not ids or read["names_it"] or read["points"]:
        ids[shown.texts[-1][0]] = None
    certain = version or any(read[name] for name in SPEAKS_OF_IT)
    return Evidence(tuple(ids), certain, apart, edits=edits, lasts=lasting)


def _edits(found: Features, read: Mapping[str, float]) -> bool:
    """An order ("swap the columns") and no statement ("spaces are removed"); a degree without a limit
    ("one row more", not "more than 10").
    """
    states = read["states"] or read["subject"]
    changes = read["operates"] and not states
    more = read["degree"] and not (read["states"] or read["new_figure"] or read["also"])
    return bool(changes or more or found.does("fails", "faults", "relative"))


_RELATES = frozenset(word for line in RELATES.split() for word in line.split("|"))
_RUNS = tuple(word for word in _RELATES if word >= "\u3040")
"""Those of scripts without spaces, where a token may go on behind them."""


def _joined(found: Features, text: str, read: Mapping[str, float], shown: Shown) -> bool:
    known = found.content & shown.content or found.names & shown.tokens
    first = found.tokens[0] if found.tokens else ""
    begins = first in _RELATES or first.startswith(_RUNS)
    return bool(known or begins or _piece(text.lstrip(), shown) or any(read[name] for name in JOINS))


def _piece(text: str, shown: Shown) -> bool:
    """Written as no whole sentence is: with a figure first, a label, or in small letters by somebody who has
    begun a turn with a capital.
    """
    small = shown.capitals and text[:1].islower()
    return small or text[:1].isdigit() or ":" in text[:_LABEL]


_LABEL = 25
"""Characters in which the colon of a label stands ("Nursery: 19.5 degrees")."""
_CAPITALS = re.compile(r"\b[A-Z][A-Z_]+\b")


def _spelled(text: str, shown: Shown) -> bool:
    """Whether it spells a word in capitals that stands in the assistant's last text ("GROUP BY fails")."""
    return any(fold(word) in shown.texts[-1][1] for word in _CAPITALS.findall(text))


def chance(read: Mapping[str, float]) -> float:
    """Probability in [0, 1] that a turn with these clues refers to the assistant's words."""
    return 1 / (1 + exp(-BIAS - sum(WEIGHTS[name] * value for name, value in read.items() if value)))


def bare(sentence: str) -> str:
    """A sentence as it is compared: folded, without bullets and closing marks."""
    return fold(sentence).strip(" -*•.!?。！？؟")
