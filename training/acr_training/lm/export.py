"""From a trained adapter to what is served, and the proof that serving decides as training did.

    controller/   card and adapter, a few MB: with the base model on the machine, all that acr serve needs
    merged        the adapter added to the trunk: a folder that transformers loads and that serves by itself

Neither form needs torch to be served: OpenVINO gets its weights as arrays (`acr.lm.graph`).
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from acr.embedded.catalogue import MODELS
from acr.errors import TrainingError
from acr.lm import adapter, artefact
from acr.lm import trunk as trunks
from acr.lm.artefact import Card
from acr.lm.graph import Scorer
from acr_training import manifest
from acr_training.lm import data, heldout
from acr_training.lm.recipe import Recipe

CONTROLLER = "controller"
TOLERANCE = 0.02
"""Largest difference of a probability between torch in float32 and what is served."""


def base_name(base: str) -> str:
    """As the card names it: a model of the catalogue, or the folder's whole path."""
    return str(Path(base).resolve()) if Path(base).is_dir() else base


def card(folder: Path) -> Card:
    """The card of an earlier step."""
    return artefact.load(folder)


def controller(recipe: Recipe, labels: Sequence[str], tokens: Sequence[int], best: Path) -> Path:
    """Write `out/controller`, in one step."""
    base = base_name(recipe.base)
    sha256 = MODELS[base].sha256 if base in MODELS else ""
    made = Card(base, recipe.layers, tuple(labels), tuple(tokens), sha256)
    return _place(recipe.out / CONTROLLER, made, [best / adapter.CONFIG, best / adapter.WEIGHTS])


def _place(folder: Path, made: Card, files: Sequence[Path]) -> Path:
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    artefact.save(made, part)
    for file in files:
        shutil.copyfile(file, part / file.name)
    shutil.rmtree(folder, ignore_errors=True)
    part.replace(folder)
    return folder


def loaded(folder: Path) -> tuple[Card, trunks.Trunk]:
    """The card of a controller, and its trunk with the adapter added."""
    found = artefact.load(folder)
    trunk = trunks.load(artefact.where(found, folder), found.layers)
    if (folder / adapter.CONFIG).is_file():
        trunk = adapter.merged(trunk, folder)
    return found, trunk


def copied(folder: Path, out: Path) -> Path:
    """Copy the controller in `folder`. Raises `ConfigError` or `TrainingError`."""
    found = artefact.load(folder)
    if out.exists() and any(out.iterdir()):
        raise TrainingError(f"{out} is not empty")
    files = [path for path in folder.iterdir() if path.is_file() and path.name != artefact.FILE]
    return _place(out, found, files)


def merge(folder: Path, out: Path) -> Path:
    """Write the controller in `folder` as one whole model. Raises `ModelError` or `TrainingError`."""
    from acr_training.lm import model

    found, trunk = loaded(folder)
    if out.exists() and any(out.iterdir()):
        raise TrainingError(f"{out} is not empty")
    whole = model.causal(trunk)
    out.mkdir(parents=True, exist_ok=True)
    whole.save_pretrained(str(out))
    trunk.tokenizer.save(str(out / "tokenizer.json"))
    artefact.save(replace(found, base=".", base_sha256=""), out)
    return out


def parity(folder: Path, table: Path, split: str = "dev", precision: str = "") -> dict[str, Any]:
    """Compare what is served with torch in float32 on the states of a split, and write `parity.json`.

    Raises `TrainingError` if a decision differs, or a probability by more than `TOLERANCE`.
    """
    import torch

    from acr_training.lm import model

    torch.set_num_threads(1)  # two wait for each other on a machine that does other things too
    found, trunk = loaded(folder)
    rows = [row for row in data.load(table, trunk.tokenizer, found.labels).rows if row.split == split]
    if not rows:
        raise TrainingError(f"{table} has no labelled state in the {split} split")
    prompts = [list(trunk.tokenizer.encode(row.prompt).ids) for row in rows]
    reference = model.logits(model.causal(trunk), prompts, list(found.tokens)).numpy()
    scorer = Scorer(trunk, found.tokens, precision=precision)
    served = np.stack([scorer.logits(row.prompt) for row in rows])
    wanted, got = heldout.softmax(reference), heldout.softmax(served)
    difference = float(np.abs(wanted - got).max())
    result = {
        "split": split,
        "states": len(rows),
        "precision": scorer.precision,
        "same_decision": int((wanted.argmax(axis=1) == got.argmax(axis=1)).sum()),
        "largest_difference": round(difference, 6),
        "tolerance": TOLERANCE,
    }
    manifest.save(folder / "parity.json", result)
    if result["same_decision"] != len(rows) or difference > TOLERANCE:
        raise TrainingError(f"what is served does not decide as torch does: {json.dumps(result)}")
    return result
