"""The digest: bounded, deterministic, and it says what it should."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from acr.conversation import Conversation
from acr.embedded.catalogue import Model
from acr.lm import artefact, rendering, trunk
from acr.lm.rendering import LIMIT, ends, first, plain, render
from acr.signals import observe
from acr.testing import talk
from acr.testing.strategies import conversations

WORDS = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
"""A word is a token, so nothing is squeezed."""
WORDS.pre_tokenizer = pre_tokenizers.WhitespaceSplit()

LOST = talk("How many apples do I have?", "You have 12.", "I bought 3 bags.", "You have 36.", "Each has 7.")


@pytest.fixture(scope="module")
def tokenizer(tiny_trunk: Path) -> Any:
    return trunk.tokenizer(str(tiny_trunk))


def digest(conversation: Conversation, tokenizer: Any) -> str:
    return render(conversation, observe(conversation), tokenizer)


@given(conversations())
def test_any_conversation_fits_and_gives_the_same_again(tokenizer: Any, conversation: Conversation) -> None:
    text = digest(conversation, tokenizer)
    assert len(tokenizer.encode(text).ids) <= LIMIT
    assert text == digest(Conversation(tuple(conversation)), tokenizer)
    assert text.endswith("\ndecide") and "<|" not in text
    text.encode("utf-8")


@given(st.text(min_size=0, max_size=4000), st.text(max_size=4000))
def test_long_texts_fit_too(tokenizer: Any, user: str, answer: str) -> None:
    talked = talk(user * 3, answer * 3, user + "x", answer, answer + user)
    assert len(tokenizer.encode(digest(talked, tokenizer)).ids) <= LIMIT


@given(st.text(max_size=300), st.integers(0, 60), st.integers(0, 30))
def test_what_is_cut_is_a_beginning_and_an_end(tokenizer: Any, text: str, head: int, tail: int) -> None:
    text = plain(text)
    assert text.startswith(first(text, head, tokenizer))
    shown = ends(text, head, tail, tokenizer)
    if shown != text:
        before, _, after = shown.partition(" … ")
        assert text.startswith(before.rstrip()) and text.endswith(after)


def test_it_says_what_the_conversation_is_like() -> None:
    text = render(LOST, observe(LOST), WORDS)
    lines = text.split("\n")
    assert lines[0] == "goal How many apples do I have?"
    assert lines[1].startswith("said ") and "requirement" in lines[1]
    assert lines[2].startswith("seen ") and "premature answers" in lines[2]
    assert lines[3:5] == ["answer You have 12.", "answer You have 36."]
    assert lines[5:] == ["user Each has 7.", "decide"]


def test_both_ends_of_a_long_message_are_read() -> None:
    talked = talk("Write it.", "Done.", "FIRST " + "word " * 2000 + "LAST")
    text = render(talked, observe(talked), WORDS)
    assert "user FIRST word" in text and text.endswith("LAST\ndecide") and " … " in text


def test_numbers_that_change_change_the_words(tokenizer: Any) -> None:
    more = Conversation((*LOST, *talk("", "You have 21.", "No, 8 each.").turns[1:]))
    assert digest(more, tokenizer) != digest(LOST, tokenizer)


def test_cards_name_the_rendering_that_this_code_has() -> None:
    assert artefact.RENDERING == rendering.VERSION


@pytest.fixture(scope="module")
def real(small: Model) -> Any:
    return trunk.tokenizer(small.name)


@pytest.mark.model
@given(conversations())
def test_the_real_tokenizer(real: Any, conversation: Conversation) -> None:
    assert len(real.encode(digest(conversation, real)).ids) <= LIMIT
