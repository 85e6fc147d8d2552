"""Which language the user writes, from script and function words. A guess, used for headings only."""

import re
from collections import Counter
from collections.abc import Iterable

from acr.conversation import Turn
from acr.memo import Memo
from acr.reading.features import features

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)

_FUNCTION_WORDS = {
    "en": "the and is are of to in for what how with that this my you it was on i please can do does",
    "de": "der die das und ist sind nicht ein eine einen ich wie was mit für auf zu den dem im bitte kann wir",
    "fr": "le la les des est et une un je pour avec que qui dans sur pas vous nous du au aux ce cette combien",
    "es": "el la los las es y una un para con que en por no mi cuánto cómo qué del al yo se lo más necesito",
    "pt": "o a os as é e uma um para com que em por não meu minha quanto como do da no na dos das eu se mais preciso",
    "it": "il lo la gli le è e una un per con che di non mio mia quanto come del della nel io si più ho sono",
    "nl": "de het een en is zijn niet ik voor met van hoe wat op te dat deze mijn je wij aan graag kan",
    "sv": "och är en ett inte jag för med som hur vad på att det den min vi av till kan ska ja mer",
    "pl": "i jest nie się na z do w że jak co to ile dla mój moja są o po czy proszę",
    "tr": "ve bir bu için ile ne nasıl değil mi da de benim ben kaç olan çok var yok lütfen",
}
_WORDS = {language: frozenset(listed.split()) for language, listed in _FUNCTION_WORDS.items()}
_letter = re.compile(r"[^\W\d_]")


def _count(text: str) -> tuple[int, ...]:
    found = features(text).tokens
    return tuple([len([token for token in found if token in listed]) for listed in _WORDS.values()])


_hits = Memo(_count)
"""How many function words of each language a text has, in the order of `_WORDS`."""


def guess(turns: Iterable[Turn]) -> str:
    """ISO 639-1 code, or "" where it cannot be told. The newest turns decide; at most eight are read."""
    latest = [turn.text for turn in turns][-8:]
    joined = "\n".join(text[-2000:] for text in latest)
    if not joined.isascii():
        letters = len(_letter.findall(joined))
        for language, script in _SCRIPTS:
            if len(script.findall(joined)) * 4 > letters:
                return language
    tally: Counter[str] = Counter()
    for text in latest:
        for language, hits in zip(_WORDS, _hits(text[-2000:]), strict=True):
            tally[language] += hits
    if not tally:
        return ""
    (first, hits), (_, second) = tally.most_common(2)
    return first if hits > second else ""
