"""From a request body to the body that goes upstream. Whatever fails on the way, the client's own goes.

Small bodies are handled where they arrive, one in each round of the event loop: that takes microseconds.
Large ones go to a thread, so that other streams keep flowing, and there the deadline holds for all of it.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from time import perf_counter
from typing import Any, Literal
from uuid import uuid4

from acr import registry
from acr.auxiliary import spent
from acr.conversation import Conversation
from acr.decision import Complete
from acr.dialects import Dialect, Request, answers
from acr.dialects.answers import Written
from acr.dialects.top import glance
from acr.engine import Engine, Outcome, decline, fail, undecided
from acr.errors import AcrError, OperatorError
from acr.proxy.controls import ControlError, Controls, off, read
from acr.proxy.models import named, renamed
from acr.proxy.turnstile import Turnstile
from acr.settings import Mode
from acr.viewstore import Elsewhere

LARGE = 64 * 1024
"""Bytes from which a body is handled in a thread."""
THREADS = 2

Verdict = Literal["none", "intervened", "answered", "observed", "bypassed", "failed"]


@dataclass(slots=True)
class Prepared:
    """What goes upstream, and why."""

    body: bytes
    request: Request
    controls: Controls
    verdict: Verdict
    reason: str
    outcome: Outcome | None = None
    seconds: float = 0.0
    reply: Written | None = None
    """What the client is answered without asking the upstream."""
    auxiliary: tuple[tuple[int, int], ...] = ()
    """Prompt and completion tokens of each call of the auxiliary model that came back."""
    views: tuple[str, ...] = ()
    """What came of each look for a view (`acr.viewstore`)."""

    @property
    def bill(self) -> tuple[int, int] | None:
        """Prompt and completion tokens of them all; None if no call came back."""
        if not self.auxiliary:
            return None
        prompt, completion = zip(*self.auxiliary, strict=True)
        return sum(prompt), sum(completion)


Whose = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks for views of one request: whose they are, and what came of them."""

    whose: Whose
    told: list[str] = field(default_factory=list)


class Refactorer:
    """Runs the engine for the proxy."""

    def __init__(self, engine: Engine, mode: Mode, questions: int = 0) -> None:
        self.engine = engine
        self.mode = mode
        self.questions = questions
        self._names = ", ".join(sorted(engine.operators)) or "none"
        self._turnstile = Turnstile()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="acr-large")

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def prepare(
        self, dialect: Dialect, body: bytes, asked: Mapping[str, str], whose: Whose = bytes
    ) -> Prepared:
        """Decide what goes upstream. `whose` is asked for the scope of views, where any are looked for.

        Raises `ControlError` only, where the client asks the impossible. Whatever else goes wrong, the
        client's own bytes go on.
        """
        start = perf_counter()
        bill: list[tuple[int, int]] = []
        looks = Looks(whose)
        before = spent.set(bill)
        try:
            if len(body) < LARGE:
                if not off(asked, self.mode):
                    await self._turnstile.through()
                prepared = await self._prepare(dialect, body, asked, self.engine, looks)
            else:
                prepared = await self._in_thread(dialect, body, asked, looks)
        except ControlError:
            raise
        except Exception as error:
            prepared = self._untouched(body, _as_ours(error))
        finally:
            spent.reset(before)
        prepared.seconds = perf_counter() - start
        prepared.auxiliary, prepared.views = tuple(bill), tuple(looks.told)
        return prepared

    async def _in_thread(
        self, dialect: Dialect, body: bytes, asked: Mapping[str, str], looks: "Looks"
    ) -> Prepared:
        loop = asyncio.get_running_loop()
        views = replace(self.engine.views, store=Elsewhere(self.engine.views.store, loop))
        engine = replace(self.engine, views=views)
        if engine.complete is not None:
            engine = replace(engine, complete=_from_thread(engine.complete, loop))
        work = partial(copy_context().run, _run, self._prepare(dialect, body, asked, engine, looks))
        try:
            async with asyncio.timeout(engine.deadline + (engine.patience if engine.complete else 0)):
                return await asyncio.shield(loop.run_in_executor(self._threads, work))
        except TimeoutError:
            return self._untouched(body, OperatorError("a large request was not understood in time"))

    def _untouched(self, body: bytes, error: AcrError) -> Prepared:
        """The request as it came, with what kept ACR from reading it."""
        outcome = fail(undecided(Conversation(())), error)
        request = Request(body, why=outcome.decision.reason)
        return Prepared(body, request, Controls(self.mode), "failed", request.why, outcome)

    async def _prepare(
        self, dialect: Dialect, body: bytes, asked: Mapping[str, str], engine: Engine, looks: "Looks"
    ) -> Prepared:
        idle = off(asked, self.mode)
        request = (glance(body) if idle else None) or dialect.parse(body, history=not idle)
        by_name = named(request, engine.operators)
        mode: Mode = self.mode
        operator = None
        if by_name is not None:
            operator, model = by_name
            request, mode = renamed(dialect, request, model), "auto"
        controls = read(asked, request.controls, mode, engine.operators, self._names, operator)
        done = partial(Prepared, request.body, request, controls)
        if controls.bypass:
            return done("bypassed", "the request asked for it")
        if controls.mode == "off":
            return done("bypassed", "mode is off")
        if idle:  # the body itself asks for more
            request = replace(dialect.parse(request.body), controls=request.controls)
            done = partial(Prepared, request.body, request, controls)
        if request.conversation is None:
            return done("none", request.why)
        if controls.controller is not None and controls.controller != engine.controller.name:
            engine = replace(engine, controller=await named_controller(controls.controller))
        if engine.complete is not None or getattr(engine.controller, "recalls", False) is True:
            engine = replace(engine, views=engine.views.of(looks.whose(), looks.told))
        questions = self.questions if controls.questions is None else controls.questions
        if questions and not answers.allowed(dialect.name, request):
            questions = 0
        outcome = await self._outcome(engine, request.conversation, controls.operator, questions)
        reason = outcome.decision.reason
        if outcome.failure is not None:
            return done("failed", reason, outcome)
        if not outcome.changed and outcome.answer is None:
            return done("none", reason, outcome)
        if controls.mode == "observe":
            return done("observed", reason, outcome)
        if outcome.answer is not None:
            return self._answered(dialect, request, done, outcome, outcome.answer)
        try:
            patched = dialect.patch(request, outcome.conversation)
        except Exception as error:
            outcome = fail(outcome, _as_ours(error))
            return done("failed", outcome.decision.reason, outcome)
        return Prepared(patched, request, controls, "intervened", reason, outcome)

    def _answered(
        self,
        dialect: Dialect,
        request: Request,
        done: Callable[..., Prepared],
        outcome: Outcome,
        text: str,
    ) -> Prepared:
        """A question for the client, where its limits leave room for one."""
        try:
            reply = answers.write(dialect.name, request, outcome.original, text, uuid4().hex)
        except Exception as error:
            outcome = fail(outcome, _as_ours(error))
            return done("failed", outcome.decision.reason, outcome)
        if reply is None:
            outcome = decline(outcome, "the question would not fit into the answer")
            return done("none", outcome.decision.reason, outcome)
        return done("answered", outcome.decision.reason, outcome, reply=reply)

    async def _outcome(
        self, engine: Engine, conversation: Conversation, operator: str | None, questions: int
    ) -> Outcome:
        try:
            return await engine.run(conversation, operator=operator, questions=questions)
        except Exception as error:  # a fault of ours must not become the client's
            return fail(undecided(conversation), _as_ours(error))


def _as_ours(error: Exception) -> AcrError:
    return error if isinstance(error, AcrError) else OperatorError(f"unexpected {type(error).__name__}")


def _run(work: Coroutine[Any, Any, Prepared]) -> Prepared:
    return asyncio.run(work)


def _from_thread(complete: Complete, loop: asyncio.AbstractEventLoop) -> Complete:
    """The auxiliary model for a thread with a loop of its own: the call runs where its connections live."""

    async def call(messages: Sequence[Mapping[str, str]]) -> str:
        async def there() -> str:
            return await complete(messages)

        work = there()
        try:
            future = asyncio.run_coroutine_threadsafe(work, loop)
        except RuntimeError:  # that loop is gone: the proxy is stopping
            work.close()
            raise
        return await asyncio.wrap_future(future)

    return call


_controllers: dict[str, Any] = {}
"""Controllers that requests have named, by spec. A bounded number: clients choose the names."""
_KEPT = 32
_loading = Lock()


async def named_controller(spec: str) -> Any:
    """The controller that a request names. The first time it is loaded, in a thread: that may be a model.

    Raises `ControlError` for a file, and for a name that there is not.
    """
    if registry.is_path(spec):  # whose file would be read is the server's affair
        raise ControlError("a request names a controller, not a file")
    try:
        return _controllers.get(spec) or await asyncio.to_thread(_load, spec)
    except AcrError as error:
        raise ControlError(str(error)) from None


def _load(spec: str) -> Any:
    with _loading:  # requests that come at once load one, not one each
        if spec not in _controllers:
            made = registry.controller(spec)
            while len(_controllers) >= _KEPT:
                del _controllers[next(iter(_controllers))]
            _controllers[spec] = made
        return _controllers[spec]
