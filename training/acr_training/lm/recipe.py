"""What a step of training is told: a TOML file, flags over it. Unknown keys are errors.

One model for the three steps: they differ in a few numbers, and a key that a step has no use for is refused.
"""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from acr.errors import ConfigError
from acr.settings import read_toml

Step = Literal["sft", "dpo", "grpo"]


class Recipe(BaseModel):
    """All that `acr train sft`, `dpo` and `grpo` can be told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    step: Step
    table: Path
    """Run directory with `states.jsonl` and `examples.jsonl`."""
    out: Path
    start: Path | None = None
    """Run directory of an earlier step, whose adapter is trained further. dpo and grpo need one."""

    base: str = "smollm2-135m-instruct"
    """Model of `acr model list`, or a folder in the layout of transformers."""
    layers: int = Field(default=12, ge=1)
    """Layers of it that are kept, from the first on."""
    rank: int = Field(default=8, ge=1)
    alpha: int = Field(default=16, ge=1)
    dropout: float = Field(default=0.05, ge=0, lt=1)
    dtype: Literal["float32", "bfloat16"] = "bfloat16"
    """Of the frozen weights. bfloat16 is slow on processors that do not compute in it."""

    epochs: float = Field(default=6.0, gt=0)
    batch: int = Field(default=8, ge=1)
    accumulate: int = Field(default=1, ge=1)
    """Batches that make one step."""
    rate: float = Field(default=1e-3, gt=0)
    warmup: float = Field(default=0.1, ge=0, lt=1)
    """Share of the steps in which the learning rate rises."""
    decay: float = Field(default=0.01, ge=0)
    evaluate_every: int = Field(default=10, ge=1)
    """Steps between two looks at the held-out states; a checkpoint is saved at each."""
    keep: int = Field(default=2, ge=1)
    """Checkpoints that stay on disk."""
    seed: int = 1
    threads: int = Field(default=1, ge=1)
    """Of torch. More than one is slower on a machine that does other things too."""
    shuffle_labels: bool = False
    """Train on the labels, pairs and rewards of other states. What still looks learnt then is an artefact."""

    beta: float = Field(default=0.1, ge=0)
    """dpo, grpo: how strongly the controller is held to where it started."""
    margin: float = Field(default=0.0, ge=0)
    """dpo: smallest difference of rewards that makes a pair."""
    pairs: int = Field(default=3, ge=1)
    """dpo: most pairs of one state."""
    samples: int = Field(default=8, ge=2)
    """grpo: decisions that are drawn at a state; `batch` is a multiple of it."""
    temperature: float = Field(default=1.0, gt=0)
    """grpo: of drawing them."""
    penalty: float = -1.0
    """grpo: reward of a decision that the table has no outcome of."""

    @model_validator(mode="after")
    def fits(self) -> Self:
        if self.step != "sft" and self.start is None:
            raise ValueError(f"{self.step} goes on from an earlier step: give start")
        if self.step == "grpo" and (self.batch * self.accumulate) % self.samples:
            raise ValueError("batch times accumulate must be a multiple of samples")
        return self


DEFAULTS: dict[Step, dict[str, Any]] = {
    "sft": {},
    "dpo": {"rate": 1e-4, "epochs": 2.0, "dropout": 0.0, "beta": 0.3},
    "grpo": {"rate": 2e-4, "epochs": 2.0, "dropout": 0.0, "beta": 0.02, "accumulate": 4},
}
"""Where a step's defaults differ from those above."""
OWN: dict[str, tuple[Step, ...]] = {
    "start": ("dpo", "grpo", "sft"), "beta": ("dpo", "grpo"), "margin": ("dpo",), "pairs": ("dpo",),
    "samples": ("grpo",), "temperature": ("grpo",), "penalty": ("grpo",),
}  # fmt: skip
"""Keys that only some steps have."""


def load(step: Step, path: Path | None, **given: Any) -> Recipe:
    """The file's content with `given` over it; an override of None counts as not given.

    Raises `ConfigError` naming the key.
    """
    content = read_toml(path) if path is not None else {}
    content |= {name: value for name, value in given.items() if value is not None}
    for name in content:
        if step not in OWN.get(name, (step,)):
            raise ConfigError(f"{path or step}: {name} is not for {step}, but for {', '.join(OWN[name])}")
    try:
        return Recipe.model_validate({**DEFAULTS[step], **content, "step": step})
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise ConfigError(f"{path or step}: {where + ': ' if where else ''}{problem['msg']}") from None
