"""Logging: one line an event, for people or for machines. No keys, no query strings, no message text."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

from acr.settings import Settings

FIELDS = "acr_fields"
"""Attribute of a log record that holds what machines want to have apart; the message says it for people."""


class Discreet(logging.Formatter):
    """Tells where an exception came from and its kind, not its text: that may hold words of a user."""

    def formatException(self, ei: Any) -> str:
        lines: list[str] = []
        fault: BaseException | None = ei[1]
        while fault is not None:
            lines += [*traceback.format_tb(fault.__traceback__), f"{type(fault).__qualname__}\n"]
            fault = fault.__cause__ or fault.__context__
        return "".join(lines).rstrip()


class Pretty(Discreet):
    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        line = f"{time} {record.levelname.lower():<7} {record.getMessage()}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class Json(Discreet):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry)


class _Expected(logging.Filter):
    """A break that is passed on looks like a fault to the server below; it is none."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "without completing response" not in str(record.msg)


def configure(settings: Settings) -> None:
    """Send ACR's and the server's log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if settings.log_format == "json" else Pretty())
    handler.addFilter(_Expected())
    for name in ("acr", "uvicorn", "aiohttp", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(settings.log_level.upper() if name == "acr" else "WARNING")
