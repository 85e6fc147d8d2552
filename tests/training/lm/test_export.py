"""What is served decides as what was trained."""

import json
from pathlib import Path

import pytest
from acr_training.lm import export, model
from support.lm import examples

from acr import registry
from acr.dialects import chat
from acr.errors import TrainingError
from acr.lm import LM
from acr.signals import observe

from .conftest import Ran

pytestmark = pytest.mark.filterwarnings("ignore")  # of torch and transformers, about themselves


def test_the_folder_of_a_run_serves_and_decides_right(taught: Ran) -> None:
    controller = registry.controller(str(taught.out / "controller"))
    assert isinstance(controller, LM)
    controller.load()
    right = 0
    for state, example in examples(30, seed=7):  # other states than those of the table
        talked = chat.read(state.messages)
        decision = controller.decide(talked, observe(talked))
        right += (decision.operator or "none") == example.label
    assert right >= 28


def test_both_forms_decide_as_torch_does(taught: Ran, made_table: Path, tmp_path: Path) -> None:
    source = taught.out / "controller"
    for made in (export.copied(source, tmp_path / "adapter"), export.merge(source, tmp_path / "merged")):
        result = export.parity(made, made_table)
        assert result["same_decision"] == result["states"] > 20
        assert result["largest_difference"] <= export.TOLERANCE
        assert json.loads((made / "parity.json").read_text()) == result
    from transformers import LlamaForCausalLM

    whole = LlamaForCausalLM.from_pretrained(tmp_path / "merged")
    card, trunk = export.loaded(source)
    prompt = [list(trunk.tokenizer.encode("user also sort the numbers\ndecide").ids)]
    one, other = (model.logits(made, prompt, list(card.tokens)) for made in (whole, model.causal(trunk)))
    assert (one - other).abs().max() < 1e-4


def test_a_served_form_that_differs_is_refused(taught: Ran, made_table: Path, tmp_path: Path) -> None:
    made = export.copied(taught.out / "controller", tmp_path / "adapter")
    scorer = export.Scorer

    class Wrong(scorer):  # type: ignore[valid-type,misc]
        def logits(self, text: str) -> object:
            return super().logits(text)[::-1]

    export.Scorer = Wrong  # type: ignore[misc]
    try:
        with pytest.raises(TrainingError, match="does not decide as torch"):
            export.parity(made, made_table)
    finally:
        export.Scorer = scorer  # type: ignore[misc]


def test_what_is_there_is_not_written_over(taught: Ran) -> None:
    with pytest.raises(TrainingError, match="is not empty"):
        export.copied(taught.out / "controller", taught.out)


async def test_evaluation_measures_it_and_not_the_rules(taught: Ran, made_table: Path) -> None:
    """Its deadline has no say there, and it decides from the first state on."""
    from acr_training import data as arrays
    from acr_training import table
    from acr_training.evaluate import measure

    loaded = arrays.load(made_table)
    rows = await measure(str(taught.out / "controller"), loaded, table.by_state(table.outcomes(made_table)))
    assert len(rows) > 20 and sum(row.right for row in rows) / len(rows) > 0.9
