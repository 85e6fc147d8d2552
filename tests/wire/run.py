"""Runs one case: starts what it needs, sends its requests, gathers what came of them."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from support.http import Answer, send
from support.upstream import Received, ScriptedUpstream
from wire.case import Case, Request, Step
from wire.script import STEP_HEADER, Script, step_of
from wire.subject import Subject

Make = Callable[[str, str, Mapping[str, str]], Subject]


@dataclass
class Pair:
    """A proxy and the upstream behind it. Kept for all cases that want the same setup."""

    upstream: ScriptedUpstream
    subject: Subject


@dataclass
class Done:
    """What came of one step."""

    index: int
    request: Request
    answer: Answer
    sent: float
    pair: Pair
    main: list[Received]
    """What reached the upstream on behalf of this step."""

    @property
    def trace(self) -> dict[str, Any] | None:
        return self.pair.subject.trace(self.answer)


@dataclass
class Result:
    case: Case
    steps: list[Done]
    aux: list[Received]
    """Calls of the proxy's own that asked a model for something."""
    log: str
    """What was logged while the case ran."""


def settle(case: Case, pairs: list[Pair]) -> None:
    """Give what a client broke off a moment to be broken off at the upstream as well."""
    end = time.monotonic() + (3.0 if any(step.request.abort_after for step in case.steps) else 0.02)
    while time.monotonic() < end:
        time.sleep(0.02)
        received = [request for pair in pairs for request in list(pair.upstream.received)]
        if received and all(request.closed or request.finished for request in received):
            return


class Runner:
    """Runs cases against subjects that `make` starts: upstream, what to force, environment."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.pairs: dict[Any, Pair] = {}

    def close(self) -> None:
        for pair in self.pairs.values():
            pair.subject.stop()
            pair.upstream.__exit__()

    def pair(self, step: Step) -> Pair:
        key = (step.intervene, *sorted(step.env.items()))
        if key not in self.pairs:
            upstream = ScriptedUpstream().__enter__()
            self.pairs[key] = Pair(upstream, self.make(upstream.url, step.intervene, step.env))
        return self.pairs[key]

    def run(self, case: Case) -> Result:
        pairs = [self.pair(step) for step in case.steps]
        own = {index: step.upstream for index, step in enumerate(case.steps) if step.upstream is not None}
        script = Script(case.upstream, own)
        unique = list({id(pair): pair for pair in pairs}.values())
        logs = [len(pair.subject.log()) for pair in unique]
        for pair in unique:
            pair.upstream.received.clear()
            pair.upstream.script = script
            pair.upstream.refuse(script.refused)
        try:
            answers = self.send(case, pairs)
            settle(case, unique)
            received = [request for pair in unique for request in list(pair.upstream.received)]
        finally:
            for pair in unique:
                pair.upstream.refuse(False)
        steps = [
            Done(index, step.request, answer, sent, pair, [r for r in received if step_of(r) == index])
            for index, (step, pair, (sent, answer)) in enumerate(zip(case.steps, pairs, answers, strict=True))
        ]
        aux = [request for request in received if step_of(request) is None and request.method == "POST"]
        log = "\n".join(pair.subject.log()[at:] for pair, at in zip(unique, logs, strict=True))
        return Result(case, steps, aux, log)

    def send(self, case: Case, pairs: list[Pair]) -> list[tuple[float, Answer]]:
        def one(index: int) -> tuple[float, Answer]:
            if case.parallel and case.stagger:
                time.sleep(case.stagger * index)
            request = case.steps[index].request
            sent = time.monotonic()
            headers = [*request.headers, (STEP_HEADER, str(index))]
            return sent, send(
                pairs[index].subject.port,
                request.method,
                request.path,
                request.raw,
                headers,
                timeout=60,
                hang_up_after=request.abort_after,
            )

        numbers = range(len(case.steps))
        if not case.parallel:
            return [one(index) for index in numbers]
        with ThreadPoolExecutor(len(case.steps)) as pool:
            return list(pool.map(one, numbers))
