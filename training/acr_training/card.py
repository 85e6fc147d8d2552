"""The model card of a trained controller, made from its manifest and evaluation; nothing is typed in."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from acr.errors import TrainingError
from acr_training import manifest


def card(folder: Path) -> str:
    """The card as Markdown. Raises `TrainingError` if the folder was not made by `acr train`."""
    content = manifest.load(folder)
    steps: Mapping[str, Any] = content["steps"]
    trained = steps.get("signals")
    if trained is None:
        raise TrainingError(
            f"{folder} holds no signals controller: {manifest.FILE} does not tell of its training"
        )
    results = trained["results"]
    lines = [
        "# Controller `signals`",
        "",
        "Decides at each user turn whether the context is refactored, and by which operator, from "
        f"{results['features']} numbers about the conversation. A {results['recipe']['kind']} model, served "
        "as plain arithmetic; no text is stored in it.",
        "",
        "## Made from",
        "",
        *collected(results.get("collected", [])),
        f"- {results['states']} states of the split `train`; labels {listed(results['labels'])}",
        f"- chosen among {results['recipes']} recipes by regret on held-out folds of that split: "
        f"{listed(results['recipe'])}, threshold {results['threshold']:g}",
        f"- versions: {listed(trained['versions'])}",
        "",
        "| file | SHA-256 |",
        "|---|---|",
        *(f"| {name} | `{each['sha256']}` |" for name, each in trained["inputs"].items()),
        "",
    ]
    calibrated = steps.get("calibrate")
    if calibrated:
        lines += ["## Calibrated", "", f"- {listed(calibrated['results'])}", ""]
    evaluation = folder / "evaluation.md"
    if evaluation.exists():
        lines += ["## Measured on states it was not made from", "", evaluation.read_text(encoding="utf-8")]
    lines += [
        "## Not for",
        "",
        "- tasks that use tools: none were in its data, and it leaves them alone",
        "- judging other models: outcomes are those of the base model named above; with a much stronger or "
        "weaker one they may differ, and `acr train` makes a controller from yours",
        "",
    ]
    return "\n".join(lines)


def collected(steps: list[Mapping[str, Any]]) -> list[str]:
    """What each collection consisted of."""
    lines = []
    for step in steps:
        arguments, results = step["arguments"], step["results"]
        operators = ", ".join(arguments["operators"])
        lines.append(
            f"- {results['states']} states, {results['outcomes']} outcomes of base model "
            f"`{arguments['base']}` (temperature {arguments['temperature']}, at most "
            f"{arguments['max_tokens']} tokens, seed {arguments['seed']}); operators {operators}"
        )
        lines += [f"  - {name.partition(':')[2]}: {file['file']}, SHA-256 `{file['sha256']}`"
                  for name, file in step["inputs"].items()]  # fmt: skip
    return lines


def listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
