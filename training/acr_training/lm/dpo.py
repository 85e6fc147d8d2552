"""Direct preference optimisation on pairs: what should be decided at a state, and what should not.

Rafailov et al., arXiv 2305.18290, with TRL's DPOTrainer. Each completion is one label token. The reference is
the controller that the step starts from; its likelihoods are computed once, before training.

All pairs of operators with different outcomes were tried first. Most say nothing of none, and the controller
drifted to intervening nearly everywhere (docs/decisions.md); hence the choice in `data.preferences`.
"""

from typing import Any

from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from acr.errors import TrainingError
from acr_training.lm import data, run


class Preferences(DPOTrainer):  # type: ignore[misc]
    """Takes rows that are tokenised already.

    TRL's own preparation appends an end token to each completion. Trained on, it lets the loss fall by what
    is said after a label instead of by which label is said.
    """

    def _prepare_dataset(self, dataset: Any, *_: Any, **__: Any) -> Any:
        return dataset


def trainer(place: run.Workplace, callbacks: list[Any]) -> DPOTrainer:
    """The trainer over pairs of the train split."""
    recipe, letters = place.recipe, place.data.letters
    found = data.preferences(place.data.of("train"), recipe.margin, recipe.pairs, recipe.seed)
    rows = [
        {
            "prompt_ids": place.encode(pair.prompt),
            "chosen_ids": place.encode(letters[pair.better]),
            "rejected_ids": place.encode(letters[pair.worse]),
        }
        for pair in found
    ]
    if not rows:
        raise TrainingError(
            f"{recipe.table} has no pair of the train split with a margin above {recipe.margin}, or none is "
            "nowhere, or everywhere, what should be decided"
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
