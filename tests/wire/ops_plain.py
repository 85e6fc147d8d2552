"""Plain comparisons, and comparisons with what the client sent."""

from typing import Any

from wire.case import Number, exact
from wire.messages import short, strings
from wire.ops import Check, many, one, wrong
from wire.targets import MISSING, Seen, follow


def plain(value: Any) -> Any:
    """A value as an assertion would write it."""
    if isinstance(value, Number):
        return int(value.written) if value.kind is int else float(value.written)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


@one("eq")
def eq(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(
        plain(seen.value) == want and type(plain(seen.value)) is type(want), f"is {short(seen.value)}"
    )


@one("ne")
def ne(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(plain(seen.value) != want, f"is {short(seen.value)}")


@one("in")
def in_(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(plain(seen.value) in want, f"is {short(seen.value)}")


@one("ge")
def ge(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(plain(seen.value) >= want, f"is {short(seen.value)}")


@one("le")
def le(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(plain(seen.value) <= want, f"is {short(seen.value)}")


@one("between")
def between(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(want[0] <= plain(seen.value) <= want[1], f"is {short(seen.value)}")


@one("within_s")
def within_s(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(seen.value is not MISSING and seen.value <= want, f"took {short(seen.value)} s")


@one("len_eq")
def len_eq(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(seen.value is not MISSING and len(seen.value) == want, f"is {short(seen.value)}")


@one("count_eq")
def count_eq(seen: Seen, want: Any, check: Check) -> str | None:
    """A number of elements, or `[text, number]`: how often a text occurs."""
    if isinstance(want, list):
        count = sum(text.count(want[0]) for text in strings(seen.value))
        return wrong(count == want[1], f"{want[0]!r} occurs {count} times")
    return len_eq(seen, want, check)


@one("present")
def present(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(seen.value is not MISSING, "is not there")


@one("absent")
def absent(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(seen.value is MISSING, f"is {short(seen.value)}")


@one("eq_json")
def eq_json(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(plain(seen.value) == want, f"is {short(seen.value)}")


@many("all_eq")
def all_eq(seen: list[Seen], want: Any, check: Check) -> str | None:
    values = [plain(item.value) for item in seen]
    return wrong(bool(values) and all(value == want for value in values), f"are {values}")


@one("contains_text_any")
def contains_text_any(seen: Seen, want: Any, check: Check) -> str | None:
    texts = strings(seen.value)
    return wrong(any(part in text for part in want for text in texts), f"none of {want} occurs")


@one("contains_each")
def contains_each(seen: Seen, want: Any, check: Check) -> str | None:
    texts = strings(seen.value)
    missing = [part for part in want if not any(part in text for text in texts)]
    return wrong(not missing, f"{missing} not found in {short(seen.value)}")


@one("contains_none")
def contains_none(seen: Seen, want: Any, check: Check) -> str | None:
    texts = strings(seen.value)
    found = [part for part in want if any(part in text for text in texts)]
    return wrong(not found, f"{found} found in {short(seen.value)}")


@one("eq_client_body")
def eq_client_body(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step
    return wrong(seen.value == seen.step.request.body, f"differs from the client's: {short(seen.value)}")


@one("paths_eq_client")
def paths_eq_client(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step
    for path in want:
        ours, theirs = (follow(body, path.split(".")) for body in (seen.step.request.body, seen.value))
        if ours != theirs:
            return f"{path} was {short(ours)}, is {short(theirs)}"
    return None


@one("non_message_fields_eq_client")
def non_message_fields_eq_client(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step
    own = {
        key: value for key, value in (seen.step.request.body or {}).items() if key not in ("messages", "acr")
    }
    got = {key: value for key, value in (seen.value or {}).items() if key != "messages"}
    return wrong(own == got and list(own) == list(got), f"fields were {short(own)}, are {short(got)}")


@one("absent_if_absent_in_client")
def absent_if_absent_in_client(seen: Seen, want: Any, check: Check) -> str | None:
    assert seen.step
    there = follow(seen.step.request.body, seen.path) is not MISSING
    return wrong(there or seen.value is MISSING, f"was added: {short(seen.value)}")


@one("keys_subset")
def keys_subset(seen: Seen, want: Any, check: Check) -> str | None:
    more = set(seen.value) - set(want) if isinstance(seen.value, dict) else {"no object"}
    return wrong(not more, f"has {sorted(more)}")


@one("eq_client")
def eq_client(seen: Seen, want: Any, check: Check) -> str | None:
    """The same header value, or value at the same path of the body, as the client sent."""
    assert seen.step
    name = str(seen.path[0]) if seen.path else ""
    headers = [value for key, value in seen.step.request.headers if key.lower() == name]
    own = headers[0] if headers else follow(seen.step.request.body, seen.path)
    return wrong(own == seen.value, f"was {short(own)}, is {short(seen.value)}")


def same_json(a: Any, b: Any) -> bool:
    return bool(exact(a) == exact(b))
