"""Extracting and running code: right, wrong, malformed and adversarial answers."""

import base64
import gzip
import json
import os
import pickle
import zlib
from pathlib import Path

import pytest
from acr_benchmarks import task
from acr_benchmarks.sandbox import Limits
from acr_benchmarks.soundness import problems
from acr_benchmarks.task import Item, Shard
from acr_benchmarks.tasks import code
from acr_benchmarks.tasks.code import Code, same

from acr.errors import BenchmarkError

TASK = Code()
ITEM = Item(
    "i",
    "code",
    (Shard(1, "?"),),
    {"function": "add", "question": "Add.", "tests": [[[1, 2], 3], [[0, 0], 0], [["a", "b"], "ab"]]},
)


def score(response: str, item: Item = ITEM) -> float | None:
    answer = TASK.extract(item, response)
    return None if answer is None else TASK.score(item, answer.text)


@pytest.mark.parametrize(
    "response",
    [
        "```python\ndef add(a, b):\n    return a + b\n```",
        "Here:\n\n```\ndef add(a, b):\n    return a + b\n```\nIt adds.",
        "```python\ndef plus(x, y):\n    return x + y\n```",
        "```py\nfrom operator import add as plus\ndef add(a, b):\n    return plus(a, b)\n```",
        "First `x`:\n```python\ndef add(a, b): return 0\n```\nBetter:\n```python\ndef add(a, b): return a + b\n```",
        "```python\ndef add(a, b): return a + b\n```\nUse it:\n```python\nprint(add(1, 2))\n```",
        "def add(a, b):\n    return a + b",
        "  ```python\n  \n```\n```python\nclass Solution:\n    def add(self, a, b): return a + b\n```",
        "```python\ndef add(a, b):\n    print('noise')\n    return a + b",
    ],
)
def test_right(response: str) -> None:
    assert score(response) == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "```python\ndef add(a, b):\n    return a - b\n```",
        "```python\ndef add(a, b):\n    return 3\n```",
        "```python\ndef add(a):\n    return a\n```",
        "```python\ndef add(a, b):\n    a + b\n```",
        "```python\ndef add(a, b): return a + b\n```\n```python\ndef add(a, b): return None\n```",
        "```python\nimport nothing_like_it\ndef add(a, b): return a + b\n```",
    ],
)
def test_wrong(response: str) -> None:
    assert score(response) == 0.0


@pytest.mark.parametrize(
    "response",
    ["", "No code yet.", "```python\ndef add(a, b)\n```", "```python\nx = 3\n```", "```\n```", "def"],
)
def test_no_answer(response: str) -> None:
    assert score(response) is None


@pytest.mark.parametrize(
    "body",
    [
        "import sys\ndef add(a, b): sys.exit(0)",
        "import os\ndef add(a, b): os._exit(0)",
        "import os\nos._exit(0)\ndef add(a, b): return a + b",
        "raise SystemExit\ndef add(a, b): return a + b",
        "class Any:\n    def __eq__(self, other): return True\n    __hash__ = None\ndef add(a, b): return Any()",
        "class Text(str):\n    def __eq__(self, other): return True\ndef add(a, b): return Text()",
        "class Number(int):\n    def __eq__(self, other): return True\ndef add(a, b): return Number()",
        "def add(a, b): return [3, 0, 'ab']",
        "def add(a, b): yield a + b",
        "import json\njson.dumps = lambda *_: '{\"result\": 3}'\ndef add(a, b): return 0",
        'import os\nfor fd in range(3, 20):\n    try: os.write(fd, b\'{"result": 3}\\n{"result": 0}\\n\')\n'
        "    except OSError: pass\ndef add(a, b): os._exit(0)",
        "def add(a, b):\n    import sys\n    return sys._getframe(1).f_locals['job']['expected']",
    ],
)
def test_rewards_cannot_be_hacked(body: str) -> None:
    assert score(f"```python\n{body}\n```") in (0.0, None)


def test_values_of_other_kinds_are_not_the_same() -> None:
    assert same((1, [2]), [1, (2,)])
    assert same({1: "a"}, {"1": "a"})
    assert same(0.1 + 0.2, 0.3) and same(2.0, 2)
    assert same({1, 2}, {2, 1})
    assert not same(True, 1) and not same(1, True) and not same(None, False)
    assert not same("1", 1) and not same([1], [1, 1]) and not same({"a": 1}, {"a": 1, "b": 2})
    assert not same(0.3001, 0.3)


CHECK = Item(
    "HumanEval/x",
    "code",
    (Shard(1, "?"),),
    {
        "prompt": "from typing import List\n\ndef total(values: List[int]) -> int:\n    '''Sum.'''\n",
        "entry_point": "total",
        "test": "def check(candidate):\n    assert candidate([1, 2]) == 3\n    assert candidate([]) == 0\n",
    },
)


def test_tests_that_come_as_code() -> None:
    assert score("```python\ndef total(values: List[int]):\n    return sum(values)\n```", CHECK) == 1.0
    assert score("```python\ndef total(values):\n    return 3\n```", CHECK) == 0.0
    for hack in (
        "class Any:\n    def __eq__(self, other): return True\ndef total(values): return Any()",
        "import os\ndef total(values): os._exit(0)",
        "def total(values): raise SystemExit(0)",
    ):
        assert score(f"```python\n{hack}\n```", CHECK) == 0.0


WALK = """
    frame = sys._getframe()
    while frame:
        job = frame.f_locals.get("job")
        if job:
            for line in ({"result": True}, {"result": job.get("nonce")}):
                os.write(job["out"], (json.dumps(line) + "\\n").encode())
            os._exit(0)
        frame = frame.f_back
"""
CHECKER_HACKS = {
    "says that it passed, when called": f"import json, os, sys\ndef total(values):{WALK}    return 0",
    "says that it passed, when loaded": f"import json, os, sys\ndef tell():{WALK}\ntell()\ndef total(values): return 0",
    "runs another test": "import builtins\ndef fake(code, ns): ns['check'] = lambda candidate: None\n"
    "builtins.exec = fake\ndef total(values): return 0",
    "changes the checker": "import sys\nsys.modules['__main__'].checked = lambda *_: {'result': True}\n"
    "sys.modules['__main__'].prepared = lambda *_: {'check': lambda c: None}\ndef total(values): return 0",
    "changes assert": "import builtins\nbuiltins.AssertionError = Warning\ndef total(values): return 0",
    "takes the later calls": "import sys\nsys.stdin.buffer.readlines()\ndef total(values): return 0",
    "answers in advance": "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'{\"result\": true}\\n' * 9)\n"
    "    except OSError: pass\ndef total(values): return 0",
}


@pytest.mark.parametrize("hack", CHECKER_HACKS)
def test_the_checker_cannot_be_hacked(hack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs where the code cannot reach: it only ever sees values."""
    monkeypatch.setattr(code, "LIMITS", Limits(seconds=2, patience=2))
    assert score(f"```python\n{CHECKER_HACKS[hack]}\n```", CHECK) == 0.0


def test_a_test_may_do_what_tests_do() -> None:
    """Many calls, values of every kind, errors that it expects."""
    item = Item(
        "t",
        "code",
        (Shard(1, "?"),),
        {
            "prompt": "def half(x):\n    return x / 2\n\ndef twice(x):\n    pass\n",
            "entry_point": "twice",
            "test": "def check(candidate):\n"
            "    for n in range(300):\n        assert candidate(half(2 * n)) == 2 * n\n"
            "    assert candidate((1, 2)) == (1, 2, 1, 2) and candidate('ab' * 40_000) == 'ab' * 80_000\n"
            "    assert candidate({1: {2}}) == [{1: {2}}, {1: {2}}]\n"
            "    try:\n        candidate(None)\n    except Exception as error:\n        assert 'odd' in str(error)\n"
            "    else:\n        assert False\n",
        },
    )
    code = (
        "def twice(x):\n    if x is None: raise ValueError('odd')\n"
        "    if isinstance(x, dict): return [x, x]\n    return x * 2\n"
    )
    assert TASK.score(item, code) == 1.0
    assert TASK.score(item, code.replace("x * 2", "x * 3")) == 0.0


def livecode(private: object) -> Item:
    public = json.dumps([{"input": "[1, 2]\n3", "output": "6", "testtype": "functional"}])
    packed = base64.b64encode(zlib.compress(pickle.dumps(private))).decode()
    return Item(
        "lcb",
        "code",
        (Shard(1, "?"),),
        {
            "question_content": "Sum and add.",
            "starter_code": "class Solution:\n    def go(self, values, more): ...",
            "metadata": json.dumps({"func_name": "go"}),
            "public_test_cases": public,
            "private_test_cases": packed,
        },
    )


def test_live_code_bench_items() -> None:
    item = livecode(json.dumps([{"input": "[]\n1", "output": "1"}]))
    assert TASK.full(item).startswith("Sum and add.\n\nclass Solution")
    assert score("```python\nclass Solution:\n    def go(self, v, m): return sum(v) + m\n```", item) == 1.0
    assert score("```python\ndef other(v, m): return sum(v) + m\n```", item) == 1.0
    assert score("```python\ndef go(v, m): return 6\n```", item) == 0.0


def test_a_pickle_that_would_run_something_is_refused(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple:
            return (os.mkdir, (str(tmp_path / "evil"),))

    with pytest.raises(BenchmarkError, match="refused"):
        code.tests(livecode(Evil()))
    assert not (tmp_path / "evil").exists()


def test_items_without_what_is_needed_are_named() -> None:
    empty = Item("e", "code", (Shard(1, "?"),), {})
    for method in (lambda: TASK.full(empty), lambda: code.function(empty), lambda: code.tests(empty)):
        with pytest.raises(BenchmarkError, match="'e'"):
            method()


@pytest.mark.data
def test_human_eval_solutions_pass(shared: Path) -> None:
    lines = gzip.decompress((shared / "data" / "HumanEval.jsonl.gz").read_bytes()).splitlines()
    for row in map(json.loads, [lines[33], *lines[::16]]):  # 33: its test calls the function by name
        item = Item(row["task_id"], "code", (Shard(1, "?"),), row)
        assert TASK.score(item, row["prompt"] + row["canonical_solution"]) == 1.0, row["task_id"]
        assert TASK.score(item, row["prompt"] + "    return None\n") == 0.0, row["task_id"]


ITEMS = task.read(TASK.path(), "code")


def test_there_are_enough_built_in_items() -> None:
    assert len(ITEMS) >= 40


@pytest.mark.parametrize("built_in", ITEMS, ids=lambda built_in: built_in.id)
def test_built_in_items_are_sound(built_in: Item) -> None:
    assert list(problems(built_in, TASK.full(built_in))) == []
    assert built_in.text("function") in built_in.shards[0].text
    assert built_in.text("function") in TASK.full(built_in)
    expected = [json.dumps(value) for _, value in code.tests(built_in)]
    assert len(expected) >= 4
    assert len(set(expected)) >= 2, "a constant must not pass"
    assert TASK.score(built_in, built_in.text("solution")) == 1.0
