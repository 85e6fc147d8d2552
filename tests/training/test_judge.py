import pytest
from acr_benchmarks.client import Reply
from acr_training.judge import compare, question, verdict

TALK = [{"role": "user", "content": [{"type": "text", "text": "How many?"}]}]


class Judge:
    def __init__(self, decide):
        self.decide = decide
        self.asked = []

    async def complete(self, messages, seed):
        self.asked.append(messages)
        first, second = messages[1]["content"].split("Answer A:\n")[1].split("\n\n---\nAnswer B:\n")
        return Reply(text=self.decide(first, second.partition("\n\n---\nWhich")[0]))


@pytest.mark.parametrize(
    ("decide", "expected"),
    [
        (lambda a, b: "A" if a == "good" else "B", 1.0),
        (lambda a, b: "A" if a == "bad" else "B", 0.0),
        (lambda a, b: "TIE", 0.5),
        (lambda a, b: "A", 0.5),
        (lambda a, b: "B", 0.5),
        (lambda a, b: "A" if a == "good" else "TIE", 0.5),
        (lambda a, b: "no idea", 0.5),
    ],
)
async def test_better_only_if_it_wins_in_both_places(decide, expected):
    judge = Judge(decide)
    assert await compare(TALK, "good", "bad", judge, seed=1) == expected
    assert len(judge.asked) == 2
    assert "How many?" in judge.asked[0][1]["content"]


async def test_equal_answers_need_no_judge():
    assert await compare(TALK, "same ", "same", None, seed=1) == 0.5


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("A", 1),
        ("B.", -1),
        ("tie", 0),
        ("Answer B is better", -1),
        ("", 0),
        ("Both", 0),
        ("It is a tie", 0),
        ("A over B", 0),
        ("**A**", 1),
    ],
)
def test_verdicts(reply, expected):
    assert verdict(reply) == expected


def test_long_answers_are_cut():
    assert len(question(TALK, "x" * 9000, "y" * 9000)[1]["content"]) < 9000
