"""Conversations: what the model is sent in each setting, and how they are scored."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from acr_benchmarks import settings, users
from acr_benchmarks.client import Reply
from acr_benchmarks.episode import Job, draw, play
from acr_benchmarks.records import Episode
from acr_benchmarks.task import Item
from acr_benchmarks.tasks.math import Math


@dataclass
class Model:
    """Stands in for the client: says what it is told to, and keeps what it was sent."""

    replies: Sequence[str | Reply] = ()
    temperature: float = 0.7
    max_tokens: int = 9
    sent: list[list[tuple[str, str]]] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    async def complete(self, messages: Sequence[dict[str, str]], seed: int) -> Reply:
        self.sent.append([(message["role"], message["content"]) for message in messages])
        self.seeds.append(seed)
        reply = self.replies[len(self.sent) - 1] if len(self.sent) <= len(self.replies) else "Answer: 1"
        return reply if isinstance(reply, Reply) else Reply(reply, "stop", 10, 5)


def job(item: Item, setting: str, run: int = 0, seed: int = 0, user: str = "scripted") -> Job:
    return Job(Math(), item, settings.parse(setting), run, seed, users.make(user, str(seed)))


async def held(item: Item, setting: str, *replies: str | Reply) -> tuple[Episode, Model]:
    model = Model(replies)
    return await play(job(item, setting), model), model  # type: ignore[arg-type]


async def test_full(item: Item) -> None:
    episode, model = await held(item, "full", "Answer: 18")
    assert model.sent == [[("system", Math().system(item)), ("user", "Whole question 0?")]]
    assert (episode.score, episode.protocol_score, episode.first_correct) == (1.0, 1.0, 0)
    assert episode.order == []


async def test_concat(item: Item) -> None:
    episode, model = await held(item, "concat")
    assert model.sent[0][1] == ("user", "- How many in 0?\n- There are 16 at first.\n- Two are added.")
    assert len(model.sent) == 1
    assert episode.order == [1, 2, 3]


async def test_shuffle_concat_is_another_order_of_the_same(item: Item) -> None:
    orders = set()
    for run in range(12):
        model = Model()
        episode = await play(job(item, "shuffle_concat", run), model)  # type: ignore[arg-type]
        assert sorted(model.sent[0][1][1].splitlines()) == sorted(
            ["- How many in 0?", "- There are 16 at first.", "- Two are added."]
        )
        orders.add(tuple(episode.order))
    assert len(orders) > 1


@pytest.mark.parametrize("setting", ["sharded", "acr:rules"])
async def test_sharded(item: Item, setting: str) -> None:
    episode, model = await held(item, setting, "Answer: 5", "Answer: 18", "Answer: 7")
    assert [message for role, message in model.sent[-1] if role == "user"] == [s.text for s in item.shards]
    assert [message for role, message in model.sent[-1] if role == "assistant"] == ["Answer: 5", "Answer: 18"]
    assert [turn.shard for turn in episode.turns] == [1, 2, 3]
    assert [turn.score for turn in episode.turns] == [0.0, 1.0, 0.0]
    assert (episode.score, episode.first_correct, episode.protocol_score) == (0.0, 1, 1.0)
    assert (episode.prompt_tokens, episode.completion_tokens) == (30, 15)


async def test_snowball(item: Item) -> None:
    _, model = await held(item, "snowball")
    last = model.sent[-1][-1][1]
    assert "- How many in 0?\n- There are 16 at first." in last
    assert last.endswith("Two are added.")
    assert len(model.sent) == 3


async def test_recap(item: Item) -> None:
    episode, model = await held(item, "recap", "?", "?", "?", "Answer: 18")
    assert len(model.sent) == 4
    assert "- How many in 0?\n- There are 16 at first.\n- Two are added." in model.sent[-1][-1][1]
    assert model.sent[-1][:-1] == [*model.sent[-2], ("assistant", "?")]
    assert episode.score == 1.0
    assert [turn.shard for turn in episode.turns] == [1, 2, 3, None]


async def test_a_conversation_that_outgrows_the_model_ends(item: Item) -> None:
    episode, model = await held(item, "sharded", "Answer: 5", Reply(error="context"))
    assert len(model.sent) == 2
    assert episode.turns[-1].error == "context"
    assert (episode.score, episode.prompt_tokens) == (0.0, None)


async def test_guesses_are_marked(item: Item) -> None:
    episode, _ = await held(item, "sharded", "How many of the 5?", "Tell me more.", "Answer: 18")
    assert [(turn.answer, turn.explicit) for turn in episode.turns] == [
        ("5", False),
        (None, False),
        ("18", True),
    ]


async def test_samples_are_seeded_alike_in_every_setting(item: Item) -> None:
    _, sharded = await held(item, "sharded")
    _, proxied = await held(item, "acr:rules")
    assert sharded.seeds == proxied.seeds
    assert len(set(sharded.seeds)) == 3
    assert draw(job(item, "full"), 0) != draw(job(item, "full", run=1), 0)
    assert draw(job(item, "full"), 0) != draw(job(item, "full", seed=1), 0)
    assert 0 <= draw(job(item, "full"), 0) < 2**31


async def test_a_record_survives_its_own_json(item: Item) -> None:
    episode, _ = await held(item, "sharded")
    assert Episode.model_validate_json(episode.model_dump_json()) == episode


def test_calls_at_most(item: Item) -> None:
    assert [job(item, name).calls for name in ("full", "concat", "sharded", "recap", "acr:x")] == [
        1,
        1,
        3,
        4,
        3,
    ]
