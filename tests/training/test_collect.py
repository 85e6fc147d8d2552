import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from acr_benchmarks import runner
from acr_training import collect, manifest
from acr_training.commands.collect import items
from acr_training.config import Collect, Endpoint, Source
from acr_training.table import by_state, outcomes, states
from acr_training.units import used

from acr.errors import ConfigError, TrainingError, UpstreamError


def plan(server, out, **more):
    fields = {
        "out": out,
        "source": (Source(task="math", items=6),),
        "model": Endpoint(base_url=server.url),
        "operators": ("consolidate", "recap", "reask"),
    }
    return Collect(**(fields | more))


def math(data, **more):
    return (Source(task="math", data=data, **more),)


def gather(server, out, **more):
    return asyncio.run(collect.run(plan(server, out, **more)))


def final(path):
    """A table without what differs between two runs of the same: order and seconds."""
    rows = [outcome.model_copy(update={"seconds": 0.0}) for outcome in outcomes(path)]
    return states(path), sorted(rows, key=lambda row: (row.state, row.operator or ""))


def test_every_operator_and_none_at_every_state(server, tmp_path, data):
    result = gather(server, tmp_path / "run", source=math(data, items=4, turns=2))
    found = states(tmp_path / "run")
    assert result.states == len(found) == 8
    assert result.outcomes == 8 * 4
    for rows in by_state(outcomes(tmp_path / "run")).values():
        assert {row.operator for row in rows} == {None, "consolidate", "recap", "reask"}
    assert {state.turn for state in found.values()} <= {2, 3, 4}
    assert all(len(state.rest) == 4 - state.turn for state in found.values())


def test_scores_are_those_of_the_conversations_end(server, tmp_path, data, fold):
    gather(server, tmp_path / "run", source=math(data, items=4, turns=3))
    found = states(tmp_path / "run")
    for row in outcomes(tmp_path / "run"):
        last = found[row.state].turn == 4
        if row.operator == "fold" and last:
            assert row.score == 1.0, "no earlier answer is left to hold on to"
            assert row.answer == row.last
        elif row.operator == "fold":
            assert row.score == 0.0, "the rest comes raw, and there the old answers are back"
            assert row.answer != row.last
        else:
            assert row.score == 0.0, "the scripted model holds on to its first answer"


def test_contexts_that_are_equal_are_asked_once(server, tmp_path, data):
    gather(server, tmp_path / "run", source=math(data, items=3))
    asked = [json.dumps(request, sort_keys=True) for request in server.requests]
    assert len(asked) == len(set(asked))
    for rows in by_state(outcomes(tmp_path / "run")).values():
        by_view = {(row.view, row.answer, row.score, row.prompt_tokens) for row in rows}
        assert len(by_view) == len({row.view for row in rows})
        raw = next(row for row in rows if row.operator is None)
        assert all((row.view == raw.view) == (not row.changed) for row in rows)


def test_starting_again_asks_nothing_and_changes_nothing(server, tmp_path, data):
    gather(server, tmp_path / "run", source=math(data, items=3))
    before, asked = final(tmp_path / "run"), len(server.requests)
    assert gather(server, tmp_path / "run", source=math(data, items=3)).outcomes == 0
    assert (final(tmp_path / "run"), len(server.requests)) == (before, asked)
    gather(server, tmp_path / "run", source=math(data, items=4), operators=("consolidate", "snowball"))
    assert {row.operator for row in outcomes(tmp_path / "run")} == {
        None, "consolidate", "recap", "reask", "snowball",
    }  # fmt: skip


def test_other_terms_need_another_directory(server, tmp_path, data):
    gather(server, tmp_path / "run", source=math(data, items=1))
    with pytest.raises(TrainingError, match="begun with seed = 0, not 1"):
        gather(server, tmp_path / "run", source=math(data, items=1), seed=1)
    content = manifest.load(tmp_path / "run")["steps"]["collect"]
    assert content["results"]["outcomes"] == 8
    assert content["inputs"]["0:math"]["sha256"] == manifest.sha256(data)
    assert str(tmp_path) not in json.dumps(content), "folders of this machine mean nothing elsewhere"


def test_runs_differ_by_seed(server, tmp_path, data):
    gather(server, tmp_path / "run", source=math(data, items=1, turns=1), runs=2)
    rows = outcomes(tmp_path / "run")
    assert {row.run for row in rows} == {0, 1}
    assert len({row.seed for row in rows}) == 2


def test_only_solvable_items_if_asked(server, tmp_path, data):
    plain = server.answers
    told_at_once = "There are 4 red"  # item 2, as one instruction
    server.answers = lambda messages: (
        "Answer: 0" if messages[-1]["content"].startswith(told_at_once) and "blue" in messages[-1]["content"]
        else plain(messages)
    )  # fmt: skip
    gather(server, tmp_path / "run", source=math(data, turns=1, solvable=True))
    items = {state.item for state in states(tmp_path / "run").values()}
    assert items == {f"item-{number}" for number in range(12)} - {"item-2"}


def test_splits_and_exclusions(server, tmp_path, data):
    gather(server, tmp_path / "run", source=math(data, splits=("test",), turns=1))
    found = states(tmp_path / "run")
    assert found
    assert {state.split for state in found.values()} == {"test"}
    with pytest.raises(TrainingError, match="no run of acr bench"):
        gather(server, tmp_path / "other", source=math(data), exclude=(tmp_path / "run",))
    ids = tmp_path / "ids.txt"
    ids.write_text("# reported\n" + "".join(f"item-{number}\n" for number in range(11)))
    gather(server, tmp_path / "left", source=math(data, turns=1), exclude=(ids,))
    test = {state.item for state in found.values()}  # nothing is learned from these
    assert "item-11" not in test
    assert {state.item for state in states(tmp_path / "left").values()} == {"item-11"} | test


def test_items_of_reports_are_excluded_but_for_single_turns(server, tmp_path, data):
    plan = runner.Plan(
        tasks=["math"], settings=["full"], out=tmp_path / "reports" / "a", base_url=server.url, data=data
    )
    asyncio.run(runner.run(plan))
    several = replace(plan, settings=["sharded"], ids=["item-3"], out=tmp_path / "reports" / "b")
    asyncio.run(runner.run(several))
    assert used([tmp_path / "reports"]) == {"item-3"}


DIALOGUES = [
    {"messages": [
        {"role": "user", "content": f"How many beads? {n} are red."},
        {"role": "assistant", "content": "Answer: 3"},
        {"role": "user", "content": "And 4 are blue."},
        {"role": "assistant", "content": "Answer: 3"},
        {"role": "user", "content": "And 5 are green."},
    ]}
    for n in range(3)
]  # fmt: skip


def test_dialogues_of_ones_own_are_judged_in_both_orders(server, tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in DIALOGUES))

    def judge_or_model(messages):
        if "compare two answers" not in messages[0]["content"]:
            return "better" if len(messages[-1]["content"]) > 40 else "worse"
        first, second = messages[1]["content"].split("Answer B:")
        return "A" if "better" in first.split("Answer A:")[1] else "B" if "better" in second else "TIE"

    server.answers = judge_or_model
    gather(server, tmp_path / "run", source=(Source(dialogues=path),))
    assert len(states(tmp_path / "run")) == 6
    scores = {(row.operator, row.changed, row.score) for row in outcomes(tmp_path / "run")}
    assert (None, False, 0.5) in scores
    assert ("recap", True, 1.0) in scores
    server.answers = lambda messages: "A" if "compare" in messages[0]["content"] else str(len(messages))
    gather(server, tmp_path / "biased", source=(Source(dialogues=path),))
    assert {row.score for row in outcomes(tmp_path / "biased")} == {0.5}, "a judge that always says A"


def test_killed_and_started_again_the_table_is_the_same(server, tmp_path, data):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    same = {
        "source": math(data, items=5, turns=3),
        "operators": ("consolidate", "recap", "reask", "snowball"),
    }
    gather(server, whole, **same)
    command = [
        *(sys.executable, "-m", "acr_training", "collect", "--out", str(killed), "--task", "math"),
        *("--data", f"math={data}", "--base-url", server.url, "--items", "5", "--turns", "3"),
        *("--operators", "consolidate,recap,reask,snowball", "--concurrency", "3"),
    ]
    server.delay = 0.03
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + 100
    while child.poll() is None and time.monotonic() < until:
        table = killed / "outcomes.jsonl"
        if table.exists() and table.read_bytes().count(b"\n") >= 20:
            os.killpg(child.pid, signal.SIGKILL)
            break
        time.sleep(0.005)
    assert child.wait() == -signal.SIGKILL, "it was over before it could be killed"
    assert final(killed) != final(whole)
    server.delay = 0.0
    gather(server, killed, **same)
    assert final(killed) == final(whole)


def test_the_items_of_a_split_that_is_none(capsys):
    with pytest.raises(ConfigError, match="no split 'tst'; known: train, dev, test"):
        items("math", "tst")
    assert capsys.readouterr().out == ""
    items("math", "dev")
    assert capsys.readouterr().out


def test_a_server_that_is_away_is_named_as_it_was_given(server, tmp_path, data):
    away = Endpoint(base_url="http://127.0.0.1:9/v1")
    with pytest.raises(UpstreamError, match=r"^the model server http://127.0.0.1:9/v1 cannot be reached \("):
        gather(server, tmp_path / "run", source=math(data, items=1), model=away)
