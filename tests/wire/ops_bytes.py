"""Bytes, streams, headers and connections."""

from typing import Any

from wire.case import exact
from wire.messages import short, strings
from wire.ops import Check, one, wrong
from wire.targets import MISSING, Seen

CHUNKED = "transfer-encoding"


def values(headers: Any, name: str) -> list[str]:
    return [value for key, value in headers if key.lower() == name.lower()]


@one("same_bytes_as_client")
def same_bytes_as_client(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step
    own = seen.step.request.raw or b""
    return wrong(seen.value == own, f"sent {short(own)}, arrived {short(seen.value)}")


@one("same_bytes_as_upstream")
def same_bytes_as_upstream(seen: Seen, want: Any, check: Check) -> str | None:
    if seen.received is None or seen.received.reply is None:
        return "the upstream was not asked"
    own = seen.received.reply.body
    return wrong(seen.value == own, f"the upstream sent {short(own)}, the client got {short(seen.value)}")


@one("no_new_replacement_char")
def no_new_replacement_char(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.received and seen.received.reply
    mark = "\ufffd".encode()
    return wrong(seen.value.count(mark) <= seen.received.reply.body.count(mark), "has new U+FFFD")


@one("valid_utf8_json")
def valid_utf8_json(seen: Seen, want: Any, check: Check) -> str | None:
    try:
        seen.value.decode("utf-8")
    except UnicodeDecodeError:
        return "is not UTF-8"
    return wrong(exact(seen.value) is not None, "is not JSON")


@one("no_lone_surrogate")
def no_lone_surrogate(seen: Seen, want: Any, check: Check) -> str | None:
    value = exact(seen.value) if isinstance(seen.value, bytes) else seen.value
    bad = [text for text in strings(value) if any("\ud800" <= sign <= "\udfff" for sign in text)]
    return wrong(not bad, f"has lone surrogates: {bad!r}")


@one("each_data_is_json_or_done")
def each_data_is_json_or_done(seen: Seen, want: Any, check: Check) -> str | None:
    bad = [event.data for event in seen.value if event.data != "[DONE]" and exact(event.data) is None]
    return wrong(not bad and bool(seen.value), f"is not JSON: {short(bad)}")


@one("no_event_with_empty_data")
def no_event_with_empty_data(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(all(event.data.strip() for event in seen.value), "an event has no data")


@one("no_event_with_empty_choices")
def no_event_with_empty_choices(seen: Seen, want: Any, check: Check) -> str | None:
    bodies = [exact(event.data) for event in seen.value]
    bad = [body for body in bodies if isinstance(body, dict) and body.get("choices") == []]
    return wrong(not bad, f"an event has no choices: {short(bad)}")


@one("has_no_done")
def has_no_done(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(all(event.data != "[DONE]" for event in seen.value), "has [DONE]")


@one("first_event_before_upstream_end")
def first_event_before_upstream_end(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step and seen.received
    arrivals, finished = seen.step.answer.arrivals, seen.received.finished
    if not arrivals or finished is None:
        return "nothing arrived, or the upstream never finished"
    return wrong(arrivals[0][0] < finished, "the first event came when the upstream was done")


@one("length_matches_body")
def length_matches_body(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step
    mine = seen.received is not None and seen.value is seen.received.headers
    body = seen.received.body if mine and seen.received else seen.step.answer.body
    lengths = values(seen.value, "content-length")
    if not lengths:
        return wrong("chunked" in "".join(values(seen.value, CHUNKED)), "has neither length nor chunks")
    return wrong(lengths == [str(len(body))], f"content-length {lengths}, body of {len(body)}")


@one("not_both")
def not_both(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(not all(values(seen.value, name) for name in want), f"has all of {want}")


@one("single")
def single(seen: Seen, want: Any, check: Check) -> str | None:
    names = want if isinstance(want, list) else [want]
    bad = [name for name in names if len(values(seen.value, name)) > 1]
    return wrong(not bad, f"{bad} more than once")


@one("absent_each")
def absent_each(seen: Seen, want: Any, check: Check) -> str | None:
    found = [name for name in want if values(seen.value, name)]
    return wrong(not found, f"has {found}")


@one("no_value_containing")
def no_value_containing(seen: Seen, want: Any, check: Check) -> str | None:
    found = [(name, value) for name, value in seen.value for part in want if part in value]
    return wrong(not found, f"has {found}")


@one("no_coding_outside")
def no_coding_outside(seen: Seen, want: Any, check: Check) -> str | None:
    """No content coding but these, `identity` always allowed."""
    codings = [part.strip() for value in values(seen.value, "content-encoding") for part in value.split(",")]
    bad = [coding for coding in codings if coding not in (*want, "identity")]
    return wrong(not bad, f"has coding {bad}")


@one("closed_within_s_of_client_abort")
def closed_within_s_of_client_abort(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step and seen.received
    gone = seen.step.sent + (seen.step.request.abort_after or 0)
    if seen.received.closed is None:
        return "the connection to the upstream was not closed"
    late = seen.received.closed - gone
    return wrong(seen.value is not MISSING and late <= want, f"closed after {late:.2f} s")
