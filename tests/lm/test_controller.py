"""The controller: lazy, under a deadline, and never worse than `rules` when it cannot answer."""

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acr import registry
from acr.controllers.rules import Rules
from acr.engine import Engine
from acr.errors import ConfigError
from acr.lm import LM, artefact
from acr.lm.artefact import Card
from acr.signals import observe
from acr.testing import talk

LOST = talk("How many apples do I have?", "You have 12.", "I bought 3 bags.", "You have 36.", "Each has 7.")
OTHER = talk("Write a poem.", "Roses are red.", "Thanks, perfect.")


@pytest.fixture
def folder(tiny_trunk: Path, tmp_path: Path) -> Path:
    """An untrained controller on a tiny trunk: its decisions are arbitrary, and always the same."""
    artefact.save(
        Card(str(tiny_trunk), 2, ("none", "consolidate"), (70, 71), threshold=0.0, deadline=20.0), tmp_path
    )
    return tmp_path


def change(folder: Path, **values: Any) -> LM:
    artefact.save(replace(artefact.load(folder), **values), folder)
    return LM(str(folder))


def test_it_decides_the_same_by_every_door(folder: Path) -> None:
    lm = LM(str(folder))
    lm.load()
    decision = lm.decide(LOST, observe(LOST))
    assert decision.operator == "consolidate" and decision.controller == "lm"
    assert decision == asyncio.run(lm.consult(LOST, observe(LOST)))
    chances = lm.probabilities(LOST, observe(LOST))
    assert chances["consolidate"] == pytest.approx(decision.confidence)
    assert sum(chances.values()) == pytest.approx(1)
    assert chances != lm.probabilities(OTHER, observe(OTHER))


def test_the_threshold_decides_when_to_act(folder: Path) -> None:
    chance = 1 - change(folder).probabilities(LOST, observe(LOST))["none"]
    for threshold, operator in ((chance - 0.001, "consolidate"), (chance + 0.001, None)):
        lm = change(folder, threshold=threshold)
        lm.load()
        assert lm.decide(LOST, observe(LOST)).operator == operator


def test_confidence_follows_its_curve_on_either_side(folder: Path) -> None:
    chance = 1 - change(folder).probabilities(LOST, observe(LOST))["none"]
    points = ((chance - 0.1, 0.2), (chance + 0.1, 0.6))
    for threshold, sure in ((chance - 0.001, 0.4), (chance + 0.001, 0.6)):
        lm = change(folder, threshold=threshold, confidence=points)
        lm.load()
        assert lm.decide(LOST, observe(LOST)).confidence == pytest.approx(sure)


def test_the_temperature_flattens(folder: Path) -> None:
    sharp = change(folder, temperature=0.1).probabilities(LOST, observe(LOST))
    flat = change(folder, temperature=1e6).probabilities(LOST, observe(LOST))
    assert max(flat.values()) == pytest.approx(0.5, abs=1e-3)
    assert max(sharp.values()) > 0.55


def test_for_evaluation_it_is_loaded_and_never_late(folder: Path) -> None:
    lm = change(folder, deadline=1e-6).unhurried()
    assert lm.decide(LOST, observe(LOST)).reason.startswith("lm: ")
    assert asyncio.run(lm.consult(LOST, observe(LOST))).reason.startswith("lm: ")
    by_name = registry.unhurried(str(folder))
    assert by_name.decide(LOST, observe(LOST)) == lm.decide(LOST, observe(LOST))
    assert registry.unhurried("rules").name == "rules"


def test_rules_decide_while_it_loads_and_it_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lm = LM(str(folder))
    load = lm._load
    monkeypatch.setattr(lm, "_load", lambda: (time.sleep(0.5), load()))
    signals = observe(LOST)
    decision = lm.decide(LOST, signals)
    assert decision.reason.startswith("lm is still loading; rules: ")
    assert decision.operator == Rules().decide(LOST, signals).operator
    lm.load()
    assert lm.decide(LOST, signals).reason.startswith("lm: ")


async def test_rules_decide_where_it_is_late(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lm = change(folder, deadline=0.05)
    lm.load()
    monkeypatch.setattr(lm, "_work", lambda *_: time.sleep(0.5))
    signals = observe(LOST)
    start = time.perf_counter()
    for decision in (await lm.consult(LOST, signals), lm.decide(LOST, signals)):
        assert decision.reason.startswith("lm was late; rules: ")
        assert decision.operator == Rules().decide(LOST, signals).operator
    assert time.perf_counter() - start < 0.4


def test_rules_decide_where_it_cannot_be_loaded(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    lm = LM(str(folder))
    lm.card = replace(lm.card, layers=99)
    with pytest.raises(Exception, match="wanted are 99"):
        lm.load()
    decision = lm.decide(LOST, observe(LOST))
    assert decision.reason.startswith("lm could not be loaded; rules: ")
    assert [record.message for record in caplog.records if "wanted are 99" in record.message]


async def test_many_at_once_keep_the_loop_free(folder: Path) -> None:
    lm = LM(str(folder))
    await asyncio.to_thread(lm.load)
    talks = [talk(f"Say {n}.", f"{n}", f"Also {n + 1}.") for n in range(30)]
    engine = Engine(lm, registry.operators())
    longest, last = 0.0, time.perf_counter()

    async def tick() -> None:
        nonlocal longest, last
        while True:
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now

    ticker = asyncio.ensure_future(tick())
    outcomes = await asyncio.gather(*(engine.run(one) for one in talks))
    ticker.cancel()
    assert all(outcome.failure is None and outcome.decision.reason for outcome in outcomes)
    assert {outcome.decision.controller for outcome in outcomes} == {"lm"}


def test_a_tool_using_task_is_left_alone(folder: Path) -> None:
    from acr.signals import Signal, Signals

    signals = Signals({**observe(LOST).named, "tools": Signal(1.0)})
    assert LM(str(folder)).decide(LOST, signals).operator is None


def test_what_is_missing_is_said_at_the_start(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="acr model pull smollm2-135m-instruct"):
        change(folder, base="smollm2-135m-instruct")
    monkeypatch.setattr("acr.lm.controller.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"\[lm\]"):
        LM(str(folder))


def test_a_folder_is_a_controller_for_the_registry(folder: Path) -> None:
    assert registry.controller(str(folder)).name == "lm"
    assert registry.controller(f"lm:{folder}").name == "lm"


START = """
import json, sys
from acr import registry
lm = registry.controller(sys.argv[1])
print(json.dumps([name for name in ("openvino", "numpy", "tokenizers", "torch") if name in sys.modules]))
"""


def test_nothing_of_the_model_is_on_the_start_path(folder: Path) -> None:
    command = [sys.executable, "-c", START, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
