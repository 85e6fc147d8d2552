"""What the model would see at a state under each operator. Through acr's own engine, in this process."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acr import registry
from acr.decision import Operator
from acr.dialects.chat import read
from acr.engine import Engine
from acr.proxy.record import view as messages_of
from acr_training.records import State, digest

log = logging.getLogger("acr.train")


@dataclass(frozen=True, slots=True)
class View:
    """One context, and the operators that lead to it; None among them if it is the conversation as it is."""

    id: str
    operators: tuple[str | None, ...]
    messages: list[dict[str, Any]]


async def views(
    state: State, operators: Mapping[str, Operator], candidates: Sequence[str] | None = None
) -> list[View]:
    """The different contexts of a state, the untouched one first. Operators that do nothing share that one.

    `candidates` may be several operators in turn (`prune+recap`); none given: each of `operators` alone.

    An operator that fails is left out, so that a fault of its code is not taken for an outcome of it.
    """
    engine = Engine(registry.controller("never"), operators)
    conversation = read(state.messages)
    found: dict[str, tuple[list[str | None], list[dict[str, Any]]]] = {}
    for name in (None, *sorted(operators if candidates is None else candidates)):
        messages: Sequence[Mapping[str, Any]] = state.messages
        if name is not None:
            outcome = await engine.run(conversation, operator=name)
            if outcome.failure is not None:
                log.warning("%s failed at state %s: %s", name, state.id, outcome.failure)
                continue
            messages = messages_of(outcome.conversation)
        plain = [dict(message) for message in messages]
        found.setdefault(digest(plain), ([], plain))[0].append(name)
    return [View(id, tuple(names), messages) for id, (names, messages) in found.items()]
