"""What others wrote cannot steer the terminal."""

from pathlib import Path

import pytest
import typer

from acr.cli import output
from acr.errors import ConfigError


def test_escape_sequences_become_visible() -> None:
    assert output.safe("a\x1b[31mb\x07\x9bc\n\td") == "a�[31mb��c\n\td"


def test_a_run_that_is_stopped_says_that_it_can_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    output.err.cache_clear()
    with pytest.raises(typer.Exit) as stopped, output.resumable():
        raise KeyboardInterrupt
    assert stopped.value.exit_code == 130
    assert "start again to go on" in capsys.readouterr().err
    output.err.cache_clear()


def test_first_line_is_one_line_of_bounded_width() -> None:
    assert output.first_line("a\n\n b  c") == "a b c"
    assert output.first_line("x" * 100, 10) == "x" * 9 + "…"


def test_data_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    output.data({"a": "ü\n"})
    assert capsys.readouterr().out == '{"a": "ü\\n"}\n'


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Is a directory"):
        output.read(str(tmp_path))
