import pytest

from acr.errors import ConfigError
from acr.trace import Answer, Choice, Trace
from acr.tracestore import redactor, stored
from acr.tracestore.form import LARGEST, whole
from acr.tracestore.redact import secrets


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Write to ana.lima+x@mail.example.org, please.", "Write to [e-mail], please."),
        ("key sk-proj-abcdefghij0123456789 here", "key [key] here"),
        ("Authorization: Bearer abc.def-ghi_jkl", "Authorization: Bearer [key]"),
        ("password = 'hunter22'", "password = '[key]'"),
        ('{"api_key": "A1b2C3d4"}', '{"api_key": "[key]"}'),
        ("card 4111 1111 1111 1111, thanks", "card [number], thanks"),
        ("call +351 912 345 678", "call +[number]"),
        ("use ghp_abcdefghij0123456789", "use [key]"),
        ("1x " * 6000 + "4111 1111 1111 1111. And", "1x " * 6000 + "[number]. And"),
        ("x. " * 5460 + "4111 1111 1111 1111. " + "y. " * 9000, "x. " * 5460 + "[number]. " + "y. " * 9000),
        ("x" * 70_000 + "\nana@mail.example", "x" * 70_000 + "\n[e-mail]"),
        ("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\nx", "[key]\nx"),
    ],
)
def test_what_is_taken_out(text: str, made: str) -> None:
    assert secrets(text) == made


@pytest.mark.parametrize(
    "text", ["The budget is 500 000 euro.", "2026-12-01", "task-list", "a@b", "x = 12345678"]
)
def test_what_stays(text: str) -> None:
    assert secrets(text) == text


def test_a_long_text_takes_no_long_time() -> None:
    for text in ("a" * 200_000, "1 " * 100_000, "a@" * 100_000, "a." * 100_000 + "@", "sk-" * 60_000):
        assert secrets(text) is not None


def trace(text: str) -> Trace:
    return Trace(
        id="t1",
        dialect="chat",
        decision="intervened",
        operator="recap",
        edits=[{"edit": "rewrite", "turn": "t3", "text": text}],
        answer=Answer(
            status=200,
            choices=[Choice(text=text, tool_calls=[{"id": "call_1", "function": {"arguments": text}}])],
        ),
        messages=[{"role": "user", "content": [{"type": "text", "text": text}]}],
        ledger={"goal": {"text": text}, text.replace("\ud800", ""): 1},
        view=[{"role": "user", "content": text}],
    )


def test_every_place_that_holds_text_is_redacted() -> None:
    row = stored(trace("mail ana@mail.example"), redactor(["secrets"]))
    assert "ana@" not in row.brief + (row.text or "") and "[e-mail]" in (row.text or "")
    again = whole(row.brief, row.text)
    assert again.messages == [{"role": "user", "content": [{"type": "text", "text": "mail [e-mail]"}]}]
    assert again.edits == [{"edit": "rewrite", "turn": "t3", "text": "mail [e-mail]"}]
    assert again.answer is not None and again.answer.status == 200
    assert again.operator == "recap" and again.view == [{"role": "user", "content": "mail [e-mail]"}]


def test_what_is_not_redacted_comes_back_as_it_was() -> None:
    given = trace("odd \ud800 \x00 text")
    row = stored(given, redactor(["none"]))
    assert row.brief.isascii() and row.text is not None and row.text.isascii()
    assert whole(row.brief, row.text) == given


def failing(text: str) -> str:
    raise RuntimeError(text)


def wordless(text: str) -> None:
    return None


@pytest.mark.parametrize("name", ["failing", "wordless"])
def test_where_the_hook_fails_no_text_is_stored(name: str) -> None:
    row = stored(trace("mail ana@mail.example"), {"failing": failing, "wordless": wordless}[name])  # type: ignore[arg-type]
    assert row.text is None and row.unredacted and "ana@" not in row.brief
    again = whole(row.brief, row.text)
    assert again.messages is None and again.edits == [{"edit": "rewrite", "turn": "t3"}]


def test_a_very_long_text_is_not_stored() -> None:
    row = stored(trace("x" * (LARGEST + 1)), redactor(["none"]))
    assert row.text is None and row.unredacted


def test_hooks_work_in_turn_and_come_from_any_module() -> None:
    assert redactor(["secrets", "textwrap:dedent"])("  a@mail.example") == "[e-mail]"


@pytest.mark.parametrize("name", ["nope", "textwrap:nope", "no.such.module:f", "math:pi"])
def test_what_is_no_redactor_is_told_at_start(name: str) -> None:
    with pytest.raises(ConfigError, match="redactor"):
        redactor([name])
