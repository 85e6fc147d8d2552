import json
import logging
from dataclasses import replace

import pytest
from support.engines import engine
from support.http import send
from support.proxy import RunningProxy
from support.upstream import Reply, ScriptedUpstream

from acr.controllers.always import Always
from acr.proxy import log
from acr.settings import Settings


@pytest.fixture(autouse=True)
def _put_back():  # type: ignore[no-untyped-def]
    loggers = [logging.getLogger(name) for name in ("acr", "uvicorn", "aiohttp", "asyncio")]
    held = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    yield
    for logger, handlers, propagate, level in held:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_json_is_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure(Settings(log_format="json"))
    logging.getLogger("acr.proxy").warning("two\nlines %s", "and é")
    entry = json.loads(capsys.readouterr().err)
    assert (entry["level"], entry["logger"], entry["message"]) == ("warning", "acr.proxy", "two\nlines and é")


def test_pretty_and_levels(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure(Settings(log_level="warning"))
    logging.getLogger("acr.proxy").info("not this")
    logging.getLogger("acr.proxy").error("this")
    line = capsys.readouterr().err
    assert line.endswith("error   this\n") and "not this" not in line


def test_a_break_that_is_passed_on_is_not_logged_as_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure(Settings())
    logging.getLogger("uvicorn.error").error("ASGI callable returned without completing response.")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("form", ["json", "pretty"])
def test_an_exception_is_told_without_its_text(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    log.configure(Settings(log_format=form, log_level="debug"))
    secret = "-".join(["sk", "FAKE"])
    try:
        try:
            raise ValueError(secret)
        except ValueError as cause:
            raise KeyError(secret) from cause
    except KeyError:
        logging.getLogger("acr.proxy").error("internal error", exc_info=True)
    told = capsys.readouterr().err
    assert "KeyError" in told and "ValueError" in told and "test_log.py" in told
    assert secret not in told


def test_no_level_tells_text_or_keys(upstream: ScriptedUpstream, caplog: pytest.LogCaptureFixture) -> None:
    """Neither where all goes well nor where an operator, the upstream or ACR itself fails."""
    caplog.set_level("DEBUG", "acr")
    texts = (("user", "my diagnosis"), ("assistant", "a"), ("user", "two"))
    body = json.dumps({"messages": [{"role": role, "content": text} for role, text in texts]}).encode()
    with RunningProxy(upstream.url, engine(), log_level="debug") as proxy:
        for more in ([], [("x-acr-operator", "broken")], [("x-acr-operator", "sk-FAKE-operator")]):
            send(
                proxy.port,
                "POST",
                "/v1/chat/completions?key=sk-FAKE-query",
                body,
                [("authorization", "Bearer sk-FAKE-client"), *more],
            )
        upstream.answer(Reply(disconnect=True))
        assert send(proxy.port, "POST", "/v1/chat/completions?key=sk-FAKE-query", body).status == 502
    told = caplog.text
    assert "POST /v1/chat/completions" in told and "failed open" in told and "502" in told
    for secret in ("sk-FAKE", "diagnosis", "secret text of the user", str(upstream.port)):
        assert secret not in told, secret


def test_a_wrong_setting_is_told_at_each_request_and_a_clients_name_is_not(
    upstream: ScriptedUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "acr")
    texts = (("user", "one"), ("assistant", "a"), ("user", "two"))
    body = json.dumps({"messages": [{"role": role, "content": text} for role, text in texts]}).encode()
    wrong = replace(engine(), controller=Always("gone"))
    with RunningProxy(upstream.url, wrong) as proxy:
        named = [("x-acr-controller", "always:sk-FAKE")]
        send(proxy.port, "POST", "/v1/chat/completions", body)
        send(proxy.port, "POST", "/v1/chat/completions", body, named)
    assert "failed open: ConfigError: there is no operator named 'gone'; known: " in caplog.text
    assert caplog.text.count("failed open: ConfigError") == 2 and "sk-FAKE" not in caplog.text


def test_fields_of_a_request_stand_apart_for_machines(
    upstream: ScriptedUpstream, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = (("user", "my diagnosis"), ("assistant", "a"), ("user", "two"))
    body = json.dumps({"messages": [{"role": role, "content": text} for role, text in texts]}).encode()
    with RunningProxy(upstream.url, engine()) as proxy:
        log.configure(Settings(log_format="json", log_level="debug"))
        for operator in ("lead", "broken"):
            headers = [("x-request-id", f"id-{operator}"), ("x-acr-operator", operator)]
            send(proxy.port, "POST", "/v1/chat/completions?key=secret", body, headers)
        send(proxy.port, "GET", "/v1/models")
    rows = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    lead, broken, models = (row for row in rows if row["logger"] == "acr.proxy" and "status" in row)
    assert lead["request_id"] == "id-lead" and lead["decision"] == "intervened" and lead["operator"] == "lead"
    assert lead["path"] == "/v1/chat/completions" and lead["status"] == 200 and lead["method"] == "POST"
    assert 0 < lead["overhead_ms"] < lead["total_ms"] and lead["level"] == "info" and "error" not in lead
    assert broken["decision"] == "failed" and broken["reason"] == "failed open: OperatorError"
    assert models["decision"] == "relayed" and models["level"] == "debug" and "overhead_ms" not in models
    assert "diagnosis" not in repr(rows) and "secret" not in repr(rows)
