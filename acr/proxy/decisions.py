"""`POST /v1/decisions`: the controller as a decision model, in the form of OpenAI's Decisions API.

Asked is the model `acr`, the controller that the proxy is set to, or `acr-<controller>`. Any other model is
the upstream's, and its request is relayed as it came.

A controller knows one thing, so it does not read instructions: a predicate named `lost` or `intervene` is the
probability that something should be done at this turn, a choice among names of operators and `none` is what.
Other questions are refused one by one, as that API has it.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import JSONResponse, Response

from acr import registry
from acr.chances import NONE, among, lost
from acr.decision import Decision, names
from acr.dialects import errors
from acr.dialects.responses import Responses
from acr.engine import Engine
from acr.errors import AcrError
from acr.proxy.client import Message, Receive, Send
from acr.proxy.controls import ControlError
from acr.proxy.headers import REQUEST_ID, printable
from acr.proxy.ids import request_id
from acr.proxy.keys import Keys
from acr.proxy.models import PREFIX
from acr.proxy.refactor import named_controller
from acr.proxy.relay import Relay

PATH = "/v1/decisions"
OWN = PREFIX.removesuffix("-")
MOST = 8 * 1024 * 1024
"""Bytes that are read to learn whose request it is. Larger ones are the upstream's."""
MAX_QUESTIONS = 400
PREDICATES = ("lost", "intervene")
NO_USAGE = {
    "input_tokens": 0,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 0,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 0,
}
"""No model was asked."""


class Decisions:
    """An ASGI application for the one path. What is not ACR's goes to the relay."""

    def __init__(self, relay: Relay, keys: Keys) -> None:
        self.relay = relay
        self.keys = keys

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if not self.keys.admit(scope["headers"]):
            return await self.relay(scope, receive, send)  # which refuses
        taken, asked = await _peek(receive)
        spec = _spec(asked)
        if spec is None or asked is None:
            return await self.relay(scope, _again(taken, receive), send)
        response = await self.answer(asked, spec)
        response.headers[REQUEST_ID.decode()] = request_id(scope["headers"])[0].decode()
        await response(scope, receive, send)

    async def answer(self, asked: Mapping[str, Any], spec: str) -> Response:
        """Answer a request that is ACR's. `spec` names the controller, "" the proxy's own."""
        questions = asked.get("questions")
        if not isinstance(questions, list) or not 1 <= len(questions) <= MAX_QUESTIONS:
            return error(400, "invalid_decision", f"questions must be a list of 1 to {MAX_QUESTIONS}.")
        body = json.dumps({"model": "", "input": asked.get("input")}).encode()
        request = Responses().parse(body)
        if request.conversation is None:
            return error(400, "invalid_decision", f"The input is no conversation: {request.why}.")
        engine = self.relay.refactorer.engine
        try:
            if spec:
                engine = replace(engine, controller=await named_controller(spec))
            outcome = await engine.consult(request.conversation)
        except ControlError as fault:
            return error(400, "invalid_acr_control", f"{fault}.")
        except AcrError as fault:
            return error(500, "decision_failed", f"The controller failed: {type(fault).__name__}.")
        decision = outcome.decision
        data = {
            "model": asked["model"],
            "answers": [_answer(question, decision, engine) for question in questions],
            "usage": NO_USAGE,
        }
        return JSONResponse(data, headers={"x-acr-reason": printable(decision.reason).decode()})


def _answer(question: Any, decision: Decision, engine: Engine) -> dict[str, Any]:
    asked = question if isinstance(question, dict) else {}
    name = asked.get("name")
    if asked.get("type") == "predicate" and name in PREDICATES:
        return {"type": "predicate", "name": name, "probability": lost(decision)}
    if asked.get("type") == "choice":
        choices = asked.get("choices")
        given = [one.get("value") if isinstance(one, dict) else None for one in choices or ()]
        values = [value for value in given if isinstance(value, str) and is_choice(value, engine)]
        if values and len(values) == len(given):
            return _chosen(name, among(decision, values))
    return {"type": "refusal", "name": name}


def _chosen(name: Any, shares: Mapping[str, float]) -> dict[str, Any]:
    choice = max(shares, key=lambda value: shares[value])
    rows = [{"value": value, "probability": share} for value, share in shares.items()]
    return {
        "type": "choice",
        "name": name,
        "choice": choice,
        "confidence": shares[choice],
        "probabilities": rows,
    }


def is_choice(value: str, engine: Engine) -> bool:
    """Whether a controller could choose this: `none`, an operator, or several in turn."""
    return value == NONE or all(name in engine.operators for name in names(value))


def _spec(asked: Any) -> str | None:
    """The controller that a request asks, "" for the proxy's own; None if the request is not ACR's."""
    model = asked.get("model") if isinstance(asked, dict) else None
    if model == OWN:
        return ""
    if not isinstance(model, str) or not model.startswith(PREFIX):
        return None
    spec = model.removeprefix(PREFIX)
    return spec if spec.partition(":")[0] in registry.available(registry.CONTROLLERS) else None


async def _peek(receive: Receive) -> tuple[list[Message], Any]:
    """What came of a request so far, and its body as JSON if it is whole and can be read."""
    taken: list[Message] = []
    size, more = 0, True
    while more and size <= MOST:
        message = await receive()
        taken.append(message)
        size += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
    if more or taken[-1]["type"] != "http.request":
        return taken, None
    try:
        return taken, json.loads(b"".join(message.get("body", b"") for message in taken))
    except (ValueError, RecursionError):
        return taken, None


def _again(taken: list[Message], receive: Receive) -> Receive:
    """The same messages once more, and then what comes after them."""
    ahead = iter(taken)

    async def again() -> Message:
        message = next(ahead, None)
        return await receive() if message is None else message

    return again


def error(status: int, code: str, message: str) -> Response:
    return JSONResponse(errors.openai(status, message, code), status_code=status)
