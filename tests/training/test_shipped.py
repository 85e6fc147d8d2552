"""The weights that come with ACR: made by `acr train`, and not from what reports speak of."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from acr_training.records import split
from acr_training.units import used

from acr import registry
from acr.controllers.weights import SHIPPED

ROOT = Path(__file__).parents[2]


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
    """By task id: of items that a report tells over several turns."""
    reported = used([ROOT / "benchmarks" / "reports"])
    items = shipped["about"]["items"]
    trained = {group.partition("/")[2] for group in items["train"] + items["dev"]}
    assert len(trained) >= 50
    assert not trained & reported


def test_splits_are_what_they_say(shipped):
    for name, groups in shipped["about"]["items"].items():
        assert all(split(group) == name for group in groups)
