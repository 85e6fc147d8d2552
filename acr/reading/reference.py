"""Does a user turn need what the assistant wrote? Then nobody may take that away.

Pronouns and ordinals are not enough (they also point at the user's own words), so several kinds of
evidence count: phrases that name the assistant's text, requests to rework it, spans quoted from it, and
names or figures that nobody but the assistant has used. Ma et al. (arXiv 2602.24287) drop assistant turns
where they are not needed; this errs on the side of keeping.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from acr.conversation import Turn
from acr.reading.features import Features
from acr.text import fold, quoted

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
    said: set[str] = field(default_factory=set)
    """Sentences of the user, folded, without bullets and closing marks."""
    content: set[str] = field(default_factory=set)
    introduced: dict[str, str] = field(default_factory=dict)
    """Names and figures that only the assistant has used, with the turn that brought them."""
    texts: list[tuple[str, str]] = field(default_factory=list)
    """Id and folded text of assistant turns."""

    def user(self, found: Features, sentences: Iterable[str]) -> None:
        self.said.update(map(bare, sentences))
        self.user_numbers |= found.numbers
        self.user_tokens.update(found.tokens)
        self._all(found)
        for known in (*found.tokens, *found.names, *found.numbers):
            self.introduced.pop(known, None)

    def assistant(self, turn: Turn, found: Features) -> None:
        figures = {number for number in found.numbers if sum(map(str.isdigit, number)) >= _TELLING}
        for name in ((found.names | found.capitals) - self.tokens) | (figures - self.numbers):
            self.introduced.setdefault(name, turn.id)
        self.texts.append((turn.id, fold(turn.text)))
        self._all(found)

    def tool(self, turn: Turn) -> None:
        self.texts.append((turn.id, fold(turn.text)))

    def _all(self, found: Features) -> None:
        self.numbers |= found.numbers
        self.tokens.update(found.tokens)
        self.content |= found.content


def reference(found: Features, text: str, shown: Shown) -> tuple[str, ...]:
    """Ids of the assistant turns that a user turn refers to; empty if it stands on its own."""
    if not shown.texts:
        return ()
    last = shown.texts[-1][0]
    ids: dict[str, None] = {}
    if _names_it(found) or _points(found) or (found.asks and len(found.tokens) <= 3):
        ids[last] = None
    for used in (found.names | found.numbers) & shown.introduced.keys():
        ids[shown.introduced[used]] = None
    for span in map(fold, quoted(text)[:_QUOTES]):
        source = next((id for id, said in reversed(shown.texts[-_LOOKBACK:]) if span in said), None)
        if source is not None and not set(span.split()) <= shown.user_tokens:
            ids[source] = None
    return tuple(ids)


def bare(sentence: str) -> str:
    """A sentence as it is compared: folded, without bullets and closing marks."""
    return fold(sentence).strip(" -*•.!?。！？؟")


_QUOTES = 8
"""Quoted spans of one turn that are looked for, and how many assistant turns back."""
_LOOKBACK = 100
_BRIEF = 8
"""Tokens: a longer turn with a pronoun mostly has what it points at in itself."""
_ONES = frozenset({"one", "ones"})
_DETERMINERS = frozenset({"the", "that", "this", "which", "your"})
_SUBJECTS = frozenset(
    "i you he she it we they there the a an my his her its our their it's he's she's they're there's".split()
)


def _names_it(found: Features) -> bool:
    """Speaks of the assistant's text, or orders work on it."""
    return (
        found.does("reference")
        or any(where < 2 for where in found.acts.get("rework", ()))
        or any(where < 0 or where >= len(found.tokens) - 2 for where in found.acts.get("ordinal", ()))
    )


def _points(found: Features) -> bool:
    """A brief order about something unnamed ("Add 12 to that", "Take the later one")."""
    tokens = found.tokens
    for index, token in enumerate(tokens):
        if token in _ONES and index >= 2 and tokens[index - 2] in _DETERMINERS:
            return True
    where = found.acts.get("anaphor", ())
    if not where or len(tokens) > _BRIEF or min(found.acts.get("correction", (9,))) < 2:
        return False  # "Actually, make it 15 people" names what it changes
    return -1 in where or (max(where) > 0 and tokens[0] not in _SUBJECTS) or found.does("anaphor_object")
