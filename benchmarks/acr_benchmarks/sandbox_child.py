"""The inside of the sandbox: lock the door, run the code, say what came out. Standard library only.

Started by `acr_benchmarks.sandbox` as a script with `python -I -S -B`; gets its job as a line of JSON on its
standard input, and writes one JSON line a result to the descriptor that the job names. Expected values never
come into the process that runs the code, so the code can only be right, not pretend to be.

The door, on Linux: resource limits; Landlock (no write outside the working folder, no read outside Python's
own folders, no program started); seccomp (no socket, no process, no signal). Everywhere, and where the
kernel lacks one of these: an audit hook that refuses the same things at the level of Python. The audit hook
alone stops code that means no harm, not code that does.
"""

import ast
import ctypes
import json
import os
import platform
import resource
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

PLAIN = (bool, int, float, str, type(None))

# Landlock, linux/landlock.h
EXECUTE, READ_FILE, READ_DIR = 1 << 0, 1 << 2, 1 << 3
READ = READ_FILE | READ_DIR
READABLE = {
    sys.prefix,
    sys.base_prefix,
    sys.exec_prefix,
    "/usr",
    "/lib",
    "/lib64",
    "/dev/urandom",
    "/dev/null",
}
ALL_FS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Access rights known to each version of the interface, from which on."""
CREATE_RULESET, ADD_RULE, RESTRICT_SELF, PATH_BENEATH = 444, 445, 446, 1

# seccomp, by architecture: audit number, and system calls that are refused
REFUSED = {
    "x86_64": (
        0xC000003E,
        # socket connect accept sendto bind listen socketpair, clone fork vfork execve, kill ptrace, mount,
        # setns unshare, process_vm_*, bpf, execveat, io_uring_*, clone3, pidfd_send_signal
        (41, 42, 43, 44, 49, 50, 53, 56, 57, 58, 59, 62, 101, 165, 272, 308, 310, 311, 321, 322, 425, 426,
         427, 435, 424),
    ),
    "aarch64": (
        0xC00000B7,
        (198, 199, 200, 201, 202, 203, 206, 220, 221, 129, 117, 40, 97, 268, 270, 271, 280, 281, 425, 426,
         427, 435, 424),
    ),
}  # fmt: skip
NO_NEW_PRIVS, SET_SECCOMP, FILTER = 38, 22, 2


def main() -> None:
    listen = sys.stdin.buffer.readline
    job = json.loads(listen())
    if not (job.get("serve") or job.get("check")):
        sys.stdin.close()
    limit(job["seconds"], job["memory_mb"], job["output_kb"])
    folder = os.path.realpath(os.getcwd())  # noqa: PTH109 - pathlib would only load slower
    say = teller(job["out"])
    closed = lock(folder)
    say({"isolation": "kernel" if closed else "audit"})
    sys.addaudithook(guard(folder))
    sys.setrecursionlimit(5000)
    if job.get("check"):
        say(checked(job, say, listen))
        return
    try:
        namespace = prepared(job, "solution")
        exec(compile(job["code"], "solution.py", "exec"), namespace)
        function = find(namespace, job["code"], job["function"])
    except BaseException as error:
        say({"error": f"{type(error).__name__}: {error}"[:300]})
        return
    for call in calls(listen) if job.get("serve") else job["calls"]:
        try:
            say({"result": encode(function(*call))})
        except BaseException as error:
            say({"error": f"{type(error).__name__}: {error}"[:300]})


def teller(descriptor: int) -> Callable[[dict[str, Any]], None]:
    """Writes one line. What it needs is bound here, before the code can change any of it."""
    dumps, write = json.dumps, os.write

    def say(line: dict[str, Any]) -> None:
        write(descriptor, (dumps(line) + "\n").encode("utf-8", "backslashreplace"))

    return say


def prepared(job: dict[str, Any], name: str) -> dict[str, Any]:
    """A new namespace with what the task gives to both code and test, but for the function asked for."""
    namespace: dict[str, Any] = {"__name__": name}
    exec(compile(job.get("before") or "", "before.py", "exec"), namespace)
    namespace.pop(job["function"], None)
    return namespace


def calls(listen: Callable[[], bytes]) -> Iterator[list[Any]]:
    """Arguments, call by call, as the test makes them."""
    loads, plain = json.loads, decode
    while line := listen():
        yield plain(loads(line))


def checked(
    job: dict[str, Any], say: Callable[[dict[str, Any]], None], listen: Callable[[], bytes]
) -> dict[str, Any]:
    """Run a test that comes as code (`check(candidate)`). The candidate runs in another process: it is sent
    arguments and answers with plain values, so that it cannot be an object that equals everything.
    """

    def candidate(*arguments: Any) -> Any:
        say({"call": encode(list(arguments))})
        answer = json.loads(listen())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return decode(answer["result"])

    try:
        tests = prepared(job, "test")
        tests[job["function"]] = candidate  # some tests of HumanEval call it by its name
        exec(compile(job["check"], "test.py", "exec"), tests)
        tests["check"](candidate)
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"result": True}


def find(namespace: dict[str, Any], code: str, name: str) -> Callable[..., Any]:
    """The function of that name, also as a method of `class Solution`; else the last one defined."""
    if callable(namespace.get(name)):
        return namespace[name]  # type: ignore[no-any-return]
    solution = namespace.get("Solution")
    if isinstance(solution, type) and callable(getattr(solution, name, None)):
        return getattr(solution(), name)  # type: ignore[no-any-return]
    defined = [node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    if not defined:
        raise NameError("no function is defined")
    return namespace[defined[-1]]  # type: ignore[no-any-return]


def encode(value: Any, depth: int = 0) -> Any:
    """Plain values as JSON that keeps tuples, sets and keys. Raises TypeError for anything else."""
    kind = type(value)
    if depth > 50:
        raise TypeError("nested too deeply")
    if kind in PLAIN:
        return {"float": repr(value)} if kind is float else value
    if kind is list or kind is tuple:
        return {kind.__name__: [encode(one, depth + 1) for one in value]}
    if kind is set or kind is frozenset:
        return {"set": sorted((encode(one, depth + 1) for one in value), key=repr)}
    if kind is dict:
        return {"dict": [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]}
    raise TypeError(f"returned a {kind.__name__}")


def decode(value: Any) -> Any:
    """The reverse of `encode`. Raises ValueError or TypeError for what it would not make."""
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "float":
        return float(content)
    if kind == "dict":
        return {decode(key): decode(one) for key, one in content}
    return {"list": list, "tuple": tuple, "set": set}[kind](map(decode, content))


def limit(seconds: float, memory_mb: int, output_kb: int) -> None:
    """Resource limits of this process."""
    whole = int(seconds) + 1
    for what, most in (
        (resource.RLIMIT_CPU, whole),
        (resource.RLIMIT_AS, memory_mb << 20),
        (resource.RLIMIT_FSIZE, output_kb << 10),
        (resource.RLIMIT_NOFILE, 32),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(what, (most, most + (what == resource.RLIMIT_CPU)))
        except (ValueError, OSError):  # macOS knows no RLIMIT_AS
            continue


def lock(folder: str) -> bool:
    """Close the kernel's doors; True if all are closed."""
    if sys.platform != "linux":
        return False
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            return False
        return landlock(libc, folder) and seccomp(libc)
    except (OSError, AttributeError):
        return False


def landlock(libc: Any, folder: str) -> bool:
    """Files: all in `folder`; reading in Python's and the system's libraries; nothing else."""
    version = libc.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    rights = ALL_FS[max(known for known in ALL_FS if known <= version)]
    handled = struct.pack("<Q", rights)
    rules = libc.syscall(CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return False
    readable = {
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        "/usr",
        "/lib",
        "/lib64",
        "/dev/urandom",
        "/dev/null",
    }
    for path, access in [(folder, rights & ~1), *((path, READ) for path in readable)]:  # 1 is EXECUTE
        if not os.path.exists(path):  # noqa: PTH110
            continue
        if not os.path.isdir(path):  # noqa: PTH112
            access = READ_FILE  # the only one of these that a file may have
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("<Qi", access, descriptor)
        failed = libc.syscall(ADD_RULE, rules, PATH_BENEATH, rule, 0)
        os.close(descriptor)
        if failed:
            return False
    closed = libc.syscall(RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return bool(closed)


def seccomp(libc: Any) -> bool:
    """Refuse sockets, processes and signals with EPERM; another architecture's calls end the process."""
    machine = platform.machine()
    if machine not in REFUSED:
        return False
    audit, calls = REFUSED[machine]
    load, equal, give = 0x20, 0x15, 0x06  # BPF: load word, jump if equal, return
    allow, refuse, kill = 0x7FFF0000, 0x00050000 | 1, 0x80000000
    program = [(load, 0, 0, 4), (equal, 1, 0, audit), (give, 0, 0, kill), (load, 0, 0, 0)]
    for index, call in enumerate(calls):
        program.append((equal, len(calls) - index, 0, call))
    program += [(give, 0, 0, allow), (give, 0, 0, refuse)]
    code = b"".join(struct.pack("<HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(buffer))
    return bool(libc.prctl(SET_SECCOMP, FILTER, header, 0, 0) == 0)


NEVER = (
    "socket.", "subprocess.", "ctypes.", "os.exec", "os.fork", "os.spawn", "os.posix_spawn", "os.kill",
    "os.system", "os.startfile", "pty.", "urllib.", "ftplib.", "smtplib.", "webbrowser.", "signal.",
)  # fmt: skip
"""Audit events that are always refused, by how they begin."""
TOUCHING = (
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.chmod", "os.chown", "os.link", "os.symlink",
    "os.truncate", "os.utime", "shutil.",
)  # fmt: skip
"""Audit events that are refused outside the working folder."""


def guard(folder: str) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that refuses what the kernel refuses, where it can be told from Python."""
    real, join, writing = os.path.realpath, os.path.join, os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

    def inside(path: Any) -> bool:
        if isinstance(path, int) or path is None:
            return True
        text = os.fsdecode(path)
        return f"{real(join(folder, text))}/".startswith(f"{folder}/")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(NEVER):
            raise PermissionError(f"{event} is not allowed here")
        if event == "open":
            path, mode, flags = arguments
            changes = isinstance(mode, str) and any(sign in mode for sign in "wax+")
            if (changes or (flags or 0) & writing) and not inside(path):
                raise PermissionError("writing outside the working folder is not allowed")
        if event.startswith(TOUCHING):
            paths = [argument for argument in arguments if isinstance(argument, str | bytes)]
            if not all(map(inside, paths)):
                raise PermissionError(f"{event} outside the working folder is not allowed")

    return hook


if __name__ == "__main__":
    main()
