import pytest

from acr.ledger.sentence import sentence


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Book for 4 people on Friday at 7pm.", ["4 count", "Friday day", "7pm time"]),
        ("Am 3. Mai um 18:30, Raum 204.", ["3. Mai date", "18:30 time", "204 numbered"]),
        ("On June 3 for $1,200 or 900 euros", ["June 3 date", "$1,200 money", "900 euros money"]),
        ("El 5 de agosto a las 21:00", ["5 de agosto date", "21:00 time"]),
        ("Two rooms, not three", ["Two count"]),
        ("星期五晚上7点，4个人，预算3000元", ["星期五 day", "7点 time", "4 count", "3000元 money"]),
        ("5月3日に19時、4人", ["5月3日 date", "19時 time", "4 count"]),
        ("Wir sind zwei.", []),
        ("It costs 2.5 and 20% of 3", ["2.5 numbered", "20 count", "3 bare"]),
        ("Version v2 of file a1b2", []),
    ],
)
def test_values_and_their_kinds(text: str, found: list[str]) -> None:
    read = sentence(text)
    assert [f"{text[value.start : value.end]} {value.kind}" for value in read.values] == found


def test_what_is_counted_tells_slots_apart() -> None:
    people, dogs = (sentence(text).values[0].units for text in ("12 people", "3 dogs"))
    assert not people & dogs
    assert sentence("make it 15 people tonight").values[0].units & people
    assert sentence("6个人").values[0].units == sentence("4个人").values[0].units
