"""The engine's own steps as a LangGraph graph.

    consider ─► (an operator?) ─► propose ─► settle ─► end
                                     ▲          │ edits refused, model-backed operator, first time
                                     └── repair ┘

A graph costs about 1.3 ms a call where the plain engine costs microseconds, so the proxy's pass-through path
never enters it. It serves where a model call dominates anyway: model-backed operators get one chance to
repair edits that the invariants refuse; LangGraph users get a node or subgraph; training gets resumable
collection. A parity test holds graph and engine to equal outcomes.
"""

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from acr.conversation import Conversation
from acr.decision import Decision
from acr.engine import Engine, Outcome, fail
from acr.errors import AcrError

REPAIRS = 1
"""How often a model-backed operator may try again."""


class State(TypedDict, total=False):
    """What flows through the graph. Put in `conversation`, and `operator` to force one; read `outcome`."""

    conversation: Conversation
    operator: str | None
    outcome: Outcome
    repairs: int


def build(engine: Engine, **compile_options: Any) -> Any:
    """A compiled graph over the steps of `engine`.

    `compile_options` go to `StateGraph.compile`, such as `checkpointer=`.
    """

    async def consider(state: State) -> State:
        conversation = state["conversation"]
        try:
            outcome = engine.consider(conversation, operator=state.get("operator"))
        except AcrError as error:
            outcome = fail(Outcome(conversation, conversation, Decision(None, "not decided")), error)
        return {"outcome": outcome, "repairs": 0}

    async def propose(state: State) -> State:
        try:
            return {"outcome": await engine.propose(state["outcome"])}
        except AcrError as error:
            return {"outcome": fail(state["outcome"], error)}

    async def settle(state: State) -> State:
        outcome = state["outcome"]
        try:
            return {"outcome": engine.settle(outcome), "repairs": state["repairs"]}
        except AcrError as error:
            if engine.complete is not None and state["repairs"] < REPAIRS:
                return {"repairs": state["repairs"] + 1, "outcome": outcome}
            return {"outcome": fail(outcome, error), "repairs": REPAIRS}

    def wanted(state: State) -> str:
        return "propose" if state["outcome"].decision.operator is not None else END

    def proposed(state: State) -> str:
        return END if state["outcome"].failure is not None else "settle"

    def settled(state: State) -> str:
        outcome = state["outcome"]
        done = outcome.changed or outcome.failure is not None or outcome.decision.operator is None
        return END if done else "propose"

    graph = StateGraph(State)
    graph.add_node("consider", consider)
    graph.add_node("propose", propose)
    graph.add_node("settle", settle)
    graph.add_edge(START, "consider")
    graph.add_conditional_edges("consider", wanted, ["propose", END])
    graph.add_conditional_edges("propose", proposed, ["settle", END])
    graph.add_conditional_edges("settle", settled, ["propose", END])
    return graph.compile(**compile_options)
