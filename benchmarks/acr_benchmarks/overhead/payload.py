"""Conversations of a given size, as request bodies with a place for a number that is new in each request."""

import json
import random

from acr_benchmarks.overhead.job import Job, Talk

POOL = 16
"""Conversations that take turns."""
PLACE = "000000000"
WORDS = (
    "garden fence metre shop price list paper window Oslo river stone table light morning bread "
    "colour letter music road winter copper glass field market cloud"
).split()
QUESTIONS = (
    "What is the difference between {} and {}?",
    "Why do people write about {} and {}?",
    "Which came first, {} or {}?",
)
PIECES = ("There are {0} {1} trees.", "Each {1} tree gives {0} kilograms.", "{0} {1} baskets go to shops.")
LENGTHS: dict[Talk, int] = {"plain": 10, "lost": 7}
"""Tokens of a user turn; the rest of a pair of turns is the answer's."""


def bodies(job: Job) -> list[tuple[bytes, bytes]]:
    """What stands before and after the number, for each conversation of the pool."""
    return [body(job, seed) for seed in range(POOL)]


def body(job: Job, seed: int) -> tuple[bytes, bytes]:
    """The body for one conversation, cut where the number goes."""
    fields = {
        "model": f"scripted-{job.chunks}-{job.gap}",
        "stream": job.stream,
        "temperature": 0.7,
        "messages": conversation(job.talk, job.turns, job.tokens, seed),
    }
    before, _, after = json.dumps(fields).encode().partition(PLACE.encode())
    return before, after


def conversation(talk: Talk, turns: int, tokens: int, seed: int) -> list[dict[str, str]]:
    """`turns` messages of about `tokens` tokens in all, the last one the user's."""
    chance = random.Random(f"{talk} {seed}")
    answer = max(4, 2 * tokens // turns - LENGTHS[talk])
    messages = []
    for index in range(turns):
        role = "user" if (turns - index) % 2 else "assistant"
        text = asked(talk, chance, first=index < 2) if role == "user" else answered(talk, chance, answer)
        messages.append({"role": role, "content": text})
    last = messages[-1]["content"]
    messages[-1]["content"] = (
        f"{last} Use {PLACE}." if talk == "lost" else f"And one more: who was born in {PLACE}?"
    )
    return messages


def asked(talk: Talk, chance: random.Random, *, first: bool) -> str:
    if talk == "plain":
        return chance.choice(QUESTIONS).format(*chance.sample(WORDS, 2))
    if first:
        return "How many kilograms of fruit does my orchard give?"
    return chance.choice(PIECES).format(chance.randrange(10, 90), chance.choice(WORDS))


def answered(talk: Talk, chance: random.Random, length: int) -> str:
    if talk == "plain":
        return words(chance, length)
    figure = chance.randrange(100, 900)
    return (
        f"To find the total we add it all up. {words(chance, length - 16)} The answer is {figure} kilograms."
    )


def words(chance: random.Random, count: int) -> str:
    """Sentences of twelve words."""
    found = [chance.choice(WORDS) for _ in range(max(1, count))]
    return " ".join(" ".join(found[at : at + 12]).capitalize() + "." for at in range(0, len(found), 12))
