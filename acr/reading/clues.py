"""What speaks for and against a user turn needing the assistant's words.

Each clue is a number in [0, 1] (or a small count) that can be read off the turn and what was said before it;
`acr.reading.reference` weighs them.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from acr.reading.features import Features
from acr.reading.lexicon import Act
from acr.text import fold, quoted

if TYPE_CHECKING:
    from acr.reading.reference import Shown

_QUOTES = 8
"""Quoted spans of one turn that are looked for, and how many assistant turns back."""
_LOOKBACK = 100
_BRIEF = 8
"""Tokens: a longer turn with a pronoun mostly has what it points at in itself."""
_BRIEF_CHARACTERS = 16
"""The same in characters: languages put different amounts into one token."""
_ONES = frozenset({"one", "ones"})
_DETERMINERS = frozenset({"the", "that", "this", "which", "your"})
_IT = frozenset({"it", "it's", "es", "это", "оно"})
_SUBJECTS = frozenset(
    "i you he she it we they there the a an my his her its our their it's he's she's they're there's".split()
)


def clues(found: Features, shown: "Shown", quotes: bool, named: bool) -> Mapping[str, float]:
    """The clues of a turn. `quotes`: it quotes the assistant; `named`: it has a name or a long figure that
    only the assistant has used.
    """
    theirs = found.rare & shown.theirs.keys()
    fresh = found.content - shown.content
    figures = found.numbers - shown.numbers
    size = _size(found)
    operates = _edge(found, "operation")
    asks = found.questions > 0
    polite = asks and found.does("polite")
    result = shown.result
    strange = asks and not polite and len(fresh) == len(found.content) > 0
    third = _third(found)
    points_back = found.does("pointer", "you", "degree", "tongue", "reference") or _start(found, "and")
    return {
        "names_it": _names_it(found),
        "ordinal": found.does("ordinal"),
        "points": _points(found),
        "quotes": quotes,
        "named": named,
        "theirs": bool(theirs),
        "theirs_common": bool(found.content & shown.theirs_common),
        "theirs_result": bool(theirs) and result,
        "common_result": bool(found.content & shown.theirs_common) and result,
        "fact_for_result": result and bool(figures) and not (asks or operates),
        "theirs_many": len(theirs) > 1,
        "figure": bool(found.numbers & shown.figures.keys()),
        "figure_asks": bool(found.numbers & shown.figures.keys()) and (asks or operates),
        "operates": operates,
        "operates_figure": operates and bool(figures),
        "operates_result": operates and result,
        "reworks": _edge(found, "rework"),
        "why": _start(found, "why"),
        "and": _start(found, "and"),
        "pointer_asks": asks and found.does("pointer"),
        "pointer_orders": operates and found.does("pointer"),
        "pointer": found.does("pointer"),
        "brief": size <= 3 and found.length <= _BRIEF_CHARACTERS,
        "short": size <= 6 and found.length <= 2 * _BRIEF_CHARACTERS,
        "brief_fact": size <= 4 and bool(figures or found.names - shown.tokens) and not (asks or operates),
        "asks": asks and not polite,
        "strange": strange,
        "strange_alone": strange and not (points_back or _start(found, "why") or size <= 3),
        "polite": polite,
        "you": found.does("you") and not polite,
        "subject": _subject(found),
        "subject_short": _subject(found) and size <= 8,
        "third": third,
        "subject_operates": _subject(found) and operates,
        "fresh_many": len(fresh) >= 3
        and not (operates or found.does("rework", "degree", "part", "ordinal", "reference")),
        "third_orders": third and found.does("operation"),
        "third_short": third and size <= 8,
        "it": bool(found.tokens) and found.tokens[0] in _IT,
        "of_it": found.does("of_it"),
        "framed": not asks and _framed(found),
        "self": found.does("self"),
        "also": found.does("also"),
        "states": found.does("states"),
        "part": found.does("part"),
        "degree": found.does("degree"),
        "tongue": found.does("tongue"),
        "new_figure": bool(figures),
        "new_name": bool(found.names - shown.tokens),
        "fresh": len(fresh) / max(1, len(found.content)),
        "fresh_short": len(fresh) == 0 and size <= 8,
        "own": len(found.content & shown.user_content) / max(1, len(found.content)),
        "accepts": found.does("accept"),
        "corrects": _start(found, "correction"),
        "result": result,
    }


def source(text: str, shown: "Shown") -> str | None:
    """The assistant turn that a user turn quotes from, if the words are not the user's own."""
    for span in map(fold, quoted(text)[:_QUOTES]):
        found = next((id for id, said in reversed(shown.texts[-_LOOKBACK:]) if span in said), None)
        if found is not None and not set(span.split()) <= shown.user_tokens:
            return found
    return None


def _size(found: Features) -> float:
    """Tokens, or characters by two where words are not set apart."""
    together = [token for token in found.tokens if not token.isascii() and "\u3040" <= token[0] <= "\u9fff"]
    return len(found.tokens) - len(together) + sum(map(len, together)) / 2


def _edge(found: Features, act: Act) -> bool:
    """Among the first three tokens, or the last one (where verbs stand last)."""
    return any(where < 3 or where >= len(found.tokens) - 1 for where in found.acts.get(act, ()))


def _start(found: Features, act: Act) -> bool:
    return any(where < 2 for where in found.acts.get(act, ()))


_TOPIC = re.compile(r"\A.{1,12}[はがも](?!い)|\A(?:我|我们|她|他|它|咱|大家|全家)|\A\S{1,8}[은는이가]\s")
"""A statement's beginning where words are not set apart, or carry their case: a topic with its particle."""


def _subject(found: Features) -> bool:
    """Begins as a statement does: with an article, a pronoun, a topic."""
    return 0 in found.acts.get("subject", ()) or bool(
        found.tokens and _TOPIC.match(" ".join(found.tokens[:2]) + " ")
    )


_HE = re.compile(r"(?:他|她|它|彼|그는|그녀는|그들은)")
_ENDING = re.compile(r"(?:です|ます|ました|でした|이에요|예요|입니다|습니다|[었았]어요)\Z")
_PLEASE = re.compile(r"(?:お願いします|願います|ください)\Z")


def _third(found: Features) -> bool:
    """Begins with a pronoun of the third person, as facts about people do."""
    return 0 in found.acts.get("third", ()) or bool(found.tokens and _HE.match(found.tokens[0]))


def _framed(found: Features) -> bool:
    """A statement without a subject: its verb stands first ("Tem 12 canteiros") or last ("…です")."""
    where = found.acts.get("states", ())
    last = found.tokens[-1] if found.tokens else ""
    return bool(where) and (
        where[0] == 0
        or where[-1] == len(found.tokens) - 1
        or bool(_ENDING.search(last) and not _PLEASE.search(last))
    )


def _names_it(found: Features) -> bool:
    """Speaks of the assistant's text."""
    return found.does("reference", "version") or any(
        where < 0 or where >= len(found.tokens) - 2 for where in found.acts.get("ordinal", ())
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
