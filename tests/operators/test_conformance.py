"""Our own operators pass the suite that strangers' operators are held to, alone and one after the other."""

import pytest

from acr import registry
from acr.testing import FixedOperator, assert_edits, run, talk
from acr.testing.cases import CASES
from acr.testing.conformance import Conformance

for name, operator in registry.operators().items():
    globals()[f"Test_{name}"] = type(f"Test_{name}", (Conformance,), {"operator": operator})


async def test_assert_edits_fails_where_it_must() -> None:
    from acr.edits import Drop, Rewrite

    said = talk("Say a.", "a", "Say b.")
    edits = [Rewrite("2", "x Say b.")]
    assert_edits(FixedOperator(edits), said, edits)
    with pytest.raises(AssertionError):
        assert_edits(FixedOperator(edits), said, [])
    with pytest.raises(AssertionError, match="InvariantError"):
        assert_edits(FixedOperator([Drop("2")]), said, [Drop("2")])


def test_names_of_cases_differ() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 50
    assert run(FixedOperator(), CASES[0].conversation).failure is None
