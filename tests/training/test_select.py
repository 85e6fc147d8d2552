import pytest
from acr_training.records import state
from acr_training.select import Scored, choose, consistency, dialogues, grounding, progress, score
from hypothesis import given
from hypothesis import strategies as st

from acr.errors import TrainingError


def dialogue(*turns, group="g", rest=()):
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(turns)]
    return state(task="math", item=group, messages=messages, group=group, rest=rest)


def test_the_longest_state_is_the_dialogue():
    short, long = dialogue("a", "b", "c"), dialogue("a", "b", "c", "d", "e")
    assert dialogues([long, short]) == dialogues([short, long]) == {"g": long}


def test_grounding():
    asked = "There are 27 elephants", "How many?"
    assert grounding(dialogue(asked[0], "27 elephants, noted.", asked[1])) == pytest.approx(2 / 3), (
        "of 27, there, elephants"
    )
    assert grounding(dialogue(asked[0], "The weather is fine.", asked[1])) == 0.0
    assert grounding(dialogue(asked[0])) == 1.0


def test_progress():
    assert progress(dialogue("one two", "x", "three four")) == 1.0
    assert progress(dialogue("one two", "x", "one two")) == 0.0
    assert progress(dialogue("one two", rest=["one three"])) == 0.5


def test_consistency():
    assert consistency(dialogue("a", "It is 3.", "b", "It is 4.", "c")) == 1.0
    assert consistency(dialogue("a", "It is 3.", "b", "Which one?", "c")) == 0.5
    assert consistency(dialogue("a")) == 1.0


def test_bins_part_what_users_ask_for():
    animals = [dialogue(f"How many elephants are in zoo {n}?", "3", "Two more elephants came.", group=f"a{n}")
               for n in range(6)]  # fmt: skip
    code = [dialogue(f"Write a Python function f{n} that sorts.", "ok", "Sort it descending.", group=f"c{n}")
            for n in range(6)]  # fmt: skip
    scored = score([*animals, *code])
    assert len({one.bin for one in scored}) == 2
    assert len({one.bin for one in scored if one.group[0] == "a"}) == 1
    chosen = choose(scored, 0.5)
    assert sum(group[0] == "a" for group in chosen) == 3, "both bins give their share"


MARKS = st.floats(0, 1)
SCORED = st.lists(st.tuples(st.integers(0, 4), MARKS, MARKS, MARKS), min_size=1, max_size=40)


@given(SCORED, st.floats(0.01, 1))
def test_the_share_is_kept_and_the_reliable_come_first(rows, share):
    scored = [Scored(f"g{n:02}", *row) for n, row in enumerate(rows)]
    chosen = set(choose(scored, share))
    assert len(chosen) == pytest.approx(len(scored) * share, abs=0.5000001)
    for one in scored:
        for other in scored:
            if one.bin == other.bin and other.group in chosen and one.group not in chosen:
                assert other.reliability >= one.reliability


def test_wrong_arguments():
    with pytest.raises(TrainingError, match="share"):
        choose([Scored("g", 0, 1, 1, 1)], 0.0)
    with pytest.raises(TrainingError, match="nothing to select from"):
        score([])


def test_texts_without_a_word_are_no_obstacle():
    assert {one.bin for one in score([dialogue("", "", "", group=str(n)) for n in range(20)])} == {0}
