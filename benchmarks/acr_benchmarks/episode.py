"""One conversation about one item in one setting, from the first word to the score."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from random import Random
from time import perf_counter
from typing import Any

from acr.reading.features import features
from acr_benchmarks import settings
from acr_benchmarks.client import Client
from acr_benchmarks.records import Episode, TurnRecord, scores, total
from acr_benchmarks.responses import Classifier, Form
from acr_benchmarks.settings import Setting
from acr_benchmarks.task import Facts, Fixed, Item, ScoredLast, Task
from acr_benchmarks.users import Said, User


@dataclass(frozen=True, slots=True)
class Job:
    """What one episode is about."""

    task: Task
    item: Item
    setting: Setting
    run: int
    seed: int
    user: User
    classifier: Classifier = field(default_factory=Form)

    @property
    def calls(self) -> int:
        """How many calls it takes at most."""
        if self.setting.single_turn or isinstance(self.task, Fixed):
            return 1
        return len(self.item.shards) + (self.setting.shape == "recap")


def draw(job: Job, turn: int) -> int:
    """The sampling seed of one call: a 31-bit integer of seed, task, item, run and turn.

    The setting is left out: where two settings send the same context they draw the same numbers, which
    makes paired differences less noisy.
    """
    key = f"{job.seed}/{job.task.name}/{job.item.id}/{job.run}/{turn}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") >> 1


async def play(job: Job, client: Client, on_turn: Callable[[], None] = lambda: None) -> Episode:
    """Hold the conversation to its end and score every answer in it.

    Raises `UpstreamError` or `BenchmarkError` from the client; nothing of the episode is kept then.
    """
    start, started = perf_counter(), datetime.now(UTC)
    extra = {"classifier": job.classifier.name}
    if isinstance(job.task, Facts):
        extra |= job.task.facts()
    system = job.task.system(job.item)
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
    if isinstance(job.task, Fixed):
        messages = [dict(message) for message in job.task.conversation(job.item)][:-1]
    turns: list[TurnRecord] = []
    said: list[Said] = []
    model = fingerprint = ""
    while (text := await next_text(job, said, messages, len(turns))) is not None:
        messages.append({"role": "user", "content": text})
        seed = draw(job, len(turns))
        reply = await client.complete(messages, seed)
        on_turn()
        piece = said[len(turns)] if not job.setting.single_turn and len(turns) < len(said) else None
        turn = TurnRecord(
            user=text,
            shard=piece.shard if piece else None,
            user_note=piece.note if piece else None,
            assistant=reply.text,
            finish_reason=reply.finish_reason,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            cached_tokens=reply.cached_tokens,
            seconds=round(reply.seconds, 4),
            seed=seed,
            acr=dict(reply.acr),
            view=reply.view,
            signals=dict(reply.signals),
            error=reply.error,
        )
        turns.append(turn)
        if reply.error:
            break
        await judge(job, turns)
        model, fingerprint = reply.model or model, reply.fingerprint or fingerprint
        messages.append({"role": "assistant", "content": reply.text})
    if isinstance(job.task, ScoredLast):
        await score(job, next((turn for turn in reversed(turns) if turn.answer is not None), None))
    last, first_correct, protocol_score = scores(turns)
    return Episode(
        task=job.task.name,
        item=job.item.id,
        setting=job.setting.name,
        run=job.run,
        seed=job.seed,
        user=job.user.name,
        system=system,
        order=[piece.shard for piece in said],
        turns=turns,
        score=last,
        first_correct=first_correct,
        protocol_score=protocol_score,
        prompt_tokens=total([turn.prompt_tokens for turn in turns]),
        completion_tokens=total([turn.completion_tokens for turn in turns]),
        seconds=round(perf_counter() - start, 3),
        model=model,
        fingerprint=fingerprint,
        temperature=client.temperature,
        max_tokens=client.max_tokens,
        acr_version=version("adaptive-context-refactoring"),
        started=started.isoformat(timespec="seconds"),
        extra=extra,
    )


async def next_text(job: Job, said: list[Said], messages: list[dict[str, Any]], turn: int) -> str | None:
    """The next user message; None at the end. What the user says is added to `said`."""
    shape = job.setting.shape
    if isinstance(job.task, Fixed):
        return None if turn else str(job.task.conversation(job.item)[-1]["content"])
    if job.setting.single_turn:
        if turn:
            return None
        return await whole(job, said) if shape != "full" else job.task.full(job.item)
    piece = await job.user.say(job.item, [earlier.shard for earlier in said], messages)
    if piece is not None:
        said.append(piece)
        return settings.snowball([p.text for p in said]) if shape == "snowball" else piece.text
    if shape == "recap" and turn == len(said):
        return settings.recap(job.task.concat(job.item, [p.text for p in said]))
    return None


async def whole(job: Job, said: list[Said]) -> str:
    """Everything the user has to say, in one message."""
    while (piece := await job.user.say(job.item, [earlier.shard for earlier in said], ())) is not None:
        said.append(piece)
    if job.setting.shape == "shuffle_concat":
        Random(f"{job.seed}/{job.task.name}/{job.item.id}/{job.run}/order").shuffle(said)
    return job.task.concat(job.item, [piece.text for piece in said])


async def judge(job: Job, turns: Sequence[TurnRecord]) -> None:
    """Read, score and sort the newest response."""
    turn = turns[-1]
    answer = job.task.extract(job.item, turn.assistant)
    if answer is not None:
        turn.answer, turn.explicit = answer.text, answer.explicit
        if not isinstance(job.task, ScoredLast):
            await score(job, turn)
    if isinstance(job.task, Fixed):
        return
    given: set[str] = set().union(*(features(earlier.user).numbers for earlier in turns))
    turn.response = await job.classifier.label(job.task, job.item, turn.assistant, given, turn.explicit)


async def score(job: Job, turn: TurnRecord | None) -> None:
    """Score an answer, if there is one. In a thread: an evaluator may run a program."""
    if turn is not None and turn.answer is not None:
        turn.score = await asyncio.to_thread(job.task.score, job.item, turn.answer)
