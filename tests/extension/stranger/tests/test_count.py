from acr_stranger.count import Count

from acr import Rewrite
from acr.testing import assert_edits, talk
from acr.testing.conformance import Conformance


class TestCount(Conformance):
    operator = Count()


def test_it_counts() -> None:
    assert_edits(Count("no."), talk("a", "b", "c"), [Rewrite("2", "(no. 2)\n\nc")])
