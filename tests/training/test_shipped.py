"""The weights that come with ACR: made by `acr train`, and not from what reports speak of."""

import gzip
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from statistics import fmean

import pytest
from acr_benchmarks.store import episodes
from acr_training import data, decided
from acr_training.records import split
from acr_training.units import used

from acr import registry
from acr.controllers.weights import SHIPPED
from acr.lm import artefact
from acr.lm.controller import SHIPPED as LM_SHIPPED

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "benchmarks" / "reports"
CONTROLS = REPORTS / "controls"


@pytest.fixture(scope="module")
def shipped():
    path = files("acr.data").joinpath(SHIPPED)
    if not path.is_file():
        pytest.skip("no weights are shipped yet")
    return json.loads(path.read_text(encoding="utf-8"))


def test_they_load_by_name(shipped):
    controller = registry.controller("signals")
    assert len(controller.weights.labels) > 1


def test_no_item_of_a_report_was_trained_on(shipped):
    """By task id: of items that a report tells over several turns.

    One report holds all control conversations, for policies that nothing was trained for.
    """
    kept = {file.parent for file in REPORTS.rglob("episodes.jsonl.gz")}
    assert not {one.setting for one in episodes(CONTROLS)} & {"acr:signals", "acr:lm"}
    reported = used(sorted(kept - {CONTROLS}))
    items = shipped["about"]["items"]
    trained = {group.partition("/")[2] for group in items["train"] + items["dev"]}
    assert len(trained) >= 50
    assert not trained & reported


def test_splits_are_what_they_say(shipped):
    for name, groups in shipped["about"]["items"].items():
        assert all(split(group) == name for group in groups)


def test_lm_is_the_one_whose_figures_are_told():
    card = artefact.load(LM_SHIPPED)
    assert card.labels[0] == "none" and len(card.labels) > 2
    made = json.loads((ROOT / "training" / "results" / "lm-manifest.json").read_text(encoding="utf-8"))
    arguments, results = made["steps"]["sft"]["arguments"], made["steps"]["sft"]["results"]
    assert (card.base, card.layers) == (arguments["base"], arguments["layers"])
    assert results["test"]["regret"] > 0, "measured, and not perfect"


@pytest.mark.parametrize("name", ["signals", "lm"])
def test_the_figures_that_are_told_follow_from_what_is_kept(name):
    held = data.load(ROOT / "training" / "results").of("test")
    kept = decided.load(ROOT / "training" / "results" / decided.FILE)[name]
    actions = [one.operator or "none" for one in decided.at(name, kept, held)]
    regrets = [
        max(one.rewards.values()) - one.rewards[action]
        for one, action in zip(held.examples, actions, strict=True)
    ]
    text = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    assert f"\n| `{name}` | {fmean(regrets):.3f} [" in text
    assert f" | {fmean(action != 'none' for action in actions):.0%} | " in text


def test_the_table_that_is_kept_is_what_they_were_made_from(shipped):
    table = ROOT / "training" / "results"
    for name, digest in shipped["about"]["inputs"].items():
        content = gzip.decompress((table / f"{name.partition(':')[2]}.gz").read_bytes())
        assert hashlib.sha256(content).hexdigest() == digest
