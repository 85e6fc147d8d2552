"""Collection at one state as a LangGraph graph.

    refactor ─► answer (one for each different context, side by side) ─► compare ─► end

A checkpointer keeps what is done: killed and started again, a state goes on with the contexts that are still
missing. States pass through it as plain data, so a checkpoint holds no classes.
"""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

from acr_benchmarks.task import Item, Task
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from acr.decision import Operator
from acr_training import judge
from acr_training.model import Model
from acr_training.records import Outcome, State
from acr_training.roll import Roll, roll, score
from acr_training.views import View, views


class Flow(TypedDict, total=False):
    """What flows through the graph. Put in `state` and `run`; read `outcomes`."""

    state: dict[str, Any]
    run: int
    views: list[dict[str, Any]]
    rolls: Annotated[list[dict[str, Any]], operator.add]
    outcomes: list[dict[str, Any]]


class One(TypedDict):
    """What one answering branch gets."""

    state: dict[str, Any]
    run: int
    view: dict[str, Any]


@dataclass(frozen=True)
class Bench:
    """What outcomes are measured with."""

    model: Model
    operators: Mapping[str, Operator]
    candidates: Sequence[str]
    """What is tried: operators, or several in turn."""
    seed: int
    tasks: Mapping[str, Task] = field(default_factory=dict)
    items: Mapping[tuple[str, str], Item] = field(default_factory=dict)
    judge: Model | None = None
    judge_name: str = ""


def build(bench: Bench, **compile_options: Any) -> Any:
    """The compiled graph. `compile_options` go to `StateGraph.compile`, such as `checkpointer=`."""

    async def refactor(flow: Flow) -> Flow:
        found = await views(State.model_validate(flow["state"]), bench.operators, bench.candidates)
        return {"views": [plain(view) for view in found]}

    def fan(flow: Flow) -> list[Send]:
        return [Send("answer", One(state=flow["state"], run=flow["run"], view=v)) for v in flow["views"]]

    async def answer(one: One) -> Flow:
        state, view = State.model_validate(one["state"]), one["view"]
        rolled = await roll(state, view["id"], view["messages"], bench.model, seed=bench.seed, run=one["run"])
        if state.task:
            task, item = bench.tasks[state.task], bench.items[state.task, state.item]
            rolled = rolled.model_copy(update={"score": await score(task, item, rolled.last)})
        return {"rolls": [rolled.model_dump()]}

    async def compare(flow: Flow) -> Flow:
        state = State.model_validate(flow["state"])
        rolls = {each["view"]: Roll.model_validate(each) for each in flow["rolls"]}
        if not state.task:
            rolls = await judged(state, flow["views"], rolls, bench)
        found = outcomes(state, flow["run"], flow["views"], rolls, "task" if state.task else bench.judge_name)
        return {"outcomes": [outcome.model_dump() for outcome in found]}

    graph: Any = StateGraph(Flow)
    graph.add_node("refactor", refactor)
    graph.add_node("answer", answer)
    graph.add_node("compare", compare)
    graph.add_edge(START, "refactor")
    graph.add_conditional_edges("refactor", fan, ["answer"])
    graph.add_edge("answer", "compare")
    graph.add_edge("compare", END)
    return graph.compile(**compile_options)


async def run(graph: Any, state: State, run: int, thread: str) -> list[Outcome]:
    """The outcomes of a state; goes on where an earlier, killed run of `thread` stopped."""
    config = {"configurable": {"thread_id": thread}}
    begun = graph.checkpointer and (await graph.aget_state(config)).next
    given = None if begun else Flow(state=state.model_dump(), run=run)
    result = await graph.ainvoke(given, config)
    return [Outcome.model_validate(outcome) for outcome in result["outcomes"]]


async def judged(
    state: State, found: Sequence[Mapping[str, Any]], rolls: Mapping[str, Roll], bench: Bench
) -> dict[str, Roll]:
    """The rolls with scores relative to no operator, by the judge. Untouched contexts have 0.5."""
    raw = next(view["id"] for view in found if None in view["operators"])
    scored = {}
    for id, each in rolls.items():
        ahead = 0.5
        if id != raw and bench.judge is not None:
            ahead = await judge.compare(
                state.messages, each.last, rolls[raw].last, bench.judge, seed=bench.seed
            )
        scored[id] = each.model_copy(update={"score": ahead})
    return scored


def outcomes(
    state: State, run: int, found: Sequence[Mapping[str, Any]], rolls: Mapping[str, Roll], scorer: str
) -> list[Outcome]:
    """One row an operator; operators with one context share its run of the model."""
    rows = []
    for view in found:
        rolled = rolls[view["id"]]
        assert rolled.score is not None
        common: dict[str, Any] = {
            "state": state.id,
            "run": run,
            "scorer": scorer,
            "changed": None not in view["operators"],
        }
        rows += [Outcome(operator=name, **common, **rolled.model_dump()) for name in view["operators"]]
    return rows


def plain(view: View) -> dict[str, Any]:
    return {"id": view.id, "operators": list(view.operators), "messages": view.messages}
