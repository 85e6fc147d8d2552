"""ACR as a library call: messages in, the messages that the model should see out.

    view = acr.refactor(messages)
    client.chat.completions.create(model="…", messages=view.messages)

Messages are OpenAI's chat messages as plain objects, LangChain's, or items of the Responses API. Those that
are not changed come back as the very objects that were passed in; what is passed in is never modified. Keep
your own history as it is, and send the view: each call decides anew.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from acr import registry
from acr.conversation import Conversation
from acr.decision import Decision
from acr.engine import Engine, Outcome, fail, undecided
from acr.errors import AcrError, ConversationError, EditError, OperatorError, boundary
from acr.forms import Form, form_of

log = logging.getLogger("acr")


@dataclass(frozen=True, slots=True)
class View:
    """What the model should see, and how it came to be."""

    messages: list[Any]
    """A new list; unchanged messages in it are the objects that were passed in."""
    outcome: Outcome

    @property
    def changed(self) -> bool:
        """Whether ACR intervened."""
        return self.outcome.changed

    @property
    def decision(self) -> Decision:
        """What was decided, by whom and why. `operator` is None where nothing was done."""
        return self.outcome.decision


def refactor(
    messages: Sequence[Any],
    *,
    controller: str = "rules",
    operator: str | None = None,
    engine: Engine | None = None,
    form: Form | None = None,
) -> View:
    """The view of `messages` for the model's next answer.

    `controller` decides; `operator` forces one; `engine` brings your own of both. `form` says how the
    messages are written where that cannot be seen from them: `acr.forms.RESPONSES` for items of the Responses
    API. Inside a running event loop the work is done in a thread; `arefactor` needs none.

    Raises `ConfigError` for an unknown controller or operator. Nothing else: what cannot be read or goes
    wrong comes back as it was, with the reason in `decision` and the error in `outcome.failure`.
    """
    work = arefactor(messages, controller=controller, operator=operator, engine=engine, form=form)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, thread_name_prefix="acr-refactor") as thread:
        return thread.submit(asyncio.run, work).result()


async def arefactor(
    messages: Sequence[Any],
    *,
    controller: str = "rules",
    operator: str | None = None,
    engine: Engine | None = None,
    form: Form | None = None,
) -> View:
    """As `refactor`, for coroutines."""
    engine = chosen(controller, operator, engine)
    given = list(messages)
    outcome = undecided(Conversation(()))
    try:
        with boundary(ConversationError, "reading the messages"):
            form = form or form_of(given)
            conversation = form.read(given)
        with boundary(OperatorError, "refactoring"):
            outcome = await engine.run(conversation, operator=operator)
        if outcome.changed:
            with boundary(EditError, "writing the view"):
                return View(form.write(given, outcome.original, outcome.conversation), outcome)
    except AcrError as error:
        outcome = fail(outcome, error)
    if outcome.failure is not None:
        log.warning("%s", outcome.decision.reason)
    return View(given, outcome)


def chosen(controller: str, operator: str | None, engine: Engine | None) -> Engine:
    """The engine to use. Raises `ConfigError` where a name is unknown."""
    engine = engine or _engine(controller)
    engine.check(operator)
    return engine


@lru_cache(maxsize=16)
def _engine(controller: str) -> Engine:
    return Engine(registry.controller(controller), registry.operators())
