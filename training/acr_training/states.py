"""Where states come from: conversations about benchmark items, traces of the proxy, the user's dialogues."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from acr_benchmarks.task import Fixed, Item, Task
from acr_benchmarks.users import Said, User
from pydantic import ValidationError

from acr.dialects.chat import read
from acr.engine import Engine
from acr.errors import AcrError, TrainingError
from acr.gate import closed
from acr.proxy.record import view
from acr.reading.language import guess
from acr.signals import observe
from acr.trace import Trace
from acr_training.draw import draw
from acr_training.model import Model
from acr_training.records import Source, State, digest, state

Messages = list[dict[str, Any]]


async def played(
    task: Task,
    item: Item,
    engine: Engine,
    model: Model,
    user: User,
    *,
    seed: int,
    run: int = 0,
) -> list[State]:
    """The states of one conversation about an item, one a user turn at which somebody could intervene.

    `engine` is in charge on the way; with the controller `never` these are the states of plain SHARDED.
    Items that are whole conversations give one state, their last turn.
    """
    policy = engine.controller.name
    if isinstance(task, Fixed):
        messages = [dict(message) for message in task.conversation(item)]
        return list(described([(messages, [])], task.name, item.id, turns=None, policy=policy))
    said: list[Said] = []
    while (piece := await user.say(item, [earlier.shard for earlier in said], ())) is not None:
        said.append(piece)
    texts = [piece.text for piece in said]
    messages = [{"role": "system", "content": task.system(item)}]
    prefixes: list[tuple[Messages, list[str]]] = []
    for turn, text in enumerate(texts):
        messages.append({"role": "user", "content": text})
        prefixes.append((list(messages), texts[turn + 1 :]))
        if turn == len(texts) - 1:
            break
        outcome = await engine.run(read(messages))
        reply = await model.complete(
            view(outcome.conversation), draw(seed, f"{task.name}/{item.id}", run, turn)
        )
        if reply.error:
            break
        messages.append({"role": "assistant", "content": reply.text})
    return list(described(prefixes, task.name, item.id, turns=len(texts), policy=policy))


def described(
    prefixes: Sequence[tuple[Messages, list[str]]],
    task: str,
    item: str,
    *,
    turns: int | None,
    policy: str = "never",
    group: str = "",
    source: Source = "benchmark",
) -> Iterator[State]:
    """States of those prefixes at which the gate is open, with language and signals."""
    for messages, rest in prefixes:
        conversation = read(messages)
        if closed(conversation):
            continue
        yield state(
            task=task,
            item=item,
            messages=messages,
            group=group,
            rest=rest,
            language=guess(conversation.users),
            source=source,
            policy=policy,
            turns=turns,
            signals=observe(conversation).numbers(),
        )


def chosen(found: Sequence[State], count: int, seed: int) -> list[State]:
    """The last state of a conversation, where everything has been said, and `count` - 1 others by lot."""
    if not found:
        return []
    *earlier, last = found
    drawn = Random(f"{seed}/{last.group}/states").sample(earlier, min(count - 1, len(earlier)))
    return sorted([*drawn, last], key=lambda one: one.turn)


def of_traces(path: Path) -> list[State]:
    """The states that the proxy saw: JSON lines of `Trace`, or what `GET /v1/acr/decisions` answers.

    Needs traces with their text (`keep_text`), of chat completions. Raises `TrainingError` for a line that
    is no trace, and if no trace can be used.
    """
    found: dict[str, State] = {}
    for number, record in entries(path):
        try:
            trace = Trace.model_validate(record)
        except ValidationError as error:
            raise TrainingError(f"{path}, line {number} is no trace of acr: {error}") from error
        if trace.messages and trace.dialect == "chat":
            for one in of_messages(trace.messages, "traces", every=False, policy=trace.controller or "never"):
                found.setdefault(one.id, one)
    if not found:
        raise TrainingError(
            f"{path} holds no usable state: traces need their text (keep_text), the chat completions "
            "dialect, and two user turns"
        )
    return list(found.values())


def of_dialogues(path: Path) -> list[State]:
    """The states of dialogues: JSON lines, each a list of messages or an object with `messages`.

    Every user turn from the second on is a state. Raises `TrainingError` for anything else.
    """
    found: dict[str, State] = {}
    for number, record in rows(path):
        messages = record.get("messages") if isinstance(record, dict) else record
        if not isinstance(messages, list):
            raise TrainingError(f"{path}, line {number}: wanted are messages")
        try:
            for one in of_messages(messages, "dialogues", every=True):
                found.setdefault(one.id, one)
        except AcrError as error:
            raise TrainingError(f"{path}, line {number}: {error}") from error
    if not found:
        raise TrainingError(f"{path} holds no conversation with two user turns")
    return list(found.values())


def of_messages(messages: Messages, source: Source, *, every: bool, policy: str = "never") -> Iterator[State]:
    """States of one conversation: at `every` user turn, or at the newest message only."""
    ends = [
        n
        for n, message in enumerate(messages, 1)
        if isinstance(message, Mapping) and message.get("role") == "user"
    ]
    opening = messages[: ends[0]] if ends else messages
    group = f"{source}/{digest(opening)}"
    if not every:
        ends = [len(messages)]
    prefixes: list[tuple[Messages, list[str]]] = [(list(messages[:end]), []) for end in ends]
    return described(prefixes, "", "", turns=None, group=group, source=source, policy=policy)


def entries(path: Path) -> Iterator[tuple[int, Any]]:
    """Traces one a line, or the whole list as the proxy's own endpoint answers it."""
    for number, record in rows(path):
        if isinstance(record, dict) and isinstance(record.get("data"), list):
            yield from ((number, one) for one in record["data"])
        else:
            yield number, record


def rows(path: Path) -> Iterator[tuple[int, Any]]:
    """The JSON values of a file of JSON lines, with their line numbers. Raises `TrainingError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TrainingError(f"cannot read {path}: {(error.strerror or 'failed').lower()}") from error
    except UnicodeDecodeError as error:
        raise TrainingError(f"cannot read {path}: it is not UTF-8") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise TrainingError(f"{path}, line {number} is not JSON: {error}") from error
