from acr.conversation import Conversation, Turn
from acr.ledger.builder import Builder
from acr.ledger.core import Ledger
from acr.ledger.known import Known
from acr.ledger.read import known, read


def keys(said: list[str]) -> list[int]:
    return [hash(tuple(said[: count + 1])) for count in range(len(said))]


def put(known: Known, *said: str) -> Builder:
    builder = Builder(characters=sum(map(len, said)))
    known.put(list(said), keys(list(said)), builder, Ledger())
    return builder


def held(known: Known, *said: str) -> bool:
    return known.ledger(list(said), keys(list(said))) is not None


def test_the_longest_beginning_is_found_once() -> None:
    known = Known()
    put(known, "a")
    longer = put(known, "a", "b")
    said = ["a", "b", "c"]
    assert known.take(said, keys(said)) == (longer, 2)
    assert known.take(said, keys(said))[1] == 1
    assert known.take(said, keys(said))[1] == 0


def test_a_key_that_two_texts_share_mistakes_none() -> None:
    known = Known()
    put(known, "a")
    assert held(known, "a")
    assert known.ledger(["b"], keys(["a"])) is None
    assert known.take(["b"], keys(["a"]))[1] == 0


def test_it_is_bounded_by_number_and_by_text() -> None:
    known = Known(size=3)
    for letter in "abcdef":
        put(known, letter)
    assert [held(known, letter) for letter in "abcdef"] == [False] * 3 + [True] * 3
    known = Known(characters=10)
    put(known, "a" * 6)
    put(known, "b" * 6)
    assert not held(known, "a" * 6) and held(known, "b" * 6)
    put(known, "c" * 60)
    assert not held(known, "c" * 60)


def test_a_newest_turn_in_other_words_leaves_no_trace() -> None:
    settled = [("user", "Plan a trip to Oslo for 4 people."), ("assistant", "Here are 3 hotels: A, B or C.")]
    first, second, more = "Make it 5 people instead.", "We are 6, and never before noon.", "Option B, please."

    def ledger(*said: tuple[str, str]) -> Ledger:
        return read(Conversation(tuple(Turn(str(i), *one) for i, one in enumerate(said))))  # type: ignore[arg-type]

    known.clear()
    for newest in (first, second, more, first):
        ledger(*settled, ("user", newest))
    after = [*settled, ("user", second), ("assistant", "Noted: 6 people."), ("user", more)]
    remembered = ledger(*after)
    known.clear()
    assert ledger(*after) == remembered
