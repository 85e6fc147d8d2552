import json
from typing import Any

import pytest

from acr import registry
from acr.conversation import Conversation, Turn
from acr.dialects import Dialect
from acr.dialects.chat import Chat
from acr.dialects.chat import read as read_chat
from acr.dialects.messages import Messages
from acr.dialects.responses import Responses
from acr.engine import Engine, Outcome
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators(), deadline=60)
DUMP = "\n".join(f"{n:04} service={n % 7} level=info message=nothing happened at all" for n in range(200))
TELLING = DUMP.replace("0100 service=2 level=info", "0100 service=2 level=fatal disk=sdb7")


async def filter(conversation: Conversation) -> Outcome:
    outcome = await ENGINE.run(conversation, operator="filter")
    assert outcome.failure is None
    return outcome


def calls(*results: str, newest: str = "And now?") -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Look what is wrong."}]
    for number, result in enumerate(results):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "log", "arguments": "{}"}}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": result},
        ]
    return [
        *messages,
        {"role": "assistant", "content": "I have looked."},
        {"role": "user", "content": newest},
    ]


async def test_an_old_dump_is_shortened_and_says_so() -> None:
    outcome = await filter(read_chat(calls(DUMP, "ok", "ok")))
    text = outcome.conversation.turns[2].text
    assert len(text) < 1200 < len(DUMP)
    assert text.startswith(DUMP[:500]) and text.endswith(DUMP[-250:])
    assert "left out here; the same call shows them again" in text
    assert outcome.tokens is not None and outcome.tokens[1] < outcome.tokens[0] / 4


async def test_the_newest_results_stay_whole() -> None:
    assert not (await filter(read_chat(calls(DUMP)))).changed
    assert not (await filter(read_chat(calls(DUMP, "ok")))).changed


async def test_what_a_later_turn_names_stays() -> None:
    outcome = await filter(read_chat(calls(TELLING, "ok", "ok", newest="What is it about sdb7?")))
    assert "level=fatal disk=sdb7" in outcome.conversation.turns[2].text
    outcome = await filter(read_chat(calls(TELLING, "ok", "ok", newest="Which line was fatal?")))
    assert "level=fatal disk=sdb7" in outcome.conversation.turns[2].text


async def test_a_line_without_end_is_cut_too() -> None:
    dump = json.dumps([{"id": number, "state": "idle"} for number in range(400)])
    text = (await filter(read_chat(calls(dump, "ok", "ok")))).conversation.turns[2].text
    assert len(text) < 1500 and text.startswith(dump[:600]) and text.endswith(dump[-300:])


@pytest.mark.parametrize("dialect", [Chat(), Messages(), Responses()], ids=lambda dialect: dialect.name)
async def test_in_every_dialect_only_the_result_changes(dialect: Dialect) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "chat": {"messages": calls(DUMP, "ok", "ok")},
        "messages": {"messages": claude(DUMP, "ok", "ok")},
        "responses": {"input": items(DUMP, "ok", "ok")},
    }
    given = {"model": "m", "x": 1e-07, **bodies[dialect.name]}
    request = dialect.parse(json.dumps(given).encode())
    assert request.conversation is not None
    outcome = await filter(request.conversation)
    after = json.loads(dialect.patch(request, outcome.conversation))
    shown = json.dumps(after)
    assert "left out here" in shown and len(shown) < len(json.dumps(given)) / 3
    (key,) = bodies[dialect.name]
    pairs = [(a, b) for a, b in zip(after[key], given[key], strict=True) if a != b]
    assert len(pairs) == 1
    new, old = pairs[0]
    assert skeleton(new) == skeleton(old)


def skeleton(value: Any) -> Any:
    """The value with every long text taken out: what must be as it was."""
    if isinstance(value, dict):
        return {key: skeleton(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [skeleton(inner) for inner in value]
    return "…" if isinstance(value, str) and len(value) > 200 else value


def claude(*results: str) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Look what is wrong."}]
    for number, result in enumerate(results):
        use = {"type": "tool_use", "id": f"c{number}", "name": "log", "input": {}}
        messages += [
            {"role": "assistant", "content": [use]},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": f"c{number}", "content": result}],
            },
        ]
    return [
        *messages,
        {"role": "assistant", "content": "I have looked."},
        {"role": "user", "content": "And now?"},
    ]


def items(*results: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"role": "user", "content": "Look what is wrong."}]
    for number, result in enumerate(results):
        made += [
            {"type": "function_call", "call_id": f"c{number}", "name": "log", "arguments": "{}"},
            {"type": "function_call_output", "call_id": f"c{number}", "output": result},
        ]
    return [
        *made,
        {"role": "assistant", "content": "I have looked."},
        {"role": "user", "content": "And now?"},
    ]


PASTE = "Article 1. " + "The tenant shall keep the garden in order and water it in summer. " * 5


async def test_a_paste_that_comes_again_is_a_mark() -> None:
    before = talk(f"Read this.\n\n{PASTE}", "Read.", f"Here it is again:\n\n{PASTE}", "Yes.", "Who waters?")
    after = (await filter(before)).conversation
    assert after.turns[0] is before.turns[0]
    assert (
        after.turns[2].text
        == f"Here it is again:\n\n[… {len(PASTE):,} (left out here; the same stands above) …]"
    )


async def test_another_version_stays_whole() -> None:
    changed = PASTE.replace("garden", "yard")
    said = talk(f"{PASTE}\n\n{PASTE[11:]}", "Read.", f"{PASTE}\n\n{changed}", "Yes.", "What changed?")
    assert not (await filter(said)).changed


async def test_the_newest_turn_stays_whole() -> None:
    assert not (await filter(talk(PASTE, "Read.", PASTE))).changed


async def test_courtesies_that_close_an_answer_go() -> None:
    before = talk(
        "What does a litre weigh?",
        "About 1 kg. I hope this helps! Let me know if you have any other questions.",
        "The bottle is made of glass.",
        "Then 1.4 kg. Let me know if you need more.",
        "There are 6 bottles.",
    )
    after = (await filter(before)).conversation
    assert after.turns[1].text == "About 1 kg."
    assert after.turns[3] is before.turns[3]  # the newest answer


async def test_an_offer_that_the_user_takes_up_stays() -> None:
    said = talk(
        "Plan a trip to Rome.",
        "Day 1: Forum. Let me know if you want a day in Tivoli.",
        "Yes please.",
        "OK.",
        "Go on.",
    )
    after = (await filter(said)).conversation
    assert "Tivoli" in after.turns[1].text


async def test_an_exchange_of_courtesies_goes_and_the_users_words_stay() -> None:
    said = talk(
        "What does a litre weigh?",
        "1 kg.",
        "Thanks, perfect.",
        "You're welcome!",
        "How far is the moon from us?",
    )
    after = (await filter(said)).conversation
    assert [turn.text for turn in after][-1].startswith("Thanks, perfect.")
    assert "You're welcome!" not in [turn.text for turn in after]


async def test_a_result_can_not_be_made_to_say_something_new() -> None:
    from acr.edits import Rewrite
    from acr.errors import InvariantError
    from acr.testing import FixedController, FixedOperator

    conversation = read_chat(calls("a b c d"))
    for text, right in [
        ("a b [… 2 …] d", True),
        ("a [… x …] b", True),
        ("[… …] all is well", False),
        ("d [… 1 …] a", False),
    ]:
        edits = [Rewrite("2", text)]
        outcome = await Engine(FixedController(), {"fixed": FixedOperator(edits)}).run(conversation)
        assert outcome.changed is right, text
        assert right or isinstance(outcome.failure, InvariantError)


def test_only_plain_text_results_count() -> None:
    (turn,) = (t for t in read_chat(calls("a")) if t.answers)
    assert turn.result and not Turn("1", "user", "a").result
