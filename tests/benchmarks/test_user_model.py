"""The user played by a model: what it is asked, what is taken from it, and when the paraphrase speaks."""

import json
from collections.abc import Iterator

import pytest
from acr_benchmarks import users
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.task import Item, Shard
from acr_benchmarks.users import Model, Said, understood

from acr.errors import BenchmarkError, UpstreamError

HISTORY = (
    {"role": "system", "content": "You help people solve math word problems."},
    {"role": "user", "content": "How many in 0?"},
    {"role": "assistant", "content": "How many are added?"},
)
LEFT = (Shard(2, "There are 16 at first.", ("At first, 16.",)), Shard(3, "Two are added."))


def spoken(shard: object, text: object) -> str:
    return json.dumps({"shard_id": shard, "response": text})


@pytest.fixture
def model(server) -> Model:
    return Model("0", Endpoint(server.url, "user-1", pauses=()))


async def test_the_model_chooses_and_rephrases(server, model: Model, item: Item, make_completion) -> None:
    server.handler = lambda body: make_completion(f"Sure: {spoken(3, 'oh, two more come in')}")
    said = await model.say(item, [1], HISTORY)
    assert said == Said("oh, two more come in", 3, "model")
    (body,) = server.requests
    assert (body["model"], body["temperature"]) == ("user-1", 1.0)
    asked = body["messages"][1]["content"]
    assert "assistant: How many are added?" in asked
    assert "Revealed:\n- How many in 0?" in asked
    assert "Still to come:\n2: There are 16 at first.\n3: Two are added." in asked
    assert "word problems" not in asked, "the system prompt is not for the user's eyes"
    assert "#### 18" not in asked and "Whole question" not in asked


async def test_the_first_piece_is_said_verbatim_without_a_call(server, model: Model, item: Item) -> None:
    assert await model.say(item, [], HISTORY[:1]) == Said("How many in 0?", 1)
    assert server.requests == []


async def test_where_nobody_answers_the_words_are_the_files(server, model: Model, item: Item) -> None:
    assert await model.say(item, [1], ()) == Said("There are 16 at first.", 2)
    ordered = Item("o", "summary", item.shards, {}, ordered=True)
    said = await model.say(ordered, [1], HISTORY)
    assert said is not None and said.shard == 2 and said.note is None
    assert server.requests == []


async def test_nothing_is_left(server, model: Model, item: Item) -> None:
    assert await model.say(item, [1, 3, 2], HISTORY) is None
    assert server.requests == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("I would say there are 16.", "no JSON"),
        (spoken(1, "How many in 0?"), "shard 1 is not to come"),
        (spoken(-1, "I don't know"), "shard -1 is not to come"),
        (spoken(None, "16"), "shard None is not to come"),
        (spoken(2, ""), "nothing said"),
        (spoken(2, ["16"]), "nothing said"),
        (spoken(2, "There are some at first."), "other numbers than in shard 2"),
        (spoken(2, "There are 17 at first."), "other numbers than in shard 2"),
        (spoken(2, "16 at first, 2 are added"), "other numbers than in shard 2"),
        (spoken(2, "16 " + "and so on " * 60), "too much said"),
    ],
)
async def test_what_is_not_taken(
    server, model: Model, item: Item, make_completion, answer: str, problem: str
) -> None:
    assert understood(answer, LEFT) == problem
    server.handler = lambda body: make_completion(answer)
    said = await model.say(item, [1], HISTORY)
    plain = await users.Paraphrase("0").say(item, [1], HISTORY)
    assert plain is not None
    assert said == Said(plain.text, 2, f"paraphrase: {problem}")
    assert len(server.requests) == 2
    assert len({body["seed"] for body in server.requests}) == 2, "asked the same again, it would say the same"


async def test_a_second_attempt_counts(server, model: Model, item: Item, make_completion) -> None:
    answers: Iterator[str] = iter(["what?", spoken("2", "16 at the start")])
    server.handler = lambda body: make_completion(next(answers))
    assert await model.say(item, [1], HISTORY) == Said("16 at the start", 2, "model")


async def test_it_is_seeded(server, item: Item, make_completion) -> None:
    server.handler = lambda body: make_completion(spoken(2, "16 at the start"))
    for seed in ("0", "0", "1"):
        await Model(seed, Endpoint(server.url, "m", pauses=())).say(item, [1], HISTORY)
    first, again, other = (body["seed"] for body in server.requests)
    assert first == again != other
    assert 0 <= first < 2**31


async def test_a_model_that_is_gone_is_an_error(server, model: Model, item: Item) -> None:
    server.handler = lambda body: (500, {})
    with pytest.raises(UpstreamError):
        await model.say(item, [1], HISTORY)


def test_it_needs_a_server() -> None:
    with pytest.raises(BenchmarkError, match="needs a model server"):
        users.make("model", "0")
    assert users.make("model", "0", Endpoint("http://127.0.0.1:9/v1")).name == "model"
