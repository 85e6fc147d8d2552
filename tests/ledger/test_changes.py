import pytest

from acr.ledger.sentence import sentence


@pytest.mark.parametrize(
    ("text", "how", "old"),
    [
        ("Oat milk, not almond.", "replaced", "almond"),
        ("Use oat milk instead of almond milk.", "replaced", "almond milk"),
        ("Instead of tea, coffee.", "replaced", "tea"),
        ("Nicht am Samstag, sondern am Sonntag.", "replaced", "am Samstag,"),
        ("В субботу, а не в пятницу.", "replaced", "в пятницу"),
        ("Du lait d'avoine, pas d'amande.", "replaced", "d'amande"),
        ("Cocina mexicana en vez de peruana.", "replaced", "peruana"),
        ("Acqua invece di birra.", "replaced", "birra"),
        ("Cuma yerine cumartesi.", "replaced", "Cuma"),
        ("कोला के बजाय पानी।", "replaced", "कोला"),
        ("في عمان بدلا من دبي.", "replaced", "دبي"),
        ("不是星期五，是星期六。", "replaced", "星期五"),
        ("把上海改成杭州。", "replaced", "上海"),
        ("金曜日ではなく土曜日に。", "replaced", "金曜日"),
        ("부산 말고 제주로.", "replaced", "부산"),
        ("Change economy to business.", "replaced", "economy"),
        ("Ändere 12:30 auf 13:00.", "replaced", "12:30"),
        ("Please forget the parking.", "withdrawn", "the parking"),
        ("We don't need the pool.", "withdrawn", "the pool"),
        ("The pool isn't needed any more.", "withdrawn", "The pool"),
        ("Streich das Handgepäck.", "withdrawn", "das Handgepäck"),
        ("Finalement pas besoin du hublot.", "withdrawn", "hublot"),
        ("Ya no necesito la maleta.", "withdrawn", "la maleta"),
        ("Место у окна уже не нужно.", "withdrawn", "Место у окна"),
        ("朝食はいりません。", "withdrawn", "朝食"),
        ("不用靠窗了。", "withdrawn", "靠窗"),
    ],
)
def test_what_a_sentence_says_no_longer_holds(text: str, how: str, old: str) -> None:
    change = sentence(text).changes[0]
    assert (change.how, text[slice(*change.old)].strip()) == (how, old)


@pytest.mark.parametrize(
    "text",
    [
        "He wants to remove a block.",
        "Next, it was Jess's turn to remove a block.",
        "John makes $80 a day without the bonus.",
        "He sold 17 backpacks at the swap meet for $18 each.",
        "Don't forget to include the humidity.",
        "It is not a big jar.",
        "Andy wants to lose 30 pounds.",
        "Wait",
        "not",
        "instead of",
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert not sentence(text).changes
