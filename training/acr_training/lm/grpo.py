"""Group-relative policy optimisation with the table of outcomes as reward. TRL's GRPOTrainer.

Shao et al., arXiv 2402.03300. At each state labels are drawn from the controller; the reward of a label is
looked up, since every operator was tried there. What the table does not know gets the recipe's penalty. A
state at which all draws agree teaches nothing: start from a controller that is not yet sure of everything.

Drawing any token and punishing what is no label was tried first: any label, right or wrong, then beats the
group's mean, and the controller collapses to one of them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from acr_training.lm import run

Reward = Callable[..., list[float]]


def trainer(place: run.Workplace, callbacks: list[Any]) -> GRPOTrainer:
    """The trainer over the states of the train split."""
    recipe = place.recipe
    rows = [
        {"prompt": row.prompt, "rewards": json.dumps(dict(row.rewards))} for row in place.data.of("train")
    ]
    arguments = run.arguments(
        recipe,
        len(rows) * recipe.samples,
        beta=recipe.beta,
        num_generations=recipe.samples,
        max_completion_length=1,
        temperature=recipe.temperature,
        scale_rewards="none",  # dividing by a group's deviation makes trifles as important as answers
        generation_kwargs={"top_k": 0, "top_p": 1.0},
    )
    return GRPOTrainer(
        model=place.model,
        reward_funcs=look_up(place.data.letters, recipe.penalty),
        args=GRPOConfig(**arguments),
        train_dataset=Dataset.from_list(rows),
        processing_class=place.tokenizer,
        callbacks=callbacks,
    )


def look_up(letters: Mapping[str, str], penalty: float) -> Reward:
    """The reward function: completions and the table's rewards (JSON, one a completion) to numbers."""
    label = {text.strip(): name for name, text in letters.items()}

    def reward(completions: Sequence[str], rewards: Sequence[str], **_: Any) -> list[float]:
        known = [json.loads(one) for one in rewards]
        actions = [label.get(text.strip(), "") for text in completions]
        return [float(one.get(action, penalty)) for one, action in zip(known, actions, strict=True)]

    reward.__name__ = "outcome"
    return reward
