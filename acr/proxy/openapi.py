"""A description of ACR's own endpoints, as OpenAPI 3.1. What is relayed is described by the upstream."""

from typing import Any

from acr.trace import Trace

MAX_LISTED = 1000
"""Traces that one request can list."""

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_HEALTH = {"type": "object", "properties": {"status": _TEXT}, "required": ["status"]}
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "param", "code"],
            "properties": {"message": _TEXT, "type": _TEXT, "param": {"type": "null"}, "code": _TEXT},
        }
    },
}
_NAMES = {"type": "array", "items": _TEXT}
_STATUS = {
    "version": _TEXT,
    "mode": {"enum": ["off", "observe", "auto"]},
    "controller": _TEXT,
    "controllers": _NAMES,
    "operators": _NAMES,
    "keep_text": {"type": "boolean"},
    "keep_traces": _COUNT,
    "store": {"enum": ["sqlite", "postgresql", None]},
    "open_requests": _COUNT,
    "open_upstream_calls": _COUNT,
    "worker": {**_COUNT, "description": "Process id of the worker that answered."},
    "workers": _COUNT,
}
_TURN = {
    "id": _TEXT,
    "role": _TEXT,
    "text": _TEXT,
    "change": {"enum": ["kept", "dropped", "rewritten"]},
}
_READY = {
    "type": "object",
    "properties": {
        "status": _TEXT,
        "degraded": {
            "type": "object",
            "additionalProperties": _TEXT,
            "description": "What ACR does without for the time being, and why. Absent where that is nothing.",
        },
    },
    "required": ["status"],
}
_ROWS = {"type": "array", "items": {"type": "object"}}
_COUNTS = {"type": "object", "additionalProperties": _COUNT}
_TOTALS = {
    "since": {"type": "number", "description": "Seconds since 1970."},
    "requests": _ROWS,
    "decisions": _ROWS,
    "failures": _COUNTS,
    "broken": _COUNTS,
    "tokens": _COUNTS,
    "auxiliary": _COUNTS,
    "overhead": {"type": "object", "description": "Seconds: counts between the bounds, and the sum."},
}
_KEY: list[dict[str, Any]] = [{}, {"bearer": []}, {"key": []}]
"""A key is asked for only where the proxy was given some."""


def description(version: str) -> dict[str, Any]:
    """The document. `version` is ACR's own."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ACR's own endpoints",
            "version": version,
            "description": "Everything else below /v1/ is relayed to the upstream, whose API it is.",
        },
        "paths": {
            "/livez": _get("Whether the process runs", _HEALTH),
            "/readyz": _get("Whether the upstream answers anything at all", _READY, more={"503": _READY}),
            "/openapi.json": _get("This description", {"type": "object", "required": ["openapi"]}),
            "/v1/acr/status": _get(
                "What this worker is set to, and what it is doing",
                {"type": "object", "properties": _STATUS, "required": list(_STATUS)},
                security=_KEY,
            ),
            "/v1/acr/decisions": _get(
                "The newest traces of this worker, newest first",
                _list(_TRACE),
                {
                    "name": "limit",
                    "in": "query",
                    "schema": {"type": "integer", "minimum": 1, "maximum": MAX_LISTED, "default": 20},
                },
                {
                    "name": "brief",
                    "in": "query",
                    "description": "Without text, if `true`.",
                    "schema": _TEXT,
                },
                more={"400": _ERROR},
                security=_KEY,
            ),
            "/v1/acr/decisions/{id}": _get(
                "One trace, by the x-acr-trace header of an answer",
                _TRACE,
                {"name": "id", "in": "path", "required": True, "schema": _TEXT},
                more={"404": _ERROR},
                security=_KEY,
            ),
            "/v1/acr/decisions/{id}/turns": _get(
                "The turns of one trace that holds text: signals at each user turn, and what became of each",
                _list({"type": "object", "properties": _TURN, "required": list(_TURN)}),
                {"name": "id", "in": "path", "required": True, "schema": _TEXT},
                more={"404": _ERROR, "409": _ERROR},
                security=_KEY,
            ),
            "/v1/acr/totals": _get(
                "What this worker counted since it started",
                {"type": "object", "properties": _TOTALS, "required": list(_TOTALS)},
                security=_KEY,
            ),
        },
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
    }


_TRACE = {"$ref": "#/components/schemas/Trace"}


def _schemas() -> dict[str, Any]:
    """The trace and what it is made of, as traces are written out."""
    schema = Trace.model_json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    return {**schema.pop("$defs", {}), "Trace": schema}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["object", "data"],
        "properties": {"object": {"const": "list"}, "data": {"type": "array", "items": items}},
    }


def _get(
    summary: str,
    schema: dict[str, Any],
    *parameters: dict[str, Any],
    more: dict[str, Any] | None = None,
    security: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    answers = {"200": schema, **(more or {}), **({"401": _ERROR} if security else {})}
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            status: {"description": _SAID[status], "content": {"application/json": {"schema": each}}}
            for status, each in answers.items()
        },
    }
    if parameters:
        operation["parameters"] = list(parameters)
    if security:
        operation["security"] = security
    return {"get": operation}


_SAID = {
    "200": "It is so.",
    "400": "A parameter is wrong.",
    "401": "The proxy needs a key.",
    "404": "There is no such trace.",
    "409": "The trace holds no text.",
    "503": "The upstream cannot be reached.",
}
