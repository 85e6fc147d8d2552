"""The model's two steps: what is taken from its answers."""

import json
from collections.abc import Iterator

import pytest
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.sharding import cut
from acr_benchmarks.sharding.cut import Piece, pieces, segments
from hypothesis import given, settings
from hypothesis import strategies as st

TEXT = "Tom has 3 pens.\nAnn has 4  pens. How many pens are there?"
PARTS = ["Tom has 3 pens.", "Ann has 4 pens.", "How many pens are there?"]
SHARDS = {
    "shards": [
        {"shard": "How many pens are there?", "variants": ["the number of pens?", "how many pens?"]},
        {"shard": "Tom has 3 pens.", "variants": ["3 pens are Tom's", "Tom has 4 pens", "Tom has 3 pens."]},
        {"shard": "Ann has 4 pens."},
    ]
}


def test_segments_stand_in_the_text_in_its_order_without_overlap() -> None:
    assert segments({"segments": PARTS}, TEXT) == [
        "Tom has 3 pens",
        "Ann has 4 pens",
        "How many pens are there?",
    ]
    made = ["how many pens are there?", "3 pens", "Tom has 3 pens.", "Bob has none.", 7, "ANN has 4 pens,"]
    assert segments({"segments": made}, TEXT) == ["3 pens", "Ann has 4 pens", "How many pens are there?"]
    assert segments({"segments": ["ha ha", "ha ha", "ha ha"]}, "Ha ha, ha ha!") == ["Ha ha", "ha ha"]
    for broken in ({}, {"segments": "Tom"}, {"segments": None}, {"segments": ["", " . "]}):
        assert segments(broken, TEXT) == []


def test_pieces_lose_wordings_that_change_them() -> None:
    assert pieces(SHARDS) == [
        Piece("How many pens are there?", ("the number of pens?", "how many pens?")),
        Piece("Tom has 3 pens.", ("3 pens are Tom's",)),
        Piece("Ann has 4 pens."),
    ]
    assert pieces({"shards": ["a", "", None, {"shard": 3}, {"shard": "b", "variants": "c"}]}) == [
        Piece("a"),
        Piece("b"),
    ]
    assert pieces({"shards": {"shard": "a"}}) == []


@settings(max_examples=40)
@given(
    st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x))
)
def test_nothing_that_a_model_says_breaks_it(value: object) -> None:
    for made in ({"segments": value, "shards": value}, {"shards": [{"shard": value, "variants": value}]}):
        segments(made, TEXT)
        pieces(made)


@pytest.fixture
def endpoint(server) -> Endpoint:
    return Endpoint(server.url, "m", pauses=())


def test_the_only_question_comes_first() -> None:
    told, asks = Piece("Tom has 3 pens."), Piece("How many are there?")
    assert cut.fronted([told, told, asks]) == [asks, told, told]
    assert cut.fronted([told, asks, asks]) == [told, asks, asks]
    assert cut.fronted([told]) == [told] and cut.fronted([]) == []


async def test_too_few_segments_are_asked_for_again(server, endpoint: Endpoint, make_completion) -> None:
    answers: Iterator[dict] = iter([{"segments": PARTS[:2]}, {"segments": PARTS}])
    server.handler = lambda body: make_completion(json.dumps(next(answers)))
    assert await cut.segment(endpoint, TEXT) == segments({"segments": PARTS}, TEXT)
    assert [body["seed"] for body in server.requests] == [0, 1]
    server.handler = lambda body: make_completion("I would rather not.")
    assert await cut.segment(endpoint, TEXT) == []


async def test_faults_are_told_to_the_model_once(server, endpoint: Endpoint, make_completion) -> None:
    lost = {
        "shards": [
            {"shard": "How many pens are there?"},
            {"shard": "Tom has pens."},
            {"shard": "Ann has 4 pens."},
        ]
    }
    answers: Iterator[dict] = iter([lost, SHARDS])
    server.handler = lambda body: make_completion(json.dumps(next(answers)))
    assert await cut.rephrase(endpoint, TEXT, PARTS) == pieces(SHARDS)
    first, second = (body["messages"][1]["content"] for body in server.requests)
    assert "faults" not in first
    assert "number '3' is missing from the pieces" in second


async def test_the_better_attempt_is_kept(server, endpoint: Endpoint, make_completion) -> None:
    lost = {
        "shards": [
            {"shard": "How many pens are there?"},
            {"shard": "Tom has pens."},
            {"shard": "Ann has 4 pens."},
        ]
    }
    answers: Iterator[str] = iter([json.dumps(lost), '{"shards": ["no"]}'])
    server.handler = lambda body: make_completion(next(answers))
    assert await cut.rephrase(endpoint, TEXT, PARTS) == pieces(lost)
    server.handler = lambda body: make_completion("nothing")
    assert await cut.rephrase(endpoint, TEXT, PARTS) == []
