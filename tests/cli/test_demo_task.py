"""Reading a result, and the task itself."""

import pytest

from acr.cli.demo_task import TASK, number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("First 7.\nAnswer: 1,540 dollars.", 1540),
        ("Answer: 12\nno, Answer: $540.", 540),
        ("So it is \\(\\boxed{540}\\), with 60 cakes.", 540),
        ("\\boxed{\\$540}", 540),
        ("It makes 540 dollars.", 540),
        ("**Answer: -2.5**", -2.5),
        ("I need to know more.", None),
    ],
)
def test_the_result_is_read_in_the_forms_models_use(text: str, value: float | None) -> None:
    assert number(text) == value


def test_the_task_tells_its_goal_first_and_last() -> None:
    assert TASK.pieces[0].endswith("?") and TASK.whole.endswith(TASK.pieces[0])
    assert all(piece in TASK.whole for piece in TASK.pieces)
    assert TASK.right(f"Answer: {TASK.answer}") and not TASK.right(f"Answer: {TASK.answer + 1}")
