"""Simulated users: they reveal an instruction piece by piece, one shard a turn.

A user sees only what a person would: the conversation so far. It never goes through ACR.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from acr.errors import BenchmarkError, ConfigError
from acr_benchmarks.endpoint import Endpoint, json_object
from acr_benchmarks.soundness import numbers
from acr_benchmarks.task import Item, Shard

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Said:
    """One thing the user says. `shard` is the id of the piece it reveals."""

    text: str
    shard: int
    note: str | None = None
    """Who said it, where that is not plain from the user's name: a model, or why it was not one."""


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


LAZY = (
    "You play a user who talks to an assistant and gives away what they want bit by bit. You get the "
    "conversation so far, what the user has revealed, and the facts that are still to come, with their "
    "numbers. Choose the one fact that fits best now: what the assistant asked for, if it is among them, "
    "else the one that comes most naturally. Say it in one short, casual sentence in your own words, as "
    "somebody types who does not want to type much. Say all of that fact, with every number and name in it, "
    "and nothing of the other facts. Ask nothing, do not thank, do not comment. "
    'Answer with JSON only: {"shard_id": <number of the fact>, "response": "<what the user says>"}'
)
TEMPERATURE = 1.0
"""Of the user, as in the protocol."""
REPLY = 300
"""Tokens that the user's answer may take."""


@dataclass(frozen=True, slots=True)
class Model:
    """The protocol's lazy user: a model chooses the next shard and says it in its own words.

    The first shard is said verbatim, as in the protocol. What the model says must name a shard that is still
    to come and keep its numbers; it is asked once more if it does not, then `Paraphrase` speaks for it and
    the episode says so. Unlike the protocol's, this user always reveals something: it does not answer "I
    don't know". Where nobody answers (CONCAT), and for pieces that are material, the words are the file's.
    """

    seed: str
    endpoint: Endpoint
    name: str = "model"
    instead: Paraphrase = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "instead", Paraphrase(self.seed))

    async def say(self, item: Item, revealed: Sequence[int], history: Sequence[Message]) -> Said | None:
        """Raises `UpstreamError` or `BenchmarkError` where the model cannot be reached."""
        left = [shard for shard in item.shards if shard.id not in revealed]
        if not left or not revealed or item.ordered or not history:
            return await (self.instead if item.ordered else Scripted()).say(item, revealed, history)
        problem = ""
        for attempt in range(2):
            answer = await self.endpoint.ask(
                prompt(item, revealed, left, history),
                self.draw(item, revealed, attempt),
                temperature=TEMPERATURE,
                max_tokens=REPLY,
            )
            said = understood(answer, left)
            if isinstance(said, Said):
                return said
            problem = said
        spoken = await self.instead.say(item, revealed, history)
        return replace(spoken, note=f"paraphrase: {problem}") if spoken else None

    def draw(self, item: Item, revealed: Sequence[int], attempt: int) -> int:
        """A sampling seed: a 31-bit integer of seed, item, what is revealed, and attempt."""
        key = f"{self.seed}/{item.id}/{','.join(map(str, revealed))}/{attempt}"
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") >> 1


def prompt(
    item: Item, revealed: Sequence[int], left: Sequence[Shard], history: Sequence[Message]
) -> list[dict[str, str]]:
    """What the user's model is asked. System messages are not for the user's eyes."""
    told = "\n".join(
        f"{message['role']}: {message['content']}" for message in history if message["role"] != "system"
    )
    known = "\n".join(f"- {shard.text}" for shard in item.shards if shard.id in revealed)
    coming = "\n".join(f"{shard.id}: {shard.text}" for shard in left)
    content = f"Conversation:\n{told}\n\nRevealed:\n{known}\n\nStill to come:\n{coming}"
    return [{"role": "system", "content": LAZY}, {"role": "user", "content": content}]


def understood(answer: str, left: Sequence[Shard]) -> Said | str:
    """What the model had the user say, or what is wrong with it."""
    made = json_object(answer)
    if made is None:
        return "no JSON"
    text = made.get("response")
    chosen = next((shard for shard in left if str(shard.id) == str(made.get("shard_id"))), None)
    if chosen is None:
        return f"shard {str(made.get('shard_id'))[:20]} is not to come"
    if not isinstance(text, str) or not text.strip():
        return "nothing said"
    if len(text) > 2 * len(chosen.text) + 200:
        return "too much said"
    if set(numbers(text)) != set(numbers(chosen.text)):
        return f"other numbers than in shard {chosen.id}"
    return Said(text.strip(), chosen.id, "model")


def make(name: str, seed: str, endpoint: Endpoint | None = None) -> User:
    """The user of that name. Raises `ConfigError` naming the known ones, `BenchmarkError` if `model` has no
    model to speak for it.
    """
    if name == "scripted":
        return Scripted()
    if name == "paraphrase":
        return Paraphrase(seed)
    if name == "model":
        if endpoint is None:
            raise BenchmarkError("the user 'model' needs a model server")
        return Model(seed, endpoint)
    raise ConfigError(f"there is no user named {name!r}; known: scripted, paraphrase, model")
