from acr.ledger import read
from acr.marks import marked, note
from acr.testing import talk


def test_a_note_stands_before_the_full_stop() -> None:
    assert note("With almond milk.", "Use oat milk.") == "With almond milk (→ Use oat milk)."
    assert note("With almond milk.", None) == "With almond milk."


def test_only_overruled_sentences_are_marked() -> None:
    talked = talk("Book for 12 people. It is a birthday.", "ok", "Make it 15 people.")
    assert (
        marked(talked.turns[0], read(talked)) == "Book for 12 people (→ Make it 15 people). It is a birthday."
    )
    assert marked(talked.turns[2], read(talked)) == "Make it 15 people."
