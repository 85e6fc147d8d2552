"""Supervised fine-tuning: the token of the table's label after the digest of the state. TRL's SFTTrainer.

Cross-entropy on that one token, over the labels (`acr_training.lm.model.causal`). Nothing is generated and no
end token is taught.
"""

from typing import Any

from datasets import Dataset
from trl import SFTConfig, SFTTrainer

from acr_training.lm import run


def trainer(place: run.Workplace, callbacks: list[Any]) -> SFTTrainer:
    """The trainer over the labelled states of the train split."""
    letters = place.data.letters
    rows = []
    for row in place.data.of("train"):
        prompt, label = place.encode(row.prompt), place.encode(letters[row.label])
        rows.append({"input_ids": prompt + label, "completion_mask": [0] * len(prompt) + [1] * len(label)})
    arguments = run.arguments(
        place.recipe, len(rows), completion_only_loss=True, max_length=None, packing=False
    )
    return SFTTrainer(
        model=place.model,
        args=SFTConfig(**arguments),
        train_dataset=Dataset.from_list(rows),
        processing_class=place.tokenizer,
        callbacks=callbacks,
    )
