from acr.phrases import PHRASES, phrase
from acr.reading.language import _SCRIPTS, _WORDS


def test_every_language_that_can_be_guessed_has_every_phrase() -> None:
    languages = {*_WORDS, *(language for language, _ in _SCRIPTS)}
    for name, texts in PHRASES.items():
        assert set(texts) == languages, name


def test_no_words_rather_than_foreign_ones() -> None:
    assert phrase("recap", "xx") == ""
    assert phrase("recap", "") == ""
