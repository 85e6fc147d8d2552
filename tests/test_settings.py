from pathlib import Path

import pytest
from support.proxy import forget_settings

from acr.errors import ConfigError
from acr.settings import Settings, is_loopback


@pytest.fixture(autouse=True)
def _no_settings_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget_settings(monkeypatch)
    monkeypatch.chdir(tmp_path)


def test_defaults_are_safe() -> None:
    settings = Settings.load()
    assert (settings.host, settings.port, settings.mode, settings.upstream) == (
        "127.0.0.1",
        8300,
        "auto",
        None,
    )
    assert settings.first_byte_timeout is None and settings.idle_timeout is None
    assert not settings.keep_text


def test_command_line_over_environment_over_file_over_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "acr.toml").write_text('port = 1\ncontroller = "never"\nmode = "off"\n')
    monkeypatch.setenv("ACR_PORT", "2")
    monkeypatch.setenv("ACR_CONTROLLER", "always:recap")
    settings = Settings.load(port=3)
    assert (settings.port, settings.controller, settings.mode, settings.workers) == (
        3,
        "always:recap",
        "off",
        1,
    )


def test_an_override_of_none_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACR_PORT", "2")
    assert Settings.load(port=None).port == 2


def test_upstream_falls_back_to_what_openai_clients_use(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://a.example/v1")
    assert Settings.load().upstream == "http://a.example/v1"
    (tmp_path / "acr.toml").write_text('upstream = "http://b.example/v1/"')
    assert Settings.load().upstream == "http://b.example/v1"
    monkeypatch.setenv("ACR_UPSTREAM", "http://c.example")
    assert Settings.load().upstream == "http://c.example"


def test_openai_api_key_is_never_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    assert Settings.load().upstream_key is None


def test_keys_are_split_and_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACR_API_KEY", "one-secret, two-secret,")
    settings = Settings.load(upstream_key="three-secret")
    assert [key.get_secret_value() for key in settings.api_key] == ["one-secret", "two-secret"]
    assert "secret'" not in repr(settings)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"upsteam": "http://x"}, "did you mean 'upstream'"),
        ({"port": 70000}, "'port'"),
        ({"mode": "always"}, "'off', 'observe' or 'auto'"),
        ({"upstream": "localhost:8000"}, "http://127.0.0.1:8000/v1"),
        ({"upstream": "http://user:pw@x/v1"}, "credentials"),
        ({"upstream": "http://x/v1?key=1"}, "query"),
        ({"upstream": "http://x:99999/v1"}, "'upstream'"),
        ({"deadline": 0}, "'deadline'"),
        ({"host": "http://x"}, "'host'"),
        ({"host": "0.0.0.0"}, "ACR_API_KEY"),
        ({"upstream": "http://localhost:8300/v1"}, "own address"),
        ({"host": "10.0.0.7", "api_key": "k", "upstream": "http://10.0.0.7:8300"}, "own address"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Settings.load(**given)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_variables_and_keys_name_the_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ACR_PROT", "1")
    with pytest.raises(ConfigError, match="'ACR_PROT' in the environment: did you mean 'ACR_PORT'"):
        Settings.load()
    monkeypatch.delenv("ACR_PROT")
    (tmp_path / "acr.toml").write_text("operator = 'recap'")
    with pytest.raises(
        ConfigError, match=r"'operator' in acr.toml: did you mean 'operators'\? known: host, port"
    ):
        Settings.load()


def test_a_wrong_value_is_not_shown_for_it_may_be_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACR_PORT", "sk-pasted-into-the-wrong-place")
    with pytest.raises(ConfigError) as caught:
        Settings.load()
    assert "ACR_PORT" in str(caught.value) and "sk-pasted" not in str(caught.value)


def test_what_kubernetes_sets_for_a_service_called_acr_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACR_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("ACR_PORT_8300_TCP", "tcp://10.0.0.1:8300")
    monkeypatch.setenv("ACR_PORT", "tcp://10.0.0.1:8300")
    assert Settings.load().port == 8300


def test_the_file_that_is_named_must_be_there_and_be_toml(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.toml"):
        Settings.load(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("port = ")
    monkeypatch.setenv("ACR_CONFIG", str(bad))
    with pytest.raises(ConfigError, match=r"bad\.toml is not valid TOML"):
        Settings.load()


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("example.org", False),
    ],
)
def test_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
