from typing import Any

import pytest

from acr.proxy.controls import ControlError, Controls, of_headers, read


def asked(headers: dict[str, str] | None = None, body: Any = None, mode: Any = "auto") -> Controls:
    return read(headers or {}, body, mode, {"recap", "prune"}, "prune, recap")


def test_nothing_asked() -> None:
    assert asked(mode="observe") == Controls("observe")


def test_headers_are_found_by_prefix() -> None:
    headers = [(b"x-acr-mode", b" off "), (b"authorization", b"x"), (b"x-acr-operator", b"recap")]
    assert of_headers(headers) == {"mode": "off", "operator": "recap"}


def test_headers_over_body_over_server() -> None:
    body = {"mode": "observe", "operator": "prune", "controller": "never"}
    assert asked({"mode": "OFF"}, body) == Controls("off", "prune", "never")
    assert asked({"operator": "recap"}, body) == Controls("observe", "recap", "never")


@pytest.mark.parametrize(
    ("value", "bypassed"),
    [("1", True), ("true", True), ("Yes", True), ("0", False), ("false", False), ("no", False), ("", False)],
)
def test_bypass_by_header(value: str, bypassed: bool) -> None:
    assert asked({"bypass": value}).bypass is bypassed


@pytest.mark.parametrize(
    ("value", "bypassed"), [(True, True), (False, False), (1, True), (None, False), ("no", False)]
)
def test_bypass_by_body(value: Any, bypassed: bool) -> None:
    assert asked(body={"bypass": value}).bypass is bypassed


def test_null_is_not_asked() -> None:
    assert asked(body={"mode": None, "operator": None, "controller": None}) == Controls("auto")


@pytest.mark.parametrize(
    ("headers", "body", "message"),
    [
        ({"mode": "on"}, None, "there is no mode 'on'; known: off, observe, auto"),
        ({"operator": "fix"}, None, "there is no operator 'fix'; known: prune, recap"),
        ({"operater": "recap"}, None, "header 'x-acr-operater'; known: mode, operator, controller, bypass"),
        ({}, {"force": 1}, "field 'acr.force'; known: mode, operator, controller, bypass"),
        ({}, {"operator": ["recap"]}, "field 'acr.operator' must be a string"),
    ],
)
def test_what_there_is_not_is_an_error_that_says_what_there_is(
    headers: dict[str, str], body: Any, message: str
) -> None:
    with pytest.raises(ControlError) as caught:
        asked(headers, body)
    assert message in str(caught.value)
