"""What conversations would cost at somebody's price list."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from acr.errors import BenchmarkError
from acr_benchmarks.records import Episode, total

PATH = Path(__file__).with_name("prices.toml")
"""Example values; see the file."""
AUXILIARY = ("auxiliary-prompt-tokens", "auxiliary-completion-tokens")
"""Response headers of ACR, without `x-acr-`: what its auxiliary model took for this request."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens of one model."""

    model: str
    input: float
    output: float
    cached: float

    def of(self, episode: Episode) -> float | None:
        """US dollars for one conversation; None where the server did not count.

        Tokens of the auxiliary model count at the same prices. A server that does not say what was cached
        is taken to have cached nothing.
        """
        prompt, completion = episode.prompt_tokens, episode.completion_tokens
        if prompt is None or completion is None:
            return None
        cached = total([turn.cached_tokens for turn in episode.turns]) or 0
        more_in, more_out = auxiliary(episode)
        fresh = prompt - cached + more_in
        return (fresh * self.input + cached * self.cached + (completion + more_out) * self.output) / 1e6


def auxiliary(episode: Episode) -> tuple[int, int]:
    """Prompt and completion tokens that ACR's auxiliary model took in a conversation."""
    counts = [
        sum(int(turn.acr[name]) for turn in episode.turns if turn.acr.get(name, "").isdecimal())
        for name in AUXILIARY
    ]
    return counts[0], counts[1]


def load(model: str, path: Path = PATH) -> Price:
    """The price of a model in a table. Raises `BenchmarkError` naming the known ones."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{path} is no price table: {error}") from error
    row = table.get(model)
    if row is None:
        raise BenchmarkError(f"{path} has no price for {model!r}; it knows {', '.join(sorted(table))}")
    try:
        given = {key: float(row[key]) for key in ("input", "output")}
        price = Price(model, **given, cached=float(row.get("cached", row["input"])))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BenchmarkError(f"{path}: {model!r} needs numbers for input and output ({error!r})") from error
    if min(price.input, price.output, price.cached) < 0:
        raise BenchmarkError(f"{path}: {model!r} has a price below 0")
    return price
