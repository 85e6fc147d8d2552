import json
from pathlib import Path
from typing import Any

import pytest
from support.proxy import RunningProxy
from support.upstream import ScriptedUpstream

from acr.cli import output
from acr.errors import ConfigError, ConversationError

MESSAGES = [
    {"role": "user", "content": "How many shells did Leigh find?"},
    {"role": "assistant", "content": "Say Kyle has 30 shells, so Leigh has 30 / 3 = 10. The answer is 10."},
    {"role": "user", "content": "Mimi found 24."},
    {"role": "assistant", "content": "Mimi has 24 shells, so Leigh has 24 / 3 = 8. The answer is 8."},
    {"role": "user", "content": "Kyle found twice as many as Mimi."},
]


def replayed(acr: Any, *arguments: str, given: Any = None) -> list[dict[str, Any]]:
    result = acr("replay", *arguments, "--json", given=None if given is None else json.dumps(given))
    assert result.exit_code == 0, result.output or result.exception
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_turn_of_the_user(acr: Any) -> None:
    (found,) = replayed(acr, "-", "--controller", "always:snowball", given=MESSAGES)
    turns = found["turns"]
    assert [turn["turn"] for turn in turns] == ["0", "2", "4"]
    assert [turn["changed"] for turn in turns] == [False, True, True]
    assert turns[0]["reason"] == "single turn"
    assert turns[2]["tokens"]["after"] > turns[2]["tokens"]["before"]
    assert turns[0]["cached"] == {"before": 0, "after": 0}
    assert turns[2]["cached"]["before"] == turns[1]["tokens"]["before"]
    assert found["totals"]["intervened"] == 2 and 0 < found["totals"]["raw_share"] < 1


def test_several_operators_in_turn(acr: Any) -> None:
    (found,) = replayed(acr, "-", "--operator", "recap+reask", given={"id": "x", "messages": MESSAGES})
    assert found["id"] == "x"
    (edit,) = found["turns"][-1]["edits"]
    assert "<reask-" in edit["text"] and "<recap-" in edit["text"]


def test_questions_where_they_are_allowed(acr: Any) -> None:
    (found,) = replayed(acr, "-", "--operator", "reask", "--questions", "1", given=MESSAGES)
    first = found["turns"][0]
    assert first["answer"].endswith("?") and first["tokens"]["after"] == 0
    (found,) = replayed(acr, "-", "--operator", "reask", given=MESSAGES)
    assert found["turns"][0]["answer"] is None


def test_files_of_dialogues(acr: Any, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(json.dumps({"id": n, "messages": MESSAGES[: 2 * n + 1]}) for n in range(3)))
    assert [len(found["turns"]) for found in replayed(acr, str(file))] == [1, 2, 3]


def test_for_people(acr: Any) -> None:
    shown = acr("replay", "-", "--operator", "snowball", given=json.dumps(MESSAGES)).stdout
    assert "snowball" in shown and "single turn" in shown
    assert "3 turns: intervened at 2, asked at 0, failed open at 0" in shown
    assert "a cache of prefixes would hit" in shown


def test_a_narrow_terminal_has_reasons_in_whole_lines(acr: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    output.out.cache_clear()
    try:
        shown = acr("replay", "-", "--controller", "rules", given=json.dumps(MESSAGES)).stdout
    finally:
        output.out.cache_clear()
    assert max(map(len, shown.splitlines())) <= 80
    assert "the request came in 2 pieces" in shown


@pytest.mark.parametrize("dialect", ["chat", "messages", "responses"])
def test_a_trace_of_a_running_proxy(acr: Any, upstream: ScriptedUpstream, dialect: str) -> None:
    from support.http import send

    path = {"chat": "chat/completions"}.get(dialect, dialect)
    field = "input" if dialect == "responses" else "messages"
    body = json.dumps({"model": "m", "max_tokens": 9, field: MESSAGES}).encode()
    with RunningProxy(upstream.url, keep_text=True, controller="never") as proxy:
        id = send(proxy.port, "POST", f"/v1/{path}", body).header("x-acr-trace")
        assert id is not None
        (found,) = replayed(acr, id, "--url", proxy.url, "--controller", "always:snowball")
        file = Path("trace.jsonl")
        file.write_bytes(send(proxy.port, "GET", f"/v1/acr/decisions/{id}").body)
        (again,) = replayed(acr, str(file), "--controller", "always:snowball")
        with pytest.raises(ConfigError, match="no such trace"):
            raise acr("replay", "unknown", "--url", proxy.url).exception
    assert again == found and found["id"] == id
    assert [turn["changed"] for turn in found["turns"]] == [False, True, True]


def test_a_trace_without_text_says_so(acr: Any) -> None:
    error = acr("replay", "-", given=json.dumps({"version": 1, "id": "a", "messages": None})).exception
    assert isinstance(error, ConversationError) and "ACR_KEEP_TEXT" in str(error)


def test_neither_file_nor_proxy(acr: Any) -> None:
    error = acr("replay", "nothing", "--url", "http://127.0.0.1:9/v1").exception
    assert isinstance(error, ConfigError) and "no file 'nothing'" in str(error)
