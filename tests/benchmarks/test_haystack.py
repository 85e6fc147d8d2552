"""Coverage and citations, by hand-made cases."""

import pytest
from acr_benchmarks import haystack
from acr_benchmarks.haystack import Bullet, Insight, bullets, citation_score, citations, f1, joint
from hypothesis import given
from hypothesis import strategies as st

BIKES = Insight("1", "Thieves stole 190 bikes from the operator.", frozenset({1, 4}))
HILLS = Insight("2", "Hardly anyone rides in the hilly east.", frozenset({2, 3, 5}))


def test_f1() -> None:
    assert f1({1, 4}, {1, 4}) == 1.0
    assert f1({1}, {1, 4}) == pytest.approx(2 / 3)  # precision 1, recall 1/2
    assert f1({1, 2, 3, 4}, {1, 4}) == pytest.approx(2 / 3)  # precision 1/2, recall 1
    assert f1(set(), {1}) == f1({2}, {1}) == 0.0


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("A finding. [1, 4]", {1, 4}),
        ("A finding [1][4].", {1, 4}),
        ("A finding [1; 4]", {1, 4}),
        ("No citation (1)", set()),
        ("[]", set()),
        ("[1-4]", set()),
        ("[Document 1]", set()),
        ("[١]", set()),
        ("[99999999999999999999]", set()),
        ("[ , ; ]", set()),
    ],
)
def test_citations(line: str, numbers: set[int]) -> None:
    assert citations(line) == numbers


def test_bullets_are_lines_up_to_a_number_of_words() -> None:
    found = bullets("- One finding. [1]\n\n• Another one [2, 3]\n[4]\n---")
    assert found == [Bullet("One finding.", frozenset({1})), Bullet("Another one", frozenset({2, 3}))]
    long = bullets("\n".join(f"- {'word ' * 100}[{n}]" for n in range(1, 9)))
    assert sum(len(bullet.text.split()) for bullet in long) == haystack.WORDS
    assert [bullet.cited for bullet in long] == [{1}, {2}, {3}]


def test_joint_is_coverage_times_citation() -> None:
    found = [Bullet("…", frozenset({1})), Bullet("…", frozenset({1, 4}))]
    assert joint(found, BIKES, {"coverage": "FULL_COVERAGE", "bullet_id": 2}) == 1.0
    assert joint(found, BIKES, {"coverage": "PARTIAL_COVERAGE", "bullet_id": "2"}) == 0.5
    assert joint(found, BIKES, {"coverage": "FULL_COVERAGE", "bullet_id": 1}) == pytest.approx(2 / 3)
    assert joint(found, BIKES, {"coverage": "NO_COVERAGE", "bullet_id": None}) == 0.0


@pytest.mark.parametrize(
    "verdict",
    [
        {},
        {"coverage": "yes", "bullet_id": 1},
        {"coverage": "FULL_COVERAGE"},
        {"coverage": "FULL_COVERAGE", "bullet_id": 0},
        {"coverage": "FULL_COVERAGE", "bullet_id": 3},
        {"coverage": "FULL_COVERAGE", "bullet_id": -1},
        {"coverage": "FULL_COVERAGE", "bullet_id": True},
        {"coverage": "FULL_COVERAGE", "bullet_id": [1]},
        {"coverage": "FULL_COVERAGE", "bullet_id": "first"},
    ],
)
def test_what_is_no_verdict(verdict: dict) -> None:
    """A bullet 0 or -1 would be another line than the judge meant, silently."""
    with pytest.raises(ValueError, match=r"coverage|bullet"):
        joint([Bullet("a", frozenset()), Bullet("b", frozenset())], BIKES, verdict)


def test_citation_score() -> None:
    right = "- Thieves stole 190 bikes. [1, 4]\n- In the hilly east hardly anyone rides. [2, 3, 5]"
    assert citation_score(right, [BIKES, HILLS]) == 1.0
    assert citation_score(right.splitlines()[0], [BIKES, HILLS]) == 0.5
    assert citation_score(right.replace("[1, 4]", ""), [BIKES, HILLS]) == 0.5
    assert citation_score("", [BIKES, HILLS]) == 0.0


def test_rewards_cannot_be_hacked() -> None:
    wanted = [BIKES, HILLS]
    assert citation_score("[1, 4]\n[2, 3, 5]", wanted) == 0.0, "citations without words"
    assert citation_score("- Something else entirely. [1, 4]\n- And so on. [2, 3, 5]", wanted) == 0.0
    both = "- Thieves stole 190 bikes, and hardly anyone rides in the hilly east. [1, 2, 3, 4, 5]"
    assert citation_score(both, wanted) < 0.4, "one bullet counts for one insight"
    every = "\n".join(f"- {one.text} [1, 2, 3, 4, 5, 6, 7, 8]" for one in wanted)
    assert citation_score(every, wanted) < 0.6, "citing everything is imprecise"
    filler = "- word " + "word " * 400 + "\n- Thieves stole 190 bikes. [1, 4]"
    assert citation_score(filler, wanted) == 0.0, "what comes after too many words is not read"


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    assert 0.0 <= citation_score(f"{text}\n- {text} [1, {text}]", [BIKES, HILLS]) <= 1.0
