"""What any operator must pass, as a class for pytest.

    from acr.testing.conformance import Conformance
    from your_package import Shout

    class TestShout(Conformance):
        operator = Shout()

An operator passes if it neither raises nor proposes what the engine has to refuse, changes nothing it was
given, proposes the same for the same conversation, keeps in sight what each conversation needs, and makes
only what can be written back to the client's own messages. `acr.testing.cases` has the conversations.
"""

import inspect
import json
from copy import deepcopy
from time import perf_counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from acr import invariants
from acr.conversation import Conversation
from acr.decision import SEQUENCE, Complete, Operator
from acr.dialects.chat import Chat
from acr.engine import Outcome, model_backed
from acr.testing import FakeModel, run
from acr.testing.cases import CASES, Case, long
from acr.testing.strategies import conversations

LIMIT = 60.0
"""Seconds for the longest conversation, on the slowest machine that tests run on."""
LONG = 10_000
"""Turns of the longest conversation."""


class Conformance:
    """Set `operator`; `complete` too if it asks an auxiliary model and should be given a sensible one."""

    operator: Operator
    complete: Complete | None = None

    def test_it_is_an_operator(self) -> None:
        operator = self.operator
        assert isinstance(operator, Operator), "it needs name, kind and propose()"
        assert operator.name and SEQUENCE not in operator.name and operator.name == operator.name.strip()
        assert operator.kind in ("corrective", "compressive")
        assert inspect.iscoroutinefunction(operator.propose), "propose() must be async"

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
    def test_case(self, case: Case) -> None:
        given = deepcopy(list(case.messages))
        request = Chat().parse(json.dumps({"messages": given}).encode())
        assert request.conversation is not None
        outcome = self._sound(request.conversation)
        assert [dict(turn.wire) for turn in request.conversation] == given, "it changed what it was given"
        if case.untouched:
            assert not outcome.changed
        seen = "\n".join(turn.text for turn in outcome.conversation)
        lost = [text for text in case.survive if text not in seen]
        assert not lost, f"the model no longer sees {lost}"
        if outcome.changed:
            self._written(Chat().patch(request, outcome.conversation), outcome)

    def test_any_conversation(self) -> None:
        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
        @given(before=conversations())
        def any_conversation(before: Conversation) -> None:
            self._sound(before)

        any_conversation()

    def test_a_long_conversation(self) -> None:
        conversation = long(LONG // 2).conversation
        started = perf_counter()
        outcome = self._run(conversation)
        assert outcome.failure is None, outcome.failure
        assert perf_counter() - started < LIMIT

    @pytest.mark.parametrize("answer", ["", "{}", "no", "\ud83d", ValueError("down")], ids=repr)
    def test_a_useless_auxiliary_model_does_no_harm(self, answer: Any) -> None:
        for case in (long(12), CASES[0]):
            outcome = run(self.operator, case.conversation, complete=FakeModel(answer))
            assert outcome.failure is None or isinstance(answer, Exception), outcome.failure
            invariants.check(outcome.original, outcome.conversation)

    def _run(self, conversation: Conversation) -> Outcome:
        return run(self.operator, conversation, complete=type(self).complete)

    def _sound(self, conversation: Conversation) -> Outcome:
        outcome = self._run(conversation)
        assert outcome.failure is None, f"{type(outcome.failure).__name__}: {outcome.failure}"
        invariants.check(conversation, outcome.conversation)
        if not model_backed(self.operator):
            again = self._run(conversation)
            assert again.edits == outcome.edits, "it proposes something else each time"
        return outcome

    @staticmethod
    def _written(body: bytes, outcome: Outcome) -> None:
        """What reaches the model is what the outcome says."""
        read = Chat().parse(body).conversation
        assert read is not None
        made = [(turn.role, turn.text) for turn in outcome.conversation]
        assert [(turn.role, turn.text) for turn in read] == made, "the client's messages cannot hold it"
