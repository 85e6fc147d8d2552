"""The sandbox: each door closed, by the kernel and by the audit hook, each without the other."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from acr_benchmarks import sandbox
from acr_benchmarks.sandbox import CHILD, Limits

FAST = Limits(seconds=4)


def run(code: str, limits: Limits = FAST) -> sandbox.Ran:
    return sandbox.call(code, "f", [[]], limits)


def test_values_come_back_as_they_are() -> None:
    value = "(1, [2.5, float('inf')], {3}, {'a': None, 4: True}, 'é\\ud800', 10**30, frozenset({1}))"
    ran = run(f"def f(): return {value}")
    assert ran.errors == []
    assert ran.results == [(1, [2.5, float("inf")], {3}, {"a": None, 4: True}, "é\ud800", 10**30, {1})]


def test_each_call_is_its_own() -> None:
    ran = sandbox.call("def f(x): return 1 / x", "f", [[1], [0], [2]], FAST)
    assert ran.results == [1.0, 0.5]
    assert ran.errors == ["ZeroDivisionError: division by zero"]


def test_time_is_up() -> None:
    start = time.monotonic()
    assert run(
        "def f():\n    while True:\n        try:\n            while True: pass\n        except: pass",
        Limits(1),
    ).errors == ["timeout"]
    assert time.monotonic() - start < 10


def test_memory_is_up() -> None:
    assert run("def f(): return len(bytearray(10**10))").errors == ["MemoryError: "]


def test_output_is_up() -> None:
    assert run("def f(): return 'x' * 10**7").errors == ["too much output"]


def test_what_it_left_is_gone(tmp_path: Path) -> None:
    ran = run("import os\ndef f():\n    open('kept', 'w').write('x')\n    return os.getcwd()")
    assert not Path(ran.results[0]).exists()


ATTACKS = {
    "socket": "import socket; socket.socket()",
    "udp": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "write": "open({outside!r}, 'w')",
    "write-low": "import os; os.open({outside!r}, os.O_WRONLY | os.O_CREAT)",
    "append-link": "import os; os.symlink({folder!r}, 'link'); open('link/outside', 'a')",
    "mkdir": "import os; os.mkdir({outside!r})",
    "remove": "import os; os.remove({victim!r})",
    "rename": "import os; os.rename({victim!r}, 'mine')",
    "fork": "import os; os.fork()",
    "program": "import subprocess; subprocess.run(['/bin/true'], check=True)",
    "system": "import os; assert os.system('true') == 0",
    "kill": "import os; os.kill(os.getppid(), 0)",
}
HALF = """
import os, runpy, sys
sys.argv = ["x"]
child = runpy.run_path({child!r}, run_name="child")
folder = os.path.realpath({inside!r})
os.chdir(folder)
if {kernel}:
    assert child["lock"](folder), "the kernel has no lock"
else:
    sys.addaudithook(child["guard"](folder))
try:
    {attack}
except (PermissionError, BlockingIOError, AssertionError) as error:
    os.write(1, b"refused: " + type(error).__name__.encode())
else:
    os.write(1, b"done")
"""


@pytest.mark.parametrize("kernel", [True, False], ids=["kernel", "audit"])
@pytest.mark.parametrize("name", ATTACKS)
def test_each_door_is_closed(tmp_path: Path, name: str, kernel: bool) -> None:
    if kernel and run("def f(): return 1").isolation != "kernel":
        pytest.skip("this kernel has no Landlock or no seccomp")
    inside, folder = tmp_path / "inside", tmp_path / "folder"
    inside.mkdir()
    folder.mkdir()
    victim = folder / "victim"
    victim.write_text("precious")
    attack = ATTACKS[name].format(outside=str(folder / "outside"), folder=str(folder), victim=str(victim))
    script = HALF.format(child=str(CHILD), inside=str(inside), kernel=kernel, attack=attack)
    ran = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=30)
    assert ran.stdout.startswith("refused"), ran.stdout + ran.stderr
    assert {path.name for path in folder.iterdir()} == {"victim"}
    assert victim.read_text() == "precious"


def test_the_attacks_work_where_nothing_is_closed(tmp_path: Path) -> None:
    """So that the test above shows something."""
    for name in ("write", "fork", "socket", "system"):
        attack = ATTACKS[name].format(outside=str(tmp_path / "outside"), folder="", victim="")
        ran = subprocess.run([sys.executable, "-I", "-c", attack], capture_output=True, timeout=30)
        assert ran.returncode == 0, name


def test_files_of_the_machine_cannot_be_read() -> None:
    ran = run("def f(): return open('/etc/passwd').read()")
    if ran.isolation != "kernel":
        pytest.skip("this kernel has no Landlock or no seccomp")
    assert ran.errors and ran.errors[0].startswith("PermissionError")


def test_the_standard_library_works() -> None:
    ran = run(
        "import bisect, collections, datetime, decimal, fractions, functools, heapq, itertools, json, math, random, re,"
        " statistics, string, typing\ndef f(): return math.comb(5, 2)"
    )
    assert ran.results == [10], ran.errors


def test_nonsense_is_an_error() -> None:
    assert run("def f(:").errors[0].startswith("SyntaxError")
    assert run("x = 1").errors == ["NameError: no function is defined"]
    assert run("def f(): return f()").errors[0].startswith("RecursionError")
    assert run("def f():\n    x = []\n    x.append(x)\n    return x").errors == [
        "TypeError: nested too deeply"
    ]
    assert run("def f(): return object()").errors == ["TypeError: returned a object"]


def test_a_forged_line_is_no_crash() -> None:
    forged = [
        "[]",
        "{",
        '{"result": {"dict": [[{"list": []}, 1]]}}',
        '{"result": {"float": "x"}}',
        '{"result": {"set": 1}}',
    ]
    for line in forged:
        code = f"import os\ndef f():\n    [os.write(fd, {line + chr(10)!r}.encode()) for fd in range(3, 9) if ok(fd)]\n    return 1\n"
        code += "def ok(fd):\n    try: os.fstat(fd); return True\n    except OSError: return False\n"
        ran = run(code)
        assert isinstance(ran.results, list)
