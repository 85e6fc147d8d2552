"""Tasks whose answers are artefacts, told in pieces, with the answers that a model gives too early.

`drafts.jsonl` has, for each item of `database`, `actions` and `code`, an answer after every piece but the last:
what was said until then, made from the reference, and guesses for the rest.
"""

import json

import pytest
from acr_benchmarks import task
from acr_benchmarks.controls import PATH
from acr_benchmarks.task import Item
from acr_benchmarks.users import Paraphrase, Scripted, User

from acr import registry
from acr.engine import Engine, Outcome
from acr.testing import talk

RULES = Engine(registry.controller("rules"), registry.operators())
ANSWERS: dict[str, list[str]] = {
    row["task_id"]: row["answers"]
    for row in map(json.loads, PATH.with_name("drafts.jsonl").read_text(encoding="utf-8").splitlines())
}
ITEMS = [
    item
    for name in ("database", "actions", "code")
    for item in task.read(PATH.with_name(f"{name}.jsonl"), name)
    if item.id in ANSWERS and len(ANSWERS[item.id]) == len(item.shards) - 1
]
USERS: list[User] = [Scripted(), Paraphrase("a"), Paraphrase("b")]


async def texts(item: Item, user: User) -> list[str]:
    said: list[str] = []
    for number, shard in enumerate(item.shards):
        told = await user.say(item, [shard.id for shard in item.shards[:number]], [])
        assert told is not None and told.shard == shard.id
        said += [told.text, *ANSWERS[item.id][number : number + 1]]
    return said


async def last_turn(item: Item, user: User) -> Outcome:
    return await RULES.run(talk(*await texts(item, user)))


def test_most_items_have_their_answers() -> None:
    assert len(ITEMS) > 100


@pytest.mark.parametrize("user", USERS, ids=["scripted", "paraphrase a", "paraphrase b"])
@pytest.mark.parametrize("name", ["database", "actions", "code"])
async def test_rules_act_by_the_last_turn(name: str, user: User) -> None:
    acted = [(await last_turn(item, user)).changed for item in ITEMS if item.task == name]
    assert sum(acted) >= 0.9 * len(acted) > 30


@pytest.mark.parametrize("item", ITEMS[::7], ids=lambda item: item.id)
async def test_the_last_draft_is_seen_unless_all_can_be_made_anew(item: Item) -> None:
    outcome = await last_turn(item, USERS[0])
    if outcome.decision.operator != "consolidate":
        seen = [turn.text for turn in outcome.conversation if turn.role == "assistant"]
        assert seen[-1:] == ANSWERS[item.id][-1:]
    said = "\n".join(turn.text for turn in outcome.conversation)
    assert all(shard.text in said for shard in item.shards)
