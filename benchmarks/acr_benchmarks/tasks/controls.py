"""Control conversations, scored by the model's answer (see `acr_benchmarks.controls`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from acr_benchmarks.controls import PATH, control
from acr_benchmarks.task import Answer, Item


class Controls:
    """A fixed conversation each; one call, for its newest message. Settings: `direct` and `acr:POLICY`."""

    name = "controls"
    licence = "Apache-2.0"

    def path(self) -> Path:
        return PATH

    def system(self, item: Item) -> str:
        return ""

    def full(self, item: Item) -> str:
        return item.shards[-1].text

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        return pieces[-1]

    def conversation(self, item: Item) -> Sequence[Mapping[str, Any]]:
        return control(item).messages

    def extract(self, item: Item, response: str) -> Answer | None:
        return Answer(response)

    def score(self, item: Item, answer: str) -> float:
        return float(control(item).right(answer))
