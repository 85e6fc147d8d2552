"""What no task may reward, whatever its kind: empty answers, echoes, all answers at once, floods of text."""

import json
from collections.abc import Callable

import pytest
from acr_benchmarks import task
from acr_benchmarks.task import Item, Task

EXACT = ("math", "code", "database", "actions")
TASKS: dict[str, Task] = {name: task.load(name) for name in EXACT}
ITEMS = {name: task.items(made, made.path(), name) for name, made in TASKS.items()}
EVERY = [(name, item) for name in EXACT for item in ITEMS[name]]


def call(reference: list[dict]) -> str:
    """A reference as a model writes it."""
    parts = []
    for one in reference:
        for name, allowed in one.items():
            given = {key: values[0] for key, values in allowed.items() if "" not in values}
            parts.append(f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})")
    return ", ".join(parts)


SOLUTION: dict[str, Callable[[Item], str]] = {
    "math": lambda item: f"Answer: {item.text('answer').rpartition('####')[2].strip()}",
    "code": lambda item: f"```python\n{item.text('solution')}\n```",
    "database": lambda item: f"```sql\n{item.text('reference_sql')}\n```",
    "actions": lambda item: f"[{call(item.data['reference_answer'])}]",
}


def score(name: str, item: Item, response: str) -> float:
    answer = TASKS[name].extract(item, response)
    return 0.0 if answer is None else TASKS[name].score(item, answer.text)


def cheats(name: str, item: Item) -> dict[str, str]:
    made = TASKS[name]
    pieces = "\n".join(shard.text for shard in item.shards)
    return {
        "nothing": "",
        "blanks": " \n\t ",
        "a refusal": "I need more information to solve this.",
        "the system prompt": made.system(item),
        "the instruction": made.full(item),
        "all that was said": f"{made.system(item)}\n{made.full(item)}\n{pieces}",
        "the item without its answer as JSON": json.dumps({"task_id": item.id, "shards": pieces}),
        "signs": "[](){}<>```sql```python```\\boxed{}####Answer:",
        "unicode digits": "Answer: ①⑧ ²³ ⅒",
    }


@pytest.mark.parametrize(("name", "item"), EVERY, ids=[item.id for _, item in EVERY])
def test_nothing_is_earned_by_saying_nothing(name: str, item: Item) -> None:
    assert {cheat: score(name, item, text) for cheat, text in cheats(name, item).items()} == dict.fromkeys(
        cheats(name, item), 0.0
    )


@pytest.mark.parametrize("name", EXACT)
def test_all_answers_at_once_are_one_try(name: str) -> None:
    """Every item's solution in one response: only the last one can count; of bare calls, all count."""
    first, *_, last = ITEMS[name]
    every = "\n\n".join(SOLUTION[name](item) for item in ITEMS[name])
    assert score(name, last, every) == float(name != "actions")
    assert score(name, first, every) == 0.0
    assert score(name, first, SOLUTION[name](first)) == 1.0


@pytest.mark.parametrize("name", EXACT)
def test_a_flood_of_text_is_read_in_time(name: str) -> None:
    """Nothing quadratic, nothing that raises; the right answer at its end still counts."""
    item = ITEMS[name][0]
    right = SOLUTION[name](item)
    for flood in (
        "word " * 100_000,
        "[" * 5_000,
        "(" * 5_000,
        "`" * 20_000,
        "SELECT " * 3_000,
        "1 " * 50_000,
    ):
        assert score(name, item, flood) == 0.0
    assert score(name, item, f"{'word ' * 50_000}\n\n{right}") == 1.0


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("tail", ["\ud800", "\x00", "\u202e", "\u200b", "\r\r\n", "\ufeff"])
def test_odd_characters_do_not_raise(name: str, tail: str) -> None:
    item = ITEMS[name][0]
    right = SOLUTION[name](item)
    for response in (tail, f"{tail}{right}", f"{right}{tail}", right.replace(" ", tail)):
        assert score(name, item, response) in (0.0, 1.0)


def test_digits_of_other_scripts_are_numbers() -> None:
    item = next(item for item in ITEMS["math"] if item.text("answer").endswith("#### 85"))
    assert score("math", item, "Answer: ٨٥") == score("math", item, "Answer: ८५") == 1.0
    assert score("math", item, "Answer: ٩٧") == 0.0


def test_calls_repeated_or_superfluous_do_not_count() -> None:
    for item in ITEMS["actions"]:
        calls = call(item.data["reference_answer"])
        assert score("actions", item, f"[{calls}]") == 1.0
        assert score("actions", item, f"[{calls}, {calls}]") == 0.0
        assert score("actions", item, f"[{calls}, help()]") == 0.0
        assert score("actions", item, f"[{calls}]".replace("(", "(everything=True, ", 1)) == 0.0


def test_a_query_that_returns_everything_does_not_count() -> None:
    for item in ITEMS["database"]:
        reference = item.text("reference_sql")
        for query in (
            f"SELECT * FROM ({reference}) a, ({reference}) b LIMIT 20000",
            f"{reference.rstrip(';')} UNION ALL {reference}",
            "SELECT * FROM sqlite_master",
            "SELECT name FROM sqlite_master WHERE 1 = 0",
            "SELECT NULL",
        ):
            assert score("database", item, f"```sql\n{query}\n```") == 0.0, (item.id, query)


def test_printing_the_expected_values_does_not_count() -> None:
    for item in ITEMS["code"][::8]:
        expected = [value for _, value in item.data["tests"]]
        name = item.text("function")
        for body in (
            f"def {name}(*a):\n    print({expected!r})",
            f"print({expected!r})\ndef {name}(*a): pass",
            f"def {name}(*a): return {expected!r}",
            f"values = iter({[*expected[1:], expected[0]]!r})\ndef {name}(*a): return next(values)",
        ):
            assert score("code", item, f"```python\n{body}\n```") == 0.0, (item.id, body)
