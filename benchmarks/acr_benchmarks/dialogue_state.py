"""Does the ledger know the state of a dialogue? `python -m acr_benchmarks.dialogue_state [TRACES]`.

Two measures, no model:

- Dialogues in the manner of Schema-Guided Dialogue (Rastogi et al., AAAI 2020), written for this: after each
  user turn, what each slot holds. A slot is right if what holds of the ledger has its value, and no value it
  had before. Joint: all slots of a turn. `data/dialogue_state.jsonl` has a half to work with (`dev`) and one
  for reporting only (`frozen`), chosen by hash of the dialogue's id before the ledger was tuned.
- Logged sharded conversations (the file is given): after each turn, the figures and names of every shard so
  far must be in the ledger, for the plain new part of each user turn and for the restating form as logged.

Every shard adds something: whatever the ledger strikes there is struck wrongly.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from acr.conversation import Conversation, Turn
from acr.ledger import Ledger, read
from acr.reading.features import features
from acr.text import fold

PATH = Path(__file__).parent / "data" / "dialogue_state.jsonl"
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_ALSO = "Also,\n\n"
"""In front of the new part of a restating user turn."""

Fault = Literal["lost", "stale"]


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot after one user turn, and what is wrong with it."""

    dialogue: str
    turn: int
    name: str
    value: str | None
    changed: bool
    """Filled, changed or emptied by this very turn."""
    fault: Fault | None


@dataclass(slots=True)
class Score:
    """Slots of some dialogues."""

    slots: list[Slot] = field(default_factory=list)

    def share(self, *, changed: bool = False) -> float:
        """Slots that are right; all, or only those that the turn changed."""
        found = [slot for slot in self.slots if slot.changed or not changed]
        return sum(slot.fault is None for slot in found) / max(1, len(found))

    def joint(self) -> float:
        """Turns at which every slot is right."""
        turns: dict[tuple[str, int], bool] = {}
        for slot in self.slots:
            key = (slot.dialogue, slot.turn)
            turns[key] = turns.get(key, True) and slot.fault is None
        return sum(turns.values()) / max(1, len(turns))

    def faults(self, kind: Fault) -> int:
        return sum(slot.fault == kind for slot in self.slots)


@dataclass(slots=True)
class Shards:
    """Figures and names of shards, counted after each turn."""

    told: int = 0
    kept: int = 0
    """Those somewhere in the ledger, verbatim."""
    current: int = 0
    """Those in what still holds."""
    struck: int = 0
    """Sentences of which the ledger struck something, each conversation's last turn."""


def dialogues(path: Path = PATH) -> list[dict[str, Any]]:
    """The dialogues: id, domain, language, split, and turns with user text, state and the answer."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def score(chosen: Iterable[Mapping[str, Any]]) -> Score:
    """Every slot of every turn of these dialogues."""
    return Score([slot for dialogue in chosen for slot in slots(dialogue)])


def slots(dialogue: Mapping[str, Any]) -> Iterator[Slot]:
    said: list[str] = []
    past: dict[str, list[str]] = {}
    before: Mapping[str, str] = {}
    for number, turn in enumerate(dialogue["turns"]):
        said.append(turn["user"])
        state: Mapping[str, str] = turn["state"]
        ledger = read(conversation(said))
        for name in sorted(state.keys() | past.keys()):
            value = state.get(name)
            old = [
                one
                for one in past.get(name, ())
                if one not in state.values() and not (value and one in value)
            ]
            fault = _fault(ledger, value, old, prohibits=name.startswith("avoid"))
            yield Slot(dialogue["id"], number, name, value, before.get(name) != value, fault)
        for name, value in state.items():
            past.setdefault(name, []).append(value)
        before = state
        said.append(turn.get("assistant", "."))


def _fault(ledger: Ledger, value: str | None, old: Sequence[str], *, prohibits: bool) -> Fault | None:
    """`lost` if the value does not hold, `stale` if an old one does. A prohibition ("no parking") does not
    hold the value that it names, unless the slot is one for prohibitions.
    """
    items = [*ledger.current, *(decision.proposal for decision in ledger.settled)]
    held = [part for item in items for part in item.parts]
    if value is not None and not any(has(part, value) for part in held):
        return "lost"
    wanted = [part for item in items if item.kind != "prohibition" for part in item.parts]
    return "stale" if any(has(part, one) for one in old for part in (held if prohibits else wanted)) else None


def has(text: str, value: str) -> bool:
    """Whether a text has a value as whole words; in scripts without spaces, anywhere."""
    text, value = fold(text), fold(value)
    if re.search(f"[{_UNSPACED}]", value):
        return value in text
    return bool(re.search(rf"(?<![^\W{_UNSPACED}]){re.escape(value)}(?![^\W{_UNSPACED}])", text))


def conversation(said: Sequence[str]) -> Conversation:
    """User and assistant in turn, the user first."""
    turns = [Turn(str(n), "assistant" if n % 2 else "user", text) for n, text in enumerate(said)]
    return Conversation(tuple(turns))


def shards(logged: Iterable[Mapping[str, Any]], *, plain: bool) -> Shards:
    """Coverage over logged conversations: `turns` with `user`, `asst`, and `sid`, -1 where nothing is new."""
    found = Shards()
    for one in logged:
        said: list[str] = []
        revealed: list[str] = []
        ledger = Ledger()
        for turn in one["turns"]:
            new = turn["user"].split(_ALSO)[-1]
            said.append(new if plain else turn["user"])
            if turn["sid"] >= 0:
                revealed += telling(new)
            ledger = read(conversation(said))
            kept = fold("\n".join(item.text for item in ledger.items))
            current = fold("\n".join(part for item in ledger.items for part in item.parts))
            found.told += len(revealed)
            found.kept += sum(value in kept for value in revealed)
            found.current += sum(value in current for value in revealed)
            said.append(turn["asst"] or ".")
        found.struck += sum(bool(item.gone) for item in ledger.items)
    return found


def telling(text: str) -> list[str]:
    """Figures and names of a shard."""
    read = features(text)
    return sorted(read.numbers | read.names)


def table(chosen: Sequence[Mapping[str, Any]]) -> list[str]:
    """Rows of a Markdown table: by split, and by language and domain in each."""
    rows = [
        "| dialogues | n | slots | changed slots | joint | lost | stale |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for split in ("dev", "frozen"):
        part = [one for one in chosen if one["split"] == split]
        rows.append(_row(f"**{split}**", part))
        for by in ("domain", "language"):
            rows += [
                _row(f"{split}, {name}", [d for d in part if d[by] == name]) for name in _names(part, by)
            ]
    return rows


def _names(part: Iterable[Mapping[str, Any]], by: str) -> list[str]:
    return sorted({one[by] for one in part})


def _row(name: str, part: Sequence[Mapping[str, Any]]) -> str:
    found = score(part)
    shares = f"{found.share():.1%} | {found.share(changed=True):.1%} | {found.joint():.1%}"
    return f"| {name} | {len(part)} | {shares} | {found.faults('lost')} | {found.faults('stale')} |"


def main(traces: Path | None = None) -> None:
    """Print the tables, and the faults of `dev`."""
    known = dialogues()
    print("\n".join(table(known)))
    print("\nfaults of dev:")
    for slot in score(one for one in known if one["split"] == "dev").slots:
        if slot.fault:
            print(f"- {slot.dialogue} turn {slot.turn + 1}, {slot.name}: {slot.fault} ({slot.value})")
    if traces is not None:
        logged = [json.loads(line) for line in traces.read_text("utf-8").splitlines()]
        print("\n| form | told | in the ledger | of that holding | sentences struck |\n|---|--:|--:|--:|--:|")
        for plain in (True, False):
            found = shards(logged, plain=plain)
            shares = f"{found.kept / found.told:.2%} | {found.current / found.told:.2%}"
            print(f"| {'plain' if plain else 'restating'} | {found.told:,} | {shares} | {found.struck} |")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
