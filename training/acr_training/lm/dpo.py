"""Direct preference optimisation on pairs of operators, one better than the other at the same state.

Rafailov et al., arXiv 2305.18290, with TRL's DPOTrainer. Each completion is one label token. The reference is
the controller that the step starts from; its likelihoods are computed once, before training.
"""

from typing import Any

from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from acr.errors import TrainingError
from acr_training.lm import run


class Preferences(DPOTrainer):  # type: ignore[misc]
    """Takes rows that are tokenised already.

    TRL's own preparation appends an end token to each completion. Trained on, it lets the loss fall by what
    is said after a label instead of by which label is said.
    """

    def _prepare_dataset(self, dataset: Any, *_: Any, **__: Any) -> Any:
        return dataset


def trainer(place: run.Workplace, callbacks: list[Any]) -> DPOTrainer:
    """The trainer over the pairs of the train split whose rewards differ by more than the margin."""
    recipe, letters = place.recipe, place.data.letters
    rows = [
        {
            "prompt_ids": place.encode(row.prompt),
            "chosen_ids": place.encode(letters[pair.better]),
            "rejected_ids": place.encode(letters[pair.worse]),
        }
        for row in place.data.of("train")
        for pair in row.pairs
        if pair.margin > recipe.margin
    ]
    if not rows:
        raise TrainingError(
            f"{recipe.table} has no pair of the train split with a margin above {recipe.margin}"
        )
    arguments = run.arguments(
        recipe, len(rows), beta=recipe.beta, max_length=None, precompute_ref_log_probs=True
    )
    return Preferences(
        model=place.model,
        args=DPOConfig(**arguments),
        train_dataset=Dataset.from_list(rows),
        processing_class=place.tokenizer,
        callbacks=callbacks,
    )
