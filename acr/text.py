"""Reading text in any language: sentences, words, numbers. No model, no language-specific grammar."""

import re
import unicodedata
from collections.abc import Iterable
from hashlib import blake2b

_MONTHS = "Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
"""German writes "am 3. Mai": that full stop ends no sentence."""
_SENTENCE = re.compile(rf"(?<=[.!?…])(?!(?<=\d\.)\s+(?:{_MONTHS})\b)[\"')\]»”’]*\s+|(?<=[。！？।؟])\s*|\n+")
_NUMBER = re.compile(r"(?:(?<!\w)[-−])?\d+(?:[.,:/\-\u00a0'’]\d+)*")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
_MARKS = "".join(
    chr(code) for code in range(0x300, 0x1D00) if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
"""Combining marks: vowel signs of Hindi, Thai and others, which `re` does not count as parts of words."""
_TOKEN = re.compile(rf"[^\W_][\w{_MARKS}]*(?:['’\-][^\W_][\w{_MARKS}]*)*")
_QUOTED = re.compile(
    r"\"([^\"\n]{2,80})\"|“([^”\n]{2,80})”|«([^»\n]{2,80})»|「([^」\n]{1,80})」|„([^“”\n]{2,80})[“”]|`([^`\n]{2,80})`"
)
_QUESTION = re.compile(r"[?？؟]\s*[\"')\]»”’*_]*\s*$")

LATIN_CONTENT = 4
"""Words shorter than this, in scripts with spaces, carry no topic: articles, prepositions, pronouns."""


def sentences(text: str) -> list[str]:
    """The sentences of a text, verbatim, stripped, none empty. Decimal points do not end one."""
    return [part for part in (piece.strip() for piece in _SENTENCE.split(text) if piece) if part]


def clean(text: str) -> str:
    """Text that is safe to write into JSON: lone surrogates become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def digest(text: str) -> str:
    """What stands for a text where the text itself must not be kept. White space around it does not count."""
    return blake2b(text.strip().encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def fold(text: str) -> str:
    """Lower case and compatibility forms unified, for comparing only."""
    return unicodedata.normalize("NFKC", text).casefold()


def numbers(text: str) -> list[str]:
    """Numbers as written, signs and separators included: `1.847,20`, `-3.5`, `2025-02-03` gives three."""
    return _NUMBER.findall(text)


def tokens(text: str) -> list[str]:
    """Folded runs of letters and digits, inner apostrophes and hyphens kept."""
    return _TOKEN.findall(fold(text))


def words(found: Iterable[str]) -> list[str]:
    """The words among tokens. Runs of scripts without spaces become overlapping pairs of characters,
    which serve as words for every comparison made here.
    """
    result: list[str] = []
    for token in found:
        if token.isascii():
            if not token[0].isdigit():
                result.append(token)
            continue
        rest = 0
        for run in _SPACELESS.finditer(token):
            if run.start() > rest:
                result.append(token[rest : run.start()])
            chars = run.group()
            result += [chars[i : i + 2] for i in range(len(chars) - 1)] or [chars]
            rest = run.end()
        if rest < len(token):
            result.append(token[rest:])
    return result


def content(found: Iterable[str]) -> frozenset[str]:
    """The words that may carry a topic, crudely stemmed so that `shells` meets `shell`."""
    return frozenset(stem(word) for word in found if carries(word))


def carries(word: str) -> bool:
    """Whether a word is long enough to carry a topic, in its script."""
    return len(word) >= LATIN_CONTENT or not word.isascii()


def stem(word: str) -> str:
    """Cut an ending that inflection may have added. Crude on purpose: it is the same for all languages."""
    if not word.isascii() and _SPACELESS.match(word):
        return word
    word = word.removesuffix("'s").removesuffix("’s")
    return word[: max(4, len(word) - 2)] if len(word) > 5 else word[:4]


def quoted(text: str) -> list[str]:
    """Spans in quotation marks or backticks, without the marks."""
    return [next(filter(None, groups)) for groups in _QUOTED.findall(text)]


def asks(text: str) -> bool:
    """Whether the text ends in a question mark of any script."""
    return bool(_QUESTION.search(text))
