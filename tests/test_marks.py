from acr.ledger import read
from acr.marks import marked, note
from acr.testing import talk


def test_a_note_stands_before_the_full_stop() -> None:
    assert note("With almond milk.", "Use oat milk.") == "With almond milk (→ Use oat milk)."
    assert note("With almond milk.", None) == "With almond milk."


def test_only_overruled_sentences_are_marked() -> None:
    talked = talk("Budget is 300. We are 4 people.", "ok", "Budget is 500.")
    assert marked(talked.turns[0], read(talked)) == "Budget is 300 (→ Budget is 500). We are 4 people."
    assert marked(talked.turns[2], read(talked)) == "Budget is 500."
