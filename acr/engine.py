"""One turn: observe, decide, propose, apply, check. Every failure carries the original conversation."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Protocol

from acr import asking, invariants, tokens
from acr.conversation import Conversation
from acr.decision import Answer, Complete, Context, Controller, Decision, Flawed, Operator, names
from acr.edits import Edit, apply, between
from acr.errors import AcrError, ConfigError, ControllerError, EditError, OperatorError, boundary
from acr.gate import OPENING, closed
from acr.ledger import Ledger, of_tasks
from acr.reading import dialogue
from acr.reading.language import guess
from acr.signals import Signal, Signals, observe
from acr.viewstore import Views

DEADLINE = 2.0
"""Seconds an operator may take before the request goes on as it came."""
PATIENCE = 30.0
"""The same for an operator that asks an auxiliary model, its one repair included."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one turn. `conversation is original` whenever nothing was done, for whatever reason."""

    original: Conversation
    conversation: Conversation
    decision: Decision
    signals: Signals | None = None
    ledger: Ledger | None = None
    edits: tuple[Edit, ...] = ()
    answer: str | None = None
    """A question that goes to the client instead of asking the model."""
    questions: int = 0
    """How many such questions the client allows from here on."""
    flawed: Flawed | None = None
    """A model-backed operator's draft that did not hold up."""
    tokens: tuple[int, int] | None = None
    """Estimated prompt tokens before and after; counted only where something was proposed."""
    failure: AcrError | None = None
    seconds: float = 0.0
    deciding: float = 0.0
    """Seconds of those until it was decided; the rest is the operator's."""

    @property
    def changed(self) -> bool:
        return self.conversation is not self.original


class Recall(Protocol):
    """Signals that are not in the text of a conversation, remembered under digests of it."""

    def signals(self, conversation: Conversation) -> Mapping[str, Signal]: ...

    async def fetch(self, conversation: Conversation, views: Views) -> None:
        """Get what other instances know of it. Only for controllers with `recalls = True`."""
        ...


@dataclass(frozen=True, slots=True)
class Engine:
    """Runs conversations through a controller and its operators. Stateless but for `views`, safe to share."""

    controller: Controller
    operators: Mapping[str, Operator]
    deadline: float = DEADLINE
    complete: Complete | None = None
    recall: Recall | None = None
    """Signals that are not in the text: what is remembered of the answers of a conversation."""

    patience: float = PATIENCE
    views: Views = field(default_factory=Views, repr=False, compare=False)
    """Where operators that ask a model remember what it said. In this process, unless told otherwise."""

    async def run(
        self, conversation: Conversation, *, operator: str | None = None, questions: int = 0
    ) -> Outcome:
        """Decide and, if so decided, refactor. Never raises `AcrError`.

        `operator` forces one, or several in turn (`prune+recap`). `questions`: how many times in a row the
        client may be asked a question instead of being answered; 0 is never. Time is linear in the length of
        the conversation; without a model-backed operator it is microseconds a turn.
        """
        start = perf_counter()
        outcome, deciding = undecided(conversation), None
        try:
            outcome = await self.consult(conversation, operator=operator, questions=questions)
            deciding = perf_counter() - start
            if outcome.decision.operator is not None:
                outcome = await self.refactor(outcome)
        except AcrError as error:
            outcome = fail(outcome, error)
        seconds = perf_counter() - start
        return replace(outcome, seconds=seconds, deciding=seconds if deciding is None else deciding)

    def consider(
        self, conversation: Conversation, *, operator: str | None = None, questions: int = 0
    ) -> Outcome:
        """The synchronous half: gate, signals, decision. Changes nothing.

        Raises `ControllerError` if the controller fails, `ConfigError` for an unknown operator.
        """
        seen = self._look(conversation, operator, questions)
        if seen.signals is None:
            return seen
        if operator is not None:
            return self._decided(seen, Decision(operator, "forced by the request", controller="request"))
        with boundary(ControllerError, f"controller {self.controller.name!r}"):
            decision = self.controller.decide(conversation, seen.signals)
        return self._decided(seen, decision)

    async def consult(
        self, conversation: Conversation, *, operator: str | None = None, questions: int = 0
    ) -> Outcome:
        """The same where a controller has to wait for its decision, as a model in a thread does: one with a
        coroutine `consult`, which takes what `decide` takes. Nothing else is kept waiting meanwhile.
        """
        if (
            self.recall is not None
            and operator is None
            and getattr(self.controller, "recalls", False) is True
        ):
            await self.recall.fetch(conversation, self.views)
        ask = getattr(self.controller, "consult", None)
        if ask is None or operator is not None:
            return self.consider(conversation, operator=operator, questions=questions)
        seen = self._look(conversation, operator, questions)
        if seen.signals is None:
            return seen
        with boundary(ControllerError, f"controller {self.controller.name!r}"):
            decision = await ask(conversation, seen.signals)
        return self._decided(seen, decision)

    def _look(self, conversation: Conversation, operator: str | None, questions: int) -> Outcome:
        """Gate and signals. No signals where the gate is closed: then nothing is decided."""
        reason = closed(conversation)
        shut = Decision(None, reason or "", controller="gate")
        if reason and not (reason == OPENING and self._opens(operator)):
            return Outcome(conversation, conversation, shut)
        with boundary(ControllerError, "observing the conversation"):
            signals = observe(conversation)
            if self.recall is not None:
                signals = signals.plus(self.recall.signals(conversation))
        return Outcome(conversation, conversation, shut, signals, questions=questions)

    def _decided(self, seen: Outcome, decision: object) -> Outcome:
        """What was seen, with the decision, if it is one and its operators are known."""
        if not isinstance(decision, Decision):
            raise ControllerError(f"controller {self.controller.name!r} did not return a Decision")
        self.check(decision.operator)
        if seen.decision.reason and not self._opens(decision.operator):
            return seen
        return Outcome(seen.original, seen.conversation, decision, seen.signals, questions=seen.questions)

    def check(self, operator: str | None) -> None:
        """Raises `ConfigError` if the operator, or one of several in turn, is unknown."""
        for name in names(operator) if operator is not None else ():
            if name not in self.operators:
                known = ", ".join(sorted(self.operators))
                raise ConfigError(f"there is no operator named {name!r}; known: {known}")

    def _opens(self, operator: str | None) -> bool:
        """Whether the operator, or where none is named the controller, has a say at the first user turn."""
        if operator is None:
            return getattr(self.controller, "opens", False) is True
        return all(getattr(self.operators.get(name), "opens", False) is True for name in names(operator))

    async def refactor(self, outcome: Outcome) -> Outcome:
        """Have the operator, or several in turn, that was decided on do its work. Never raises `AcrError`."""
        assert outcome.decision.operator is not None
        wanted = names(outcome.decision.operator)
        if len(wanted) == 1:
            return await self.step(outcome)
        try:
            return await self._in_turn(outcome, wanted)
        except AcrError as error:
            return fail(outcome, error)

    async def step(self, outcome: Outcome) -> Outcome:
        """One operator: propose, settle. A model-backed one goes through the graph, where it may repair."""
        assert outcome.decision.operator is not None
        backed = model_backed(self.operators[outcome.decision.operator])
        if backed and self.complete is None:
            return decline(outcome, "no auxiliary model is configured")
        try:
            if not backed:
                outcome = await self.propose(outcome)
                return self.settle(outcome)
            from acr import graph  # over a second to import: only where a model call dominates anyway

            with boundary(OperatorError, f"operator {outcome.decision.operator!r}"):
                async with asyncio.timeout(self.patience):
                    return await graph.step(self, outcome)
        except AcrError as error:
            return fail(outcome, error)

    async def _in_turn(self, outcome: Outcome, wanted: Sequence[str]) -> Outcome:
        """Each operator sees what the one before it made. All of it is recorded as edits of the original."""
        now = outcome.original
        for name in wanted:
            with boundary(OperatorError, "observing what an operator made"):
                signals = outcome.signals if now is outcome.original else observe(now)
            decision = replace(outcome.decision, operator=name)
            step = await self.step(Outcome(now, now, decision, signals, questions=outcome.questions))
            if step.failure is not None:
                return fail(outcome, step.failure)
            if step.answer is not None:
                return replace(outcome, ledger=step.ledger, answer=step.answer)
            now = step.conversation
            outcome = replace(outcome, ledger=outcome.ledger or step.ledger)
        with boundary(EditError, "joining the edits"):
            outcome = replace(outcome, edits=tuple(between(outcome.original, now)))
        return self.settle(outcome)

    async def propose(self, outcome: Outcome) -> Outcome:
        """Ask the operator that was decided on for its edits, or for a question. Raises `OperatorError`."""
        name = outcome.decision.operator
        assert name is not None and outcome.signals is not None
        operator = self.operators[name]
        with boundary(OperatorError, f"operator {name!r}"):
            tasks = dialogue.read(outcome.original)
            ledger, language = of_tasks(tasks), guess(outcome.original.users)
            questions = asking.left(tasks, outcome.questions)
            context = Context(
                outcome.signals,
                ledger,
                tasks,
                language,
                self.complete,
                questions,
                outcome.flawed,
                self.views,
            )
            async with asyncio.timeout(self.patience if model_backed(operator) else self.deadline):
                proposal = await operator.propose(outcome.original, context)
            outcome = replace(outcome, ledger=ledger, edits=(), answer=None, flawed=None)
            if isinstance(proposal, Flawed):
                return replace(outcome, flawed=proposal)
            if isinstance(proposal, Answer):
                asking.check(proposal.text, questions)
                return replace(outcome, answer=proposal.text)
            return replace(outcome, edits=tuple(proposal))

    def settle(self, outcome: Outcome) -> Outcome:
        """Apply the proposed edits, check what comes out, and whether it was worth it.

        Raises `EditError` or `InvariantError`.
        """
        if outcome.answer is not None:
            return outcome
        if outcome.flawed is not None:
            count = len(outcome.flawed.problems)
            return decline(outcome, f"the model's draft had {count} problem{'s'[: count > 1]}")
        if not outcome.edits:
            return decline(outcome, "nothing to change")
        name = outcome.decision.operator
        assert name is not None
        with boundary(EditError, "applying the edits"):
            after = apply(outcome.original, outcome.edits)
            invariants.check(outcome.original, after)
            before = tokens.count_conversation(outcome.original)
            counts = (before, tokens.count_conversation(after))
        if name in self.operators and self.operators[name].kind == "compressive" and counts[1] >= counts[0]:
            return decline(outcome, "it would not get shorter", counts)
        return replace(outcome, conversation=after, tokens=counts)


def model_backed(operator: Operator) -> bool:
    """Whether the operator asks the auxiliary model."""
    return getattr(operator, "model_backed", False) is True


def undecided(conversation: Conversation) -> Outcome:
    """What there is before anything is done: what fails from here on carries the original."""
    return Outcome(conversation, conversation, Decision(None, "not decided"))


def decline(outcome: Outcome, why: str, tokens: tuple[int, int] | None = None) -> Outcome:
    """The operator was asked and had nothing that helps."""
    decision = replace(outcome.decision, operator=None, reason=f"{outcome.decision.operator}: {why}")
    return replace(outcome, decision=decision, edits=(), flawed=None, tokens=tokens)


def fail(outcome: Outcome, error: AcrError) -> Outcome:
    """Record the error; the original goes on."""
    reason = f"failed open: {type(error).__name__}"
    decision = replace(outcome.decision, operator=None, reason=reason)
    return replace(
        outcome, conversation=outcome.original, decision=decision, edits=(), answer=None, failure=error
    )


def describe(edits: Sequence[Edit], *, text: bool) -> list[dict[str, str]]:
    """Edits as plain data for a trace or a terminal; their text only if asked for."""
    rows = []
    for edit in edits:
        row = {"edit": type(edit).__name__.lower()}
        for name in edit.__dataclass_fields__:
            if name != "text" or text:
                row[name] = getattr(edit, name)
        rows.append(row)
    return rows
