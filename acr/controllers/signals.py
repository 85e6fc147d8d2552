"""A small trained model over signals (`acr train signals`): plain arithmetic, microseconds, no libraries.

Trained on outcomes: at each state every operator and none was run, the base model answered each, and what
scored best for its tokens was the label (docs/training.md). How good it is stands in docs/training.md too.
"""

from dataclasses import dataclass, field

from acr.controllers.features import features
from acr.controllers.weights import Weights, load
from acr.conversation import Conversation
from acr.decision import Decision
from acr.signals import Signals as Observed

UNSEEN = (("tools", "the task uses tools, and this controller was not trained on such"),)
"""Signals of conversations unlike any it was trained on, and the reason that is given."""


@dataclass(frozen=True)
class Signals:
    """`signals`: the shipped weights. `signals:FOLDER`: those of a folder that `acr train` made."""

    folder: str = ""
    weights: Weights = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", load(self.folder))

    @property
    def name(self) -> str:
        return "signals"

    def decide(self, conversation: Conversation, signals: Observed) -> Decision:
        for signal, reason in UNSEEN:
            if signals[signal]:
                return Decision(None, reason, controller=self.name)
        label, probability = self.choose(conversation, signals)
        if label is None:
            return Decision(None, "better left alone", 1.0 - probability, self.name)
        return Decision(label, "likely to get better", probability, self.name)

    def choose(self, conversation: Conversation, signals: Observed) -> tuple[str | None, float]:
        """The operator or None, and the calibrated probability that intervening is right or as good."""
        weights = self.weights
        values = features(conversation, signals, weights.features)
        chances = weights.probabilities([values[name] for name in weights.features])
        intervene = 1.0 - chances[0]
        best = max(range(1, len(chances)), key=chances.__getitem__, default=0)
        wanted = best > 0 and intervene >= weights.threshold
        return weights.labels[best] if wanted else None, weights.calibrated(intervene)
