import pytest

from acr.dialects import errors


@pytest.mark.parametrize(("status", "kind"), [(400, "invalid_request_error"), (401, "invalid_request_error"), (503, "server_error")])  # fmt: skip
def test_openai(status: int, kind: str) -> None:
    assert errors.openai(status, "m", "c") == {
        "error": {"message": "m", "type": kind, "param": None, "code": "c"}
    }


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (413, "request_too_large"),
        (431, "invalid_request_error"),
        (502, "api_error"),
        (503, "overloaded_error"),
        (504, "timeout_error"),
    ],
)
def test_anthropic(status: int, kind: str) -> None:
    assert errors.anthropic(status, "m", "c") == {"type": "error", "error": {"type": kind, "message": "m"}}
