"""Keys and seals: one conversation, one client, one maker, or nothing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.testing import talk
from acr.viewstore import Seal, digest

SEAL = Seal(b"a secret")
TURNS = talk("one", "two", "three").turns


@given(st.binary(max_size=64), st.binary(max_size=200))
def test_what_was_closed_opens_under_its_own_key_only(content: bytes, value: bytes) -> None:
    key = SEAL.key(b"client", "maker", content)
    sealed = SEAL.close(key, value)
    assert SEAL.open(key, sealed) == value
    assert SEAL.open(SEAL.key(b"client", "maker", content + b"x"), sealed) is None
    assert Seal(b"another").open(key, sealed) is None


@given(st.binary(min_size=1, max_size=100), st.data())
def test_any_other_byte_is_noticed(value: bytes, data: st.DataObject) -> None:
    key = SEAL.key(b"", "maker", b"content")
    sealed = bytearray(SEAL.close(key, value))
    place = data.draw(st.integers(0, len(sealed) - 1))
    sealed[place] ^= data.draw(st.integers(1, 255))
    assert SEAL.open(key, bytes(sealed)) is None
    assert SEAL.open(key, bytes(sealed[:place])) is None


def test_keys_differ_by_client_maker_content_and_secret() -> None:
    made = [("a", "b", "c"), ("ab", "", "c"), ("a", "bc", ""), ("b", "b", "c"), ("a", "b", "d")]
    keys = {SEAL.key(scope.encode(), maker, content.encode()) for scope, maker, content in made}
    assert len(keys | {Seal(b"another").key(b"a", "b", b"c")}) == 6
    assert all(len(key) == 32 for key in keys)


@pytest.mark.parametrize(
    "other",
    [
        talk("one", "two").turns,
        talk("one", "two", "three ").turns,
        talk("one", "twothree").turns,
        talk("one", "two", "three", system="s").turns,
        (TURNS[0], replace(TURNS[1], role="user"), TURNS[2]),
        (TURNS[0], replace(TURNS[1], calls=("c",)), TURNS[2]),
        (TURNS[0], replace(TURNS[1], answers=("c",)), TURNS[2]),
        (TURNS[0], TURNS[1], replace(TURNS[2], plain=False)),
        (TURNS[0], TURNS[1], replace(TURNS[2], attached=True)),
    ],
)
def test_other_turns_have_another_digest(other: tuple) -> None:
    assert digest(other) != digest(TURNS)


def test_ids_and_unknown_fields_do_not_count() -> None:
    moved = tuple(replace(turn, id=f"x{turn.id}", wire={"extra": 1}) for turn in TURNS)
    assert digest(moved) == digest(TURNS)


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), min_size=1, max_size=4))
def test_any_texts_have_a_digest_of_their_own(some: list[str], others: list[str]) -> None:
    assert (digest(talk(*some).turns) == digest(talk(*others).turns)) == (some == others)
