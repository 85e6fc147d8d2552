"""Run directories: nothing lost, nothing doubled, damage told."""

import gzip
from pathlib import Path

import pytest
from acr_benchmarks.records import Episode
from acr_benchmarks.store import EPISODES, Store, episodes, manifest

from acr.errors import BenchmarkError


def episode(item: str, setting: str = "full", run: int = 0) -> Episode:
    return Episode(
        task="math",
        item=item,
        setting=setting,
        run=run,
        seed=0,
        user="scripted",
        system="s\n\u2028",
        order=[],
        turns=[],
        score=1.0,
        protocol_score=1.0,
    )


def test_episodes_come_back_in_order(tmp_path: Path) -> None:
    wanted = [episode("b"), episode("a"), episode("a", "sharded"), episode("a", run=1)]
    with Store(tmp_path / "new" / "run") as store:
        for one in wanted:
            store.append(one)
    assert episodes(tmp_path / "new" / "run") == wanted
    with Store(tmp_path / "new" / "run") as store:
        assert store.done == {one.key for one in wanted}


@pytest.mark.parametrize("keep", [1, 20, 150])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, keep: int) -> None:
    with Store(tmp_path) as store:
        store.append(episode("a"))
    whole = (tmp_path / EPISODES).read_bytes()
    torn = whole + episode("b").model_dump_json().encode()[:keep]
    (tmp_path / EPISODES).write_bytes(torn)
    assert [one.item for one in episodes(tmp_path)] == ["a"]
    with Store(tmp_path) as store:
        assert (tmp_path / EPISODES).read_bytes() == whole
        store.append(episode("b"))
    assert [one.item for one in episodes(tmp_path)] == ["a", "b"]


def test_a_torn_first_line_longer_than_a_block_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / EPISODES).write_bytes(b"x" * 200_000)
    with Store(tmp_path) as store:
        store.append(episode("a"))
    assert [one.item for one in episodes(tmp_path)] == ["a"]


def test_a_damaged_line_in_the_middle_is_told(tmp_path: Path) -> None:
    (tmp_path / EPISODES).write_text("{}\n" + episode("a").model_dump_json() + "\n")
    with pytest.raises(BenchmarkError, match="line 1 is damaged"), Store(tmp_path):
        pass
    with pytest.raises(BenchmarkError, match="line 1 is damaged"):
        episodes(tmp_path)


def test_no_episode_is_there_twice(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.append(episode("a"))
        with pytest.raises(BenchmarkError, match="already"):
            store.append(episode("a"))
    line = (tmp_path / EPISODES).read_text()
    (tmp_path / EPISODES).write_text(line * 2)
    with pytest.raises(BenchmarkError, match="twice"):
        episodes(tmp_path)


def test_one_run_at_a_time(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(BenchmarkError, match="another run"), Store(tmp_path):
        pass
    with Store(tmp_path):
        pass


def test_a_closed_store_refuses(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(BenchmarkError, match="not open"):
        store.append(episode("a"))


def test_the_manifest_is_replaced_whole(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.manifest() == {}
        store.write_manifest({"model": "ü"})
        store.write_manifest({"model": "m"})
    assert manifest(tmp_path) == {"model": "m"}
    assert {path.name for path in tmp_path.iterdir()} == {"episodes.jsonl", "run.json"}
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(BenchmarkError, match="cannot be read"):
        manifest(tmp_path)


def test_packed_episodes_read_alike(tmp_path: Path) -> None:
    (tmp_path / f"{EPISODES}.gz").write_bytes(gzip.compress(episode("a").model_dump_json().encode() + b"\n"))
    assert [one.item for one in episodes(tmp_path)] == ["a"]
    (tmp_path / f"{EPISODES}.gz").write_bytes(b"nonsense")
    with pytest.raises(BenchmarkError, match="cannot be read"):
        episodes(tmp_path)


def test_no_run_directory(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="no run directory"):
        episodes(tmp_path)
