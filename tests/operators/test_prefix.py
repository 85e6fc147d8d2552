"""What a provider's cache of prefixes would hit over logged conversations, through ACR against as they were.

Run with `-s` for the table that stands in operators/README.md.
"""

import asyncio
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acr import registry
from acr.dialects.chat import read
from acr.engine import Engine
from acr.replay import Totals, replay

DATA = Path(os.environ.get("ACR_TEST_DATA", Path(__file__).parents[3] / "shared"))
LOGGED = DATA / "data" / "lic_traces_dev.jsonl"
POLICIES = ("always:consolidate", "always:filter", "always:rectify", "always:reinforce")
OPERATORS = registry.operators()


def logged(*, restated: bool) -> Iterator[list[dict[str, Any]]]:
    """Every eighth conversation, its user turns as logged or only their new part."""
    for line in LOGGED.read_text(encoding="utf-8").splitlines()[::8]:
        messages = []
        for turn in json.loads(line)["turns"]:
            said = turn["user"] if restated else re.split(r"\nAlso,\s*", turn["user"], maxsplit=1)[-1]
            messages += [{"role": "user", "content": said}, {"role": "assistant", "content": turn["asst"]}]
        yield messages[:-1]


def totals(policy: str, dialogues: list[list[dict[str, Any]]]) -> Totals:
    engine = Engine(registry.controller(policy), OPERATORS, deadline=60)
    steps = [step for each in dialogues for step in asyncio.run(replay(read(each), engine))]
    return Totals.of(steps)


@pytest.mark.data
@pytest.mark.parametrize("restated", [False, True], ids=["plain", "restated"])
def test_fewer_tokens_miss_the_cache(restated: bool) -> None:
    if not LOGGED.exists():
        pytest.skip(f"no {LOGGED}: set ACR_TEST_DATA to a folder that has data/lic_traces_dev.jsonl")
    dialogues = list(logged(restated=restated))
    found = {policy: totals(policy, dialogues) for policy in POLICIES}
    for policy, total in found.items():
        missed = total.raw - total.raw_cached, total.sent - total.sent_cached
        print(
            f"{policy:20} {total.raw_share:.1%} → {total.sent_share:.1%}   missed {missed[0]:,} → {missed[1]:,}"
        )
        assert total.failed == 0
    joined = found["always:consolidate"]
    assert joined.sent < 0.6 * joined.raw
    assert joined.sent - joined.sent_cached < 0.8 * (joined.raw - joined.raw_cached)
    for policy in POLICIES[1:]:
        assert found[policy].sent_share > found[policy].raw_share - 0.03
