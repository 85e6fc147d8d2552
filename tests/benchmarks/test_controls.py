"""The control conversations, and that the check on them can fail."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from acr_benchmarks import controls
from acr_benchmarks.chronology import chains
from acr_benchmarks.controls import Control, examine, load, lost
from acr_benchmarks.task import Item, Shard

from acr import registry
from acr.conversation import Conversation
from acr.decision import Context, Kind
from acr.edits import Drop, Edit, Insert, Rewrite
from acr.engine import Engine
from acr.errors import BenchmarkError

CONTROLS = load()
ROWS: dict[str, dict[str, Any]] = {
    row["task_id"]: row for row in map(json.loads, controls.PATH.read_text(encoding="utf-8").splitlines())
}


def test_there_are_enough_of_every_kind_and_language() -> None:
    assert len(CONTROLS) >= 100
    assert min(Counter(control.category for control in CONTROLS).values()) >= 9
    assert set(Counter(control.category for control in CONTROLS)) == {
        "reference",
        "decision",
        "computed",
        "reply",
        "correction",
        "topic",
        "temporal",
        "withheld",
        "prohibition",
    }
    languages = Counter(control.language for control in CONTROLS)
    assert sum(count >= 8 for count in languages.values()) >= 5


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.id)
def test_each_is_sound(control: Control) -> None:
    row = ROWS[control.id]
    roles = [message["role"] for message in control.messages if message["role"] != "system"]
    assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
    said = "\n".join(message["content"] for message in control.messages)
    assert control.survive and all(text in said for group in control.survive for text in group)
    assert all(text in said for text in control.unsaid)
    for old, new in control.latest:
        assert -1 < said.rfind(old) < said.rfind(new)
    assert control.right(row["good"]), row["good"]
    for wrong in (row["bad"], "", "I am sorry, I cannot help with that."):
        assert not control.right(wrong), wrong
    assert row["shards"][-1]["shard"] == control.messages[-1]["content"]


def test_the_temporal_ones_are_those_that_the_table_makes() -> None:
    assert [row for row in ROWS.values() if row["category"] == "temporal"] == list(chains())


def test_what_is_untouched_has_lost_nothing() -> None:
    for control in CONTROLS:
        conversation = control.conversation
        assert lost(control, conversation, conversation) == []


@dataclass(frozen=True)
class Merge:
    """What wins the benchmark and ruins a conversation: every answer goes, the user's words are joined."""

    name: str = "merge"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        *earlier, newest = conversation.users
        drops = [Drop(turn.id) for turn in conversation.dialogue if turn is not newest]
        return [*drops, Rewrite(newest.id, "\n".join([*(turn.text for turn in earlier), newest.text]))]


async def test_merging_all_user_turns_is_caught() -> None:
    engine = Engine(registry.controller("never"), {"merge": Merge()})
    findings = await examine(CONTROLS, engine, "merge")
    assert not any(finding.outcome.failure for finding in findings)
    harmed = Counter(finding.control.category for finding in findings if finding.lost)
    all_of = Counter(control.category for control in CONTROLS)
    assert harmed["reference"] == all_of["reference"]
    assert harmed["computed"] == all_of["computed"]
    assert harmed["decision"] == all_of["decision"]
    assert harmed["reply"] >= 8
    assert harmed["topic"] >= 4


@dataclass(frozen=True)
class Backwards:
    """Restates the user's turns newest first: overruled values come last."""

    name: str = "backwards"
    kind: Kind = "corrective"

    async def propose(self, conversation: Conversation, context: Context) -> Sequence[Edit]:
        *earlier, newest = conversation.users
        drops = [Drop(turn.id) for turn in conversation.dialogue if turn is not newest]
        return [
            *drops,
            Rewrite(newest.id, "\n".join([*(turn.text for turn in reversed(earlier)), newest.text])),
        ]


async def test_overruled_values_at_the_end_are_caught() -> None:
    chosen = [control for control in CONTROLS if control.latest and len(control.conversation.users) > 3]
    findings = await examine(
        chosen, Engine(registry.controller("never"), {"backwards": Backwards()}), "backwards"
    )
    assert all(any(problem.startswith("overruled") for problem in finding.lost) for finding in findings)


async def test_doing_nothing_harms_nothing() -> None:
    findings = await examine(CONTROLS, Engine(registry.controller("never"), registry.operators()))
    assert controls.counts(findings) == {
        "conversations": len(CONTROLS),
        "changed": 0,
        "harmed": 0,
        "failed": 0,
    }


def test_what_was_written_is_told_from_what_was_said() -> None:
    control = replace(CONTROLS[0], survive=(), unsaid=("Do it",))
    before = Conversation(())
    turn = CONTROLS[0].conversation.turns[-1]
    assert lost(control, before, Conversation((turn.prefixed("Do it\n"),))) == ["brought up again: Do it"]
    assert lost(control, before, Conversation((turn,))) == []
    inserted = Insert(turn.id, "user", "Do it")
    assert inserted.text in controls.by_acr(replace(turn, text="Do it", state="inserted"))


def test_a_broken_record_is_named() -> None:
    with pytest.raises(BenchmarkError, match="'x' is no control conversation"):
        controls.control(Item("x", "controls", (Shard(1, "?"),), {"category": "a"}))
