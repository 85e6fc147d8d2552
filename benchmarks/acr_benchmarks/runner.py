"""Runs episodes: bounded concurrency, seeded, resumable, with progress."""

import asyncio
import hashlib
import platform
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import aiohttp

from acr.errors import BenchmarkError, ConfigError, UpstreamError
from acr_benchmarks import cluster, responses, settings, task, users
from acr_benchmarks.client import PAUSES, first_model, plain_name, reach
from acr_benchmarks.endpoint import Endpoint
from acr_benchmarks.episode import Job
from acr_benchmarks.holder import Calls, Hold, Holder
from acr_benchmarks.memo import memo
from acr_benchmarks.records import Episode
from acr_benchmarks.settings import Setting
from acr_benchmarks.store import Store

FIXED = ("model", "temperature", "max_tokens", "seed", "user", "user_model", "classifier")
"""What one run directory holds constant. Tasks, settings, items and runs may be added later."""


ENGINES = ("local", "ray")

OLDER = {"user_model": None, "classifier": "form"}
"""What run directories from before these were recorded hold."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run."""

    tasks: Sequence[str]
    settings: Sequence[str]
    out: Path
    base_url: str
    data: Path | None = None
    """Items to use instead of the built-in ones."""
    ids: Sequence[str] = ()
    limit: int | None = None
    runs: int = 1
    model: str = ""
    key: str = ""
    temperature: float = 0.7
    max_tokens: int = 700
    concurrency: int = 8
    seed: int = 0
    user: str = "paraphrase"
    user_base_url: str = ""
    """Where the model of the user `model` and of the classifier `model` is; `base_url` if empty."""
    user_model: str = ""
    classifier: str = "form"
    timeout: float = 900.0
    pauses: Sequence[float] = PAUSES
    memo: Path | None = None
    """File that keeps answers, so that byte-identical requests are answered once."""
    engine: str = "local"
    """One of `ENGINES`."""
    origin: str = ""
    """Address that `data` was fetched from."""


@dataclass(slots=True)
class Result:
    """How a run went."""

    finished: int = 0
    skipped: int = 0
    """Episodes that were there already."""
    failed: list[str] = field(default_factory=list)
    """Episodes that could not be held; another start tries them again."""


class Watcher:
    """Told how the run goes. This one says nothing."""

    def begin(self, calls: int, episodes: int, there: int) -> None:
        """`calls` and `episodes` to do; `there` episodes were done before."""

    def turn(self) -> None:
        """One call came back."""

    def episode(self, episode: Episode, left: int) -> None:
        """One episode is complete; `left` of its calls were not needed."""

    def failure(self, job: Job, error: Exception) -> None:
        """One episode could not be held."""


def choose(items: Sequence[task.Item], ids: Sequence[str], limit: int | None) -> list[task.Item]:
    """The items with those ids (all if none are given), at most `limit`. Raises `BenchmarkError`."""
    if ids:
        by_id = {item.id: item for item in items}
        missing = [id for id in ids if id not in by_id]
        if missing:
            raise BenchmarkError(
                f"there is no item {missing[0]!r} in the data ({len(missing)} of the ids are unknown)"
            )
        items = [by_id[id] for id in ids]
    return list(items[:limit])


def jobs(plan: Plan, loaded: Mapping[str, tuple[task.Task, Sequence[task.Item]]]) -> Iterator[Job]:
    """All episodes of a plan, the settings of one item together, so that a part of a run compares too."""
    endpoint = helper(plan)
    user = users.make(plan.user, str(plan.seed), endpoint)
    classifier = responses.make(plan.classifier, endpoint)
    chosen = [settings.parse(name) for name in plan.settings]
    for run in range(plan.runs):
        for made, items in loaded.values():
            for item in items:
                for setting in chosen:
                    if settings.applies(setting, fixed=isinstance(made, task.Fixed)):
                        yield Job(made, item, setting, run, plan.seed, user, classifier)


def helper(plan: Plan) -> Endpoint:
    """The model that plays the user and sorts responses: another one, or the one under test, never by ACR."""
    url = plan.user_base_url or plan.base_url
    model = plan.user_model or (plan.model if url == plan.base_url else "")
    return Endpoint(url, model, plan.key, plan.timeout, plan.pauses)


async def run(plan: Plan, watcher: Watcher | None = None) -> Result:
    """Hold all conversations of the plan that are not in its directory yet.

    Raises `ConfigError` for unknown names, `BenchmarkError` if the directory holds something else, data
    are unusable or the server refuses, `UpstreamError` if it is gone.
    """
    watcher = watcher or Watcher()
    chosen = [settings.parse(name) for name in plan.settings]
    made = {name: task.load(name) for name in plan.tasks}
    sources = {name: plan.data or made[name].path() for name in plan.tasks}
    loaded = {
        name: (made[name], choose(task.items(made[name], sources[name], name), plan.ids, plan.limit))
        for name in plan.tasks
    }
    async with AsyncExitStack() as stack:
        store = stack.enter_context(Store(plan.out))
        async with aiohttp.ClientSession(trust_env=False) as session:
            model = plan.model or await first_model(session, plan.base_url, plan.key)
            await reach(session, plan.base_url)
        plan = replace(plan, model=model)
        agree(store, plan, model, sources)
        todo = [job for job in jobs(plan, loaded) if episode_key(job) not in store.done]
        if not todo and not store.done:
            raise BenchmarkError(f"none of the settings {', '.join(plan.settings)} applies to these tasks")
        result = Result(skipped=sum(1 for _ in jobs(plan, loaded)) - len(todo))
        watcher.begin(sum(job.calls for job in todo), len(todo), result.skipped)
        held = {job.setting.name for job in todo}
        hold = await stack.enter_async_context(
            engine(plan, [setting for setting in chosen if setting.name in held])
        )
        await work(todo, hold, store, result, watcher, plan.concurrency)
    return result


@asynccontextmanager
async def engine(plan: Plan, needed: Sequence[Setting]) -> AsyncIterator[Hold]:
    """What holds conversations in the settings needed: this process, or the workers of a cluster."""
    distributed = plan.engine == "ray" and bool(needed)
    if plan.engine not in ENGINES:
        raise ConfigError(f"there is no engine named {plan.engine!r}; known: {', '.join(ENGINES)}")
    async with AsyncExitStack() as stack:
        url = plan.base_url
        if plan.memo is not None:
            host = cluster.address() if distributed else "127.0.0.1"
            url = await stack.enter_async_context(memo(plan.memo, url, plan.timeout, host))
        calls = Calls(url, plan.model, plan.temperature, plan.max_tokens, plan.key, plan.timeout, plan.pauses)
        if distributed:
            yield await stack.enter_async_context(cluster.cluster(calls, needed, plan.concurrency))
            return
        holder = Holder(calls, plan.out / "proxy.log")
        stack.push_async_callback(holder.close)
        await holder.open(needed)
        yield holder.hold


async def work(
    todo: Sequence[Job],
    hold: Hold,
    store: Store,
    result: Result,
    watcher: Watcher,
    concurrency: int,
) -> None:
    """Let `concurrency` workers take the jobs in order. Ends early when several in a row fail."""
    queue = iter(todo)
    in_a_row = 0

    async def worker() -> None:
        nonlocal in_a_row
        for job in queue:
            calls = 0

            def count() -> None:
                nonlocal calls
                calls += 1
                watcher.turn()

            try:
                episode = await hold(job, count)
            except UpstreamError as error:
                result.failed.append("/".join(map(str, episode_key(job))))
                watcher.failure(job, error)
                in_a_row += 1
                if in_a_row > max(3, concurrency):
                    raise BenchmarkError(
                        f"{in_a_row} episodes in a row failed, the last one: {error}. "
                        "Start again when the server is back: what is done is kept"
                    ) from error
                continue
            in_a_row = 0
            store.append(episode)
            result.finished += 1
            watcher.episode(episode, job.calls - calls)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, concurrency)):
                group.create_task(worker())
    except* BenchmarkError as errors:
        raise errors.exceptions[0] from None


def episode_key(job: Job) -> tuple[str, str, str, int]:
    return (job.task.name, job.item.id, job.setting.name, job.run)


def agree(store: Store, plan: Plan, model: str, sources: Mapping[str, Path]) -> None:
    """Hold the manifest against the plan, and bring it up to date.

    Raises `BenchmarkError` where episodes of the two could not be compared.
    """
    now: dict[str, Any] = {
        "model": plain_name(model),
        "temperature": plan.temperature,
        "max_tokens": plan.max_tokens,
        "seed": plan.seed,
        "user": plan.user,
        "user_model": plain_name(helper(plan).model) if "model" in (plan.user, plan.classifier) else None,
        "classifier": plan.classifier,
    }
    data = {
        name: {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for name, path in sources.items()
    }
    if plan.origin:
        for facts in data.values():
            facts["from"] = plan.origin
    before = store.manifest()
    for key in FIXED:
        if before and before.get(key, OLDER.get(key)) != now[key]:
            raise BenchmarkError(
                f"{plan.out} was begun with {key} = {before.get(key)!r}, not {now[key]!r}: "
                "take another directory"
            )
    known = dict(before.get("data", {}))
    for name, facts in data.items():
        if name in known and known[name]["sha256"] != facts["sha256"]:
            raise BenchmarkError(f"{plan.out} was begun with other data for {name}: take another directory")
    session = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "settings": list(plan.settings),
        "items": plan.limit or len(plan.ids) or None,
        "runs": plan.runs,
        "concurrency": plan.concurrency,
        "memo": plan.memo is not None,
        "engine": plan.engine,
        "acr": version("adaptive-context-refactoring"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }
    store.write_manifest(
        {"version": 1, **now, "data": {**known, **data}, "sessions": [*before.get("sessions", []), session]}
    )
