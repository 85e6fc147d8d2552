"""`acr init`: the file explains every setting, sets nothing by itself, and never replaces one unasked."""

import re
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from acr.cli.settings_text import EXAMPLES, settings
from acr.errors import ConfigError
from acr.settings import Settings

FILE = Path("acr.toml")


def uncommented(text: str) -> str:
    return re.sub(r"^#(?=[a-z_]+ = )", "", text, flags=re.MULTILINE)


def test_every_setting_is_explained_and_none_is_set(acr: Any) -> None:
    assert acr("init").exit_code == 0
    text = FILE.read_text(encoding="utf-8")
    assert re.findall(r"^# .+\n#([a-z_]+) = ", text, re.MULTILINE) == list(Settings.model_fields)
    assert tomllib.loads(text) == {}
    assert Settings.load(FILE) == Settings.load()


def test_with_every_comment_taken_away_it_still_says_the_defaults(acr: Any) -> None:
    acr("init")
    values = tomllib.loads(uncommented(FILE.read_text(encoding="utf-8")))
    assert list(values) == list(Settings.model_fields)
    FILE.write_text(uncommented(FILE.read_text(encoding="utf-8")), encoding="utf-8")
    loaded, default = Settings.load(FILE), Settings()
    changed = {name for name in Settings.model_fields if getattr(loaded, name) != getattr(default, name)}
    assert changed == set(EXAMPLES) == {each.name for each in settings() if each.default is None}


def test_a_file_that_is_there_stays_unless_forced(acr: Any) -> None:
    FILE.write_text("port = 1\n")
    error = acr("init").exception
    assert isinstance(error, ConfigError) and "--force" in str(error)
    assert FILE.read_text() == "port = 1\n"
    assert acr("init", "--force").exit_code == 0
    assert Settings.load().port == 8300


def test_a_broken_file_can_be_replaced(acr: Any) -> None:
    FILE.write_text("no toml")
    assert acr("init", "--force", "--set", "port=1").exit_code == 0
    assert Settings.load().port == 1


def test_what_is_set_is_written_with_its_type(acr: Any) -> None:
    wanted = ["port=9000", "operators=recap, prune", "list_models=true", "upstream=http://a.example/v1/"]
    acr("init", "here.toml", *(part for each in wanted for part in ("--set", each)))
    assert tomllib.loads(Path("here.toml").read_text(encoding="utf-8")) == {
        "port": 9000,
        "operators": ["recap", "prune"],
        "list_models": True,
        "upstream": "http://a.example/v1",
    }


def test_a_key_is_for_its_owner_to_read(acr: Any) -> None:
    FILE.touch(0o644)
    acr("init", "--force", "--set", "api_key=one, two", "--set", "host=0.0.0.0")
    assert stat.S_IMODE(FILE.stat().st_mode) == 0o600
    assert [key.get_secret_value() for key in Settings.load().api_key] == ["one", "two"]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("upsteam=http://a", "did you mean 'upstream'"),
        ("port=many", "'port'"),
        ("port", "NAME=VALUE"),
        ("host=0.0.0.0", "ACR_API_KEY"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(acr: Any, given: str, named: str) -> None:
    error = acr("init", "--set", given).exception
    assert isinstance(error, ConfigError) and named in str(error)
    assert not FILE.exists()


def test_a_folder_that_is_not_there(acr: Any) -> None:
    error = acr("init", "none/acr.toml").exception
    assert isinstance(error, ConfigError) and "none/acr.toml" in str(error)
