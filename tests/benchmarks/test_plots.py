"""The plots as PNG files."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks import plots
from acr_benchmarks.figures import summarise
from acr_benchmarks.records import Episode

pytest.importorskip("matplotlib", reason="the extra `bench` is not installed")


def size(path: Path) -> tuple[int, int]:
    """Width and height of a PNG file."""
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:])
    return width, height


def test_three_files_with_a_panel_a_task(
    episode: Callable[..., Episode], small: list[Episode], manifest: dict[str, Any], tmp_path: Path
) -> None:
    more = [one.model_copy(update={"task": "code"}) for one in small]
    controls = [episode(name, 0, 1.0, task="controls") for name in ("direct", "acr:rules")]
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, episodes in ((one, small), (two, [*small, *more, *controls])):
        folder.mkdir()
        written = plots.write(summarise(episodes, manifest), folder)
        assert {path.name for path in written} == {"recovery.png", "cost.png", "first_answer.png"}
        assert set(folder.iterdir()) == set(written)
    assert size(two / "cost.png")[0] > 1.5 * size(one / "cost.png")[0]
    assert size(two / "cost.png")[0] < 2.5 * size(one / "cost.png")[0], "controls are no panel"


def test_the_same_figures_give_the_same_bytes(
    small: list[Episode], manifest: dict[str, Any], tmp_path: Path
) -> None:
    figures = summarise(small, manifest)
    (first,) = (path for path in plots.write(figures, tmp_path) if path.name == "cost.png")
    before = first.read_bytes()
    plots.write(figures, tmp_path)
    assert first.read_bytes() == before


def test_what_has_no_data_is_not_drawn(
    episode: Callable[..., Episode], manifest: dict[str, Any], tmp_path: Path
) -> None:
    unknown = episode("full", 0, 1.0).model_copy(update={"prompt_tokens": None})
    assert plots.write(summarise([unknown], manifest), tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_report_goes_without(
    small: list[Episode], manifest: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    assert plots.write(summarise(small, manifest), tmp_path) == []
