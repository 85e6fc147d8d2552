"""Episodes in the log format of the Lost-in-Conversation code, and its logs as episodes.

Their code (MIT, github.com/microsoft/lost_in_conversation) keeps one JSON line a conversation under
`logs/TASK/TYPE/TYPE_TASK_MODEL.jsonl`, with a `trace` of messages and of what happened between them:

    {"role": "user", "content": …}
    {"role": "log", "content": {"type": "shard_revealed", "shard_id": 2}}
    {"role": "assistant", "content": …}
    {"role": "log", "content": {"type": "system-verification", "response": {"response_type": …}}}
    {"role": "log", "content": {"type": "answer-evaluation", "exact_answer": …, "is_correct": …, "score": …}}
    {"role": "log", "content": {"type": "conversation-completed", "is_correct": true}}

What that format has no place for goes into a field of our own, `acr`, which their readers pass over. So an
exported episode comes back as it was. `is_correct` and `score` are the protocol's (any right answer ends a
conversation there); ours go on to their end, so messages may follow the completion.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acr.errors import BenchmarkError
from acr_benchmarks.records import Episode, TurnRecord, scores

ATTEMPT = "answer_attempt"
TYPES = {"shuffle_concat": "shuffle-concat", "recap": "recap-concat"}
"""Their names of settings where they differ from ours."""
IN_TRACE = {"turns": {"__all__": {"user", "assistant", "answer", "response"}}}
ELSEWHERE = {"task", "item", "system"}
REVEALED = ("shard_revealed", "hint_revealed")
"""Their SNOWBALL logs the second where it means the first."""
TEMPERATURE, MAX_TOKENS = 1.0, 1000
"""The protocol's, where a log does not say."""


def conversation_type(setting: str) -> str:
    """Their name of a setting; it becomes a folder and part of a file name that is split at `_`."""
    return TYPES.get(setting) or setting.replace(":", "-").replace("_", "-")


def setting(conversation_type: str) -> str:
    """Our name of a setting of theirs. `sharded-at0.5-ut0.0` and `full-t0.5` name temperatures."""
    name = next((ours for ours, theirs in TYPES.items() if theirs == conversation_type), conversation_type)
    head, _, tail = name.partition("-")
    return head if tail.startswith(("at", "t")) and tail[-1:].isdigit() else name


def temperature(conversation_type: str) -> float:
    """The assistant's sampling temperature that the name of a setting of theirs tells."""
    for part in conversation_type.split("-")[1:]:
        number = part.removeprefix("at").removeprefix("t")
        if part.startswith(("at", "t")) and number.replace(".", "", 1).isdigit():
            return float(number)
    return TEMPERATURE


def record(episode: Episode, dataset: str) -> dict[str, Any]:
    """An episode as one of their records. `dataset` is the name of the file that its item is in."""
    key = "/".join(map(str, episode.key))
    return {
        "conv_id": hashlib.sha256(f"{episode.model}/{key}".encode()).hexdigest()[:24],
        "conv_type": conversation_type(episode.setting),
        "task": episode.task,
        "task_id": episode.item,
        "dataset_fn": dataset,
        "assistant_model": episode.model,
        "system_model": "NA",
        "user_model": episode.user,
        "git_version": f"acr {episode.acr_version}",
        "trace": list(trace(episode)),
        "is_correct": episode.protocol_score == 1.0,
        "score": episode.protocol_score,
        "acr": episode.model_dump(mode="json", exclude={**IN_TRACE, **dict.fromkeys(ELSEWHERE, True)}),
    }


def trace(episode: Episode) -> Iterator[dict[str, Any]]:
    """What was said, and what happened in between."""
    time = episode.started[:19].replace("T", " ")
    yield {"role": "system", "content": episode.system, "timestamp": time}
    done = False
    for turn in episode.turns:
        yield {"role": "user", "content": turn.user, "timestamp": time, "cost_usd": 0.0}
        if turn.shard is not None:
            yield event(time, type="shard_revealed", shard_id=turn.shard)
        yield {"role": "assistant", "content": turn.assistant, "timestamp": time, "cost_usd": 0.0}
        if turn.response is not None:
            yield event(time, type="system-verification", response={"response_type": turn.response})
        if turn.answer is None:
            continue
        right = turn.score == 1.0
        yield event(
            time,
            type="answer-evaluation",
            exact_answer=turn.answer,
            is_correct=right,
            score=turn.score,
            evaluation_return={"score": turn.score},
        )
        if right and not done:
            done = True
            yield event(time, type="conversation-completed", is_correct=True)


def event(time: str, **content: Any) -> dict[str, Any]:
    return {"role": "log", "content": content, "timestamp": time}


def export(episodes: Iterable[Episode], target: Path, datasets: Mapping[str, str]) -> list[Path]:
    """Write episodes where their viewer looks, below `target`; `datasets` names the data file of each task.

    Raises `BenchmarkError` for a file that is there already: it may be a log of theirs.
    """
    files: dict[Path, list[dict[str, Any]]] = {}
    for episode in episodes:
        kind = conversation_type(episode.setting)
        model = "".join("-" if letter in '<>:"/\\|?*_' else letter for letter in episode.model) or "model"
        path = target / episode.task / kind / f"{kind}_{episode.task}_{model}.jsonl"
        files.setdefault(path, []).append(record(episode, datasets.get(episode.task, "")))
    for path in files:
        if path.exists():
            raise BenchmarkError(f"{path} is there already: take another directory")
    for path, rows in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return sorted(files)


@dataclass(slots=True)
class Reading:
    """The turns of a trace while it is read."""

    system: str = ""
    turns: list[TurnRecord] = field(default_factory=list)
    shard: int | None = None
    """Revealed before the user's message that says it: some of their simulators log it first."""

    def take(self, entry: Mapping[str, Any]) -> None:
        role, content = entry["role"], entry["content"]
        if role == "system":
            self.system = content
        elif role == "user":
            self.turns.append(TurnRecord(user=content, shard=self.shard))
            self.shard = None
        elif role == "assistant":
            self.turns[-1].assistant = content
        elif role == "log":
            self.happened(content)

    def happened(self, content: Mapping[str, Any]) -> None:
        kind = content["type"]
        if kind in REVEALED:
            turn = self.turns[-1] if self.turns else None
            if turn is None or turn.assistant or turn.shard is not None:
                self.shard = content["shard_id"]
            else:
                turn.shard = content["shard_id"]
        elif kind == "system-verification":
            self.turns[-1].response = content["response"]["response_type"]
        elif kind == "answer-evaluation":
            turn, value = self.turns[-1], content.get("score")
            value = content.get("is_correct") if value is None else value
            turn.answer = str(content.get("exact_answer") or "")
            turn.explicit = turn.response in (None, ATTEMPT)
            turn.score = None if value is None else float(value)


def episode(record: Mapping[str, Any], run: int) -> Episode:
    """One of their records as the `run`-th episode of its item. Raises `BenchmarkError` if it is none."""
    try:
        read = Reading()
        for entry in record["trace"]:
            read.take(entry)
        ours = record.get("acr")
        if ours is not None:
            return restored(record, read, ours)
        score, first, protocol = scores(read.turns)
        return Episode(
            task=record["task"],
            item=record["task_id"],
            setting=setting(record["conv_type"]),
            run=run,
            seed=0,
            user=record["user_model"],
            system=read.system,
            order=[turn.shard for turn in read.turns if turn.shard not in (None, -1)],
            turns=read.turns,
            score=score,
            first_correct=first,
            protocol_score=protocol,
            model=record["assistant_model"],
            temperature=temperature(record["conv_type"]),
            max_tokens=MAX_TOKENS,
            extra={"conv_id": record["conv_id"], "imported": "lost_in_conversation"},
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise BenchmarkError(f"this is no record of a Lost-in-Conversation log: {error!r}") from error


def restored(record: Mapping[str, Any], read: Reading, ours: Mapping[str, Any]) -> Episode:
    """An episode that was exported from here."""
    turns = [
        {**more, **turn.model_dump(include={"user", "assistant", "answer", "response"})}
        for turn, more in zip(read.turns, ours["turns"], strict=True)
    ]
    whole = {**ours, "task": record["task"], "item": record["task_id"], "system": read.system}
    return Episode.model_validate({**whole, "turns": turns})


def records(source: Path) -> Iterator[dict[str, Any]]:
    """The records of a log file, or of all below a folder. Raises `BenchmarkError` naming a damaged line."""
    for path in sorted(source.rglob("*.jsonl")) if source.is_dir() else [source]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                yield dict(json.loads(line))
            except (ValueError, TypeError) as error:
                raise BenchmarkError(f"{path}, line {number} is no JSON object: {error}") from error


def read(source: Path, model: str = "") -> list[Episode]:
    """The episodes in their logs, of one model. Conversations on one item are its runs, in order.

    Raises `BenchmarkError` if there are none, or of several models and none is named.
    """
    found = list(records(source))
    models = sorted({str(one.get("assistant_model")) for one in found})
    if model:
        found = [one for one in found if one.get("assistant_model") == model]
    elif len(models) > 1:
        raise BenchmarkError(f"{source} holds {len(models)} models; choose one: {', '.join(models)}")
    if not found:
        raise BenchmarkError(f"{source} holds no conversation" + (f" of {model}" if model else ""))
    runs: dict[tuple[str, str, str], int] = {}
    episodes = []
    for one in found:
        key = (str(one.get("task")), str(one.get("task_id")), setting(str(one.get("conv_type"))))
        episodes.append(episode(one, runs.get(key, 0)))
        runs[key] = runs.get(key, 0) + 1
    return episodes


def manifest(episodes: list[Episode], source: Path) -> dict[str, Any]:
    """What a run directory says of itself."""
    first = episodes[0]
    return {
        "version": 1,
        "model": first.model,
        "temperature": first.temperature,
        "max_tokens": first.max_tokens,
        "seed": first.seed,
        "user": first.user,
        "data": {},
        "imported": source.name,
    }
