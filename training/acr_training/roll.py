"""One context at one state: the model's answer, the rest of the conversation, and the score of its end."""

import asyncio
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from acr_benchmarks.task import Item, Task
from pydantic import BaseModel

from acr_training.draw import draw
from acr_training.model import Model
from acr_training.records import State


class Roll(BaseModel):
    """What came of one context."""

    view: str
    answer: str
    last: str
    prompt_tokens: int
    completion_tokens: int
    seed: int
    """Of the first call."""
    seconds: float
    model: str
    score: float | None = None
    """None where no task can tell."""


async def roll(
    state: State,
    view: str,
    messages: Sequence[Mapping[str, Any]],
    model: Model,
    *,
    seed: int,
    run: int,
) -> Roll:
    """Answer `messages`, then let the user's remaining turns come as scripted and raw.

    The answer enters the client's own history, as it does behind the proxy: what was refactored was what
    the model saw, not what the client holds. Raises `UpstreamError` or `BenchmarkError` from the model.
    A conversation that no longer fits the model's context ends there, with an empty last answer.
    """
    start = perf_counter()
    history = list(state.messages)
    shown: Sequence[Mapping[str, Any]] = messages
    answers: list[str] = []
    prompt = completion = 0
    name = ""
    for offset, said in enumerate((*state.rest, None)):
        reply = await model.complete(shown, draw(seed, state.group, run, state.turn - 1 + offset))
        prompt += reply.prompt_tokens or 0
        completion += reply.completion_tokens or 0
        name = reply.model or name
        answers.append(reply.text)
        if reply.error or said is None:
            break
        history += [{"role": "assistant", "content": reply.text}, {"role": "user", "content": said}]
        shown = history
    return Roll(
        view=view,
        answer=answers[0],
        last=answers[-1],
        prompt_tokens=prompt,
        completion_tokens=completion,
        seed=draw(seed, state.group, run, state.turn - 1),
        seconds=round(perf_counter() - start, 3),
        model=name,
    )


async def score(task: Task, item: Item, response: str) -> float:
    """The task's score of a response; 0 where it holds no answer. In a thread: it may run a program."""
    answer = task.extract(item, response)
    return 0.0 if answer is None else await asyncio.to_thread(task.score, item, answer.text)
