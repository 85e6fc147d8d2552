"""What can be read off one text alone, computed once and remembered by content.

A conversation comes back with every request, one turn longer; only the new turn costs anything.
"""

import re
from dataclasses import dataclass
from importlib.resources import files

from acr import text as t
from acr.memo import Memo
from acr.reading.lexicon import Act, acts

_LISTED = (files("acr.data") / "common_words.txt").read_text(encoding="utf-8").split("\n\n")
FREQUENT = frozenset(_LISTED[0].split())
"""Words that tell nothing about what somebody speaks of (`acr/data/README.md`)."""
COMMON = FREQUENT | frozenset(_LISTED[1].split())
"""Words too frequent to be taken up from what somebody said."""

_KANA = re.compile(r"[\u3040-\u309f]")
"""Hiragana writes endings and particles: a pair of characters with one in it names nothing."""

_CODE = re.compile(r"```|^\s{0,3}(?:def|class|function|SELECT|import|#include)\b", re.MULTILINE)
_CALL = re.compile(r"\b[\w.]+\([^()\n]*=[^()\n]*\)|^\s*[\[{]\s*[\"'{\[\w]", re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+\S", re.MULTILINE)
_RESULT = re.compile(
    r"[=≈:]\s*\**\$?\s*[-−]?\d|\*\*[^*\n]*\d[^*\n]*\*\*|\\boxed|####|\banswer\b", re.IGNORECASE
)


_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_WORKED = re.compile(
    r"\d\s*[%€$£]?\s*[-+*/×÷·]\s*[$€£(]?\s*\d|=\s*\**\$?\s*[-−]?\d|\\boxed|####"
    r"|\b(?:answer|antwort|réponse|respuesta|resposta|risposta|antwoord|svaret?|odpowiedź|ответ|cevap)\b"
    r"\s*(?:is|ist|est|es|é|è|är)?\s*:?\s*\**\$?\d|答案|答え|정답",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Features:
    """Language-independent facts of one text."""

    length: int
    """Characters."""
    tokens: tuple[str, ...]
    content: frozenset[str]
    """Stems of words that may carry a topic."""
    rare: frozenset[str]
    """Those of them that are not among the frequent words of any language."""
    telling: frozenset[str]
    """The same with all but the most frequent words: `content` without "with" and "should"."""
    names: frozenset[str]
    """Folded tokens that look like names or identifiers: capitalised inside a sentence (not in German), mixed
    case, with digits or underscores."""
    capitals: frozenset[str]
    """Folded words with a capital, wherever they stand (not in German)."""
    numbers: frozenset[str]
    last_number: str
    """The last figure of the text, or ""."""
    acts: dict[Act, tuple[int, ...]]
    asks: bool
    """Ends with a question mark."""
    questions: int
    """Question marks in the text."""
    code: bool
    call: bool
    """Looks like function calls or JSON."""
    items: int
    """List items."""
    worked: bool
    """Works something out: an equation or a stated answer, outside of code blocks."""
    result: bool
    """States a result: an equation, a bold figure, the word answer."""

    def does(self, *wanted: Act) -> bool:
        """Whether any of these dialogue acts is hinted at."""
        return not self.acts.keys().isdisjoint(wanted)


_IDENTIFIER = re.compile(r"\b(?:[a-zA-Z]+_\w+|[a-z]+[A-Z]\w*|[A-Za-z]+\d\w*)")
_NAME = re.compile(r"(?<=[\w,;] )[A-ZÀ-ÞА-Я][\w'’-]+")
_CAPITAL = re.compile(r"\b[A-ZÀ-ÞА-Я][\w'’-]{2,}")
_GERMAN = frozenset(
    "und ist sind nicht ein eine einen wir ich für zu zum zur mit das der auf von dem den im".split()
)
"""German writes every noun with a capital: there a capital inside a sentence tells nothing."""
_LIMIT = 20_000
"""Characters of one text that are read. A log dump of a megabyte says nothing more about the dialogue."""


def _read(text: str) -> Features:
    length = len(text)
    if length > _LIMIT:
        text = text[: _LIMIT // 2] + "\n" + text[-_LIMIT // 2 :]
    folded = t.fold(text)
    found = t.tokens(text)
    words = t.words(found)
    stems = {word: t.stem(word) for word in words if t.carries(word)}
    named = {word: stem for word, stem in stems.items() if word.isascii() or not _KANA.search(word)}
    figures = t.numbers(text)
    return Features(
        length=length,
        tokens=tuple(found),
        content=frozenset(stems.values()),
        telling=frozenset(stem for word, stem in named.items() if word not in FREQUENT),
        rare=frozenset(stem for word, stem in named.items() if word not in COMMON),
        names=_names(text, found),
        capitals=_capitals(text, found),
        numbers=frozenset(figures),
        last_number=figures[-1] if figures else "",
        acts=acts(found, folded),
        asks=t.asks(text),
        questions=sum(map(text.count, "?？؟")),
        code=bool(_CODE.search(text)),
        call=bool(_CALL.search(text)),
        items=len(_ITEM.findall(text)),
        worked=_worked(text),
        result=bool(_RESULT.search(text)),
    )


def _names(text: str, found: list[str]) -> frozenset[str]:
    names = _IDENTIFIER.findall(text)
    if _GERMAN.isdisjoint(found):
        names += _NAME.findall(text)
    return frozenset(t.fold(name).rstrip("'’-") for name in names)


def _capitals(text: str, found: list[str]) -> frozenset[str]:
    return frozenset(map(t.fold, _CAPITAL.findall(text))) if _GERMAN.isdisjoint(found) else frozenset()


def _worked(text: str) -> bool:
    prose = _BLOCK.sub("", text)
    return bool(_WORKED.search(prose)) and not _CODE.search(prose)


features = Memo(_read)
"""`Features` of a text, remembered by content."""
