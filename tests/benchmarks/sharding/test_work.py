"""`acr shard` from the outside: from instructions to items that the benchmark runs, killed in between."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from acr_benchmarks import task
from acr_benchmarks.cli.shard import alone
from acr_benchmarks.sharding import work
from acr_benchmarks.tasks.math import Math
from typer.testing import CliRunner

from acr.errors import BenchmarkError

PENS = {
    "task_id": "pens",
    "question": "Tom has 3 pens. Ann has 4 pens. How many pens are there?",
    "answer": "3+4 #### 7",
    "source": "kept \u2028 as it is",
}
CUPS = {
    "task_id": "cups",
    "question": "Bo has 5 cups. Bo buys 6 cups. How many cups has Bo?",
    "answer": "#### 11",
}
SHORT = {"task_id": "short", "question": "What is 1 + 1?", "answer": "#### 2"}


def sentences(text: str) -> list[str]:
    return [
        f"{part.strip()}{mark}" for part, mark in zip(text.replace("?", ".").split("."), "..?", strict=False)
    ]


def answer(body: dict) -> str:
    """A model that cuts at the ends of sentences, says the question first, and adds up all numbers."""
    system, user = (message["content"] for message in body["messages"])
    instruction = user.partition("Instruction:\n")[2].partition("\n\n")[0]
    if "Copy out the parts" in system:
        return json.dumps({"segments": sentences(instruction)})
    if "Rewrite the parts" in system:
        first, second, question = sentences(instruction)
        rows = [
            {"shard": text, "variants": [f"so: {text}", f"well, {text}", "99"]}
            for text in (question, first, second)
        ]
        return f"Here:\n```json\n{json.dumps({'shards': rows})}\n```"
    digits = [int(word) for word in user.replace("?", " ").split() if word.isdigit()]
    return f"Answer: {sum(digits)}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (PENS, CUPS, SHORT)), encoding="utf-8")
    return path


async def start(*arguments: str, module: str = "acr_benchmarks") -> asyncio.subprocess.Process:
    words = ["shard"] if module == "acr_benchmarks" else []
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *words,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={
            key: value for key, value in os.environ.items() if key not in ("ACR_UPSTREAM", "OPENAI_BASE_URL")
        },
    )


async def said(*arguments: str) -> tuple[int, str]:
    process = await start(*arguments)
    output, _ = await process.communicate()
    return process.returncode or 0, " ".join(output.decode().split())


async def test_from_instructions_to_items(server, file: Path, tmp_path: Path, make_completion) -> None:
    server.handler = lambda body: make_completion(answer(body))
    out = tmp_path / "work"
    code, output = await said(str(file), "--out", str(out), "--base-url", server.url, "--runs", "3")
    assert code == 0, output
    assert "2 of 3 to review" in output
    assert "short: 0 pieces; dropped: the model found fewer than 3 segments" in output
    text = (out / "review.md").read_text(encoding="utf-8")
    assert "verified: FULL 100%, CONCAT 100%, SHUFFLE-CONCAT 100% (3 runs each)" in text
    assert "> Tom has 3 pens. Ann has 4 pens." in text and "checks: nothing found" in text
    assert "99" not in text, "a wording with another number is none"

    calls = len(server.requests)
    code, _ = await said(str(file), "--out", str(out), "--base-url", server.url, "--runs", "3")
    assert code == 0 and len(server.requests) == calls, "what is done is not done again"

    edited = text.replace("- [ ] accept", "- [x] accept", 1).replace(
        "2. Tom has 3 pens.", "2. Tom owns 3 pens."
    )
    (out / "review.md").write_text(edited, encoding="utf-8")
    code, output = await said("--accept", str(out / "review.md"))
    assert code == 0 and "1 items written" in output, output
    (item,) = task.read(out / "items.jsonl", "math")
    assert [shard.text for shard in item.shards] == [
        "How many pens are there?",
        "Tom owns 3 pens.",
        "Ann has 4 pens.",
    ]
    assert item.shards[2].variants == ("so: Ann has 4 pens.", "well, Ann has 4 pens.")
    assert item.data["source"] == PENS["source"]
    assert Math().score(item, "7") == 1.0

    await said(str(file), "--out", str(out), "--base-url", server.url, "--runs", "3")
    assert (out / "review.md").read_text(encoding="utf-8") == edited, "a person's work is not overwritten"


async def test_killed_it_goes_on_where_it_was(
    server, file: Path, tmp_path: Path, make_completion, wait_for
) -> None:
    server.handler = lambda body: make_completion(answer(body))
    server.delay = 0.2
    out = tmp_path / "work"
    arguments = [str(file), "--out", str(out), "--base-url", server.url, "--runs", "3", "--concurrency", "1"]
    process = await start(*arguments)
    await wait_for(lambda: len(server.requests) >= 7)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert not (out / "review.md").exists()
    with (out / "steps.jsonl").open("a", encoding="utf-8") as steps:
        steps.write('["cups", "segm')  # a torn line
    server.delay = 0.0
    assert len(work.steps(out / "steps.jsonl")) >= 4
    code, output = await said(*arguments)
    assert code == 0, output
    whole = 2 * (2 + 9) + 2  # two items: two steps and nine answers; one that is asked for segments twice
    assert len(server.requests) <= whole + 1, "at most the call that was cut off is repeated"


async def test_checks_warn_and_the_person_decides(
    server, file: Path, tmp_path: Path, make_completion
) -> None:
    server.handler = lambda body: make_completion(answer(body))
    out = tmp_path / "work"
    await said(str(file), "--out", str(out), "--base-url", server.url, "--runs", "0")
    text = (out / "review.md").read_text(encoding="utf-8")
    assert "not verified: no runs" in text
    changed = text.replace("- [ ] accept", "- [x] accept").replace(
        "2. Bo has 5 cups.", "2. Bo has five cups."
    )
    (out / "review.md").write_text(changed, encoding="utf-8")
    count, problems = work.accept(out / "review.md", tmp_path / "x" / "mine.jsonl")
    assert (count, problems) == (2, ["cups: number '5' is missing from the pieces"])
    assert len(task.read(tmp_path / "x" / "mine.jsonl", "math")) == 2
    (out / "review.md").write_text(changed.replace("3. Bo buys 6 cups.", ""), encoding="utf-8")
    with pytest.raises(BenchmarkError, match="'cups' needs at least 3 pieces"):
        work.accept(out / "review.md", tmp_path / "x" / "mine.jsonl")


async def test_another_instruction_of_the_same_id_is_refused(
    server, file: Path, tmp_path: Path, make_completion
) -> None:
    server.handler = lambda body: make_completion(answer(body))
    arguments = ["--out", str(tmp_path / "work"), "--base-url", server.url, "--runs", "0"]
    await said(str(file), *arguments)
    other = PENS | {"question": "Tom has 3 pens. Ann has 9. How many are there?"}
    (tmp_path / "other.jsonl").write_text(json.dumps(other), encoding="utf-8")
    code, output = await said(str(tmp_path / "other.jsonl"), *arguments)
    assert code == 1 and "'pens' is another instruction" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a file of instructions"),
        (["none.jsonl"], "no model server"),
        (["none.jsonl", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"], "cannot read none.jsonl"),
        (["--accept", "none.md"], "cannot read none.md"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ACR_UPSTREAM", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(alone, arguments)
    assert result.exit_code == 1 and message in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_ids_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for rows in ([{"question": "?"}], [PENS, PENS], ["text"]):
        path.write_text(json.dumps(rows))
        with pytest.raises(BenchmarkError, match="task_id of its own"):
            work.instructions(path, "math", None)


def test_it_is_a_command_of_acr() -> None:
    from importlib.metadata import entry_points

    (entry,) = entry_points(group="acr.commands", name="shard")
    assert entry.load().registered_commands[0].name == "shard"
