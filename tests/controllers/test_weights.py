import json
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acr.controllers import features
from acr.controllers.weights import FILE, Weights, leaf, load, parse
from acr.errors import ConfigError

LINEAR = {
    "schema": 1,
    "controller": "signals",
    "features": ["stale", "reference"],
    "features_version": features.VERSION,
    "labels": ["none", "consolidate"],
    "model": {"kind": "linear", "weights": [[0.0, 1.0], [2.0, -1.0]], "bias": [0.5, -0.5]},
    "temperature": 2.0,
    "threshold": 0.4,
}
TREES = LINEAR | {
    "model": {"kind": "trees", "bias": [0.0, 0.0], "trees": [[0.25, [0, 0.5, -1.0, [1, 0.5, 2.0, -2.0]]]]}
}


def test_a_linear_model():
    found = parse(LINEAR).probabilities([1.0, 0.0])
    assert found[1] == pytest.approx(exp(1.5 / 2) / (exp(0.5 / 2) + exp(1.5 / 2)))
    assert sum(found) == pytest.approx(1.0)


def test_trees():
    model = parse(TREES)
    scores = {(0.0, 0.0): -1.0, (1.0, 0.0): 2.0, (1.0, 1.0): -2.0, (0.5, 1.0): -1.0}
    for values, score in scores.items():
        assert leaf(model.trees[0][1], values) == score
        chance = exp(score / 2) / (exp(score / 2) + exp(0.25 / 2))
        assert model.probabilities(values)[1] == pytest.approx(chance)


@given(st.floats(0, 1))
def test_confidence_is_linear_between_its_points(p):
    points = ((0.2, 0.0), (0.4, 0.1), (0.8, 0.9))
    model = Weights((), ("none",), (0.0,), confidence=points)
    expected = 0.0 if p <= 0.2 else (p - 0.2) / 2 if p <= 0.4 else 0.1 + (p - 0.4) * 2 if p <= 0.8 else 0.9
    assert model.calibrated(p) == pytest.approx(expected)
    assert Weights((), ("none",), (0.0,)).calibrated(p) == p


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema 2"),
        ({"controller": "lm"}, "these are of 'lm'"),
        ({"features_version": 0}, "train anew"),
        ({"features": ["stale", "horoscope"]}, "does not know the feature 'horoscope'"),
        ({"labels": ["consolidate", "none"]}, "first label must be 'none'"),
        ({"labels": ["none", "a", "b"]}, "do not fit together"),
        ({"model": LINEAR["model"] | {"weights": [[1.0], [1.0]]}}, "do not fit together"),
        ({"model": LINEAR["model"] | {"kind": "oracle"}}, "known: linear, trees"),
        ({"model": LINEAR["model"] | {"bias": [0.0, float("nan")]}}, "not weights"),
        ({"model": LINEAR["model"] | {"bias": [0.0, "1"]}}, "not weights"),
        ({"model": TREES["model"] | {"trees": [[0.0, [7, 0.5, 1.0, 1.0]]]}}, "not the number of a feature"),
        ({"model": TREES["model"] | {"trees": [[0.0, [0, 0.5, 1.0]]]}}, "not weights"),
        ({"temperature": 0}, "temperature must be above 0"),
        ({"confidence": [[0.5, 0.1], [0.5, 0.2]]}, "must rise"),
        ({"model": None}, "not weights"),
    ],
)
def test_wrong_weights_are_refused_in_words(tmp_path, change, message):
    (tmp_path / FILE).write_text(json.dumps(LINEAR | change))
    with pytest.raises(ConfigError, match=message):
        load(str(tmp_path))


@pytest.mark.parametrize("content", [None, "", "{", "[]", "7", "{}"])
def test_a_missing_or_broken_file_is_refused_in_words(tmp_path, content):
    if content is not None:
        (tmp_path / FILE).write_text(content)
    with pytest.raises(ConfigError, match=str(tmp_path)):
        load(str(tmp_path))
