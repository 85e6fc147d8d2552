"""The controller where LangChain takes a decision model: asked itself, and in its own router."""

import warnings
from typing import Any

import pytest

pytest.importorskip("langchain", reason="the extra langchain is not installed")

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelChoice, ModelRouterMiddleware
from langchain_core.decisions import Choice, Noul, Score
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage

from acr.errors import ConfigError, ConversationError
from acr.integrations.langchain import ControllerModel

LOST = [
    HumanMessage("How many kilograms of fruit does my orchard give?"),
    AIMessage("I assume 50 trees of 2 kilograms: 50 × 2 = 100 kilograms."),
    HumanMessage("I have 24 apple trees."),
]
LABELS = {"none": "leave it", "consolidate": "start over", "prune+recap": None}
ASKED: Any = {
    "lost": Noul(instructions="Is the model lost?"),
    "operator": Choice(instructions="What helps?", criteria=LABELS),
}


@pytest.mark.parametrize(
    "state",
    [
        LOST,
        {"messages": LOST},
        [
            {"role": m.type.replace("human", "user").replace("ai", "assistant"), "content": m.content}
            for m in LOST
        ],
    ],
)
def test_it_answers_what_the_controller_decides(state: Any) -> None:
    response = ControllerModel().invoke({"state": state, "questions": ASKED})
    assert response.model == "rules" and 0 < response.nouls["lost"].noul <= 1
    choice = response.choices["operator"]
    assert choice.probabilities.keys() == LABELS.keys() and sum(
        choice.probabilities.values()
    ) == pytest.approx(1)
    assert choice.confidence == choice.probabilities[choice.choice]
    assert response.nouls["lost"].noul >= choice.probabilities["consolidate"]


async def test_the_same_for_coroutines() -> None:
    model = ControllerModel()
    assert await model.ainvoke({"state": LOST, "questions": ASKED}) == model.invoke(
        {"state": LOST, "questions": ASKED}
    )


def test_one_text_is_not_lost() -> None:
    for controller in ("rules", "never"):
        answer = ControllerModel(model=controller).invoke({"state": "Hello", "questions": ASKED})
        assert answer.nouls["lost"].noul == 0 and answer.choices["operator"].choice == "none"


def test_what_it_cannot_answer() -> None:
    with pytest.raises(ConfigError, match="no controller named"):
        ControllerModel(model="oracle")
    model = ControllerModel()
    for question in (
        Score(instructions="?", criteria=["a", "b"]),
        Choice(instructions="?", criteria={"billing": None, "none": None}),
    ):
        with pytest.raises(ValueError, match="question 'q'"):
            model.invoke({"state": LOST, "questions": {"q": question}})
    with pytest.raises(ConversationError):
        model.invoke({"state": {"temperature": 3}, "questions": ASKED})


class ByTheWhole(AgentMiddleware):
    """Takes the stronger model where the conversation is lost."""

    def __init__(self, classifier: ControllerModel, strong: Any) -> None:
        super().__init__()
        self.classifier, self.strong = classifier, strong

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        asked = {"state": request.messages, "questions": {"lost": Noul(instructions="Is it lost?")}}
        sunk = self.classifier.invoke(asked).nouls["lost"].noul >= 0.5
        return handler(request.override(model=self.strong) if sunk else request)


def models() -> dict[str, GenericFakeChatModel]:
    return {name: GenericFakeChatModel(messages=iter([AIMessage(name)])) for name in ("weak", "strong")}


@pytest.mark.parametrize(("controller", "answered"), [("always:recap", "strong"), ("never", "weak")])
def test_a_router_over_the_whole_conversation(controller: str, answered: str) -> None:
    known = models()
    router = ByTheWhole(ControllerModel(model=controller), known["strong"])
    agent = create_agent(known["weak"], middleware=[router])
    assert agent.invoke({"messages": LOST})["messages"][-1].content == answered


def test_langchains_router_takes_it_and_shows_it_one_message_only() -> None:
    known = models()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LangChain says that its router is in beta
        router = ModelRouterMiddleware(
            choices={name: ModelChoice(model, name) for name, model in known.items()},
            instructions="Take the stronger model where the conversation is lost.",
            classifier=ControllerModel(model="always:recap", labels=("weak", "strong")),
        )
    state = create_agent(known["weak"], middleware=[router]).invoke({"messages": LOST})
    assert state["messages"][-1].content == "weak"
    assert state["model_route"].probabilities == {"weak": 1, "strong": 0}


def test_two_labels_of_your_own() -> None:
    question = Choice(instructions="?", criteria={"strong": None, "weak": None})
    model = ControllerModel(model="always:recap", labels=("weak", "strong"))
    answer = model.invoke({"state": LOST, "questions": {"route": question}}).choices["route"]
    assert answer.choice == "strong" and answer.probabilities == {"strong": 1, "weak": 0}
