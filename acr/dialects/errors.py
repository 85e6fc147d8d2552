"""Errors of ACR's own, in the shapes that clients of each vendor know."""

from typing import Any

ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    503: "overloaded_error",
    504: "timeout_error",
}


def openai(status: int, message: str, code: str) -> dict[str, Any]:
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def anthropic(status: int, message: str, code: str) -> dict[str, Any]:
    fallback = "api_error" if status >= 500 else "invalid_request_error"
    return {"type": "error", "error": {"type": ANTHROPIC.get(status, fallback), "message": message}}
