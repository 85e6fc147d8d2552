"""Reports from tiny runs."""

import gzip
import json
from pathlib import Path
from time import process_time

import pytest
from acr_benchmarks import cli, report
from acr_benchmarks import figures as data
from acr_benchmarks.store import Store
from typer.testing import CliRunner

from acr.errors import BenchmarkError

PLOTS = {"recovery.png", "cost.png", "first_answer.png"}


def test_written_and_written_again_from_its_own_packed_episodes(tmp_path: Path, small, manifest) -> None:
    run, saved = tmp_path / "run", tmp_path / "saved"
    with Store(run) as store:
        store.write_manifest(manifest)
        for one in small:
            store.append(one)
    figures = report.write(run, saved, "first")
    files = {path.name: path.read_bytes() for path in saved.iterdir()}
    assert set(files) - PLOTS == {"report.md", "report.html", "report.json", "run.json", "episodes.jsonl.gz"}
    assert json.loads(files["report.json"]) == json.loads(json.dumps(figures))
    assert len(gzip.decompress(files["episodes.jsonl.gz"]).splitlines()) == 12
    report.write(saved, saved, "first")
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == files


def test_markdown_tables_are_whole(small, manifest) -> None:
    page = report.markdown(data.summarise(small, manifest), "first")
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


def test_the_readme_table_stands_between_its_marks(tmp_path: Path, small, manifest) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- bench first -->\nold \\1\n<!-- /bench first -->\nafter\n")
    table = report.readme_table(data.summarise(small, manifest))
    for _ in range(2):
        report.insert(readme, "first", table)
    text = readme.read_text()
    assert text.startswith("before\n<!-- bench first -->\n") and text.endswith(
        "<!-- /bench first -->\nafter\n"
    )
    assert "old" not in text and text.count("`acr:rules`") == 1
    with pytest.raises(BenchmarkError, match="<!-- bench second -->"):
        report.insert(readme, "second", table)


def test_all_tasks_come_first_with_the_controls_beside(small, episode, manifest) -> None:
    more = [one.model_copy(update={"task": "code"}) for one in small]
    controls = [
        episode(name, item, float(item < right), task="controls")
        for name, right in (("direct", 3), ("acr:rules", 2))
        for item in range(4)
    ]
    page = report.markdown(data.summarise([*small, *more, *controls], manifest), "first")
    assert page.index("## All tasks") < page.index("## code")
    assert "The mean of code and math." in page
    row = next(line for line in page.splitlines() if line.startswith("| `acr:rules`"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1].startswith("50 [") and cells[4].startswith("50 [") and cells[5].startswith("-25 [")


@pytest.mark.timeout(100)
def test_three_thousand_episodes_are_reported_on_in_seconds(episode, manifest, tmp_path: Path) -> None:
    """Quick enough to look again and again while a run goes on. Processor time, as others may be busy."""
    rows = [
        episode(setting, item, *[float((item * 7 + run) % 3 == 0)] * turns, run=run, task=task)
        for task in ("actions", "code", "database", "math")
        for setting, turns in (("full", 1), ("concat", 1), ("sharded", 5), ("acr:rules", 5), ("acr:x", 5))
        for item in range(50)
        for run in range(3)
    ]
    assert len(rows) == 3000
    (tmp_path / "episodes.jsonl").write_text("".join(row.model_dump_json() + "\n" for row in rows))
    (tmp_path / "run.json").write_text(json.dumps(manifest))
    start = process_time()
    report.write(tmp_path, tmp_path, "many")
    assert process_time() - start < 20


def test_settings_and_tasks_can_be_chosen(tmp_path: Path, small, episode, manifest) -> None:
    few = episode("recap", 0, 1.0)
    code = episode("full", 0, 1.0, task="code")
    with Store(tmp_path / "run") as store:
        store.write_manifest(manifest)
        for one in [*small, few, code]:
            store.append(one)
    whole = report.write(tmp_path / "run", tmp_path / "a", "a")
    assert whole["tasks"]["math"]["items"] == 1, "recap has one item only"
    arguments = ["report", str(tmp_path / "run"), "--setting", "full,sharded", "--task", "math", "--json"]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    chosen = json.loads(result.stdout)
    assert list(chosen["tasks"]) == ["math"] and chosen["tasks"]["math"]["items"] == 4
    assert list(chosen["tasks"]["math"]["settings"]) == ["full", "sharded"]


def test_a_task_that_is_not_in_every_setting_yet_does_not_hide_the_others(small, episode, manifest) -> None:
    early = [episode("full", 0, 1.0, task="code"), episode("sharded", 1, 1.0, task="code")]
    figures = data.summarise([*small, *early], manifest)
    assert list(figures["tasks"]) == ["math"]
    assert "Not in every setting yet: code." in report.markdown(figures, "x")
    with pytest.raises(BenchmarkError, match="in every setting yet"):
        data.summarise(early, manifest)


def test_kinds_of_responses_are_told_where_they_were_sorted(small, manifest) -> None:
    assert "| responses" not in report.markdown(data.summarise(small, manifest), "x")
    sorted_ = [
        one.model_copy(
            update={
                "turns": [
                    turn.model_copy(update={"response": "refuse" if index else "answer_attempt"})
                    for index, turn in enumerate(one.turns)
                ]
            }
        )
        for one in small
    ]
    figures = data.summarise(sorted_, manifest)
    shares = figures["tasks"]["math"]["settings"]["sharded"]["responses"]
    assert shares == {"answer_attempt": 0.5, "refuse": 0.5}
    page = " ".join(report.markdown(figures, "x").split())
    assert "| responses | answer attempt | refuse |" in page and "| `full` | 100% | 0% |" in page


def test_a_readme_shows_several_tasks_in_one_table(small, manifest) -> None:
    more = [one.model_copy(update={"task": "code"}) for one in small]
    table = report.readme_table(data.summarise([*small, *more], manifest))
    assert table.count("`acr:rules`") == 1
    head = next(line for line in table.splitlines() if line.startswith("| setting"))
    cells = [cell.strip() for cell in head.strip("|").split("|")]
    assert cells == [
        "setting", "mean of tasks", "gap recovered", "code", "math", "tokens in + out", "controls",
    ]  # fmt: skip
