"""Figures of tiny runs, by hand."""

import json

import pytest
from acr_benchmarks import figures as data
from acr_benchmarks import report

from acr.errors import BenchmarkError


def test_figures_by_hand(small, manifest) -> None:
    figures = data.summarise(small, manifest)["tasks"]["math"]
    full, sharded, rules = (figures["settings"][name] for name in ("full", "sharded", "acr:rules"))
    assert figures["items"] == 4
    assert full["score"]["value"] == 1.0
    assert (sharded["score"]["value"], sharded["protocol_score"]["value"]) == (0.0, 0.25)
    assert (rules["score"]["value"], rules["of_full"], rules["gap_recovered"]["value"]) == (0.5, 0.5, 0.5)
    assert rules["gap_recovered"]["low"] < 0.5 < rules["gap_recovered"]["high"]
    assert (rules["prompt_tokens"], rules["completion_tokens"], rules["cached_tokens"]) == (200, 40, 100)
    assert (rules["interventions"], sharded["interventions"], rules["overhead_ms"]) == (1.0, 0.0, 0.4)
    assert (sharded["premature"], full["premature"], sharded["first_answer"]) == (1.0, None, 0.0)
    assert sharded["bloat"] == 2.0
    assert sharded["by_first_answer"] == [{"turn": 1, "episodes": 4, "score": 0.0}]
    assert full["by_first_answer"] == []
    assert (sharded["cut_off"], full["cut_off"]) == (0.5, 0.0)
    assert full["aptitude"] is None
    pairs = {(row["first"], row["second"]): row for row in figures["comparisons"]}
    assert set(pairs) == {("full", "sharded"), ("acr:rules", "sharded")}
    assert (pairs["acr:rules", "sharded"]["better"], pairs["acr:rules", "sharded"]["same"]) == (2, 2)


def test_policies_are_compared_with_each_other(small, episode, manifest) -> None:
    episodes = [*small, *(episode("acr:always:recap", item, 0.0) for item in range(4))]
    rows = data.summarise(episodes, manifest)["tasks"]["math"]["comparisons"]
    assert ("acr:always:recap", "acr:rules") in {(row["first"], row["second"]) for row in rows}


def test_only_items_held_in_every_setting_are_compared(small, episode, manifest) -> None:
    episodes = [*small, episode("full", 9, 0.0)]
    figures = data.summarise(episodes, manifest)["tasks"]["math"]
    assert (figures["items"], figures["left_out"]) == (4, 1)
    assert figures["settings"]["full"]["score"]["value"] == 1.0
    assert "1 more are left out" in report.markdown(data.summarise(episodes, manifest), "x")
    with pytest.raises(BenchmarkError, match="every setting"):
        data.summarise([episode("full", 0, 1.0), episode("sharded", 1, 1.0)], manifest)


def test_aptitude_appears_with_five_runs_only(episode, manifest) -> None:
    five = [episode("full", item, 1.0, run=run) for item in range(2) for run in range(5)]
    figures = data.summarise(five, manifest)
    assert figures["tasks"]["math"]["settings"]["full"]["aptitude"] == 1.0
    assert "A90" in report.markdown(figures, "x")
    four = [one for one in five if one.run < 4]
    assert "A90" not in report.markdown(data.summarise(four, manifest), "x").split("Scores are")[0]


def test_missing_counts_are_not_guessed(episode, manifest) -> None:
    one = episode("full", 0, 1.0).model_copy(update={"prompt_tokens": None})
    figures = data.summarise([one], manifest)["tasks"]["math"]["settings"]["full"]
    assert figures["prompt_tokens"] is None
    assert "– |" in report.markdown(data.summarise([one], manifest), "x")


def test_no_gap_is_shown_as_none(episode, manifest) -> None:
    flat = [episode(name, item, 1.0) for name in ("full", "sharded", "concat") for item in range(3)]
    figures = data.summarise(flat, manifest)
    assert figures["tasks"]["math"]["settings"]["concat"]["gap_recovered"] == {
        "value": None,
        "low": None,
        "high": None,
    }
    json.dumps(figures, allow_nan=False)


def test_nothing_to_report() -> None:
    with pytest.raises(BenchmarkError, match="no episodes"):
        data.summarise([], {})
