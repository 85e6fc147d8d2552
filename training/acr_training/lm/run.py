"""One run of a trainer: from recipe to artefact, safe to kill at any moment.

    out/manifest.json     arguments, hashes of what was read, versions, results
    out/checkpoints/      the trainer's own, each marked once it is whole
    out/best/             the adapter that did best on the held-out states so far
    out/curves.json, .png loss and held-out figures by step
    out/controller/       what acr serve --controller takes (`acr_training.lm.export`)

Started again after a kill it goes on from the newest whole checkpoint: optimiser, random states, place in the
data and all figures so far come back, so the end is the same as without the kill.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import torch
import transformers
from transformers import (
    PrinterCallback,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
    set_seed,
)

from acr.errors import TrainingError
from acr.lm import trunk as trunks
from acr_training import manifest
from acr_training.lm import curves, data, export, heldout, model
from acr_training.lm.data import Data
from acr_training.lm.recipe import Recipe
from acr_training.table import EXAMPLES, STATES

CHECKPOINTS, BEST = "checkpoints", "best"
WHOLE = "whole"
"""Marks a checkpoint that was written to its end."""
KEY = "heldout_"


@dataclass(frozen=True, slots=True)
class Workplace:
    """All that a trainer needs."""

    recipe: Recipe
    trunk: trunks.Trunk
    tokenizer: Any
    model: Any
    data: Data
    """What is trained on: shuffled, if the recipe says so."""
    true: Data
    """What is measured with."""

    def label_ids(self) -> list[int]:
        """Token ids of the labels, in their order."""
        return label_ids(self.trunk, self.data)

    def encode(self, text: str) -> list[int]:
        return list(self.trunk.tokenizer.encode(text).ids)

    def measure(self, split: str) -> dict[str, float]:
        """Figures of the model as it is now."""
        rows = [row for row in self.true.rows if row.split == split]
        if not rows:
            return {}
        found = model.logits(self.model, [self.encode(row.prompt) for row in rows], self.label_ids())
        probabilities = heldout.softmax(found.numpy())
        return heldout.figures(probabilities, rows, self.true.labels, self.recipe.penalty)


def label_ids(trunk: trunks.Trunk, found: Data) -> list[int]:
    """Token ids of the labels. Raises `TrainingError` if the tokenizer makes more than one of a label."""
    ids = [list(trunk.tokenizer.encode(text).ids) for text in found.letters.values()]
    if any(len(one) != 1 for one in ids):
        raise TrainingError("the base model's tokenizer does not make one token of a space and a letter")
    return [one[0] for one in ids]


def prepare(recipe: Recipe) -> Workplace:
    """Load everything. Raises `TrainingError` or `ModelError`."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    datasets.disable_progress_bars()
    transformers.logging.set_verbosity_error()  # of the tokenizer's end token, which nothing here uses
    torch.set_num_threads(recipe.threads)
    set_seed(recipe.seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    start = recipe.start / export.CONTROLLER if recipe.start else None
    card = export.card(start) if start else None
    if card and (card.base, card.layers) != (export.base_name(recipe.base), recipe.layers):
        raise TrainingError(f"{recipe.start} was trained on {card.layers} layers of {card.base}")
    trunk = trunks.load(recipe.base, recipe.layers)
    true = data.load(recipe.table, trunk.tokenizer, card.labels if card else ())
    trained = data.shuffled(true, recipe.seed) if recipe.shuffle_labels else true
    labels = label_ids(trunk, true)
    made = model.adapted(model.causal(trunk, recipe.dtype, labels), recipe, start)
    return Workplace(recipe, trunk, model.tokens(trunk), made, trained, true)


def arguments(recipe: Recipe, rows: int, **more: Any) -> dict[str, Any]:
    """What all of TRL's trainers are told, for so many rows of data."""
    cpu = not torch.cuda.is_available()
    steps = max(1, -(-rows // (recipe.batch * recipe.accumulate)))
    return {
        "output_dir": str(recipe.out / CHECKPOINTS),
        "per_device_train_batch_size": recipe.batch,
        "gradient_accumulation_steps": recipe.accumulate,
        "num_train_epochs": recipe.epochs,
        "learning_rate": recipe.rate,
        "lr_scheduler_type": "cosine",
        "warmup_steps": max(1, int(recipe.warmup * steps * recipe.epochs)),
        "weight_decay": recipe.decay,
        "max_grad_norm": 1.0,
        "logging_steps": 1,
        "save_strategy": "steps",
        "save_steps": recipe.evaluate_every,
        "save_total_limit": recipe.keep,
        "seed": recipe.seed,
        "data_seed": recipe.seed,
        "use_cpu": cpu,  # without it TRL asks for bf16 mixed precision and refuses the processor
        "bf16": not cpu and recipe.dtype == "bfloat16",
        "gradient_checkpointing": False,
        "dataloader_pin_memory": not cpu,
        "report_to": [],
        "disable_tqdm": True,
        **more,
    }


def fused_on_cpu() -> None:
    """Have TRL score labelled positions only, as it does on GPUs: 0.4 to 0.6 of the time, the same loss.

    A private name of TRL 1.16, to which the extra `train` is pinned; without it training is only slower.
    """
    import trl.trainer.utils as utils

    if hasattr(utils, "_use_triton"):
        utils._use_triton = lambda device: True


class Watch(TrainerCallback):  # type: ignore[misc]
    """Measures on the held-out states, keeps the best adapter, marks whole checkpoints.

    Its figures go into the trainer's own log, which every checkpoint holds.
    """

    def __init__(self, place: Workplace, tell: Callable[[str], None]) -> None:
        self.place, self.tell = place, tell

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        if not history(state.log_history):
            self.look(args, state)

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        if state.global_step % self.place.recipe.evaluate_every == 0 or state.global_step >= state.max_steps:
            self.look(args, state)

    def look(self, args: TrainingArguments, state: TrainerState) -> None:
        found = self.place.measure("dev")
        past = best(state.log_history)
        state.log_history.append(
            {"step": state.global_step, **{KEY + name: one for name, one in found.items()}}
        )
        if not state.is_world_process_zero:
            return
        if heldout.better(found, past):
            keep(self.place.model, self.place.recipe.out / BEST)
        self.tell(
            f"step {state.global_step} of {state.max_steps}: held-out accuracy {found['accuracy']:.3f}, "
            f"regret {found['regret']:.4f}, nll {found['nll']:.3f}"
        )

    def on_save(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        if state.is_world_process_zero:
            (Path(str(args.output_dir)) / f"checkpoint-{state.global_step}" / WHOLE).touch()


def keep(model: Any, folder: Path) -> None:
    """Save the adapter in one step: a kill leaves the old one or the new one."""
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    model.save_pretrained(str(part), selected_adapters=["default"])
    shutil.rmtree(folder, ignore_errors=True)
    part.replace(folder)


def history(log: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The held-out figures in a trainer's log, by step."""
    return [
        {
            "step": row["step"],
            **{name.removeprefix(KEY): one for name, one in row.items() if name.startswith(KEY)},
        }
        for row in log
        if KEY + "regret" in row
    ]


def best(log: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The best of the held-out figures so far; the earliest of equal ones."""
    found: dict[str, Any] | None = None
    for row in history(log):
        if heldout.better(row, found):
            found = row
    return found


def newest(folder: Path) -> Path | None:
    """The newest whole checkpoint; what a kill left half written is removed."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    for path in found:
        if not (path / WHOLE).exists():
            shutil.rmtree(path, ignore_errors=True)  # of several processes another may be quicker
    whole = [path for path in found if (path / WHOLE).exists()]
    return whole[-1] if whole else None


def first() -> bool:
    """Whether this is the first of the processes that train together, or the only one."""
    return os.environ.get("RANK", "0") == "0"


Make = Callable[[Workplace, list[Any]], Any]
"""Makes a trainer for a workplace, with those callbacks."""


def train(recipe: Recipe, make: Make, tell: Callable[[str], None]) -> dict[str, Any]:
    """Train to the end and write the run's results. Returns them; of several processes, to the first only.

    Raises `TrainingError` if the directory was begun with other arguments or other data.
    """
    inputs = {"states": recipe.table / STATES, "examples": recipe.table / EXAMPLES}
    hashes = {name: manifest.sha256(path) for name, path in inputs.items() if path.exists()}
    fixed = recipe.model_dump(mode="json", exclude={"step"}) | {"data": hashes}
    fixed |= {name: manifest.plain(getattr(recipe, name)) for name in ("table", "out", "start")}
    fixed["base"] = Path(recipe.base).name  # a folder of this machine means nothing elsewhere
    manifest.agree(recipe.out, recipe.step, **fixed)
    place = prepare(recipe)
    if first():
        manifest.note(recipe.out, recipe.step, arguments=fixed, inputs=inputs)
    fused_on_cpu()
    trainer = make(place, [Watch(place, tell)])
    trainer.remove_callback(PrinterCallback)
    checkpoint = newest(recipe.out / CHECKPOINTS)
    if checkpoint is not None:
        tell(f"going on from {checkpoint.name}")
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    log = trainer.state.log_history
    results = {"best": best(log), "steps": trainer.state.max_steps}
    if first():
        with torch.no_grad():
            place.model.load_adapter(str(recipe.out / BEST), "default", is_trainable=False)
        results |= {split: place.measure(split) for split in ("train", "dev", "test")}
        results["constant"] = heldout.constant(place.true.of("dev"), place.true.labels, recipe.penalty)
        export.controller(recipe, place.true.labels, place.label_ids(), recipe.out / BEST)
        curves.write(recipe.out, recipe.step, log, history(log))
        manifest.note(recipe.out, recipe.step, arguments=fixed, inputs=inputs, results=results)
    return results if first() else {}
