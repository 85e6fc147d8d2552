"""Runs of the trainers on a tiny trunk and a made-up table, shared by the tests."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

for needed in ("torch", "transformers", "trl", "peft", "datasets", "openvino", "matplotlib"):
    pytest.importorskip(needed, reason="needs the extra train: pip install '.[train]' (docs/training.md)")

from support.lm import tiny_trunk, write_table  # noqa: E402
from support.models import small  # noqa: E402

__all__ = ["small", "tiny_trunk"]


@dataclass(frozen=True)
class Ran:
    """A run that ended."""

    out: Path
    results: dict[str, Any]
    lines: list[str]


Train = Callable[..., Ran]


@pytest.fixture(scope="session")
def made_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("table"), 150)


@pytest.fixture(scope="session")
def train(made_table: Path, tiny_trunk: Path, tmp_path_factory: pytest.TempPathFactory) -> Train:
    """Runs a step on the tiny trunk, in a folder of its own."""

    def run(step: str, **given: Any) -> Ran:
        from acr_training.lm import recipe, run

        tiny = {"base": str(tiny_trunk), "layers": 2, "dtype": "float32", "evaluate_every": 8}
        out = given.pop("out", None) or tmp_path_factory.mktemp(step) / "run"
        told = recipe.load(step, None, **{**tiny, "table": made_table, "out": out, **given})  # type: ignore[arg-type]
        lines: list[str] = []
        trainer = import_module(f"acr_training.lm.{step}").trainer
        return Ran(out, run.train(told, trainer, lines.append), lines)

    return run


SFT = {"rate": 1e-2, "epochs": 2}


@pytest.fixture(scope="session")
def taught(train: Train) -> Ran:
    """Supervised to the end."""
    return train("sft", **SFT)


@pytest.fixture(scope="session")
def begun(train: Train) -> Ran:
    """Supervised for a few steps: knows the labels, not when to use which."""
    return train("sft", rate=3e-3, epochs=0.5)
