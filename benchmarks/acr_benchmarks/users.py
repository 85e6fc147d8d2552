"""Simulated users: they reveal an instruction piece by piece, one shard a turn.

A user sees only what a person would: the conversation so far. It never goes through ACR.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from acr.errors import ConfigError
from acr_benchmarks.task import Item, Shard

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Said:
    """One thing the user says. `shard` is the id of the piece it reveals."""

    text: str
    shard: int


class User(Protocol):
    """Says the next thing, or nothing more (None)."""

    @property
    def name(self) -> str: ...

    async def say(self, item: Item, revealed: Sequence[int], history: Sequence[Message]) -> Said | None:
        """`revealed` are the ids of the shards said so far, in order."""
        ...


class Scripted:
    """Every shard verbatim, in the order of the file. Needs no model."""

    name = "scripted"

    async def say(self, item: Item, revealed: Sequence[int], history: Sequence[Message]) -> Said | None:
        shard = unrevealed(item, revealed)
        return Said(shard.text, shard.id) if shard else None


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """The first shard verbatim, the others in one of their `variants`, chosen by seed.

    The choice depends on the seed, the item and the shard only, so all settings of a run hear the same words.
    """

    seed: str
    name: str = "paraphrase"

    async def say(self, item: Item, revealed: Sequence[int], history: Sequence[Message]) -> Said | None:
        shard = unrevealed(item, revealed)
        if shard is None:
            return None
        if not revealed:
            return Said(shard.text, shard.id)
        choices = (shard.text, *(variant for variant in shard.variants if variant != shard.text))
        return Said(Random(f"{self.seed}/{item.id}/{shard.id}").choice(choices), shard.id)


def unrevealed(item: Item, revealed: Sequence[int]) -> Shard | None:
    """The first shard not yet said."""
    return next((shard for shard in item.shards if shard.id not in revealed), None)


def make(name: str, seed: str) -> User:
    """The user of that name. Raises `ConfigError` naming the known ones."""
    if name == "scripted":
        return Scripted()
    if name == "paraphrase":
        return Paraphrase(seed)
    raise ConfigError(f"there is no user named {name!r}; known: scripted, paraphrase")
