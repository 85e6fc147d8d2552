"""Rules on the messages that the upstream got."""

from typing import Any

from wire.messages import INSTRUCTIONS, all_text, journey, parts, role, short, strings
from wire.ops import Check, one, wrong
from wire.targets import Seen


@one("tool_pairs_valid")
def tool_pairs_valid(seen: Seen, want: Any, check: Check) -> str | None:
    """Each message with calls is directly followed by exactly its results; there are no other results."""
    open_calls: set[str] = set()
    for message in seen.value:
        if role(message) == "tool":
            id = message.get("tool_call_id")
            if id not in open_calls:
                return f"result {id!r} does not follow its call"
            open_calls.discard(id)
            continue
        if open_calls:
            return f"calls {sorted(open_calls)} have no result"
        open_calls = {call["id"] for call in message.get("tool_calls") or ()}
    return wrong(not open_calls, f"calls {sorted(open_calls)} have no result")


one("adjacent_call_results")(tool_pairs_valid)


@one("last_keeps_client_last")
def last_keeps_client_last(seen: Seen, want: Any, check: Check) -> str | None:
    return journey(seen).problem_with_last


@one("last_text_eq")
def last_text_eq(seen: Seen, want: Any, check: Check) -> str | None:
    """The text of the last message, or of its last part, is this; or stands below a closed fence."""
    last = parts(seen.value[-1].get("content"))
    text = last[-1].get("text") if last else ""
    below = text.removesuffix(want)
    fenced = text.endswith(want) and below.rstrip().endswith((">", "]", "---", "```"))
    return wrong(text == want or fenced, f"is {short(text)}")


@one("each_kept_message_unmodified")
def each_kept_message_unmodified(seen: Seen, want: Any, check: Check) -> str | None:
    """What the proxy did not write is the client's, to the last field. It may write user turns only."""
    way = journey(seen)
    own = [all_text(message.get("content")) for message in way.before]
    for index, (message, kept) in enumerate(zip(way.after, way.kept, strict=True)):
        last = index == len(way.after) - 1
        if kept is not None or (last and way.extended):
            continue
        if role(message) != "user" or all_text(message.get("content")) in own:
            return f"was changed or made up: {short(message)}"
    return None


@one("kept_is_subsequence_of_client")
def kept_is_subsequence_of_client(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(-1 not in journey(seen).kept, "messages changed their order")


@one("starts_with_client_message")
def starts_with_client_message(seen: Seen, want: Any, check: Check) -> str | None:
    way, index = journey(seen), want if isinstance(want, int) else 0
    return wrong(way.after[:1] == way.before[index : index + 1], f"starts with {short(way.after[:1])}")


@one("leading_system_only")
def leading_system_only(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    late = [message for message in after_leading(way.after) if role(message) in INSTRUCTIONS]
    allowed = [message for message in after_leading(way.before) if role(message) in INSTRUCTIONS]
    return wrong(
        all(message in allowed for message in late), f"instructions in mid-conversation: {short(late)}"
    )


def after_leading(messages: list[Any]) -> list[Any]:
    at = 0
    while at < len(messages) and role(messages[at]) in INSTRUCTIONS:
        at += 1
    return messages[at:]


@one("leading_system_eq_client")
def leading_system_eq_client(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    ours, theirs = (
        messages[: len(messages) - len(after_leading(messages))] for messages in (way.before, way.after)
    )
    return wrong(ours == theirs, f"were {short(ours)}, are {short(theirs)}")


@one("roles_subset_of_client")
def roles_subset_of_client(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    new = set(map(role, way.after)) - set(map(role, way.before))
    return wrong(not new, f"new roles {sorted(new)}")


@one("role_none_contains")
def role_none_contains(seen: Seen, want: Any, check: Check) -> str | None:
    texts = strings([message for message in seen.value if role(message) in check["roles"]])
    found = [part for part in want if any(part in text for text in texts)]
    return wrong(not found, f"{found} stands in a message of {check['roles']}")


@one("has_user_turn")
def has_user_turn(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(any(role(message) == "user" for message in seen.value), "there is no user message")


@one("alternates_if_client_did")
def alternates_if_client_did(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    return wrong(not alternates(way.before) or alternates(way.after), "user and assistant do not alternate")


@one("alternates_ignoring_tool_flow")
def alternates_ignoring_tool_flow(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(alternates(seen.value), "user and assistant do not alternate")


def alternates(messages: list[Any]) -> bool:
    flow = [
        role(message)
        for message in messages
        if role(message) not in (*INSTRUCTIONS, "tool") and not message.get("tool_calls")
    ]
    return all(name == ("user", "assistant")[index % 2] for index, name in enumerate(flow))


@one("no_empty_assistant")
def no_empty_assistant(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    bad = [
        message
        for message in way.after
        if role(message) == "assistant"
        and not message.get("tool_calls")
        and not all_text(message.get("content")).strip()
        and message not in way.before
    ]
    return wrong(not bad, f"empty: {short(bad)}")


@one("no_added_assistant_message")
def no_added_assistant_message(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    new = [message for message in way.after if role(message) == "assistant" and message not in way.before]
    return wrong(not new, f"made up: {short(new)}")


@one("no_tool_roles")
def no_tool_roles(seen: Seen, want: Any, check: Check) -> str | None:
    bad = [m for m in seen.value if role(m) in ("tool", "function") or m.get("tool_calls")]
    return wrong(not bad, f"has tool messages: {short(bad)}")


@one("parts_preserved")
def parts_preserved(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    ours, theirs = (
        [
            part
            for message in messages
            for part in parts(message.get("content"))
            if isinstance(part, dict) and part.get("type") in want
        ]
        for messages in (way.before, way.after)
    )
    return wrong(ours == theirs, f"parts were {short(ours)}, are {short(theirs)}")


@one("signed_blocks_intact")
def signed_blocks_intact(seen: Seen, want: Any, check: Check) -> str | None:
    way = journey(seen)
    there = signed(way.after)
    for message in way.before:
        blocks = signed(message)
        if any(block in there for block in blocks) and not all(block in there for block in blocks):
            return f"some signed blocks of {short(message)} are gone"
    own = signed(way.before)
    changed = [block for block in there if block not in own]
    return wrong(not changed, f"signed blocks were changed: {short(changed)}")


def signed(value: Any) -> list[Any]:
    """Blocks with a signature or data, wherever they stand."""
    if isinstance(value, list):
        return [block for item in value for block in signed(item)]
    if not isinstance(value, dict):
        return []
    if value.get("signature") or (value.get("data") and "type" in value):
        return [value]
    return [block for item in value.values() for block in signed(item)]
