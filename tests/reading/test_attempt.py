import json
import os
from pathlib import Path

import pytest

from acr.reading.attempt import ATTEMPT, attempt
from acr.reading.features import features

DATA = Path(os.environ.get("ACR_TEST_DATA", Path(__file__).parents[3] / "shared"))


@pytest.mark.parametrize(
    "text",
    [
        "Let's solve it. 2 * 12 = 24. The answer is 24.",
        "```python\ndef f(x):\n    return x\n```",
        "[get_weather(city='Oslo', unit='C')]",
        "Das ergibt 1500 Euro.",
        "总共是 1500 元。",
        "Roses are red, the ocean is blue; the waves roll in and whisper to you.",
    ],
)
def test_attempts(text: str) -> None:
    assert attempt(text) >= ATTEMPT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Noted.",
        "I need more information. How many shells did Mimi find?",
        "Könnten Sie mir bitte sagen, wie viele Personen mitfahren? Ich brauche mehr Informationen.",
        "请提供更多信息。有多少人？",
        "The question lacks the parameters required by the function. Please provide the weight.",
    ],
)
def test_no_attempts(text: str) -> None:
    assert attempt(text) < ATTEMPT


def test_auc_against_logged_response_types() -> None:
    """AUC over all logged turns. The weights were set by hand and never fitted to these."""
    path = DATA / "data" / "lic_traces_dev.jsonl"
    if not path.exists():
        pytest.skip(f"no {path}: set ACR_TEST_DATA to a folder that has data/lic_traces_dev.jsonl")
    scores: dict[bool, list[float]] = {True: [], False: []}
    for line in path.read_text().splitlines():
        numbers: set[str] = set()
        for turn in json.loads(line)["turns"]:
            numbers |= features(turn["user"]).numbers
            if turn["rt"] != "missing":
                scores[turn["rt"] == "answer_attempt"].append(attempt(turn["asst"], numbers))
    ranked = sorted([(s, 1) for s in scores[True]] + [(s, 0) for s in scores[False]])
    wins = below = 0
    for _, positive in ranked:
        wins += below * positive
        below += 1 - positive
    assert wins / (len(scores[True]) * len(scores[False])) > 0.9
