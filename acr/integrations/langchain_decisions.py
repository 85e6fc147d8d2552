"""LangChain: a controller as a decision model, wherever LangChain takes one.

    classifier = ControllerModel(model="rules")
    response = classifier.invoke({"state": messages, "questions": {"lost": Noul(instructions="Is it lost?")}})
    response.nouls["lost"].noul

The twin of the proxy's `POST /v1/decisions`. A controller knows one thing, so it does not read instructions.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.decisions import BaseDecisionModel, Choice, ClassifierResponse, Noul, Question, State
from langchain_core.decisions.types import Answer, ChoiceAnswer, NoulAnswer
from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import ConfigDict, PrivateAttr

from acr.chances import NONE, among, lost
from acr.conversation import Conversation
from acr.decision import Decision, names
from acr.engine import Engine
from acr.forms import form_of
from acr.library import chosen


class ControllerModel(BaseDecisionModel):
    """Answers from what a controller decides about the messages in `state`.

    `model` names the controller, such as `rules` or `signals`. A `Noul` question is the probability that
    something should be done at this turn. A `Choice` whose labels are names of operators and `none` is what:
    the probabilities are the controller's own where it gives them, else they come from its confidence. With
    `labels`, a choice between those two is answered too, such as between a router's models.

    LangChain's `ModelRouterMiddleware` shows its classifier the newest message only, and one message is never
    lost: route by the whole state, in a middleware of your own (docs/observability.md).

    Raises `ConfigError` for an unknown controller, `ConversationError` for a state that is no messages, and
    `ValueError` for a question that it cannot answer.
    """

    model_config = ConfigDict(protected_namespaces=())

    model: str = "rules"
    labels: tuple[str, str] | None = None
    """Two labels of choices: of a conversation to be left alone, and of one that is lost."""
    _engine: Engine = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        super().model_post_init(context)
        self._engine = chosen(self.model, None, None)

    @property
    def _provider(self) -> str:
        return "acr"

    def _classify(self, state: State, questions: dict[str, Question]) -> ClassifierResponse:
        return self._answers(self._engine.consider(_conversation(state)).decision, questions)

    async def _aclassify(self, state: State, questions: dict[str, Question]) -> ClassifierResponse:
        return self._answers((await self._engine.consult(_conversation(state))).decision, questions)

    def _answers(self, decision: Decision, questions: dict[str, Question]) -> ClassifierResponse:
        answers = {name: self._answer(name, question, decision) for name, question in questions.items()}
        return ClassifierResponse(model=self.model, answers=answers)

    def _answer(self, name: str, question: Question, decision: Decision) -> Answer:
        if isinstance(question, Noul):
            return NoulAnswer(type="noul", noul=lost(decision))
        if isinstance(question, Choice):
            shares = self._shares(name, list(question.criteria), decision)
            best = max(shares, key=lambda label: shares[label])
            return ChoiceAnswer(type="choice", choice=best, probabilities=shares, confidence=shares[best])
        raise ValueError(f"question {name!r}: a controller answers Noul and Choice, not {question.type}")

    def _shares(self, name: str, labels: list[str], decision: Decision) -> dict[str, float]:
        if self.labels is not None and set(labels) == set(self.labels):
            alone, sunk = self.labels
            chance = lost(decision)
            return {label: {alone: 1.0 - chance, sunk: chance}[label] for label in labels}
        unknown = [label for label in labels if not _known(label, self._engine)]
        if unknown:
            raise ValueError(
                f"question {name!r}: {unknown[0]!r} is neither an operator nor {NONE!r}; to choose between "
                "two labels of your own, name them: ControllerModel(labels=(alone, lost))"
            )
        return among(decision, labels)


def _known(label: str, engine: Engine) -> bool:
    return label == NONE or all(each in engine.operators for each in names(label))


def _conversation(state: Any) -> Conversation:
    """The messages in a state: the state itself, one of them, a text, or its `messages`."""
    if isinstance(state, dict) and "messages" in state:
        state = state["messages"]
    if isinstance(state, str):
        state = HumanMessage(state)
    messages: Sequence[Any] = [state] if isinstance(state, BaseMessage) else _listed(state)
    return form_of(messages).read(messages)


def _listed(state: Any) -> list[Any]:
    return list(state) if isinstance(state, Iterable) and not isinstance(state, dict) else [state]
