"""The engine's own steps as a LangGraph graph.

    consider ─► (an operator?) ─► propose ─► settle ─► end
                     │               ▲          │ draft flawed, or edits refused; model-backed; first time
                     │               └── repair ┘
                     └─► (several) in turn ─► end

A graph costs about 1.3 ms a call where the plain engine costs microseconds, so the proxy's pass-through path
never enters it. It serves where a model call dominates anyway: the engine hands every model-backed operator
to `step`, where it may repair its draft once. LangGraph users get a node or subgraph, training gets resumable
collection. A parity test holds graph and engine to equal outcomes.
"""

from dataclasses import replace
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from acr.conversation import Conversation
from acr.decision import Flawed, names
from acr.engine import Engine, Outcome, fail, model_backed, undecided
from acr.errors import AcrError

REPAIRS = 1
"""How often a model-backed operator may try again."""


class State(TypedDict, total=False):
    """What flows through the graph.

    Put in `conversation`, `operator` to force one, and `questions` to allow questions; read `outcome`.
    """

    conversation: Conversation
    operator: str | None
    questions: int
    outcome: Outcome
    repairs: int


class Nodes:
    """The engine's steps as nodes. What they raise becomes an outcome."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def consider(self, state: State) -> State:
        conversation = state["conversation"]
        try:
            outcome = await self.engine.consult(
                conversation, operator=state.get("operator"), questions=state.get("questions", 0)
            )
        except AcrError as error:
            outcome = fail(undecided(conversation), error)
        return {"outcome": outcome}

    async def propose(self, state: State) -> State:
        try:
            return {"outcome": await self.engine.propose(state["outcome"])}
        except AcrError as error:
            return {"outcome": fail(state["outcome"], error)}

    async def in_turn(self, state: State) -> State:
        return {"outcome": await self.engine.refactor(state["outcome"])}

    async def settle(self, state: State) -> State:
        outcome, repairs = state["outcome"], state.get("repairs", 0)
        again = repairs < REPAIRS and self.repairs(outcome)
        if again and outcome.flawed is not None:
            return {"outcome": outcome, "repairs": repairs + 1}
        try:
            return {"outcome": self.engine.settle(outcome), "repairs": repairs}
        except AcrError as error:
            if not again:
                return {"outcome": fail(outcome, error), "repairs": repairs}
            flawed = Flawed("", (str(error),))
            return {"outcome": replace(outcome, flawed=flawed), "repairs": repairs + 1}

    def repairs(self, outcome: Outcome) -> bool:
        name = outcome.decision.operator
        return name is not None and model_backed(self.engine.operators[name])

    def considered(self, state: State) -> str:
        name = state["outcome"].decision.operator
        if name is None:
            return END
        single = len(names(name)) == 1 and (
            self.engine.complete is not None or not model_backed(self.engine.operators[name])
        )
        return "propose" if single else "in_turn"

    @staticmethod
    def proposed(state: State) -> str:
        return END if state["outcome"].failure is not None else "settle"

    @staticmethod
    def settled(state: State) -> str:
        outcome = state["outcome"]
        return "propose" if outcome.flawed is not None and outcome.failure is None else END


def build(engine: Engine, **compile_options: Any) -> Any:
    """A compiled graph over the steps of `engine`.

    `compile_options` go to `StateGraph.compile`, such as `checkpointer=`.
    """
    nodes = Nodes(engine)
    graph = _repairing(nodes)
    graph.add_node("consider", nodes.consider)
    graph.add_node("in_turn", nodes.in_turn)
    graph.add_edge(START, "consider")
    graph.add_conditional_edges("consider", nodes.considered, ["propose", "in_turn", END])
    graph.add_edge("in_turn", END)
    return graph.compile(**compile_options)


async def step(engine: Engine, outcome: Outcome) -> Outcome:
    """Propose and settle the one operator that was decided on, with one repair. Never raises `AcrError`."""
    graph = _repairing(Nodes(engine))
    graph.add_edge(START, "propose")
    state = await graph.compile().ainvoke({"outcome": outcome, "repairs": 0})
    result: Outcome = state["outcome"]
    return result


def _repairing(nodes: Nodes) -> StateGraph[State]:
    graph = StateGraph(State)
    graph.add_node("propose", nodes.propose)
    graph.add_node("settle", nodes.settle)
    graph.add_conditional_edges("propose", nodes.proposed, ["settle", END])
    graph.add_conditional_edges("settle", nodes.settled, ["propose", END])
    return graph
