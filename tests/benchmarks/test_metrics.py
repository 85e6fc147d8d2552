"""The metrics, by hand and against the published table."""

from math import isnan

import pytest
from acr_benchmarks import metrics

TASKS = ("code", "database", "actions", "data2text", "math", "summary")

PUBLISHED = """
Llama3.1-8B       | 27.4 64.1 82.9 13.7 63.9 7.6  | 21.2 47.7 83.0 15.7 62.6 6.5  | 21.7 25.9 45.5 13.3 37.4 3.4  | 91.6  | 62.5
OLMo2-13B         | 18.8 54.8 56.1 17.2 80.0 -    | 16.3 40.5 49.8 14.3 80.1 -    | 14.4 22.4 13.8 9.0 46.3 -     | 86.5  | 50.5
Claude3-Haiku     | 44.8 85.0 83.5 29.8 73.9 11.6 | 36.3 76.5 80.2 30.1 76.1 9.2  | 31.5 31.8 55.9 18.6 47.1 1.6  | 91.6  | 52.4
4o-mini           | 75.9 89.3 94.1 35.9 88.1 14.9 | 66.7 90.7 92.2 31.2 88.0 12.5 | 50.3 40.2 52.4 19.8 58.7 7.2  | 93.0  | 56.2
Llama3.3-70B      | 72.0 91.1 95.0 34.1 91.7 15.8 | 52.7 87.9 97.0 32.0 91.8 14.7 | 51.6 35.4 71.0 22.4 61.5 10.5 | 93.2  | 64.2
Phi-4             | 53.2 87.6 82.7 23.9 89.2 -    | 48.4 79.6 76.0 28.6 90.4 -    | 39.1 33.1 34.1 23.2 52.5 -    | 99.0  | 61.7
Command-A         | 72.0 91.9 98.5 27.7 94.5 24.3 | 61.6 86.1 98.4 33.2 91.9 21.3 | 44.9 33.6 72.0 27.9 66.0 4.9  | 97.3  | 60.4
Llama4-Scout      | 73.9 92.7 98.0 35.2 96.3 13.7 | 60.3 81.5 98.3 28.2 92.9 13.7 | 46.4 27.1 69.9 26.1 67.0 12.3 | 91.0  | 66.1
o3                | 86.4 92.0 89.8 40.2 81.6 30.7 | 87.2 83.3 91.5 39.4 80.0 30.4 | 53.0 35.4 60.2 21.7 63.1 26.5 | 98.1  | 64.1
Claude3.7-Sonnet  | 78.0 93.9 95.4 45.6 85.4 29.3 | 76.2 81.5 96.0 53.3 87.2 28.9 | 65.6 34.9 33.3 35.1 70.0 23.6 | 100.4 | 65.9
DeepSeek-R1       | 99.4 92.1 97.0 27.0 95.5 26.1 | 97.1 89.9 97.0 36.7 92.9 24.4 | 70.9 31.5 47.5 20.0 67.3 17.2 | 103.6 | 60.8
GPT-4o            | 88.4 93.6 96.1 42.1 93.8 23.9 | 82.9 91.7 97.1 32.2 91.9 23.9 | 61.3 42.3 65.0 20.5 67.9 10.6 | 94.5  | 57.9
Gemini2.5-Flash   | 97.0 96.3 88.4 51.2 90.6 29.1 | 92.5 95.5 89.2 51.9 88.4 29.4 | 68.3 51.3 42.6 31.0 66.1 26.1 | 99.3  | 65.8
GPT-4.1           | 96.6 93.0 94.7 54.6 91.7 26.5 | 88.7 86.5 98.5 54.4 89.7 26.8 | 72.6 46.0 62.9 28.6 70.7 13.3 | 97.9  | 61.8
Gemini2.5-Pro     | 97.4 97.3 97.8 54.8 90.2 31.2 | 95.7 94.9 98.1 56.9 89.3 31.8 | 68.1 43.8 36.3 46.2 64.3 24.9 | 100.1 | 64.5
"""


def rows() -> list[tuple[str, dict[str, float], dict[str, float], dict[str, float], float, float]]:
    """Table 1 of arXiv 2505.06120: per model FULL, CONCAT, SHARDED by task and the two overall columns."""
    parsed = []
    for line in PUBLISHED.strip().splitlines():
        name, *columns = (part.strip() for part in line.split("|"))
        tables = [
            {task: float(cell) for task, cell in zip(TASKS, column.split(), strict=True) if cell != "-"}
            for column in columns[:3]
        ]
        parsed.append((name, tables[0], tables[1], tables[2], float(columns[3]), float(columns[4])))
    return parsed


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_published_overall_columns_come_out(row: tuple) -> None:
    _, full, concat, sharded, of_concat, of_sharded = row
    for other, published in ((concat, of_concat), (sharded, of_sharded)):
        assert 100 * metrics.relative(full, other) == pytest.approx(published, abs=rounding(full, other))


def rounding(full: dict[str, float], other: dict[str, float]) -> float:
    """How far off the rounding of the published cells (to 0.1) may put the figure, at most."""
    shares = [(0.05 + 0.05 * other[task] / full[task]) / full[task] for task in full]
    return 0.05 + 100 * sum(shares) / len(shares)


def test_the_published_mean_drop_comes_out() -> None:
    shares = [metrics.relative(full, sharded) for _, full, _, sharded, _, _ in rows()]
    assert 100 * sum(shares) / len(shares) == pytest.approx(61.0, abs=0.05)


@pytest.mark.parametrize(
    ("full", "sharded", "other", "of_full", "share"),
    [  # Table 5: RECAP and SNOWBALL of 4o-mini and 4o
        (86.8, 50.4, 66.5, 76.6, 44),
        (86.8, 50.4, 61.8, 71.2, 31),
        (93.0, 59.1, 76.6, 82.4, 52),
        (93.0, 59.1, 65.3, 70.2, 18),
    ],
)
def test_the_published_recap_and_snowball_come_out(
    full: float, sharded: float, other: float, of_full: float, share: float
) -> None:
    assert 100 * metrics.relative({"all": full}, {"all": other}) == pytest.approx(of_full, abs=0.1)
    assert 100 * metrics.recovered(sharded, full, other) == pytest.approx(share, abs=0.5)


def test_relative_needs_something_to_compare() -> None:
    with pytest.raises(ValueError, match="no task"):
        metrics.relative({"a": 0.0}, {"a": 1.0})


def test_percentile_by_hand() -> None:
    assert metrics.percentile([3.0], 90) == 3.0
    assert metrics.percentile([0, 1], 90) == pytest.approx(0.9)
    assert metrics.percentile([4, 1, 3, 2, 5], 50) == 3
    assert metrics.percentile(list(range(11)), 90) == 9
    with pytest.raises(ValueError, match="no values"):
        metrics.percentile([], 50)


def test_aptitude_and_unreliability_by_hand() -> None:
    table = {"a": [0.0] * 5 + [1.0] * 5, "b": [1.0] * 10}
    assert metrics.mean(table) == pytest.approx(0.75)
    assert metrics.aptitude(table) == pytest.approx(1.0)
    assert metrics.unreliability(table) == pytest.approx(0.5)
    # nine zeros and a one: P90 = 0.1 by linear interpolation (place 8.1 of 0..9)
    assert metrics.aptitude({"a": [0.0] * 9 + [1.0]}) == pytest.approx(0.1)


def test_no_aptitude_from_few_runs() -> None:
    table = {"a": [1.0] * 10, "b": [1.0] * 4}
    assert metrics.aptitude(table) is None
    assert metrics.unreliability(table) is None


def test_gap_recovered() -> None:
    assert metrics.recovered(0.2, 0.8, 0.5) == pytest.approx(0.5)
    assert metrics.recovered(0.2, 0.8, 0.2) == 0
    assert metrics.recovered(0.2, 0.8, 0.1) < 0
    assert isnan(metrics.recovered(0.8, 0.8, 0.9))
    assert isnan(metrics.recovered(0.9, 0.8, 0.9))


def test_the_interval_is_about_the_standard_error() -> None:
    table = {str(n): [float(n % 2)] for n in range(100)}
    interval = metrics.mean_interval(table, resamples=4000)
    assert interval.value == 0.5
    assert interval.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.02)
    assert interval.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.02)


def test_pairing_makes_the_interval_narrow() -> None:
    easy = {str(n): [0.9 if n % 2 else 0.1] for n in range(40)}
    plus = {item: [scores[0] + 0.05] for item, scores in easy.items()}
    result = metrics.paired(plus, easy, resamples=500)
    assert result.difference.value == pytest.approx(0.05)
    assert result.difference.low == pytest.approx(0.05)
    assert (result.better, result.worse, result.same) == (40, 0, 0)
    assert result.p < 0.01


def test_pairs_are_the_items_both_have() -> None:
    result = metrics.paired({"a": [1.0], "b": [1.0]}, {"b": [0.0], "c": [0.0]}, resamples=50)
    assert result.difference.value == 1.0
    assert result.better == 1
    with pytest.raises(ValueError, match="in common"):
        metrics.paired({"a": [1.0]}, {"b": [1.0]})


def test_sign_flip_by_hand() -> None:
    assert metrics.sign_flip([1.0, 1.0, 1.0]) == pytest.approx(2 / 8)  # +++ and ---
    assert metrics.sign_flip([1.0, -1.0]) == 1.0
    assert metrics.sign_flip([0.0, 0.0]) == 1.0
    assert metrics.sign_flip([1.0] * 10) == pytest.approx(2 / 1024)


def test_sign_flip_is_exact_for_many_items_too() -> None:
    differences = [1.0] * 11 + [-1.0] * 3  # two-sided binomial tail: 1 + 14 + 91 + 364 ways on a side
    assert metrics.sign_flip(differences) == pytest.approx(2 * 470 / 2**14)
    thirds = [1 / 3, 2 / 3, -1 / 3]  # sums of +-1 +-2 +-1 at least 2 away from 0: 4, 2, 2 and their opposites
    assert metrics.sign_flip(thirds) == pytest.approx(6 / 8)


def test_sign_flip_by_drawing_agrees_with_the_exact_one() -> None:
    uneven = [(1 + n * 1e-5) * (1.0 if n < 11 else -1.0) for n in range(14)]  # no common part
    assert metrics.whole_steps([abs(value) for value in uneven]) is None
    assert metrics.sign_flip(uneven, resamples=20_000) == pytest.approx(2 * 470 / 2**14, abs=0.03)
    few = [1.0, 0.123456, -0.031]
    assert metrics.sign_flip(few, resamples=20_000) == pytest.approx(4 / 8, abs=0.01)


def test_an_interval_without_a_gap_says_nothing() -> None:
    flat = {str(n): [1.0] for n in range(5)}
    interval = metrics.recovered_interval(flat, flat, flat, resamples=50)
    assert isnan(interval.value) and isnan(interval.low)


def test_recovered_interval_resamples_the_three_together() -> None:
    full = {str(n): [1.0] for n in range(10)}
    lost = {str(n): [0.0] for n in range(10)}
    half = {str(n): [0.5] for n in range(10)}
    interval = metrics.recovered_interval(lost, full, half, resamples=200)
    assert (interval.value, interval.low, interval.high) == (0.5, 0.5, 0.5)
