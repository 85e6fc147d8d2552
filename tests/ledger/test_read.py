import json
import os
from pathlib import Path

import pytest

from acr.ledger import read
from acr.testing import talk
from acr.text import fold, sentences

DATA = Path(os.environ.get("ACR_TEST_DATA", Path(__file__).parents[3] / "shared"))


def test_goal_requirements_and_where_they_came_from() -> None:
    ledger = read(
        talk("Plan a party. It is for 30 people.", "Where?", "In the yard, on the 8th.", "Fine.", "No nuts.")
    )
    assert ledger.goal is not None
    assert ledger.goal.text == "Plan a party."
    assert [(item.turn, item.text) for item in ledger.specification] == [
        ("0", "Plan a party."),
        ("0", "It is for 30 people."),
        ("2", "In the yard, on the 8th."),
        ("4", "No nuts."),
    ]


def test_what_is_said_twice_is_in_it_once() -> None:
    ledger = read(
        talk(
            "Plan a party.", "ok", "Just to reiterate:\n- Plan a party.\nAlso:\n- For 30 people.", "ok", "Go."
        )
    )
    assert [item.text for item in ledger.items].count("Plan a party.") == 1
    assert "For 30 people." in [item.text for item in ledger.items]


def test_every_revealed_shard_is_in_the_ledger() -> None:
    path = DATA / "data" / "lic_traces_dev.jsonl"
    if not path.exists():
        pytest.skip(f"no {path}: set ACR_TEST_DATA to a folder that has data/lic_traces_dev.jsonl")
    for line in path.read_text().splitlines()[:60]:
        turns = json.loads(line)["turns"]
        said: list[str] = []
        for turn in turns:
            said += [turn["user"], turn["asst"] or "."]
        items = "\n".join(fold(item.text) for item in read(talk(*said[:-1])).items)
        for turn in turns:
            new = turn["user"].split("Also,\n\n")[-1]
            for sentence in sentences(new):
                assert fold(sentence.strip("-* .!?")) in items
