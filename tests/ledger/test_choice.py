import pytest

from acr.ledger import read
from acr.testing import talk

LIST = "Here are some:\n1. Ann's Inn\n2. Bob's Place\n3. Cy's Corner"
OR = "Ryokan Miyako or Hotel Kanra?"


@pytest.mark.parametrize(
    ("offer", "said", "taken"),
    [
        (LIST, "I'll take the second one.", "Bob's Place"),
        (LIST, "The last one, please.", "Cy's Corner"),
        (LIST, "Die zweite, bitte.", "Bob's Place"),
        (LIST, "第一个", "Ann's Inn"),
        (OR, "The second one.", "Hotel Kanra"),
        (OR, "The former.", "Ryokan Miyako"),
        ("Lieber Graz oder Linz?", "Das erste.", "Lieber Graz"),
    ],
)
def test_the_user_picks(offer: str, said: str, taken: str) -> None:
    (decision,) = read(talk("Suggest something.", offer, said)).settled
    assert (decision.proposal.text, decision.proposal.turn, decision.settled_by) == (taken, "1", said)


def test_no_the_other_one() -> None:
    ledger = read(talk("Which hotel?", OR, "The second one.", "Hotel Kanra it is.", "No, the other one."))
    picked = [one for one in ledger.settled if one.proposed_by == "assistant"]
    assert [one.proposal.text for one in picked] == ["Ryokan Miyako"]


@pytest.mark.parametrize(
    "said", ["Shorten the second one.", "What about the second one?", "The fourth one.", "No, the other one."]
)
def test_not_every_ordinal_picks(said: str) -> None:
    assert not [one for one in read(talk("Names?", LIST, said)).decisions if one.proposed_by == "assistant"]
