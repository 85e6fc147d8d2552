from acr.reading.lexicon import LISTS, acts
from acr.text import fold, tokens


def test_every_entry_is_found_where_it_stands_alone() -> None:
    for act, entries in LISTS.items():
        for line in entries.strip().splitlines():
            for phrase in filter(None, line.split("|")):
                phrase = phrase.rstrip("*").rstrip("'")
                assert act in acts(tokens(phrase), fold(phrase)), (act, phrase)


def test_entries_match_whole_words_only() -> None:
    assert acts(tokens("notable knot"), "notable knot") == {}
