"""Whether the pieces together still make the task: the same model on FULL, CONCAT and SHUFFLE-CONCAT."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Literal

from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.sharding.cut import asked
from acr_benchmarks.task import Item, Task

Form = Literal["full", "concat", "shuffle_concat"]
FORMS: tuple[Form, ...] = ("full", "concat", "shuffle_concat")
SHARE = 0.8
"""Of FULL's mean score that CONCAT and SHUFFLE-CONCAT must reach, as in the paper."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model is asked."""

    temperature: float = 1.0
    max_tokens: int = 1000


async def attempt(task: Task, item: Item, form: Form, run: int, endpoint: Endpoint, how: Sampling) -> float:
    """The score of one answer. Raises what `Endpoint.ask` raises."""
    pieces = [shard.text for shard in item.shards]
    if form == "shuffle_concat":
        Random(f"{item.id}/{run}").shuffle(pieces)
    text = task.full(item) if form == "full" else task.concat(item, pieces)
    messages = asked(task.system(item), text)
    response = await endpoint.ask(messages, run, temperature=how.temperature, max_tokens=how.max_tokens)
    answer = task.extract(item, response)
    return 0.0 if answer is None else await asyncio.to_thread(task.score, item, answer.text)


def verdict(scores: Mapping[Form, Sequence[float]]) -> tuple[bool, str]:
    """Whether the pieces hold what the instruction holds, and the figures in words."""
    means = {form: fmean(scores[form]) for form in FORMS}
    runs = len(scores["full"])
    said = ", ".join(f"{form.upper().replace('_', '-')} {100 * means[form]:.0f}%" for form in FORMS)
    said += f" ({runs} run{'s' if runs > 1 else ''} each)"
    if not means["full"]:
        return False, f"not verified: FULL is never right, so nothing can be compared; {said}"
    if min(means["concat"], means["shuffle_concat"]) < SHARE * means["full"]:
        return False, f"not verified: below {100 * SHARE:.0f}% of FULL; {said}"
    return True, f"verified: {said}"
