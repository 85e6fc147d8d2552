"""Reading text in any language: sentences, words, numbers. No model, no language-specific grammar."""

import re
import unicodedata

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？।؟])\s*|\n+")


def sentences(text: str) -> list[str]:
    """The sentences of a text, verbatim, stripped, none empty. Decimal points do not end one."""
    return [part for part in map(str.strip, _SENTENCE.split(text)) if part]


def clean(text: str) -> str:
    """Text that is safe to write into JSON: lone surrogates become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def fold(text: str) -> str:
    """Lower case, compatibility forms unified, for comparing only."""
    return unicodedata.normalize("NFKC", text).casefold()
