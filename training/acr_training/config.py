"""What to collect, as data: a TOML file, flags over it.

out = "runs/collect"
seed = 0

[model]
base_url = "http://127.0.0.1:8000/v1"     # the embedded model if there is none

[[source]]
task = "math"
items = 40
turns = 2

[[source]]
dialogues = "mine.jsonl"
"""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from acr.errors import ConfigError
from acr.settings import read_toml
from acr_training.records import Split

REQUIRED: dict[tuple[int | str, ...], str] = {
    ("out",): "--out is required",
    (
        "source",
    ): "say what to collect from: --task, --traces or --dialogues, or [[source]] in a --config file",
}
"""What is said where one of these is missing."""

STRICT = ConfigDict(extra="forbid", frozen=True)


class Source(BaseModel):
    """Where states come from: exactly one of a benchmark task, traces of the proxy, and dialogues."""

    model_config = STRICT

    task: str | None = None
    data: Path | None = None
    """Items to use instead of the task's built-in ones."""
    items: int | None = Field(default=None, ge=1)
    """How many items (or states of traces and dialogues), drawn by seed; None takes all."""
    turns: int = Field(default=2, ge=1)
    """States an item: the last turn, and others drawn by seed."""
    solvable: bool = False
    """Only items that the model solves when told everything at once: at others no context can help. Costs a
    call an item."""
    splits: tuple[Split, ...] = ("train", "dev", "test")
    """Only items of these splits."""
    traces: Path | None = None
    dialogues: Path | None = None

    @model_validator(mode="after")
    def one(self) -> Self:
        if sum(each is not None for each in (self.task, self.traces, self.dialogues)) != 1:
            raise ValueError("a source is one of: task, traces, dialogues")
        return self


class Endpoint(BaseModel):
    """A model server with the interface of OpenAI's chat completions."""

    model_config = STRICT

    base_url: str | None = None
    """With `/v1`. None: the embedded model, or for a judge, the base model's server."""
    model: str = ""
    """The server's first one if not given."""
    key: str = Field(default="", repr=False, exclude=True)
    temperature: float = 0.7
    max_tokens: int = Field(default=700, ge=1)
    timeout: float = 900.0


class Collect(BaseModel):
    """All that `acr train collect` can be told."""

    model_config = STRICT

    out: Path
    source: tuple[Source, ...]
    model: Endpoint = Endpoint()
    judge: Endpoint = Endpoint(temperature=0.0, max_tokens=8)
    operators: tuple[str, ...] = ()
    """Candidates, several in turn such as `prune+recap` among them; none given: each that is installed."""
    controller: str = "never"
    """Who is in charge while conversations about benchmark items are held."""
    user: str = "paraphrase"
    exclude: tuple[Path, ...] = ()
    """Run directories of `acr bench` or folders of such, and files of item ids: nothing may be
    learned from these, so they are left out but for those of the split `test`."""
    runs: int = Field(default=1, ge=1)
    """Times that each state is answered, with different seeds."""
    seed: int = 0
    concurrency: int = Field(default=4, ge=1)
    answers: Path | None = None
    """File that keeps the model's answers; several collections may share one. None: in `out`."""
    engine: Literal["local", "ray"] = "local"


def load(path: Path | None, **given: Any) -> Collect:
    """The file's content with `given` over it; an override of None counts as not given.

    Tables (`model`, `judge`) are merged key by key. Raises `ConfigError` naming the key.
    """
    content = read_toml(path) if path is not None else {}
    for name, value in given.items():
        if isinstance(value, dict):
            content[name] = {**content.get(name, {}), **{k: v for k, v in value.items() if v is not None}}
        elif value is not None:
            content[name] = value
    content.setdefault("judge", {})
    content["judge"] = {"temperature": 0.0, "max_tokens": 8, **content["judge"]}
    try:
        return Collect.model_validate(content)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        problem = next((one for one in problems if one["type"] != "missing"), problems[0])
        if problem["type"] == "missing" and problem["loc"] in REQUIRED:
            raise ConfigError(REQUIRED[problem["loc"]]) from None
        where = ".".join(map(str, problem["loc"])) or "collect"
        raise ConfigError(f"{path or 'collect'}: {where}: {problem['msg']}") from None
