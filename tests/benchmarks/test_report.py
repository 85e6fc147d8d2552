"""Reports from tiny runs."""

import gzip
import json
from pathlib import Path

import pytest
from acr_benchmarks import report
from acr_benchmarks.records import Episode, TurnRecord, scores
from acr_benchmarks.store import Store

from acr.errors import BenchmarkError

MANIFEST = {"model": "m", "temperature": 0.7, "max_tokens": 9, "seed": 0, "user": "scripted", "data": {}}


def episode(
    setting: str, item: int, *given: float, run: int = 0, task: str = "math", acr: dict | None = None
) -> Episode:
    turns = [
        TurnRecord(
            user="u",
            assistant="a" * 10 * (index + 1),
            answer="1",
            explicit=True,
            score=score,
            prompt_tokens=100,
            completion_tokens=20,
            cached_tokens=50,
            finish_reason="length" if index else "stop",
            acr=acr or {},
        )
        for index, score in enumerate(given)
    ]
    score, first, protocol = scores(turns)
    return Episode(
        task=task,
        item=f"item-{item}",
        setting=setting,
        run=run,
        seed=0,
        user="scripted",
        system="s",
        order=[],
        turns=turns,
        score=score,
        first_correct=first,
        protocol_score=protocol,
        prompt_tokens=100 * len(turns),
        completion_tokens=20 * len(turns),
        seconds=2.0,
        acr_version="0.1.0",
    )


def small() -> list[Episode]:
    """FULL 100, SHARDED 0 (once right in between), a policy half way."""
    headers = {"decision": "intervened", "operator": "recap", "overhead-ms": "0.4"}
    episodes = []
    for item in range(4):
        episodes.append(episode("full", item, 1.0))
        episodes.append(episode("sharded", item, 1.0 if item == 0 else 0.0, 0.0))
        episodes.append(episode("acr:rules", item, 0.0, float(item % 2), acr=headers))
    return episodes


def test_figures_by_hand() -> None:
    figures = report.summarise(small(), MANIFEST)["tasks"]["math"]
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
    assert (sharded["cut_off"], full["cut_off"]) == (0.5, 0.0)
    assert full["aptitude"] is None
    pairs = {(row["first"], row["second"]): row for row in figures["comparisons"]}
    assert set(pairs) == {("full", "sharded"), ("acr:rules", "sharded")}
    assert (pairs["acr:rules", "sharded"]["better"], pairs["acr:rules", "sharded"]["same"]) == (2, 2)


def test_policies_are_compared_with_each_other() -> None:
    episodes = [*small(), *(episode("acr:always:recap", item, 0.0) for item in range(4))]
    rows = report.summarise(episodes, MANIFEST)["tasks"]["math"]["comparisons"]
    assert ("acr:always:recap", "acr:rules") in {(row["first"], row["second"]) for row in rows}


def test_only_items_held_in_every_setting_are_compared() -> None:
    episodes = [*small(), episode("full", 9, 0.0)]
    figures = report.summarise(episodes, MANIFEST)["tasks"]["math"]
    assert (figures["items"], figures["left_out"]) == (4, 1)
    assert figures["settings"]["full"]["score"]["value"] == 1.0
    assert "1 more are left out" in report.markdown(report.summarise(episodes, MANIFEST), "x")
    with pytest.raises(BenchmarkError, match="every setting"):
        report.summarise([episode("full", 0, 1.0), episode("sharded", 1, 1.0)], MANIFEST)


def test_aptitude_appears_with_five_runs_only() -> None:
    five = [episode("full", item, 1.0, run=run) for item in range(2) for run in range(5)]
    figures = report.summarise(five, MANIFEST)
    assert figures["tasks"]["math"]["settings"]["full"]["aptitude"] == 1.0
    assert "A90" in report.markdown(figures, "x")
    four = [one for one in five if one.run < 4]
    assert "A90" not in report.markdown(report.summarise(four, MANIFEST), "x").split("Scores are")[0]


def test_missing_counts_are_not_guessed() -> None:
    one = episode("full", 0, 1.0).model_copy(update={"prompt_tokens": None})
    figures = report.summarise([one], MANIFEST)["tasks"]["math"]["settings"]["full"]
    assert figures["prompt_tokens"] is None
    assert "– |" in report.markdown(report.summarise([one], MANIFEST), "x")


def test_no_gap_is_shown_as_none() -> None:
    flat = [episode(name, item, 1.0) for name in ("full", "sharded", "concat") for item in range(3)]
    figures = report.summarise(flat, MANIFEST)
    assert figures["tasks"]["math"]["settings"]["concat"]["gap_recovered"] == {
        "value": None,
        "low": None,
        "high": None,
    }
    json.dumps(figures, allow_nan=False)


def test_nothing_to_report() -> None:
    with pytest.raises(BenchmarkError, match="no episodes"):
        report.summarise([], {})


def test_written_and_written_again_from_its_own_packed_episodes(tmp_path: Path) -> None:
    run, saved = tmp_path / "run", tmp_path / "saved"
    with Store(run) as store:
        store.write_manifest(MANIFEST)
        for one in small():
            store.append(one)
    figures = report.write(run, saved, "first")
    files = {path.name: path.read_bytes() for path in saved.iterdir()}
    assert set(files) == {"report.md", "report.json", "run.json", "episodes.jsonl.gz"}
    assert json.loads(files["report.json"]) == json.loads(json.dumps(figures))
    assert len(gzip.decompress(files["episodes.jsonl.gz"]).splitlines()) == 12
    report.write(saved, saved, "first")
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == files


def test_markdown_tables_are_whole() -> None:
    page = report.markdown(report.summarise(small(), MANIFEST), "first")
    assert page.startswith("# first\n")
    widths: dict[int, int] = {}
    block = 0
    for line in page.splitlines():
        if line.startswith("|"):
            assert widths.setdefault(block, line.count("|")) == line.count("|")
        else:
            block += 1
    assert len(widths) == 3
    assert "| `acr:rules` | 1 | 50 [0, 100] | 50 [0, 100] | 50 | 50% [0, 100] |" in " ".join(page.split())


def test_the_readme_table_stands_between_its_marks(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- bench first -->\nold \\1\n<!-- /bench first -->\nafter\n")
    table = report.readme_table(report.summarise(small(), MANIFEST))
    for _ in range(2):
        report.insert(readme, "first", table)
    text = readme.read_text()
    assert text.startswith("before\n<!-- bench first -->\n") and text.endswith(
        "<!-- /bench first -->\nafter\n"
    )
    assert "old" not in text and text.count("`acr:rules`") == 1
    with pytest.raises(BenchmarkError, match="<!-- bench second -->"):
        report.insert(readme, "second", table)
