"""LoRA weights added to a trunk: what PEFT writes, without PEFT."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from acr.errors import ModelError
from acr.lm import adapter, trunk

NAME = "model.layers.1.mlp.up_proj.weight"


def write(folder: Path, shape: tuple[int, int], rank: int = 4, config: dict[str, Any] | None = None) -> Path:
    folder.mkdir()
    rng = np.random.default_rng(1)
    stem = "base_model.model." + NAME.removesuffix(".weight")
    tensors = {
        f"{stem}.lora_A.weight": rng.normal(size=(rank, shape[1])).astype(np.float32),
        f"{stem}.lora_B.weight": rng.normal(size=(shape[0], rank)).astype(np.float32),
    }
    save_file(tensors, folder / adapter.WEIGHTS)
    (folder / adapter.CONFIG).write_text(
        json.dumps({"peft_type": "LORA", "r": rank, "lora_alpha": 8, **(config or {})})
    )
    return folder


def test_only_the_adapted_weights_change_and_by_as_much_as_lora_says(
    tiny_trunk: Path, tmp_path: Path
) -> None:
    before = trunk.load(str(tiny_trunk), 2)
    folder = write(tmp_path / "a", before.weights[NAME].shape)
    after = adapter.merged(before, folder)
    changed = [
        name for name in before.weights if not np.array_equal(before.weights[name], after.weights[name])
    ]
    assert changed == [NAME]
    from safetensors.numpy import load_file

    down, up = (
        load_file(folder / adapter.WEIGHTS)[key] for key in sorted(load_file(folder / adapter.WEIGHTS))
    )
    wanted = before.weights[NAME].astype(np.float64) + 2.0 * (up.astype(np.float64) @ down.astype(np.float64))
    assert np.allclose(after.weights[NAME], wanted, atol=1e-4)


def test_an_adapter_of_another_trunk_is_refused(tiny_trunk: Path, tmp_path: Path) -> None:
    loaded = trunk.load(str(tiny_trunk), 2)
    with pytest.raises(ModelError, match="another trunk"):
        adapter.merged(loaded, write(tmp_path / "a", (7, 5)))
    with pytest.raises(ModelError, match="no place for"):
        adapter.merged(trunk.load(str(tiny_trunk), 1), write(tmp_path / "b", loaded.weights[NAME].shape))


@pytest.mark.parametrize("config", [{"peft_type": "IA3"}, {"use_dora": True}, {"rank_pattern": {"x": 2}}])
def test_other_adapters_are_refused(tiny_trunk: Path, tmp_path: Path, config: dict[str, Any]) -> None:
    loaded = trunk.load(str(tiny_trunk), 2)
    with pytest.raises(ModelError, match="plain LoRA"):
        adapter.merged(loaded, write(tmp_path / "a", loaded.weights[NAME].shape, config=config))


def test_a_damaged_adapter_is_told(tiny_trunk: Path, tmp_path: Path) -> None:
    loaded = trunk.load(str(tiny_trunk), 2)
    folder = write(tmp_path / "a", loaded.weights[NAME].shape)
    whole = (folder / adapter.WEIGHTS).read_bytes()
    (folder / adapter.WEIGHTS).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match="does not hold an adapter"):
        adapter.merged(loaded, folder)
    (folder / adapter.WEIGHTS).unlink()
    with pytest.raises(ModelError, match="does not hold an adapter"):
        adapter.merged(loaded, folder)
