"""The ledger knows the state of dialogues: written ones, and logged ones that reveal a task piece by piece."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks import dialogue_state as ds

DATA = Path(os.environ.get("ACR_TEST_DATA", Path(__file__).parents[3] / "shared"))
FROZEN = "7efc54a3ee5602e976184c13fcafea0f38b84391e7acc4d32a9645fbb4e8e87e"
"""Of the lines of the half for reporting only, as they were before anything was tuned."""


def test_the_half_for_reporting_is_as_it_was() -> None:
    lines = [line + "\n" for line in ds.PATH.read_text("utf-8").splitlines()]
    frozen = "".join(line for line in lines if json.loads(line)["split"] == "frozen")
    assert hashlib.sha256(frozen.encode()).hexdigest() == FROZEN


def test_there_are_enough_of_them() -> None:
    known = ds.dialogues()
    assert len(known) >= 60
    assert len({one["domain"] for one in known}) >= 6 and len({one["language"] for one in known}) >= 4
    for one in known:
        said = ""
        for turn in one["turns"]:
            said += turn["user"] + "\n"
            assert all(value in said for value in turn["state"].values()), one["id"]
            said += turn.get("assistant", "") + "\n"


@pytest.mark.parametrize(
    ("split", "slots", "changed", "joint"), [("dev", 0.97, 0.95, 0.92), ("frozen", 0.94, 0.92, 0.82)]
)
def test_slots_hold_what_they_should(split: str, slots: float, changed: float, joint: float) -> None:
    """A little below what docs/ledger.md reports: a change that loses a dialogue or two shows there."""
    found = ds.score(one for one in ds.dialogues() if one["split"] == split)
    assert found.share() >= slots and found.share(changed=True) >= changed and found.joint() >= joint
    assert found.faults("lost") <= 2


def test_a_fault_is_seen() -> None:
    turns = [
        {"user": "Book for 4 people.", "assistant": "Ok.", "state": {"people": "4"}},
        {"user": "Actually, make it 5 people.", "state": {"people": "5"}},
    ]
    assert [slot.fault for slot in ds.slots({"id": "x", "turns": turns})] == [None, None]
    turns[1]["state"] = {"people": "4"}
    assert [slot.fault for slot in ds.slots({"id": "x", "turns": turns})] == [None, "lost"]
    turns[1] = {"user": "It is for my aunt.", "state": {"people": "5"}}
    assert [slot.fault for slot in ds.slots({"id": "x", "turns": turns})] == [None, "lost"]
    turns[1] = {"user": "My aunt is 5.", "state": {"people": "5"}}
    assert [slot.fault for slot in ds.slots({"id": "x", "turns": turns})] == [None, "stale"]


def logged() -> list[dict[str, Any]]:
    path = DATA / "data" / "lic_traces_dev.jsonl"
    if not path.exists():
        pytest.skip(f"no {path}: set ACR_TEST_DATA to a folder that has data/lic_traces_dev.jsonl")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.data
@pytest.mark.parametrize("plain", [True, False])
def test_every_revealed_shard_is_in_the_ledger_at_every_turn(plain: bool) -> None:
    found = ds.shards(logged(), plain=plain)
    assert found.told > 5_000 and found.kept == found.told
    assert found.current >= 0.995 * found.told and found.struck <= 2
