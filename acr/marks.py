"""Marking, inside the user's own text, what a later sentence overrules."""

from acr.conversation import Turn
from acr.ledger import Ledger
from acr.reading.dialogue import sentences
from acr.text import clean

_END = ".!?…。！？।؟"


def note(sentence: str, replacement: str | None) -> str:
    """The sentence with `(→ replacement)` before its full stop; as it is where nothing replaces it."""
    if replacement is None:
        return sentence
    body = sentence.rstrip(_END)
    return f"{body} (→ {replacement.rstrip(_END)}){sentence[len(body) :]}"


def marked(turn: Turn, ledger: Ledger) -> str:
    """The turn's text with a note at each sentence that a later one overrules. No word is lost."""
    text = turn.text.strip()
    for sentence in sentences(turn):
        replacement = ledger.replacement(turn.id, sentence)
        if replacement is not None:
            text = text.replace(sentence, note(sentence, replacement), 1)
    return clean(text)
