"""`acr train sft`, `dpo`, `grpo` and `export`: the language-model controller."""

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from acr.cli import output
from acr.errors import ConfigError
from acr_training.lm import recipe
from acr_training.lm.recipe import Recipe, Step

NEEDED = ("torch", "transformers", "trl", "peft", "datasets", "openvino", "matplotlib")

TableOption = Annotated[
    Path | None, typer.Option("--table", help="Run directory of collect and label.", show_default=False)
]
Out = Annotated[
    Path | None, typer.Option("--out", help="Run directory; started again, it goes on where it stopped.")
]
Config = Annotated[Path | None, typer.Option("--config", help="TOML file of all that can be told.")]
Start = Annotated[Path | None, typer.Option("--from", help="Run directory of the step to go on from.")]
Set = Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE of the TOML file, over it.")]


def sft(
    table: TableOption = None, out: Out = None, config: Config = None, start: Start = None, set_: Set = None
) -> None:
    """Fine-tune on the labels: supervised, TRL's SFTTrainer."""
    learn("sft", table, out, config, start, set_)


def dpo(
    table: TableOption = None, out: Out = None, config: Config = None, start: Start = None, set_: Set = None
) -> None:
    """Go on with pairs of better and worse operators: TRL's DPOTrainer."""
    learn("dpo", table, out, config, start, set_)


def grpo(
    table: TableOption = None, out: Out = None, config: Config = None, start: Start = None, set_: Set = None
) -> None:
    """Go on with the outcomes as reward: TRL's GRPOTrainer."""
    learn("grpo", table, out, config, start, set_)


def export(
    controller: Annotated[Path, typer.Argument(help="Run directory, or a controller's folder.")],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    table: Annotated[Path, typer.Option(help="Table whose held-out states prove that it decides the same.")],
    form: Annotated[str, typer.Option(help="adapter: a few MB. merged: the whole model.")] = "adapter",
    split: Annotated[str, typer.Option(help="States to compare on: dev, test or train.")] = "dev",
) -> None:
    """Write a trained controller to a folder that acr serve takes, checked against torch."""
    extra()
    if form not in ("adapter", "merged") or split not in ("train", "dev", "test"):
        raise ConfigError("form is adapter or merged; split is train, dev or test")
    from acr_training.lm import export as exporting

    source = controller / exporting.CONTROLLER if (controller / exporting.CONTROLLER).is_dir() else controller
    made = exporting.merge(source, out) if form == "merged" else exporting.copied(source, out)
    result = exporting.parity(made, table, split)
    output.err().print(
        f"{result['same_decision']} of {result['states']} held-out decisions are those of torch; "
        f"largest difference of a probability {result['largest_difference']:.4f} ({result['precision']}).\n"
        f"Now: acr serve --controller {made}",
        highlight=False,
    )


def draw(
    runs: Annotated[list[Path], typer.Argument(help="Run directories, or a file of curves by name.")],
    out: Annotated[Path, typer.Option(help="Picture to write; beside it, the curves as JSON.")],
) -> None:
    """Draw the curves of several runs into one picture, such as a real one and a shuffled one."""
    from acr_training import manifest
    from acr_training.lm import curves

    found = curves.load(runs)
    curves.plot(out, found)
    manifest.save(out.with_suffix(".json"), found)


def learn(
    step: Step,
    table: Path | None,
    out: Path | None,
    config: Path | None,
    start: Path | None,
    set_: list[str] | None,
) -> None:
    """One step of training, with its progress."""
    told = recipe.load(step, config, **{**values(set_ or []), "table": table, "out": out, "start": start})
    extra()
    from acr_training.lm import run

    console = output.err()
    trainer = import_module(f"acr_training.lm.{step}").trainer
    results = run.train(told, trainer, lambda line: console.print(line, highlight=False, markup=False))
    if results:
        console.print(summary(told, results), highlight=False, markup=False)


def summary(told: Recipe, results: dict[str, Any]) -> str:
    """What came of it, and what to do next."""
    rows = [
        f"{split:<6} {found['states']:>4} states  accuracy {found['accuracy']:.3f}  "
        f"regret {found['regret']:.4f}  reward {found['reward']:.4f}  intervened {found['intervened']:.0%}"
        for split in ("train", "dev", "test")
        if (found := results[split])
    ]
    best = min(results["constant"].items(), key=lambda one: one[1]["regret"])
    rows.append(f"best constant decision on dev: {best[0]}, regret {best[1]['regret']:.4f}")
    rows.append(f"Now: acr serve --controller {told.out / 'controller'}")
    return "\n".join(rows)


def values(given: list[str]) -> dict[str, Any]:
    """`NAME=VALUE` pairs; values as in TOML, or text where they are not."""
    found: dict[str, Any] = {}
    for one in given:
        name, equals, text = one.partition("=")
        if not equals:
            raise ConfigError(f"--set {one!r} must be NAME=VALUE")
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found


def extra() -> None:
    """Raises `ConfigError` if the libraries of the extra `train` are missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"this needs {', '.join(missing)}: pip install 'adaptive-context-refactoring[train]' "
            "(docs/training.md says how to get torch without CUDA)"
        )
