from acr.ledger.builder import Builder
from acr.ledger.core import Ledger
from acr.ledger.known import Known, Said, prefixes


def turns(*texts: str) -> list[Said]:
    return [(0, str(number), "", text) for number, text in enumerate(texts)]


def put(known: Known, said: list[Said]) -> Builder:
    builder = Builder(characters=sum(len(text) for *_, text in said))
    known.put(said, prefixes(said), builder, Ledger())
    return builder


def test_the_longest_beginning_is_found_once() -> None:
    known = Known()
    put(known, turns("a"))
    longer = put(known, turns("a", "b"))
    said = turns("a", "b", "c")
    assert known.take(said, prefixes(said)) == (longer, 2)
    assert known.take(said, prefixes(said))[1] == 1
    assert known.take(said, prefixes(said))[1] == 0


def test_a_hash_that_two_texts_share_mistakes_none() -> None:
    known = Known()
    put(known, turns("a"))
    other = turns("b")
    keys = prefixes(turns("a"))
    assert known.ledger(other, keys) is None
    assert known.take(other, keys)[1] == 0


def test_it_is_bounded_by_number_and_by_text() -> None:
    known = Known(size=3)
    for letter in "abcdef":
        put(known, turns(letter))
    assert [known.ledger(turns(x), prefixes(turns(x))) is not None for x in "abcdef"] == [False] * 3 + [
        True
    ] * 3
    known = Known(characters=10)
    put(known, turns("a" * 6))
    put(known, turns("b" * 6))
    assert known.ledger(turns("a" * 6), prefixes(turns("a" * 6))) is None
    put(known, turns("c" * 60))
    assert known.take(turns("c" * 60), prefixes(turns("c" * 60)))[1] == 0
