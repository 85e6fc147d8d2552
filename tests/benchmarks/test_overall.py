"""Figures over all tasks, by hand and against the published table."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from acr_benchmarks import metrics
from acr_benchmarks.figures import plain, summarise
from acr_benchmarks.overall import overall
from acr_benchmarks.records import Episode


def table(*scores: float) -> dict[str, list[float]]:
    return {f"item-{number}": [score] for number, score in enumerate(scores)}


TASKS = {
    "math": {"full": table(1, 1, 1, 1), "sharded": table(0, 0, 0, 1), "acr:rules": table(0, 1, 1, 1)},
    "code": {"full": table(1, 0), "sharded": table(0, 0), "acr:rules": table(1, 0)},
}


def test_by_hand() -> None:
    found = plain(overall(TASKS))
    assert found["tasks"] == ["math", "code"]
    rules = found["settings"]["acr:rules"]
    assert rules["score"]["value"] == pytest.approx((3 / 4 + 1 / 2) / 2)
    assert rules["of_full"]["value"] == pytest.approx((0.75 / 1 + 0.5 / 0.5) / 2)
    lost, full = (1 / 4 + 0) / 2, (1 + 1 / 2) / 2
    assert rules["gap_recovered"]["value"] == pytest.approx((0.625 - lost) / (full - lost))
    assert found["settings"]["full"]["of_full"]["value"] == 1.0
    assert found["settings"]["sharded"]["gap_recovered"] is None
    assert rules["controls"] is None
    pair = next(row for row in found["comparisons"] if row["first"] == "acr:rules")
    assert (pair["better"], pair["worse"], pair["same"]) == (3, 0, 3)
    assert pair["difference"]["value"] == pytest.approx((2 / 4 + 1 / 2) / 2)
    assert pair["p"] == pytest.approx(2 / 8)  # three items that differ, all the same way
    assert 0.0 <= rules["score"]["low"] < rules["score"]["value"] < rules["score"]["high"] <= 1.0


def test_a_task_of_two_items_counts_as_one_of_forty() -> None:
    tasks = {"a": {"full": table(*[1.0] * 40)}, "b": {"full": table(0, 0)}}
    assert plain(overall(tasks))["settings"]["full"]["score"]["value"] == 0.5


def test_the_controls_stand_beside_the_policies() -> None:
    controls = {"direct": table(1, 1, 1, 0), "acr:rules": table(1, 1, 0, 0)}
    found = plain(overall({**TASKS, "controls": controls}))
    assert found["tasks"] == ["math", "code"]
    rules = found["settings"]["acr:rules"]
    assert rules["score"]["value"] == pytest.approx(0.625)
    assert rules["controls"]["value"] == 0.5
    assert rules["controls_change"]["difference"]["value"] == -0.25
    assert rules["controls_change"]["p"] == 1.0
    assert found["settings"]["sharded"]["controls"]["value"] == 0.75  # no policy
    assert found["settings"]["full"]["controls"] is None


def test_a_setting_that_one_task_lacks_is_left_out() -> None:
    more = {**TASKS["code"], "recap": table(1, 1)}
    assert set(plain(overall({**TASKS, "code": more}))["settings"]) == {"full", "sharded", "acr:rules"}


def test_one_task_alone_needs_no_mean() -> None:
    assert overall({"math": TASKS["math"]}) is None
    assert overall({"controls": {"direct": table(1)}}) is None


def test_the_mean_of_the_published_shares_is_what_the_metrics_give() -> None:
    """GPT-4o of Table 1 (arXiv 2505.06120): SHARDED is 57.9% of FULL over the six tasks."""
    full = dict(zip("abcdef", (0.884, 0.936, 0.961, 0.421, 0.938, 0.239), strict=True))
    sharded = dict(zip("abcdef", (0.613, 0.423, 0.650, 0.205, 0.679, 0.106), strict=True))
    tasks = {t: {"full": table(full[t]), "sharded": table(sharded[t])} for t in full}
    share = plain(overall(tasks))["settings"]["sharded"]["of_full"]["value"]
    assert 100 * share == pytest.approx(57.9, abs=0.1)
    assert share == pytest.approx(metrics.relative(full, sharded))


def test_it_is_part_of_the_figures_and_is_data(
    episode: Callable[..., Episode], manifest: dict[str, Any]
) -> None:
    episodes = [
        episode(setting, item, score, task=task)
        for task in ("math", "code")
        for setting, score in (("full", 1.0), ("sharded", 0.0))
        for item in range(3)
    ]
    figures = summarise(episodes, manifest)
    assert json.loads(json.dumps(figures, allow_nan=False)) == figures
    assert figures["overall"]["settings"]["full"]["score"]["value"] == 1.0
