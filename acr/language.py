"""Which language the user writes, from script and function words. A guess, used for headings only."""

from collections.abc import Iterable

from acr.conversation import Turn


def guess(turns: Iterable[Turn]) -> str:
    """ISO 639-1 code, or "" where it cannot be told."""
    return ""
