"""How good the way of training is, on all states: each is decided on by a controller not made from it.

The conversations are cut into folds. For each fold a controller is made from the others, with its own choice
of recipe, so nothing of a state has a part in the decision on it. With few states this gives narrower
intervals than a test split; what it measures is the procedure, not the one controller that is shipped.
"""

from collections.abc import Sequence

from acr.controllers.weights import Weights, parse
from acr.decision import Decision
from acr.errors import TrainingError
from acr_training import learn
from acr_training.data import Data, folds
from acr_training.fit import Recipe
from acr_training.records import NONE

PARTS = 5


def decisions(
    data: Data, recipes: Sequence[Recipe] = learn.RECIPES, parts: int = PARTS, seed: int = 0
) -> list[Decision]:
    """A decision for each state. Where the other folds teach nothing, it is none."""
    found = [Decision(None, "not decided")] * len(data)
    for train, held in folds(data.groups, parts, seed + 1):
        try:
            weights = parse(learn.train(data.rows(train), recipes, seed)[0])
        except TrainingError:
            weights = Weights((), (NONE,), (0.0,))
        out = data.rows(held)
        chances = learn.chances(weights, out)
        for place, action, none in zip(held, learn.decide(weights, out, chances), chances[:, 0], strict=True):
            operator = None if action == NONE else action
            confidence = none if operator is None else 1.0 - none
            found[place] = Decision(operator, "by the other folds", float(confidence))
    return found
