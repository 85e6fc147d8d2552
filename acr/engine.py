"""One turn: observe, decide, propose, apply, check. Every failure carries the original conversation."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from acr import invariants, tokens
from acr.conversation import Conversation
from acr.decision import Complete, Context, Controller, Decision, Operator
from acr.edits import Edit, apply
from acr.errors import AcrError, ConfigError, ControllerError, EditError, OperatorError, boundary
from acr.gate import closed
from acr.ledger import Ledger, of_tasks
from acr.reading import dialogue
from acr.reading.language import guess
from acr.signals import Signal, Signals, observe

DEADLINE = 2.0
"""Seconds an operator may take before the request goes on as it came."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one turn. `conversation is original` whenever nothing was done, for whatever reason."""

    original: Conversation
    conversation: Conversation
    decision: Decision
    signals: Signals | None = None
    ledger: Ledger | None = None
    edits: tuple[Edit, ...] = ()
    tokens: tuple[int, int] | None = None
    """Estimated prompt tokens before and after; counted only where something was proposed."""
    failure: AcrError | None = None
    seconds: float = 0.0

    @property
    def changed(self) -> bool:
        return self.conversation is not self.original


@dataclass(frozen=True, slots=True)
class Engine:
    """Runs conversations through a controller and its operators. Stateless and safe to share."""

    controller: Controller
    operators: Mapping[str, Operator]
    deadline: float = DEADLINE
    complete: Complete | None = None
    recall: Callable[[Conversation], Mapping[str, Signal]] | None = None
    """Signals that are not in the text: what is remembered of the answers of a conversation."""

    async def run(self, conversation: Conversation, *, operator: str | None = None) -> Outcome:
        """Decide and, if so decided, refactor. `operator` forces one. Never raises `AcrError`.

        Time is linear in the length of the conversation; without a model-backed operator it is
        microseconds a turn.
        """
        start = perf_counter()
        outcome = Outcome(conversation, conversation, Decision(None, "not decided"))
        try:
            outcome = self.consider(conversation, operator=operator)
            if outcome.decision.operator is not None:
                outcome = await self.propose(outcome)
                outcome = self.settle(outcome)
        except AcrError as error:
            outcome = fail(outcome, error)
        return replace(outcome, seconds=perf_counter() - start)

    def consider(self, conversation: Conversation, *, operator: str | None = None) -> Outcome:
        """The synchronous half: gate, signals, decision. Changes nothing.

        Raises `ControllerError` if the controller fails, `ConfigError` for an unknown forced operator.
        """
        reason = closed(conversation)
        if reason:
            return Outcome(conversation, conversation, Decision(None, reason, controller="gate"))
        with boundary(ControllerError, "observing the conversation"):
            signals = observe(conversation)
            if self.recall is not None:
                signals = Signals({**signals.named, **self.recall(conversation)})
        if operator is not None:
            decision = Decision(operator, "forced by the request", controller="request")
        else:
            with boundary(ControllerError, f"controller {self.controller.name!r}"):
                decision = self.controller.decide(conversation, signals)
            if not isinstance(decision, Decision):
                raise ControllerError(f"controller {self.controller.name!r} did not return a Decision")
        if decision.operator is not None and decision.operator not in self.operators:
            known = ", ".join(sorted(self.operators))
            raise ConfigError(f"there is no operator named {decision.operator!r}; known: {known}")
        return Outcome(conversation, conversation, decision, signals)

    async def propose(self, outcome: Outcome) -> Outcome:
        """Ask the operator that was decided on for its edits. Raises `OperatorError`."""
        name = outcome.decision.operator
        assert name is not None and outcome.signals is not None
        with boundary(OperatorError, f"operator {name!r}"):
            tasks = dialogue.read(outcome.original)
            ledger, language = of_tasks(tasks), guess(outcome.original.users)
            context = Context(outcome.signals, ledger, tasks, language, self.complete)
            async with asyncio.timeout(self.deadline):
                edits = tuple(await self.operators[name].propose(outcome.original, context))
        return replace(outcome, ledger=ledger, edits=edits)

    def settle(self, outcome: Outcome) -> Outcome:
        """Apply the proposed edits, check what comes out, and whether it was worth it.

        Raises `EditError` or `InvariantError`.
        """
        if not outcome.edits:
            return decline(outcome, "nothing to change")
        name = outcome.decision.operator
        assert name is not None
        with boundary(EditError, "applying the edits"):
            after = apply(outcome.original, outcome.edits)
            invariants.check(outcome.original, after)
            before = tokens.count_conversation(outcome.original)
            counts = (before, tokens.count_conversation(after))
        if self.operators[name].kind == "compressive" and counts[1] >= counts[0]:
            return decline(outcome, "it would not get shorter", counts)
        return replace(outcome, conversation=after, tokens=counts)


def decline(outcome: Outcome, why: str, tokens: tuple[int, int] | None = None) -> Outcome:
    """The operator was asked and had nothing that helps."""
    decision = replace(outcome.decision, operator=None, reason=f"{outcome.decision.operator}: {why}")
    return replace(outcome, decision=decision, edits=(), tokens=tokens)


def fail(outcome: Outcome, error: AcrError) -> Outcome:
    """Record the error; the original goes on."""
    reason = f"failed open: {type(error).__name__}"
    decision = replace(outcome.decision, operator=None, reason=reason)
    return replace(outcome, conversation=outcome.original, decision=decision, edits=(), failure=error)


def describe(edits: Sequence[Edit], *, text: bool) -> list[dict[str, str]]:
    """Edits as plain data for a trace or a terminal; their text only if asked for."""
    rows = []
    for edit in edits:
        row = {"edit": type(edit).__name__.lower()}
        for field in edit.__dataclass_fields__:
            if field != "text" or text:
                row[field] = getattr(edit, field)
        rows.append(row)
    return rows
