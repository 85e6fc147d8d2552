"""`acr replay FILE|TRACE`: what any policy would have done, turn by turn."""

import asyncio
import json as jsonlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from acr.cli import dialogues, output

if TYPE_CHECKING:
    from acr.conversation import Conversation
    from acr.replay import Step, Totals

PROXY = "http://127.0.0.1:8300/v1"
NARROW = 110
"""Columns below which a reason would get a few letters a line beside the rest."""


def replay(
    source: Annotated[
        str,
        typer.Argument(
            help="Messages in JSON, JSONL of dialogues or of traces, - (standard input), or a trace's id."
        ),
    ],
    controller: Annotated[str, typer.Option(help="Who decides: rules, never, always:recap, …")] = "rules",
    operator: Annotated[
        str | None, typer.Option(help="Force this operator at every turn; several in turn as prune+recap.")
    ] = None,
    questions: Annotated[
        int, typer.Option(help="Questions in a row that the client would have allowed.")
    ] = 0,
    url: Annotated[str, typer.Option(help="The running proxy that has the trace.")] = PROXY,
    key: Annotated[str | None, typer.Option(envvar="ACR_API_KEY", help="Key of that proxy.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a conversation.")] = False,
) -> None:
    """Show what a policy would have done at every turn of a conversation.

    Decision and reason, prompt tokens, and what a provider's cache of prefixes would hit. No model is asked.
    """
    from acr import registry
    from acr.decision import names
    from acr.engine import Engine
    from acr.replay import Totals
    from acr.replay import replay as run

    wanted = registry.operators(names(operator) if operator else None)
    engine = Engine(registry.controller(controller), wanted)
    every: list[Step] = []
    for number, item in enumerate(dialogues.load(source, url, key), start=1):
        conversation = read(item)
        steps = asyncio.run(run(conversation, engine, operator=operator, questions=questions))
        every += steps
        if json:
            output.data({**({"id": item["id"]} if "id" in item else {}), **as_data(steps)})
        else:
            show(str(item.get("id", number)), steps)
    if not json:
        output.out().print(summary(Totals.of(every)))


def read(item: dict[str, Any]) -> "Conversation":
    """The conversation of an item, in the dialect that a trace names. Raises `ConversationError`."""
    from acr.dialects import Dialect
    from acr.dialects.chat import Chat
    from acr.dialects.messages import Messages
    from acr.dialects.responses import Responses
    from acr.errors import ConversationError

    known: tuple[Dialect, ...] = (Chat(), Messages(), Responses())
    dialect = next((one for one in known if one.name == item.get("dialect")), known[0])
    field, messages = "messages", item["messages"]
    if dialect.name == "responses":  # a turn of several items is kept as one
        field, messages = "input", [one for turn in messages for one in turn.get("items", [turn])]
    body = jsonlib.dumps({field: messages}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    request = dialect.parse(body)
    if request.conversation is None:
        raise ConversationError(f"conversation {item.get('id', '')} cannot be read: {request.why}")
    return request.conversation


def as_data(steps: "list[Step]") -> dict[str, Any]:
    """The steps of one conversation as JSON."""
    from dataclasses import asdict

    from acr.engine import describe
    from acr.replay import Totals

    totals = Totals.of(steps)
    return {
        "turns": [
            {
                "turn": step.turn.id,
                "operator": step.outcome.decision.operator,
                "reason": step.outcome.decision.reason,
                "controller": step.outcome.decision.controller,
                "confidence": step.outcome.decision.confidence,
                "changed": step.outcome.changed,
                "answer": step.outcome.answer,
                "failure": type(step.outcome.failure).__name__ if step.outcome.failure else None,
                "edits": describe(step.outcome.edits, text=True),
                "tokens": {"before": step.raw, "after": step.sent},
                "cached": {"before": step.raw_cached, "after": step.sent_cached},
            }
            for step in steps
        ],
        "totals": {**asdict(totals), "raw_share": totals.raw_share, "sent_share": totals.sent_share},
    }


def show(name: str, steps: "list[Step]") -> None:
    """A table for people; where the terminal is narrow, reasons stand below what the user said."""
    from rich.table import Table

    console = output.out()
    narrow = console.width < NARROW
    console.rule(f"conversation {output.safe(name)}", style="dim", align="left")
    table = Table(box=None, pad_edge=False)
    table.add_column("turn", style="dim")
    if narrow:
        table.add_column("user, and why")
        table.add_column("decision", style="bold", no_wrap=True)
    else:
        table.add_column("user", no_wrap=True, max_width=30)
        table.add_column("decision", style="bold", no_wrap=True)
        table.add_column("reason")
    for column in ("tokens", "cached"):
        table.add_column(column, justify="right", no_wrap=True)
    for step in steps:
        decision = step.outcome.decision
        change = f"{step.raw:,}" if step.sent == step.raw else f"{step.raw:,} → {step.sent:,}"
        kept = [f"{step.raw_cached:,}", f"{step.raw_cached:,} → {step.sent_cached:,}"][step.sent != step.raw]
        told = decision.operator or ("failed" if step.outcome.failure else "none")
        reason = f"asks: {output.safe(step.outcome.answer)}" if step.outcome.answer else decision.reason
        said = output.first_line(step.turn.text, 30)
        cells = [f"{said}\n{reason}", told] if narrow else [said, told, reason]
        table.add_row(step.turn.id, *cells, change, kept)
    console.print(table)


def summary(totals: "Totals") -> str:
    """All conversations in a few lines."""
    share = f" ({(totals.sent - totals.raw) / totals.raw:+.0%})" if totals.raw else ""
    return (
        f"\n{totals.turns} turns: intervened at {totals.intervened}, asked at {totals.answered}, "
        f"failed open at {totals.failed}\n"
        f"prompt tokens {totals.raw:,} → {totals.sent:,}{share}\n"
        f"a cache of prefixes would hit {totals.raw_share:.0%} → {totals.sent_share:.0%}; "
        f"not hit {totals.raw - totals.raw_cached:,} → {totals.sent - totals.sent_cached:,}"
    )
