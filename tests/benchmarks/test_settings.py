"""Settings by name."""

import pytest
from acr_benchmarks import settings

from acr.errors import ConfigError


def test_policies_are_sharded_through_acr() -> None:
    setting = settings.parse("acr:always:consolidate")
    assert (setting.shape, setting.policy, setting.single_turn) == ("sharded", "always:consolidate", False)


@pytest.mark.parametrize("name", settings.SHAPES)
def test_the_protocols_settings_go_direct(name: str) -> None:
    setting = settings.parse(name)
    assert setting.policy is None
    assert setting.single_turn == (name in ("full", "concat", "shuffle_concat"))


@pytest.mark.parametrize("name", ["", "acr:", "Full", "acr"])
def test_unknown_settings_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"known: full, .*acr:POLICY"):
        settings.parse(name)


def test_snowball_restates_all_earlier_pieces() -> None:
    assert settings.snowball(["one"]) == "one"
    text = settings.snowball(["one", "two", "three"])
    assert text.index("- one") < text.index("- two") < text.index("three")
    assert "- three" not in text
