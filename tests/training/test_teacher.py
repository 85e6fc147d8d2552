import pytest
from acr_benchmarks.client import Reply
from acr_training.label import summary
from acr_training.records import Example, state
from acr_training.teacher import ask, question, read

from acr import registry

STATE = state(
    task="math",
    item="a",
    messages=[
        {"role": "user", "content": "How many?"},
        {"role": "assistant", "content": "Three."},
        {"role": "user", "content": "There are five more."},
    ],
)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"operator": "recap", "why": "in pieces"}', ("recap", "in pieces")),
        ('Sure! ```json\n{"operator": "None", "why": "fine"}\n```', ("none", "fine")),
        ('{"operator": "magic"}', (None, "")),
        ("recap, I think", (None, "")),
        ("{broken}", (None, "")),
        ("", (None, "")),
    ],
)
def test_replies_are_read_leniently(reply, expected):
    assert read(reply, ["recap", "prune"]) == expected


async def test_the_teacher_sees_operators_and_conversation_but_no_outcomes():
    class Teacher:
        async def complete(self, messages, seed):
            self.messages = messages
            return Reply(text='{"operator": "prune", "why": "old answer"}')

    teacher = Teacher()
    example = Example(state=STATE.id, label="none", kind="none", gain=0.0, rewards={"none": 0.25})
    asked = await ask(example, STATE, registry.operators(["prune", "recap"]), teacher, seed=0)
    assert (asked.label, asked.teacher, asked.rationale) == ("none", "prune", "old answer")
    shown = "".join(message["content"] for message in teacher.messages)
    assert "prune: " in shown
    assert "There are five more." in shown
    assert "0.25" not in shown
    counts = summary([asked], {STATE.id: STATE})["teacher"]
    assert counts == {
        "asked": 1,
        "agrees": 0,
        "disagreements": [{"teacher": "prune", "outcomes": "none", "states": 1}],
    }


def test_long_messages_are_cut():
    long = STATE.model_copy(update={"messages": [{"role": "user", "content": "x" * 9000}]})
    assert len(question(long, {})[1]["content"]) < 2000
