"""Simulated users."""

import pytest
from acr_benchmarks import users
from acr_benchmarks.task import Item

from acr.errors import ConfigError


async def everything(user: users.User, item: Item) -> list[users.Said]:
    said: list[users.Said] = []
    while (piece := await user.say(item, [one.shard for one in said], ())) is not None:
        said.append(piece)
    return said


async def test_scripted_says_every_shard_verbatim_in_order(item: Item) -> None:
    said = await everything(users.make("scripted", "0"), item)
    assert [(piece.shard, piece.text) for piece in said] == [(s.id, s.text) for s in item.shards]


async def test_paraphrase_is_seeded_and_begins_verbatim(item: Item) -> None:
    once = await everything(users.make("paraphrase", "7"), item)
    assert once == await everything(users.make("paraphrase", "7"), item)
    assert once[0].text == item.shards[0].text
    assert [piece.shard for piece in once] == [1, 2, 3]


async def test_paraphrase_uses_every_wording(item: Item) -> None:
    heard = {(await everything(users.make("paraphrase", str(seed)), item))[1].text for seed in range(40)}
    assert heard == {"There are 16 at first.", "At first, 16.", "16 to begin with."}


def test_unknown_users_are_refused() -> None:
    with pytest.raises(ConfigError, match="known: scripted"):
        users.make("nobody", "0")
