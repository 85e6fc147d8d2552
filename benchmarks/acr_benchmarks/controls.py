"""Control conversations: dropping or rewriting their context does harm.

Each is a fixed conversation whose newest message needs something that was said before: the assistant's own
text, a decision, a value it computed, the last of several corrections, a prohibition. Two scores: whether
what must survive is in the context that the model sees (`lost`, no model needed), and whether the model's
answer is right (the task `controls`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acr.conversation import Conversation, Turn
from acr.dialects.chat import read as read_messages
from acr.engine import Engine, Outcome
from acr.errors import BenchmarkError
from acr_benchmarks.task import Item, read

PATH = Path(__file__).parent / "data" / "controls.jsonl"
QUOTE = 20
"""Bytes from which a message of the conversation that stands in an answer is a quotation."""
SENTENCE = 12
"""Characters from which a wrong answer beside a right one shows that the model would not choose; a shorter
one may be a step on the way ("60 − 18 = 42")."""
FIGURES = 20
"""Numbers that are not in the conversation and that an answer may have; more are a list of guesses."""
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Control:
    """One control conversation; see `benchmarks/README.md` for the file's fields."""

    id: str
    category: str
    language: str
    messages: Sequence[Mapping[str, Any]]
    survive: Sequence[Sequence[str]]
    """Texts of the conversation that the model must still see, word for word: one of each group."""
    latest: Sequence[tuple[str, str]] = ()
    """(overruled, valid): where the overruled text is still seen, the valid one must come after it."""
    unsaid: Sequence[str] = ()
    """Requests that are done: text that a policy writes must not bring them up again."""
    expect: Mapping[str, Sequence[str]] | None = None
    """Regular expressions for the answer: `all` must be found, `none` must not. Case is ignored."""
    bad: str = ""
    """A wrong answer."""

    @property
    def conversation(self) -> Conversation:
        return read_messages(list(self.messages))

    def right(self, answer: str) -> bool:
        """Whether an answer shows that the model had what it needed: it says what is expected, and does not
        merely repeat the conversation, list everything, or give the wrong answer beside the right one.
        """
        if evasive(self, answer):
            return False
        for message in self.messages:
            if message["role"] == "user" and long(message):
                answer = answer.replace(message["content"], " ")
        expect = self.expect or {}
        return all(found(pattern, answer) for pattern in expect.get("all", ())) and not any(
            found(pattern, answer) for pattern in expect.get("none", ())
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """What a policy did to one control conversation."""

    control: Control
    outcome: Outcome
    lost: Sequence[str]
    """What it broke, in plain words; nothing if it did no harm that can be seen without a model."""


def long(message: Mapping[str, Any]) -> bool:
    return len(message["content"].encode()) >= QUOTE


def evasive(control: Control, answer: str) -> bool:
    """Whether an answer covers every possibility instead of choosing one."""
    said = "\n".join(message["content"] for message in control.messages)
    if len(set(NUMBER.findall(answer)) - set(NUMBER.findall(said))) > FIGURES:
        return True
    quotable = {message["content"] for message in control.messages if long(message)}
    if sum(text in answer for text in quotable) > 1:
        return True
    wrong = control.bad.casefold()
    return len(wrong) >= SENTENCE and wrong not in said.casefold() and wrong in answer.casefold()


def found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def control(item: Item) -> Control:
    """The control conversation of an item. Raises `BenchmarkError` if its record is not one."""
    data = item.data
    try:
        return Control(
            id=item.id,
            category=data["category"],
            language=data["language"],
            messages=data["messages"],
            survive=[[one] if isinstance(one, str) else list(one) for one in data["survive"]],
            latest=[(old, new) for old, new in data.get("latest", ())],
            unsaid=data.get("unsaid", ()),
            expect=data["expect"],
            bad=str(data.get("bad", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BenchmarkError(f"{item.id!r} is no control conversation: {error!r}") from error


def load(path: Path = PATH) -> list[Control]:
    """All control conversations of a file."""
    return [control(item) for item in read(path, "controls")]


def lost(control: Control, before: Conversation, after: Conversation) -> list[str]:
    """What the model can no longer see of what it needs, or sees wrongly."""
    if after is before:
        return []
    seen = "\n".join(turn.text for turn in after)
    written = "\n".join(filter(None, map(by_acr, after)))
    problems = [f"lost: {group[0]}" for group in control.survive if not any(text in seen for text in group)]
    problems += [
        f"overruled: {old} stands after {new}"
        for old, new in control.latest
        if old in seen and seen.rfind(new) < seen.rfind(old)
    ]
    problems += [f"brought up again: {text}" for text in control.unsaid if text in written]
    return problems


def by_acr(turn: Turn) -> str:
    """The part of a turn that a policy wrote or moved."""
    if turn.state == "kept":
        return ""
    return turn.lead or turn.text


async def examine(controls: Iterable[Control], engine: Engine, operator: str | None = None) -> list[Finding]:
    """Run each conversation through `engine`, as a request would; `operator` forces one."""
    findings = []
    for one in controls:
        conversation = one.conversation
        outcome = await engine.run(conversation, operator=operator)
        findings.append(Finding(one, outcome, lost(one, conversation, outcome.conversation)))
    return findings


def counts(findings: Sequence[Finding]) -> dict[str, int]:
    """How many conversations were changed, harmed, and left alone because of an error."""
    return {
        "conversations": len(findings),
        "changed": sum(finding.outcome.changed for finding in findings),
        "harmed": sum(bool(finding.lost) for finding in findings),
        "failed": sum(finding.outcome.failure is not None for finding in findings),
    }


def summary(found: Mapping[str, Sequence[Finding]]) -> dict[str, Any]:
    """Findings as plain data, by policy."""
    return {
        name: {
            **counts(findings),
            "harm": {finding.control.id: list(finding.lost) for finding in findings if finding.lost},
        }
        for name, findings in found.items()
    }
