"""Reference detection on labelled turns: does a user turn need what the assistant wrote?

`data/references.jsonl` was written for this, in sixteen languages: dialogues of two or four turns, each with
several newest turns, labelled with the assistant turns without which they cannot be understood or carried
out (`needs`, empty where the turn stands on its own) and with the kind of turn. Dialogues are split in two by
hash of their name; nothing was tuned on the half that is reported. Apache-2.0, like the project.

    python -m acr_benchmarks.references
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acr.conversation import Conversation, Turn
from acr.reading.dialogue import read
from acr_benchmarks.logged import HALVES, half

PATH = Path(__file__).parent / "data" / "references.jsonl"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A dialogue whose newest turn is labelled."""

    id: str
    language: str
    kind: str
    needs: frozenset[str]
    conversation: Conversation

    @property
    def half(self) -> str:
        """By the dialogue, so that turns with the same history are on one side."""
        return half(self.id.partition("/")[0])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the reading made of one of them."""

    labelled: Labelled
    refers_to: frozenset[str]

    @property
    def right(self) -> bool:
        return bool(self.refers_to) == bool(self.labelled.needs)


def load(path: Path = PATH) -> list[Labelled]:
    return [_labelled(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _labelled(row: Mapping[str, Any]) -> Labelled:
    said = _conversation(row["texts"])
    return Labelled(row["id"], row["language"], row["kind"], frozenset(row["needs"]), said)


def _conversation(texts: Iterable[str]) -> Conversation:
    return Conversation(
        tuple(Turn(str(i), "assistant" if i % 2 else "user", text) for i, text in enumerate(texts))
    )


def examine(labelled: Iterable[Labelled]) -> list[Verdict]:
    """Read each and note what its newest turn is taken to refer to."""
    verdicts = []
    for one in labelled:
        newest = read(one.conversation)[-1].users[-1]
        verdicts.append(Verdict(one, frozenset(newest.refers_to)))
    return verdicts


def recall(verdicts: Sequence[Verdict]) -> float:
    needed = [verdict for verdict in verdicts if verdict.labelled.needs]
    return sum(bool(verdict.refers_to) for verdict in needed) / max(1, len(needed))


def precision(verdicts: Sequence[Verdict]) -> float:
    found = [verdict for verdict in verdicts if verdict.refers_to]
    return sum(bool(verdict.labelled.needs) for verdict in found) / max(1, len(found))


def complete(verdicts: Sequence[Verdict]) -> float:
    """Of the turns that need something: all that they need was found."""
    needed = [verdict for verdict in verdicts if verdict.labelled.needs]
    return sum(verdict.labelled.needs <= verdict.refers_to for verdict in needed) / max(1, len(needed))


def report(verdicts: Sequence[Verdict]) -> str:
    """Recall, precision and confusions as Markdown, per half."""
    lines = ["| half | turns | recall | precision | all that is needed |", "|" + " --- |" * 5]
    for part in HALVES:
        chosen = [verdict for verdict in verdicts if verdict.labelled.half == part]
        figures = " | ".join(f"{f(chosen):.3f}" for f in (recall, precision, complete))
        lines.append(f"| {part} | {len(chosen)} | {figures} |")
    reported = [verdict for verdict in verdicts if verdict.labelled.half == "reported"]
    kinds = Counter((v.labelled.kind, bool(v.labelled.needs)) for v in reported)
    wrong = Counter(v.labelled.kind for v in reported if not v.right)
    lines += ["", "| kind, reported half | label | turns | wrong |", "|" + " --- |" * 4]
    for (kind, needs), count in sorted(kinds.items(), key=lambda item: (not item[0][1], item[0][0])):
        lines.append(f"| `{kind}` | {'refers' if needs else 'stands alone'} | {count} | {wrong[kind]} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(examine(load())))
