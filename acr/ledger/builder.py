"""Makes a ledger turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from acr.ledger import exchange, words
from acr.ledger.choice import options, picked
from acr.ledger.core import Decision, Item, Kind, Ledger, Question
from acr.ledger.figures import Worked
from acr.ledger.overrule import cut, overrule
from acr.ledger.sentence import sentence
from acr.ledger.strike import Open
from acr.ledger.supersede import replaced
from acr.reading.dialogue import Answer, UserAct, UserTurn, sentences
from acr.reading.features import features
from acr.text import asks, fold

_KINDS: dict[UserAct, Kind] = {
    "opening": "requirement",
    "requirement": "requirement",
    "correction": "correction",
    "restatement": "requirement",
    "reference": "requirement",
    "question": "question",
    "reply": "reply",
    "chat": "chat",
}
_DOCUMENT = 200
"""Sentences of one turn; what comes after these is something pasted."""
_BEGINNING = 4
"""Words in which a "never" rules the whole sentence: "Write a poem that never …" asks for a poem."""
_PENDING = 20
"""Open questions of one side that a turn may still answer."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """A decision, with the index of its proposal among the items."""

    item: int
    proposed_by: str
    turn: str
    text: str


@dataclass(slots=True)
class Builder:
    """What has been read so far. Grows by `user` and `answer`; `ledger` gives what it amounts to."""

    items: list[Item] = field(default_factory=list)
    task: int = -1
    said: dict[str, int] = field(default_factory=dict)
    """Sentences of the open task as compared, with the index of their item."""
    open: Open = field(default_factory=Open)
    agreed: list[Agreed] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    pending: list[int] = field(default_factory=list)
    """Indexes of questions that nobody has answered yet."""
    asked_at: dict[int, int] = field(default_factory=dict)
    grounded: set[str] = field(default_factory=set)
    worked: Worked = field(default_factory=Worked)
    given: set[str] = field(default_factory=set)
    """Figures that the user has said."""
    count: int = 0
    """Turns taken in."""
    last_user: UserTurn | None = None
    last_answer: Answer | None = None
    proposals: bool = False
    options: tuple[str, ...] = ()
    """What the assistant offered last, and in which turn."""
    offered_in: str = ""
    picked: tuple[int, int] | None = None
    """Which of them the user picked, and the index of its item."""
    characters: int = 0
    """Length of all that was read."""

    def copy(self) -> "Builder":
        """The same, to go on from without a change to this one."""
        return replace(
            self,
            items=list(self.items),
            said=dict(self.said),
            open=self.open.copy(),
            agreed=list(self.agreed),
            questions=list(self.questions),
            pending=list(self.pending),
            asked_at=dict(self.asked_at),
            grounded=set(self.grounded),
            worked=self.worked.copy(),
            given=set(self.given),
        )

    def user(self, user: UserTurn, task: int) -> None:
        """Take in a user turn of a task."""
        if task != self.task:
            self.task, self.said, self.open = task, {}, Open(len(self.items))
            self.pending, self.last_answer = [], None
            self.options, self.picked = (), None
        self.count += 1
        self.characters += len(user.turn.text)
        before, numbers = self.last_answer, features(user.turn.text).numbers
        reply = before is not None and before.asks
        texts = sentences(user.turn)
        if before is not None:
            self._agree(user, before, texts)
            self._reply(user)
        if self.options and len(texts) == 1:
            self._pick(user, texts[0])
        for text in texts[:_DOCUMENT]:
            self._say(user, text, alone=len(texts) == 1, reply=reply)
        for text in texts[_DOCUMENT:]:
            self._paste(user, text)
        if user.act != "chat":
            self._ask("user", user.turn.id, exchange.questions(texts))
        self.worked.user(user.turn.id, numbers - self.given)
        self.given |= numbers
        self.last_user, self.last_answer = user, None

    def answer(self, answer: Answer, task: int) -> None:
        """Take in an assistant turn of a task."""
        self.count += 1
        self.characters += len(answer.turn.text)
        user = self.last_user
        if user is not None and task == self.task:
            if exchange.takes_up(answer, user):
                self.grounded.add(user.turn.id)
            if confirmed := exchange.confirmation(answer):
                self._settle(user, answer.turn.id, confirmed)
            if exchange.answers(answer):
                self._answered("user", answer.turn.id)
        if offered := options(answer.turn.text, exchange.tail(answer.turn.text)):
            self.options, self.offered_in, self.picked = offered, answer.turn.id, None
        self._ask("assistant", answer.turn.id, exchange.questions(exchange.tail(answer.turn.text)))
        self.worked.answer(answer, self.given, task)
        self.last_user, self.last_answer = None, answer

    def ledger(self) -> Ledger:
        """The ledger so far."""
        items = self.items
        decisions = [
            Decision(items[one.item], one.proposed_by, one.turn, one.text)  # type: ignore[arg-type]
            for one in self.agreed
        ]
        return Ledger(
            items=tuple([item for item in items if item.kind != "proposal"] if self.proposals else items),
            decisions=tuple(decisions),
            questions=tuple(self.questions),
            figures=tuple(self.worked.used.values()),
            grounded=frozenset(self.grounded),
        )

    def _say(self, user: UserTurn, text: str, *, alone: bool, reply: bool) -> None:
        """Take in a sentence. One said before counts only if it brings back what it said."""
        key = fold(text).strip(" .!?")
        known = self.said.get(key)
        if known is not None and not (alone and self.items[known].gone):
            return
        start, items = self.open.first, self.items
        new = Item(user.turn.id, text, _KINDS[user.act], self.task)
        for index in replaced(items, new, self.open):
            items[index] = replace(items[index], replaced_by=text)
        new, struck = overrule(items, new, self.open, reply=reply)
        opens = user.act == "opening" and len(items) == start and not _lasting(text)
        kind = "goal" if opens else _kind(user, new, struck=struck)
        self.said[key] = len(items)
        items.append(new if kind == new.kind else replace(new, kind=kind))

    def _paste(self, user: UserTurn, text: str) -> None:
        """Take in a sentence of a document that the user pasted: data, which corrects nothing."""
        key = fold(text).strip(" .!?")
        if key not in self.said:
            self.said[key] = len(self.items)
            self.items.append(Item(user.turn.id, text, _KINDS[user.act], self.task))

    def _agree(self, user: UserTurn, before: Answer, texts: Sequence[str]) -> None:
        agreed = exchange.agreement(user, texts[0]) if texts else ""
        text = exchange.proposal(before) if agreed else ""
        if not text:
            return
        item = Item(before.turn.id, text, "proposal", self.task)
        item, _ = overrule(self.items, item, self.open, reply=True)
        self.items.append(item)
        self.proposals = True
        self.agreed.append(Agreed(len(self.items) - 1, "assistant", user.turn.id, agreed))
        for index in [index for index in self.pending if text.endswith(self.questions[index].text)]:
            self._close(index, user.turn.id)

    def _pick(self, user: UserTurn, text: str) -> None:
        """The user picks one of the options; the one picked before no longer holds."""
        index = picked(text, len(self.options), self.picked[0] if self.picked else None)
        if index is None:
            return
        item = Item(self.offered_in, self.options[index], "proposal", self.task)
        if self.picked is not None:
            old = self.items[self.picked[1]]
            by = Item(user.turn.id, text, "correction", self.task)
            self.items[self.picked[1]] = cut(old, (0, len(old.text)), "replaced", by)
        self.picked = (index, len(self.items))
        self.agreed.append(Agreed(len(self.items), "assistant", user.turn.id, text))
        self.items.append(item)
        self.proposals = True

    def _settle(self, user: UserTurn, turn: str, confirmed: str) -> None:
        """The assistant confirmed what the user said last."""
        for index in range(len(self.items) - 1, self.open.first - 1, -1):
            item = self.items[index]
            if item.turn != user.turn.id:
                break
            if item.kind not in ("question", "chat", "reply"):
                self.agreed.append(Agreed(index, "user", turn, confirmed))

    def _ask(self, who: str, turn: str, texts: list[str]) -> None:
        for text in texts:
            self.asked_at[len(self.questions)] = self.count
            self.pending.append(len(self.questions))
            self.questions.append(Question(turn, text, who, task=max(0, self.task)))  # type: ignore[arg-type]
        for old in self.pending[:-_PENDING]:
            del self.asked_at[old]
        del self.pending[:-_PENDING]

    def _reply(self, user: UserTurn) -> None:
        mine = [index for index in self.pending if self.questions[index].asked_by == "assistant"]
        for at in exchange.replies(user, [self.questions[index].text for index in mine]):
            self._close(mine[at], user.turn.id)

    def _answered(self, who: str, turn: str) -> None:
        for index in [index for index in self.pending if self.questions[index].asked_by == who]:
            self._close(index, turn)

    def _close(self, index: int, turn: str) -> None:
        distance = self.count - self.asked_at.pop(index)
        self.questions[index] = replace(self.questions[index], answered_in=turn, distance=distance)
        self.pending.remove(index)


def _lasting(text: str) -> bool:
    """Whether a sentence says how things are to be done, and not what is to be done now: "Never use …"."""
    read = sentence(text)
    first = {word.text for word in read.words[:_BEGINNING]}
    return "always" in read.cues or not first.isdisjoint(words.EVER)


def _kind(user: UserTurn, item: Item, *, struck: bool) -> Kind:
    if user.act == "chat" or (user.act in ("question", "reference") and asks(item.text)):
        return "chat" if user.act == "chat" else "question"
    if struck:
        return "correction"
    cues = sentence(item.text).cues
    if cues & {"never", "must_not"}:
        return "prohibition"
    return "preference" if "always" in cues else item.kind
