"""Asks the trained model, in a thread of its own, under a deadline; `rules` decide where it does not answer.

Nothing of the model is loaded at the start: the first decision begins to load it, which takes a few seconds,
and until it is there `rules` decide and say so.
"""

import asyncio
import logging
import math
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from acr.controllers.rules import Rules
from acr.controllers.signals import UNSEEN
from acr.controllers.weights import along
from acr.conversation import Conversation
from acr.decision import Controller, Decision
from acr.errors import ConfigError
from acr.lm import artefact
from acr.lm.artefact import Card
from acr.memo import Memo
from acr.signals import Signals

if TYPE_CHECKING:
    from acr.lm.graph import Scorer

log = logging.getLogger(__name__)

SHIPPED = Path(__file__).parent.parent / "data" / "lm"
NEEDED = ("openvino", "tokenizers", "safetensors", "numpy")
NONE = "none"


class LM:
    """`lm:FOLDER` decides with the controller trained there; `lm` alone with the one that is shipped."""

    name = "lm"

    def __init__(self, folder: str = "", fallback: Controller | None = None) -> None:
        """Raises `ConfigError` if the folder, the extra or the base model is missing."""
        self.folder = Path(folder).expanduser() if folder else SHIPPED
        if not folder and not (SHIPPED / artefact.FILE).is_file():
            raise ConfigError(
                "no trained lm controller comes with this version: train one, then --controller DIR"
            )
        self.card = artefact.load(self.folder)
        self.fallback = fallback or Rules()
        _installed(self.card)
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._loading: Future[None] | None = None
        self._scorer: Scorer | None = None
        self._known: Memo[tuple[float, ...]] = Memo(self._score, size=1024)

    def decide(self, conversation: Conversation, signals: Signals) -> Decision:
        """The decision, waiting for it no longer than the deadline."""
        asked = self._ask(conversation, signals)
        if isinstance(asked, Decision):
            return asked
        try:
            return self._choose(asked.result(self._patience))
        except LateError:
            asked.cancel()
            return self._rules(conversation, signals, "lm was late")

    async def consult(self, conversation: Conversation, signals: Signals) -> Decision:
        """The same without blocking the event loop."""
        asked = self._ask(conversation, signals)
        if isinstance(asked, Decision):
            return asked
        try:
            async with asyncio.timeout(self._patience):
                return self._choose(await asyncio.wrap_future(asked))
        except TimeoutError:
            return self._rules(conversation, signals, "lm was late")

    def unhurried(self) -> "LM":
        """The same with all the time it wants, for evaluation: loaded, no deadline."""
        patient = LM(str(self.folder), self.fallback)
        patient.card = replace(self.card, deadline=float("inf"))
        patient.load()
        return patient

    def load(self) -> None:
        """Load the model now and wait for it. Raises what loading raises."""
        self._start().result()

    def probabilities(self, conversation: Conversation, signals: Signals) -> dict[str, float]:
        """Of each label, for evaluation: no deadline, no fallback. Raises what loading raises."""
        self.load()
        assert self._pool is not None
        chances = self._pool.submit(self._work, conversation, signals).result()
        return dict(zip(self.card.labels, chances, strict=True))

    @property
    def _patience(self) -> float | None:
        return self.card.deadline if math.isfinite(self.card.deadline) else None

    def _ask(self, conversation: Conversation, signals: Signals) -> "Future[tuple[float, ...]] | Decision":
        """The probabilities to come, or the decision where there will be none."""
        for signal, reason in UNSEEN:
            if signals[signal]:
                return Decision(None, reason, controller=self.name)
        loading = self._start()
        if not loading.done():
            return self._rules(conversation, signals, "lm is still loading")
        if loading.exception() is not None:
            return self._rules(conversation, signals, "lm could not be loaded")
        assert self._pool is not None
        return self._pool.submit(self._work, conversation, signals)

    def _start(self) -> "Future[None]":
        with self._lock:
            if self._loading is None:
                self._pool = ThreadPoolExecutor(1, thread_name_prefix="acr-lm")
                self._loading = self._pool.submit(self._try_to_load)
            return self._loading

    def _try_to_load(self) -> None:
        try:
            self._load()
        except Exception as error:
            log.warning("the controller lm could not be loaded, rules decide: %s", error)
            raise

    def _load(self) -> None:
        from acr.lm import adapter, graph, trunk

        loaded = trunk.load(artefact.where(self.card, self.folder), self.card.layers)
        if (self.folder / adapter.CONFIG).is_file():
            loaded = adapter.merged(loaded, self.folder)
        self._scorer = graph.Scorer(loaded, self.card.tokens)

    def _work(self, conversation: Conversation, signals: Signals) -> tuple[float, ...]:
        from acr.lm.rendering import render

        assert self._scorer is not None
        return self._known(render(conversation, signals, self._scorer.tokenizer))

    def _score(self, text: str) -> tuple[float, ...]:
        assert self._scorer is not None
        return softmax([float(one) / self.card.temperature for one in self._scorer.logits(text)])

    def _choose(self, probabilities: tuple[float, ...]) -> Decision:
        chances = dict(zip(self.card.labels, probabilities, strict=True))
        alone = chances.pop(NONE)
        best = max(chances, key=lambda label: chances[label])
        points, doing = self.card.confidence, 1 - alone
        if doing < self.card.threshold:
            sure = 1 - along(points, doing)
            return Decision(None, f"lm: leave alone ({sure:.2f})", sure, self.name)
        sure = along(points, doing) if points else chances[best]
        return Decision(best, f"lm: {best} ({sure:.2f})", sure, self.name)

    def _rules(self, conversation: Conversation, signals: Signals, why: str) -> Decision:
        decision = self.fallback.decide(conversation, signals)
        return replace(decision, reason=f"{why}; {self.fallback.name}: {decision.reason}")


def softmax(logits: list[float]) -> tuple[float, ...]:
    """Probabilities that add up to 1."""
    top = max(logits)
    parts = [math.exp(one - top) for one in logits]
    return tuple(part / sum(parts) for part in parts)


def _installed(card: Card) -> None:
    """Find at the start what would only fail at the first decision, without importing any of it."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"the controller lm needs {', '.join(missing)}: pip install 'adaptive-context-refactoring[lm]'"
        )
    if card.base == "." or Path(card.base).is_dir():
        return
    from acr.embedded import find, store

    if store.state(find(card.base)) != "present":
        raise ConfigError(f"the controller lm needs its base model: run 'acr model pull {card.base}'")
