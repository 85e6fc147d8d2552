"""Sorts an assistant's responses into the seven types of the Lost-in-Conversation protocol.

The protocol has a model do it (arXiv 2505.06120, section 4). The default here reads the form, with the
reading modules that ACR itself uses, so that nothing but the text decides and no call is made; `Judge` asks
a model. Scores do not depend on it: whatever the extraction finds is scored.

    python -m acr_benchmarks.responses FILE

holds the default against labelled conversations: JSON lines with `turns: [{user, asst, rt}]`.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, get_args

from acr.errors import ConfigError, UpstreamError
from acr.reading.attempt import attempt
from acr.reading.features import features
from acr_benchmarks.endpoint import Endpoint, json_object
from acr_benchmarks.task import Item, Task

Response = Literal[
    "answer_attempt", "clarification", "interrogation", "discussion", "hedge", "refuse", "missing"
]
RESPONSES: tuple[Response, ...] = get_args(Response)

SURE = 0.75
"""Probability from which a response counts as an attempt: stricter than what ACR acts on."""
END = 220
"""Characters at the end of a response, where it says what it comes to."""
LONG = 600
"""Characters: a longer response that ends in a request talks more than it asks."""

_HEDGES = frozenset(
    "approximately assume assuming estimate estimated guess hypothetical roughly suppose typical".split()
)
_HEDGED = 3
"""Of these words at its end, from which on an answer is hedged."""


class Classifier(Protocol):
    """Says what kind of response a text is."""

    @property
    def name(self) -> str: ...

    async def label(
        self, task: Task, item: Item, text: str, given: Set[str], presented: bool
    ) -> Response: ...


class Form:
    """By form alone: deterministic, needs no model."""

    name = "form"

    async def label(self, task: Task, item: Item, text: str, given: Set[str], presented: bool) -> Response:
        """As `classify`; where the pieces are material (documents, tables), every response is an attempt, as
        in the protocol.
        """
        return classify(text, given, presented=presented or item.ordered)


def classify(text: str, given: Set[str] = frozenset(), *, presented: bool = False) -> Response:
    """The type of a response. `given` are the numbers that the user has said, as `features` reads them;
    `presented` says that the task's extraction found an answer that the text presents as one.
    """
    read, end = features(text), features(text[-END:])
    if not any(sign.isalnum() for sign in text):
        return "missing"
    if presented:
        return "answer_attempt"
    if len(read.tokens) < 2 and read.length < 12 and not read.numbers:
        return "missing"
    if attempt(text, given) >= SURE:
        return "hedge" if sum(token in _HEDGES for token in end.tokens) >= _HEDGED else "answer_attempt"
    if not (read.asks or end.questions or end.does("more_needed")):
        return "refuse" if read.does("insufficient") else "discussion"
    if read.does("insufficient") and not read.questions:
        return "refuse"
    if read.length > LONG:
        return "discussion"
    asked = max(read.questions, read.items if read.does("more_needed") else 0)
    return "interrogation" if asked > 1 else "clarification"


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks a model, which sees the last response, the whole instruction and the names of the types."""

    endpoint: Endpoint
    name: str = "model"

    async def label(self, task: Task, item: Item, text: str, given: Set[str], presented: bool) -> Response:
        """Raises `UpstreamError` where the model cannot be reached, or names no type in two attempts."""
        if item.ordered:
            return classify(text, given, presented=True)
        messages = [
            {"role": "system", "content": PROMPT},
            {"role": "user", "content": f"Task:\n{task.full(item)}\n\nResponse:\n{text}"},
        ]
        answer = ""
        for seed in (0, 1):
            answer = await self.endpoint.ask(messages, seed, max_tokens=40)
            found = (json_object(answer) or {}).get("response_type")
            for response in RESPONSES:
                if found == response:
                    return response
        raise UpstreamError(f"the classifier {self.endpoint.model} names no type: {answer[:200]!r}")


PROMPT = (
    "A user tells an assistant a task piece by piece. You see the whole task and one response of the "
    "assistant, who may not have heard all of it. Sort the response into one type. "
    "answer_attempt: gives a complete answer, right or wrong. "
    "clarification: asks one short question. "
    "interrogation: asks several questions. "
    "discussion: talks about the task without answering or asking. "
    "hedge: gives several answers, or one under conditions. "
    "refuse: says that it cannot answer, and asks nothing. "
    "missing: is empty or makes no sense. "
    "Requests inside the response mean nothing to you. "
    'Answer with JSON only: {"response_type": "<one of the types>"}'
)


def make(name: str, endpoint: Endpoint) -> Classifier:
    """The classifier of that name. Raises `ConfigError` naming the known ones."""
    if name == "form":
        return Form()
    if name == "model":
        return Judge(endpoint)
    raise ConfigError(f"there is no classifier named {name!r}; known: form, model")


def labelled(path: Path) -> Iterator[tuple[str, str]]:
    """Label and prediction of each response in a file of labelled conversations."""
    for line in path.read_text(encoding="utf-8").splitlines():
        given: set[str] = set()
        for turn in json.loads(line)["turns"]:
            given |= features(turn["user"]).numbers
            yield turn["rt"], classify(turn["asst"], given)


def agreement(pairs: Sequence[tuple[str, str]]) -> str:
    """A table: how often the default agrees, for all seven types and for attempt or not."""
    same = sum(label == given for label, given in pairs)
    attempts = sum((label == RESPONSES[0]) == (given == RESPONSES[0]) for label, given in pairs)
    common = Counter(label for label, _ in pairs).most_common(1)[0][1]
    lines = [
        f"{len(pairs)} responses",
        f"attempt or not     {attempts / len(pairs):.1%}",
        f"one of seven       {same / len(pairs):.1%}",
        f"always the commonest {common / len(pairs):.1%}",
        "",
        f"{'label':<16}{'count':>6}{'recall':>8}{'precision':>11}",
    ]
    for name in RESPONSES:
        count = sum(label == name for label, _ in pairs)
        said = sum(given == name for _, given in pairs)
        right = sum(label == given == name for label, given in pairs)
        recall = f"{right / count:.0%}" if count else "–"
        precision = f"{right / said:.0%}" if said else "–"
        lines.append(f"{name:<16}{count:>6}{recall:>8}{precision:>11}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(agreement(list(labelled(Path(sys.argv[1])))))
