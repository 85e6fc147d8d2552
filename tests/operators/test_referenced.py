"""What the user referred to stays in place, verbatim, while what nobody needs goes.

In place means as the assistant's own turn, between the user turns that stood around it: nothing could say more
clearly whose words they are.
"""

import pytest

from acr import registry
from acr.engine import Engine
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators(), deadline=60)

ROME = (
    "What does the trip to Rome cost?",
    "For 1 person, 5 days: 5 * 20 = 100 euro for the trip.",
    "We are 3 people.",
    "The trip costs 3 * 100 = 300 euro for 3 people.",
)
LATER = (
    "We stay 7 days.",
    "The trip costs 3 * 7 * 20 = 420 euro for 3 people.",
    "The train to Rome is 29 euro more.",
)
CODE = "```python\ncost = 5 * 20  # days * euro\nprint(cost)\n```\nThe answer is 100 euro for the trip."
TABLE = "| day | cost of the trip |\n|---|---|\n| all 5 | 5 * 20 = 100 euro |"

CASES = {
    "two answers": (
        [*ROME, "Why did you write “5 * 20 = 100”?", "A day costs 20 euro.", "And “3 * 100 = 300”?", "Each pays 100.", *LATER],
        ROME[1::2],
    ),
    "the first table": (
        [ROME[0], TABLE, ROME[2], TABLE.replace("5 * 20 = 100", "3 * 100 = 300"), "What is “all 5” in the first table?",
         "The number of days.", "The bus is 10 euro.", "The trip costs 3 * 100 + 10 = 310 euro.", "The train is 29 euro more."],
        [TABLE],
    ),
    "code": (
        [ROME[0], CODE, *ROME[2:], "What does “# days * euro” say?", "That 5 days cost 20 euro each.", *LATER],
        [CODE],
    ),
    "chinese": (
        ["去罗马的旅行多少钱？", "1个人5天：5 * 20 = 100欧元。", "我们有3个人。", "旅行费用是3个人 3 * 100 = 300欧元。",
         "为什么你写“5 * 20 = 100”？", "每天20欧元。", "我们住7天。", "旅行费用是3个人 3 * 7 * 20 = 420欧元。", "火车还要29欧元。"],
        ["1个人5天：5 * 20 = 100欧元。"],
    ),
    "arabic": (
        ["كم تكلفة الرحلة إلى روما؟", "لشخص واحد 5 أيام: 5 * 20 = 100 يورو.", "نحن 3 أشخاص.", "تكلفة الرحلة 3 * 100 = 300 يورو.",
         "لماذا كتبت “5 * 20 = 100”؟", "اليوم يكلف 20 يورو.", "الحافلة 10 يورو.", "تكلفة الرحلة 3 * 100 + 10 = 310 يورو.", "القطار 29 يورو."],
        ["لشخص واحد 5 أيام: 5 * 20 = 100 يورو."],
    ),
    "hebrew": (
        ["כמה עולה הטיול לרומא?", "לאדם אחד, 5 ימים: 5 * 20 = 100 אירו.", "אנחנו 3 אנשים.", "הטיול עולה 3 * 100 = 300 אירו.",
         "למה כתבת “5 * 20 = 100”?", "יום עולה 20 אירו.", "האוטובוס 10 אירו.", "הטיול עולה 3 * 100 + 10 = 310 אירו.", "הרכבת 29 אירו."],
        ["לאדם אחד, 5 ימים: 5 * 20 = 100 אירו."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("operator", ["consolidate", "prune"])
@pytest.mark.parametrize("case", CASES)
async def test_what_is_referred_to_stays_in_place(case: str, operator: str) -> None:
    said, referred = CASES[case]
    outcome = await ENGINE.run(talk(*said), operator=operator)
    assert outcome.failure is None
    kept = [turn for turn in outcome.conversation if turn.state == "kept" and turn.role == "assistant"]
    assert [turn.text for turn in kept if turn.text in referred] == list(referred)


async def test_while_the_stale_answer_goes() -> None:
    said, _ = CASES["two answers"]
    outcome = await ENGINE.run(talk(*said), operator="consolidate")
    texts = [turn.text for turn in outcome.conversation]
    assert LATER[1] not in texts and texts[-1] == f"{LATER[0]} {LATER[2]}"


async def test_no_space_is_put_between_chinese_sentences() -> None:
    said, _ = CASES["chinese"]
    outcome = await ENGINE.run(talk(*said), operator="consolidate")
    assert outcome.conversation.turns[-1].text == "我们住7天。火车还要29欧元。"
