"""The typed state that `abstract` puts in place of the oldest turns, and what it is held to."""

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from acr.conversation import Turn
from acr.decision import Context
from acr.ledger import Item
from acr.marks import note
from acr.phrases import Phrase, phrase
from acr.reading.features import features
from acr.reading.reference import bare
from acr.text import sentences


class State(BaseModel):
    """What an auxiliary model makes of a stretch of dialogue."""

    model_config = ConfigDict(extra="forbid")

    goal: str = ""
    """The user's sentence that says what is wanted, word for word."""
    requirements: list[str] = Field(default_factory=list)
    """The user's other sentences that say what is wanted, what must not be, or a fact, word for word."""
    decisions: list[str] = Field(default_factory=list)
    """What both sides settled."""
    results: list[str] = Field(default_factory=list)
    """What the assistant worked out or stated, in brief."""
    open_questions: list[str] = Field(default_factory=list)

    @property
    def said(self) -> list[str]:
        return [self.goal, *self.requirements]

    @property
    def told(self) -> list[str]:
        return [*self.decisions, *self.results, *self.open_questions]


def read(draft: str) -> State | str:
    """The state in a model's answer, or what is wrong with it. Text around the object does not matter."""
    start, end = draft.find("{"), draft.rfind("}")
    if start < 0 or end < start:
        return "the answer holds no JSON object"
    try:
        return State.model_validate_json(draft[start : end + 1])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the object"
        return f"{place}: {first['msg']}"


def problems(state: State, span: Sequence[Turn], later: Sequence[Turn], context: Context) -> list[str]:
    """What the state would lose or has made up. One sentence each; empty if it may stand in for `span`.

    Every sentence of the user that holds must be in it word for word. Figures, names and negations of what
    both sides settled, and whatever of the assistant's a later turn uses, must be in it. It may hold no
    figure and no name that the turns do not hold.
    """
    ids = {turn.id for turn in span}
    given = {bare(part) for text in state.said for part in (text, *sentences(text))}
    found = [
        f"requirements lacks this, word for word: {item.text}"
        for item in wanted(context, ids)
        if bare(item.text) not in given
    ]
    whole = "\n".join([*state.said, *state.told])
    for decision in context.ledger.decisions:
        if decision.proposal.turn in ids:
            settled = decision.proposal.text
            found += [f"decisions lacks “{value}” of: {settled}" for value in sorted(lacking(settled, whole))]
    lost = sorted(used(span, later) - values(whole))
    found += [f"results lacks “{value}”, which is used later" for value in lost]
    known = values("\n".join(turn.text for turn in span))
    for text in state.told:
        found += [f"“{value}” is not in the conversation: {text}" for value in sorted(values(text) - known)]
    return found


def wanted(context: Context, ids: set[str]) -> Iterator[Item]:
    """Sentences of the user, from these turns, that say something that holds."""
    for item in context.ledger.items:
        if item.turn in ids and item.kind != "chat" and item.holds:
            yield item


def values(text: str) -> set[str]:
    """Figures and names."""
    found = features(text)
    return {*found.numbers, *found.names}


def lacking(text: str, whole: str) -> set[str]:
    """Figures, names and negations of `text` that `whole` does not have."""
    lost = values(text) - values(whole)
    before, after = features(text), features(whole)
    negations = {before.tokens[place] for place in before.acts.get("negated", ()) if place >= 0}
    return lost | negations.difference(after.tokens)


def used(span: Sequence[Turn], later: Sequence[Turn]) -> set[str]:
    """Figures and names of the assistant, and of nobody else, that a turn of the user uses later."""
    own: set[str] = set()
    users: set[str] = set()
    for turn in span:
        (own if turn.role == "assistant" else users).update(values(turn.text))
    asked: set[str] = set()
    for turn in later:
        if turn.role == "user":
            asked |= values(turn.text)
    return (own - users) & asked


def render(state: State, span: Sequence[Turn], context: Context) -> str:
    """The state as the model reads it: the user's sentences, all of them and verbatim, then the rest.

    The order of the user's sentences is the state's; those that it leaves out come after them. A sentence
    that a later one overrules says so.
    """
    ids = {turn.id for turn in span}
    items = [item for item in context.ledger.items if item.turn in ids]
    place = {bare(text): index for index, text in enumerate(state.said)}
    items.sort(key=lambda item: place.get(bare(item.text), len(place)))
    blocks: list[tuple[Phrase, Sequence[str]]] = [
        ("recap", list(dict.fromkeys(note(item.text, item.replaced_by) for item in items))),
        ("holds", state.decisions),
        ("told", state.results),
        ("open", state.open_questions),
    ]
    return "\n".join(line for name, texts in blocks for line in _block(name, texts, context.language))


def _block(name: Phrase, texts: Sequence[str], language: str) -> list[str]:
    shown = texts if name == "recap" else [" ".join(text.split()) for text in texts]
    lines = [f"- {text}" for text in shown if text.strip()]
    heading = phrase(name, language)
    return [heading, *lines] if lines and heading else lines
