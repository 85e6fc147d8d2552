"""Supervised fine-tuning learns what can be learnt, and nothing where there is nothing."""

import pytest

from .conftest import SFT, Ran, Train

pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers, about themselves


def test_the_loss_falls_and_held_out_decisions_get_right(taught: Ran) -> None:
    import json

    curves = json.loads((taught.out / "curves.json").read_text())
    losses = [row["loss"] for row in curves["train"]]
    assert len(losses) == taught.results["steps"]
    assert sum(losses[-5:]) < 0.2 * sum(losses[:5])
    first, last = curves["heldout"][0], curves["heldout"][-1]
    assert first["step"] == 0 and first["accuracy"] < 0.6
    assert last["step"] == taught.results["steps"] and last["accuracy"] > 0.9
    for split in ("dev", "test"):
        assert taught.results[split]["accuracy"] > 0.9
        assert taught.results[split]["regret"] < 0.1
    assert min(row["regret"] for row in taught.results["constant"].values()) > 0.3


def test_on_shuffled_labels_nothing_is_learnt(train: Train) -> None:
    ran = train("sft", shuffle_labels=True, **SFT)
    assert ran.results["test"]["accuracy"] < 0.6
    assert ran.results["dev"]["regret"] > 0.3
