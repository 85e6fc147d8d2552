"""Tool use: does the assistant go round in circles, do its tools fail?"""

import re
from collections import Counter
from collections.abc import Iterator

from acr.conversation import Turn
from acr.signals.core import Signal
from acr.signals.seen import Seen

NAMES = ("tool_calls", "tool_open", "tool_errors", "tool_loop")
_ERROR = re.compile(
    r"\b(?:error(?!\"?\s*:\s*(?:null|false|0))|exception|traceback|failed|failure|denied|forbidden|unauthorized"
    r"|not found|no such|timed? ?out|invalid|cannot|refused)\b|\b[45]\d\d\b",
    re.IGNORECASE,
)
_HEAD = 400
"""Characters of a result in which an error is looked for: at its beginning, where programs put it."""


def signals(seen: Seen) -> Iterator[tuple[str, Signal]]:
    """Counts over the whole conversation. `tool_open`: calls that wait for a result. `tool_errors`: failures
    at the end, one after another. `tool_loop`: how often the result that came most often came again.
    """
    if not seen.task.tools and not [turn for turn in seen.conversation if turn.calls or turn.answers]:
        return
    calls = [id for turn in seen.conversation for id in turn.calls]
    results = [turn for turn in seen.conversation if turn.answers]
    answered = {id for turn in results for id in turn.answers}
    yield "tool_calls", Signal(len(calls), tuple(t.id for t in seen.conversation if t.calls))
    open_calls = [turn.id for turn in seen.conversation if set(turn.calls) - answered]
    yield "tool_open", Signal(len(open_calls), tuple(open_calls))
    yield "tool_errors", _errors(results)
    yield "tool_loop", _loop(results)


def _errors(results: list[Turn]) -> Signal:
    failed: list[str] = []
    for turn in reversed(results):
        if not _ERROR.search(turn.text[:_HEAD]):
            break
        failed.append(turn.id)
    return Signal(len(failed), tuple(reversed(failed)))


def _loop(results: list[Turn]) -> Signal:
    seen = Counter(turn.text for turn in results if turn.text)
    if not seen:
        return Signal(0.0)
    text, times = seen.most_common(1)[0]
    return Signal(times - 1, tuple(turn.id for turn in results if turn.text == text) if times > 1 else ())
