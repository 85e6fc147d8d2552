"""`acr tokens`: the estimate for a whole request body."""

import json
from typing import Any

import pytest

from acr import tokens
from acr.errors import ConversationError


def estimate(acr: Any, body: object) -> int:
    found: int = json.loads(acr("tokens", "-", "--json", given=json.dumps(body)).stdout)["tokens"]
    return found


def test_a_number_for_people_and_parts_as_data(acr: Any) -> None:
    body = {"messages": [{"role": "user", "content": "Hello there"}]}
    assert acr("tokens", "-", given=json.dumps(body)).stdout == "6\n"
    found = json.loads(acr("tokens", "-", "--json", given=json.dumps(body)).stdout)
    assert found == {"tokens": 6, "messages": 6, "tools": 0, "other": 0}


def test_tools_count(acr: Any) -> None:
    body: dict[str, Any] = {"messages": [{"role": "user", "content": "Hi"}]}
    tool = {"type": "function", "function": {"name": "size", "description": "word " * 200}}
    assert estimate(acr, {**body, "tools": [tool]}) > estimate(acr, body) + 200


def test_an_image_counts_flat_whatever_its_bytes(acr: Any) -> None:
    def body(data: str) -> object:
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + data}}
        return {"messages": [{"role": "user", "content": [{"type": "text", "text": "What?"}, image]}]}

    small, large = estimate(acr, body("QUJD")), estimate(acr, body("QUJD" * 100_000))
    assert small == large
    assert tokens.PER_ATTACHMENT < small < tokens.PER_ATTACHMENT + 50


def test_parts_of_text_and_empty_messages(acr: Any) -> None:
    parts = [{"type": "text", "text": "alpha " * 60}, {"type": "text", "text": "beta " * 60}]
    messages = [{"role": "user", "content": parts}, {"role": "assistant", "content": None}]
    assert estimate(acr, {"messages": messages}) >= 120


@pytest.mark.parametrize(
    "body",
    [
        {"input": [{"role": "user", "content": [{"type": "input_text", "text": "alpha " * 60}]}]},
        {"input": "alpha " * 60},
        {"system": "alpha " * 60, "messages": [{"role": "user", "content": "Hi"}]},
        {"instructions": "alpha " * 60, "input": "Hi"},
        {"messages": [{"role": "wizard", "content": "alpha " * 60}]},
        {"messages": {"not": "a list", "text": "alpha " * 60}},
    ],
)
def test_bodies_of_other_dialects_and_odd_ones_are_estimated_too(acr: Any, body: object) -> None:
    assert 60 <= estimate(acr, body) < 90


def test_images_of_other_dialects_count_flat(acr: Any) -> None:
    source = {"type": "base64", "data": "QUJD" * 10_000}
    parts = [{"type": "image", "source": source}, {"type": "input_image", "image_url": "data:QUJD" * 1000}]
    body = {"input": [{"role": "user", "content": parts}]}
    assert estimate(acr, body) == 2 * tokens.PER_ATTACHMENT + tokens.PER_MESSAGE


def test_marks_of_models_are_plain_text(acr: Any) -> None:
    assert estimate(acr, {"messages": [{"role": "user", "content": "<|endoftext|>"}]}) > 6


@pytest.mark.parametrize(("given", "said"), [("{", "is not JSON"), ("[]", "must be a JSON object")])
def test_what_is_no_request_body(acr: Any, given: str, said: str) -> None:
    error = acr("tokens", "-", given=given).exception
    assert isinstance(error, ConversationError) and said in str(error)
