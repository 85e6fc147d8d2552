import json

import pytest
from acr_training.records import state
from acr_training.states import chosen, of_dialogues, of_traces

from acr.errors import TrainingError
from acr.trace import Trace

TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "How many?"},
    {"role": "assistant", "content": "Three."},
    {"role": "user", "content": "And five more."},
    {"role": "assistant", "content": "Eight."},
    {"role": "user", "content": "Thanks."},
]


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def trace(messages, **more):
    return Trace(id="1", dialect="chat", messages=messages, **more).model_dump(mode="json")


def test_dialogues_give_a_state_at_every_user_turn_from_the_second(tmp_path):
    found = of_dialogues(lines(tmp_path / "d.jsonl", TALK, {"messages": TALK[1:], "id": "x"}))
    assert [one.messages for one in found] == [TALK[:4], TALK, TALK[1:4], TALK[1:]]
    assert [one.turn for one in found] == [2, 3, 2, 3]
    assert len({one.group for one in found}) == 2, "a conversation is told by how it opens"
    assert {(one.source, one.task, tuple(one.rest)) for one in found} == {("dialogues", "", ())}
    assert found[0].signals["user_turns"] == 2


def test_a_dialogue_told_twice_counts_once(tmp_path):
    assert len(of_dialogues(lines(tmp_path / "d.jsonl", TALK, TALK[:4], TALK))) == 2


def test_traces_give_the_state_of_their_newest_message(tmp_path):
    rows = [
        trace(TALK[:2]),  # a single turn
        trace(TALK[:4], controller="rules"),
        trace(TALK),
        trace(TALK[:5]),  # the newest message is not the user's
        trace(None),  # text was not kept
        Trace(id="2", dialect="messages", messages=TALK).model_dump(mode="json"),
    ]
    for path in (
        lines(tmp_path / "lines.jsonl", *rows),
        lines(tmp_path / "list.json", {"object": "list", "data": rows}),
    ):
        found = of_traces(path)
        assert [one.messages for one in found] == [TALK[:4], TALK]
        assert found[0].group == found[1].group
        assert [one.policy for one in found] == ["rules", "never"]


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (of_dialogues, "{", "line 1 is not JSON"),
        (of_dialogues, '\n{"messages": 3}', "line 2: wanted are messages"),
        (of_dialogues, '[{"role": "wizard", "content": ""}, {"role": "user"}]', "line 1: .*role"),
        (of_dialogues, "[]", "no conversation with two user turns"),
        (of_traces, '{"id": 1}', "line 1 is no trace"),
        (of_traces, '{"id": "1"}', "keep_text"),
        (of_traces, None, r"^cannot read \S+: no such file or directory$"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, read, content, message):
    path = tmp_path / "x.jsonl"
    if content is not None:
        path.write_text(content)
    with pytest.raises(TrainingError, match=message):
        read(path)


def test_the_last_turn_is_always_chosen_and_others_by_lot():
    found = [
        state(task="math", item="a", messages=[{"role": "user", "content": "x"}] * turn)
        for turn in range(2, 9)
    ]
    for seed in range(20):
        picked = chosen(found, 3, seed)
        assert picked[-1] == found[-1]
        assert len(picked) == 3
        assert picked == sorted(picked, key=lambda one: one.turn)
        assert picked == chosen(found, 3, seed)
    assert len({tuple(one.turn for one in chosen(found, 3, seed)) for seed in range(20)}) > 5
    assert chosen(found, 1, 0) == found[-1:]
    assert chosen(found[:2], 9, 0) == found[:2]
    assert chosen([], 3, 0) == []
