"""Reference detection on labelled turns: does a user turn need what the assistant wrote?

Dialogues of two or four turns, each with several newest turns, labelled with the assistant turns without
which they cannot be understood or carried out (`needs`, empty where the turn stands on its own) and with
their kind. Four files in `data/`, written for this, Apache-2.0 like the project:

- `references.jsonl`, sixteen languages, written before the detector; split in two by hash of the dialogue's
  name, and fitted on one half only (`tuning`);
- `references_more.jsonl`, written while fitting, for fitting only;
- `references_fresh.jsonl`, eleven languages, written after fitting;
- `references_third.jsonl`, nine languages, most of them short facts in the third person, written before clues
  for these went in; nobody has read what is wrong in it.

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
MORE = PATH.with_name("references_more.jsonl")
FRESH = PATH.with_name("references_fresh.jsonl")
THIRD = PATH.with_name("references_third.jsonl")


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


def report(verdicts: Sequence[Verdict], name: str) -> str:
    """Recall, precision and confusions as Markdown."""
    figures = " | ".join(f"{f(verdicts):.3f}" for f in (recall, precision, complete))
    lines = ["| set | turns | recall | precision | all that is needed |", "|" + " --- |" * 5]
    lines += [f"| {name} | {len(verdicts)} | {figures} |", ""]
    kinds = Counter((v.labelled.kind, bool(v.labelled.needs)) for v in verdicts)
    wrong = Counter((v.labelled.kind, bool(v.labelled.needs)) for v in verdicts if not v.right)
    lines += ["| kind | label | turns | wrong |", "|" + " --- |" * 4]
    for kind, needs in sorted(kinds, key=lambda one: (not one[1], one[0])):
        label = "refers" if needs else "stands alone"
        lines.append(f"| `{kind}` | {label} | {kinds[kind, needs]} | {wrong[kind, needs]} |")
    return "\n".join(lines)


def main() -> None:
    for part in HALVES:
        print(report(examine(one for one in load() if one.half == part), part), end="\n\n")
    print(report(examine(load(FRESH)), "fresh"), end="\n\n")
    print(report(examine(load(THIRD)), "third"))


if __name__ == "__main__":
    main()
