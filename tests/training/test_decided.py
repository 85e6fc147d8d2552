import pytest
from acr_training import decided
from training.synthetic import world

from acr.decision import Decision
from acr.errors import TrainingError

DATA = world(6)
MADE = [Decision("recap" if number % 2 else None, "why", number / 10) for number in range(6)]


def test_what_is_kept_is_measured_again(tmp_path):
    file = tmp_path / decided.FILE
    decided.add(file, {"one": decided.of(MADE[:3], DATA.rows(range(3)))})
    decided.add(file, {"one": decided.of(MADE[3:], DATA.rows(range(3, 6))), "two": {}})
    found = decided.load(file)
    assert list(found) == ["one", "two"]
    again = decided.at("one", found["one"], DATA)
    assert [(one.operator, one.confidence) for one in again] == [(m.operator, m.confidence) for m in MADE]


def test_what_is_not_there_is_told(tmp_path):
    with pytest.raises(TrainingError, match="of one no decision is kept at 6 of 6"):
        decided.at("one", {}, DATA)
    for content in ("[]", '{"one": 3}', '{"one": {"a": 1}}', "{"):
        (tmp_path / "x.json").write_text(content)
        with pytest.raises(TrainingError, match=r"one|x\.json"):
            decided.load(tmp_path / "x.json")
    with pytest.raises(TrainingError, match="holds no decisions"):
        decided.load(tmp_path / "nowhere.json")
