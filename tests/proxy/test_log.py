import json
import logging

import pytest

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
