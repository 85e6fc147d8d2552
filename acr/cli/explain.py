"""`acr explain FILE`: what ACR would do with a conversation, and why."""

import asyncio
import difflib
import json as jsonlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from acr.cli import dialogues, explain_ledger, output

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from acr.conversation import Conversation, Turn
    from acr.engine import Engine, Outcome
    from acr.ledger import Ledger
    from acr.signals import Signals


def explain(
    file: Annotated[
        str,
        typer.Argument(
            help="One JSON object with `messages`, or JSONL of such objects; - is standard input."
        ),
    ],
    controller: Annotated[str, typer.Option(help="Who decides: rules, never, always:recap, …")] = "rules",
    operator: Annotated[
        str | None, typer.Option(help="Force this operator, or several in turn as prune+recap.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a conversation.")] = False,
) -> None:
    """Show what ACR would do with a conversation, and why.

    Signals with their evidence, ledger, decision, edits as a diff, tokens. No model is asked.
    """
    from acr import registry
    from acr.decision import names
    from acr.engine import Engine

    wanted = registry.operators(names(operator) if operator else None)
    engine = Engine(registry.controller(controller), wanted)
    for number, item in enumerate(dialogues.read(output.read(file), file)):
        case = asyncio.run(study(item, engine, operator))
        if json:
            output.data(case.data())
        else:
            Report(output.out()).show(case, number)


@dataclass(frozen=True, slots=True)
class Case:
    """A conversation and what came of it. No `outcome` where ACR could not read it; then `why` says so."""

    item: dict[str, Any]
    messages: list[Any]
    """As the model would get them."""
    tokens: tuple[int, int]
    outcome: "Outcome | None"
    signals: "Signals | None"
    ledger: "Ledger | None"
    why: str = ""

    def data(self) -> dict[str, Any]:
        """As JSON."""
        from acr.engine import describe
        from acr.ledger import view

        outcome, before, after = self.outcome, *self.tokens
        decision = outcome.decision if outcome else None
        result: dict[str, Any] = {"id": self.item["id"]} if "id" in self.item else {}
        return result | {
            "decision": {
                "operator": decision.operator if decision else None,
                "reason": decision.reason if decision else self.why,
                "confidence": decision.confidence if decision else 1.0,
                "controller": decision.controller if decision else "gate",
            },
            "signals": {
                name: {"value": signal.value, "evidence": list(signal.evidence)}
                for name, signal in (self.signals or {}).items()
            },
            "ledger": view.data(self.ledger) if self.ledger else None,
            "edits": describe(outcome.edits, text=True) if outcome else [],
            "messages": self.messages,
            "tokens": {"before": before, "after": after},
        }


async def study(item: dict[str, Any], engine: "Engine", operator: str | None) -> Case:
    """Run one conversation through the engine as the proxy would."""
    from acr import ledger, signals
    from acr.cli.tokens import estimate
    from acr.dialects.chat import Chat

    dialect = Chat()
    request = dialect.parse(jsonlib.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    before = sum(estimate(item).values())
    conversation = request.conversation
    if conversation is None:
        return Case(item, item["messages"], (before, before), None, None, None, request.why)
    outcome = await engine.run(conversation, operator=operator)
    observed = outcome.signals or signals.observe(conversation)
    remembered = outcome.ledger or ledger.read(conversation)
    if not outcome.changed:
        return Case(item, item["messages"], (before, before), outcome, observed, remembered)
    messages = jsonlib.loads(dialect.patch(request, outcome.conversation))["messages"]
    after = sum(estimate({**item, "messages": messages}).values())
    return Case(item, messages, (before, after), outcome, observed, remembered)


@dataclass(frozen=True, slots=True)
class Report:
    """Draws a case for people."""

    console: "Console"

    def show(self, case: Case, number: int) -> None:
        console = self.console
        if number:
            console.print()
        console.rule(f"conversation {case.item.get('id', number + 1)}", style="dim", align="left")
        if case.outcome is None:
            console.print(f"left alone: {case.why}")
            return
        self.signals(case)
        self.ledger(case)
        self.decision(case)
        self.edits(case.outcome)
        before, after = case.tokens
        change = f" ({(after - before) / before:+.0%})" if before and after != before else ""
        console.print(f"\nprompt tokens {before:,} → {after:,}{change}")

    def signals(self, case: Case) -> None:
        self.head("signals")
        for name, signal in (case.signals or {}).items():
            if signal.value:
                evidence = f"   turn {', '.join(signal.evidence)}" if signal.evidence else ""
                self.console.print(f"  {name:<14} {signal.value:>6g}{evidence}")

    def ledger(self, case: Case) -> None:
        self.head("ledger")
        for line in explain_ledger.lines(case.ledger) if case.ledger else ():
            self.console.print(line)

    def decision(self, case: Case) -> None:
        assert case.outcome is not None
        self.head("decision")
        decision, failure = case.outcome.decision, case.outcome.failure
        style = "bold green" if decision.operator else "bold"
        line = self.text("  ").append(decision.operator or "none", style)
        line.append(f"  {decision.reason}").append(
            f"  ({decision.controller}, {decision.confidence:.2f})", "dim"
        )
        self.console.print(line)
        if failure:
            self.console.print(self.text(f"  {type(failure).__name__}: {output.safe(str(failure))}", "red"))

    def edits(self, outcome: "Outcome") -> None:
        self.head("edits")
        if not outcome.edits:
            self.console.print("  none: the request goes on as it came")
            return
        for line in diff(outcome.original, outcome.conversation):
            self.console.print(line, soft_wrap=False)

    def head(self, name: str) -> None:
        self.console.print()
        self.console.print(self.text(name, "bold underline"))

    @staticmethod
    def text(content: str, style: str = "") -> "Text":
        from rich.text import Text

        return Text(content, style)


def diff(before: "Conversation", after: "Conversation") -> Iterator["Text"]:
    """The two conversations as one: what is dropped, what is new, and in brief what stays."""
    shown = iter(after)
    upcoming = next(shown, None)
    for turn in before:
        while upcoming and upcoming.state == "inserted":
            yield from block("+", upcoming, "green")
            upcoming = next(shown, None)
        if upcoming is None or upcoming.id != turn.id:
            yield from block("-", turn, "red")
            continue
        yield from kept(turn) if upcoming.state == "kept" else changed(turn, upcoming)
        upcoming = next(shown, None)


def kept(turn: "Turn") -> Iterator["Text"]:
    yield Report.text(f"    {label(turn)} {output.first_line(turn.text)}", "dim")


def block(sign: str, turn: "Turn", style: str) -> Iterator["Text"]:
    head, *rest = output.safe(turn.text).split("\n")
    yield Report.text(f"  {sign} {label(turn)} {head}", style)
    for line in rest:
        yield Report.text(f"  {sign}   {line}", style)


def changed(old: "Turn", new: "Turn") -> Iterator["Text"]:
    yield Report.text(f"  ~ {label(old)}", "yellow")
    styles = {"-": "red", "+": "green", " ": "dim"}
    for line in difflib.ndiff(output.safe(old.text).split("\n"), output.safe(new.text).split("\n")):
        if line[0] in styles:
            yield Report.text(f"  {line[0]}   {line[2:]}", styles[line[0]])


def label(turn: "Turn") -> str:
    return f"[{turn.id} {turn.role}]"
