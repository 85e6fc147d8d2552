import pytest
from acr_training.curve import learning, plot
from acr_training.fit import Recipe
from training.synthetic import world


@pytest.fixture(scope="module")
def curves():
    data = world(200)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("acr_training.curve.REPEATS", 4)
        return learning(data.of("train"), data.of("dev", "test"), Recipe("linear", strength=0.3), 0.5)


def test_more_conversations_help_and_shuffled_outcomes_do_not(curves):
    real, shuffled = curves["real"], curves["shuffled"]
    assert [row["conversations"] for row in real] == sorted({row["conversations"] for row in real})
    assert real[-1]["regret"] < real[0]["regret"]
    assert real[-1]["regret"] < 0.7 * shuffled[-1]["regret"]
    assert shuffled[-1]["regret"] > 0.8 * min(row["regret"] for row in curves["constant"])
    assert all(row["low"] <= row["regret"] <= row["high"] for row in real + shuffled)


def test_the_picture(curves, tmp_path):
    pytest.importorskip("matplotlib")
    plot(tmp_path / "c.png", curves, "signals")
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
