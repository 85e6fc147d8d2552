"""`acr operators`."""

import json
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from acr import registry


def test_the_installed_ones_are_listed(acr: Any) -> None:
    rows = {row["name"]: row for row in json.loads(acr("operators", "--json").stdout)}
    assert {"recap", "snowball", "consolidate", "prune", "reask"} <= set(rows)
    assert all(row["kind"] in ("corrective", "compressive") and row["about"] for row in rows.values())
    assert rows["recap"]["from"] == "acr_operators.recap:Recap"


def test_people_get_a_table_and_the_controllers(acr: Any) -> None:
    text = acr("operators").stdout
    assert "consolidate" in text and "compressive" in text
    assert "controllers: always:OPERATOR, " in text and ", never, rules" in text


def test_a_broken_package_does_not_hide_the_others(acr: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    known = registry.available(registry.OPERATORS)
    broken = EntryPoint("broken", "no_such_package:Thing", registry.OPERATORS)
    known = {**known, "broken": broken}
    monkeypatch.setattr(registry, "available", lambda group: known if group == registry.OPERATORS else {})
    rows = {row["name"]: row for row in json.loads(acr("operators", "--json").stdout)}
    assert "no_such_package" in rows["broken"]["error"]
    assert "recap" in rows
    assert "broken" in acr("operators").stdout
