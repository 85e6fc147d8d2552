"""Traces as they are written out."""

from acr.trace import Answer, Trace


def written(answer: Answer) -> str:
    """An answer as JSON, as part of a trace. Fails where it cannot be written."""
    return Trace(id="a", answer=answer).model_dump_json()
