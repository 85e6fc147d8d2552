"""Reports from tiny runs."""

import gzip
import json
from pathlib import Path

import pytest
from acr_benchmarks import figures as data
from acr_benchmarks import report
from acr_benchmarks.store import Store

from acr.errors import BenchmarkError


def test_written_and_written_again_from_its_own_packed_episodes(tmp_path: Path, small, manifest) -> None:
    run, saved = tmp_path / "run", tmp_path / "saved"
    with Store(run) as store:
        store.write_manifest(manifest)
        for one in small:
            store.append(one)
    figures = report.write(run, saved, "first")
    files = {path.name: path.read_bytes() for path in saved.iterdir()}
    assert set(files) == {"report.md", "report.html", "report.json", "run.json", "episodes.jsonl.gz"}
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
