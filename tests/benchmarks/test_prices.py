"""What a conversation costs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from acr_benchmarks import cli, prices
from acr_benchmarks.figures import summarise
from acr_benchmarks.records import Episode
from acr_benchmarks.store import Store
from typer.testing import CliRunner

from acr.errors import BenchmarkError

TABLE = '[small]\ninput = 2.0\ncached = 0.5\noutput = 8\n["plain.1"]\ninput = 1\noutput = 1\n'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(TABLE)
    return path


def test_cached_tokens_have_their_own_price(table: Path, episode: Callable[..., Episode]) -> None:
    one = episode("sharded", 0, 0.0, 1.0)  # twice 100 tokens in, 50 of these cached, and 20 out
    assert prices.load("small", table).of(one) == pytest.approx((100 * 2 + 100 * 0.5 + 40 * 8) / 1e6)
    assert prices.load("plain.1", table).of(one) == pytest.approx(240 / 1e6)


def test_the_auxiliary_model_is_paid_too(table: Path, episode: Callable[..., Episode]) -> None:
    headers = {"auxiliary-prompt-tokens": "30", "auxiliary-completion-tokens": "7"}
    one = episode("acr:rules", 0, 0.0, 1.0, acr=headers)
    assert prices.auxiliary(one) == (60, 14)
    assert prices.load("plain.1", table).of(one) == pytest.approx((240 + 74) / 1e6)


def test_what_was_not_counted_has_no_price(table: Path, episode: Callable[..., Episode]) -> None:
    one = episode("full", 0, 1.0).model_copy(update={"prompt_tokens": None})
    assert prices.load("small", table).of(one) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[other]\ninput = 1\noutput = 1", "no price for 'small'; it knows other"),
        ("[small]\ninput = 1", "needs numbers"),
        ("small = 3", "needs numbers"),
        ("[small]\ninput = -1\noutput = 1", "below 0"),
        ("not toml", "no price table"),
    ],
)
def test_a_bad_table_is_told(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "p.toml"
    path.write_text(content)
    with pytest.raises(BenchmarkError, match=message):
        prices.load("small", path)


def test_the_table_that_comes_along_is_sound() -> None:
    for model in ("gpt-4o", "gpt-4o-mini", "claude-3.5-haiku"):
        price = prices.load(model)
        assert 0 < price.cached <= price.input <= price.output


def test_the_report_gives_dollars_where_asked(
    table: Path, small: list[Episode], manifest: dict[str, Any], tmp_path: Path
) -> None:
    assert summarise(small, manifest)["tasks"]["math"]["settings"]["full"]["dollars"] is None
    with Store(tmp_path / "run") as store:
        store.write_manifest(manifest)
        for one in small:
            store.append(one)
    arguments = ["report", str(tmp_path / "run"), "--prices", str(table), "--price-as"]
    result = CliRunner().invoke(cli.app, [*arguments, "small", "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["price"] == {"model": "small", "input": 2.0, "output": 8.0, "cached": 0.5}
    assert figures["tasks"]["math"]["settings"]["full"]["dollars"] == pytest.approx(285 / 1e6)
    result = CliRunner().invoke(cli.app, [*arguments, "large"])
    assert result.exit_code == 1 and "it knows plain.1, small" in " ".join(result.output.split())
