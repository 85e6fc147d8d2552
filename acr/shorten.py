"""Leaving parts out of a text, with a mark that says how much went and how to see it."""

import re
from collections.abc import Iterable, Set

from acr.phrases import Phrase, phrase
from acr.text import fold

HEAD, TAIL = 600, 300
"""Characters of a bulky text that stay at its beginning and end."""
AROUND = 160
"""Characters on either side of what somebody refers to, rounded up to whole lines where lines are short."""
_GAP = 400
"""Characters: leaving out less than this is not worth a mark."""
_WANTED = 200
"""Terms that are looked for in one text."""


def mark(characters: int, how: Phrase, language: str) -> str:
    """`[… 8,412 (left out here; the same call shows them again) …]`; without words where there are none."""
    words = "; ".join(filter(None, (phrase("left_out", language), phrase(how, language))))
    return f"[… {characters:,}{f' ({words})' if words else ''} …]"


def shortened(text: str, wanted: Iterable[str], language: str) -> str:
    """A bulky text with its beginning, its end, and what is around any of the `wanted` terms (folded)."""
    spans = [(0, _line_end(text, HEAD)), (_line_start(text, len(text) - TAIL), len(text))]
    spans += [(_line_start(text, a - AROUND), _line_end(text, b + AROUND)) for a, b in _found(text, wanted)]
    kept: list[list[int]] = [[0, 0]]
    for start, end in sorted(spans):
        if start > kept[-1][1] + _GAP:
            kept.append([start, end])
        else:
            kept[-1][1] = max(kept[-1][1], end)
    lines, place = [], 0
    for start, end in kept:
        if start > place:
            lines.append(mark(start - place, "call_again", language))
        lines.append(text[start:end].strip("\n"))
        place = end
    return "\n".join(lines)


def _found(text: str, wanted: Iterable[str]) -> list[tuple[int, int]]:
    terms = sorted(set(filter(None, wanted)), key=len, reverse=True)[:_WANTED]
    folded = fold(text)
    if not terms or len(folded) != len(text):  # offsets would not fit
        return [] if not terms else [(0, len(text))]
    pattern = re.compile("|".join(map(re.escape, terms)))
    return [match.span() for match in pattern.finditer(folded)]


def _line_start(text: str, at: int) -> int:
    """Where the line of that place begins, if that is near."""
    at = max(0, at)
    start = text.rfind("\n", max(0, at - AROUND), at) + 1
    return start or (0 if at <= AROUND else at)


def _line_end(text: str, at: int) -> int:
    at = min(len(text), at)
    end = text.find("\n", at, at + AROUND)
    return end if end >= 0 else at


PARAGRAPH = re.compile(r"\n[ \t]*\n+")
BULKY = 200
"""Characters from which a paragraph that stands there twice is worth leaving out."""


def paragraphs(text: str) -> list[str]:
    """The bulky paragraphs of a text, verbatim."""
    return [part for part in PARAGRAPH.split(text) if len(part) >= BULKY]


def without_repeats(text: str, said: Set[str], language: str) -> str:
    """The text with every bulky paragraph that is in `said` replaced by a mark.

    As it is where one of its bulky paragraphs is new: then it is another version, and whole.
    """
    bulky = paragraphs(text)
    if not bulky or any(part not in said for part in bulky):
        return text
    for part in bulky:
        text = text.replace(part, mark(len(part), "above", language), 1)
    return text
