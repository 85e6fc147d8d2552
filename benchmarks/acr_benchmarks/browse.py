"""Episodes to look at: which ones, and what ACR changed at each turn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from acr_benchmarks.records import Episode, TurnRecord

Change = Literal["kept", "left out", "added"]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a context: in what the client sent, in what the model saw, or in both."""

    change: Change
    role: str
    text: str


def choose(
    episodes: Sequence[Episode],
    *,
    task: str = "",
    setting: str = "",
    item: str = "",
    run: int | None = None,
    wrong: bool = False,
    changed: bool = False,
) -> list[Episode]:
    """The episodes that fit, the settings of one item side by side. `item` may be a part of an id; `wrong`
    are those whose last answer is not fully right, `changed` those in which ACR intervened.
    """
    found = [
        one
        for one in episodes
        if (not task or one.task == task)
        and (not setting or one.setting == setting)
        and item in one.item
        and (run is None or one.run == run)
        and (not wrong or one.score < 1.0)
        and (not changed or any(turn.intervened for turn in one.turns))
    ]
    return sorted(found, key=lambda one: (one.task, one.item, one.run, one.setting))


def sent(episode: Episode, index: int) -> list[tuple[str, str]]:
    """Role and text of what the client sent at a turn."""
    messages = [("system", episode.system)] if episode.system else []
    for turn in episode.turns[:index]:
        messages += [("user", turn.user), ("assistant", turn.assistant)]
    return [*messages, ("user", episode.turns[index].user)]


def context(episode: Episode, index: int) -> list[Message]:
    """The context of a turn, message by message; empty where ACR changed nothing.

    Where an item is a whole conversation, what came before its newest message is not in the record: then
    all of what the model saw counts as kept.
    """
    turn = episode.turns[index]
    if turn.view is None:
        return []
    after = [(str(message.get("role")), written(message)) for message in turn.view]
    before = sent(episode, index)
    if len(episode.turns) == 1:
        return [Message("kept", *message) for message in after]
    return list(compare(before, after))


def compare(before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> Iterator[Message]:
    """Two contexts as one list of messages."""
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (Message("kept", *message) for message in before[i:j])
        else:
            yield from (Message("left out", *message) for message in before[i:j])
            yield from (Message("added", *message) for message in after[k:m])


def written(message: Mapping[str, Any]) -> str:
    """The text of a message on the wire."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", part)) if isinstance(part, dict) else str(part) for part in parts)


def verdict(turn: TurnRecord) -> str:
    """What was read and scored in a response, in a few words."""
    if turn.error:
        return "the conversation no longer fits"
    if turn.answer is None:
        return f"no answer ({turn.response})" if turn.response else "no answer"
    how = "answer" if turn.explicit else "read as answer"
    score = "not scored" if turn.score is None else "right" if turn.score >= 1 else points(turn.score)
    cut = ", cut off" if turn.finish_reason == "length" else ""
    return f"{how}: {shortened(turn.answer, 200)} – {score}{cut}"


def points(score: float) -> str:
    return "wrong" if score <= 0 else f"{100 * score:.0f} of 100"


def decision(turn: TurnRecord) -> str:
    """What ACR did at a turn and why; empty where the turn did not go through it."""
    if not turn.acr.get("decision"):
        return ""
    did = turn.acr.get("operator") if turn.intervened else turn.acr["decision"].replace("none", "left alone")
    counts = (turn.acr.get("tokens-before"), turn.acr.get("tokens-after"))
    tokens = f" ({counts[0]} → {counts[1]} tokens)" if turn.intervened and None not in counts else ""
    return f"{did}: {turn.acr.get('reason', '')}{tokens}"


def cost(turn: TurnRecord) -> str:
    """Tokens and seconds of one call."""
    counts = [
        f"{value:,} {what}"
        for value, what in (
            (turn.prompt_tokens, "in"),
            (turn.cached_tokens, "of these cached"),
            (turn.completion_tokens, "out"),
        )
        if value is not None
    ]
    return ", ".join([*counts, f"{turn.seconds:.1f} s"])


def shortened(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
