"""Word problems with one number as the answer (GSM8K and items like it)."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

from acr_benchmarks.task import Answer, Item, bullets

SYSTEM = (
    "You help people solve math word problems. Work step by step, and put a final result on a last line "
    "of its own in the form 'Answer: <number>'."
)

LINE = re.compile(r"^[^\w\n]*(?:final[ \t]+)?answer[^\w\n]*:(?P<rest>.*)$", re.IGNORECASE | re.MULTILINE)
"""A line that presents a result, whatever marks stand around the word."""

NUMBER = re.compile(
    r"""
    (?P<sign>(?<![\w)\]}])[-−])?\s?(?:[$€£¥](?P<sign2>[-−])?)?
    (?P<digits>\d+(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
    """,
    re.VERBOSE,
)
BOX = re.compile(r"boxed\{([^{}\n]*)\}")
FRACTION = re.compile(r"^\W*?(?P<sign>[-−])?(?P<over>\d+)\s*/\s*(?P<under>\d+)\W*$")
MARKS = str.maketrans("", "", "*`\\")
"""Markdown and LaTeX marks that may stand inside a number, as in `\\$1{,}000`."""


class Math:
    """Scored by exact equality of numbers: 18, 18.0 and $18 are the same, 18 and 18.01 are not.

    One number is read from a response, whatever it holds: the first on its last line `Answer: …` (after
    the last `=` there), or else the one in its last LaTeX box, or else its last number. A response that
    lists many still gets one try.
    """

    name = "math"
    licence = "Apache-2.0"

    def path(self) -> Path:
        return Path(__file__).parent.parent / "data" / "math.jsonl"

    def system(self, item: Item) -> str:
        return SYSTEM

    def full(self, item: Item) -> str:
        return item.text("question")

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        return bullets(pieces)

    def extract(self, item: Item, response: str) -> Answer | None:
        response = response.replace("{,}", ",").translate(MARKS)
        presented = list(LINE.finditer(response))
        for match in reversed(presented):
            rest = match["rest"].strip() or following(response[match.end() :])
            number = first(rest.rpartition("=")[2])
            if number is not None:
                return Answer(number)
        if presented:  # it says that it presents a result, and gives no number: "Answer: unknown"
            return None
        boxed = BOX.findall(response)
        number = first(boxed[-1].rpartition("=")[2]) if boxed else None
        if number is not None:
            return Answer(number)
        numbers = list(NUMBER.finditer(response))
        return Answer(plain(numbers[-1]), explicit=False) if numbers else None

    def score(self, item: Item, answer: str) -> float:
        gold, given = value(item.text("answer").rpartition("####")[2]), value(answer)
        return float(gold is not None and gold == given)


def following(text: str) -> str:
    """The next line that holds anything, for `Answer:` with the number below it."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if re.fullmatch(r"[^A-Za-z]*", line) else ""


def first(text: str) -> str | None:
    """The first number of a line, or the fraction that it is."""
    fraction = FRACTION.match(text)
    if fraction:
        return f"{'-' if fraction['sign'] else ''}{fraction['over']}/{fraction['under']}"
    number = NUMBER.search(text)
    return plain(number) if number else None


def plain(number: re.Match[str]) -> str:
    """The digits of a match, with its sign, without commas and currency."""
    sign = "-" if number["sign"] or number["sign2"] else ""
    return sign + number["digits"].replace(",", "")


def value(text: str) -> Fraction | None:
    """The exact value of a number as `first` or the data write it, or None. Never raises."""
    text = text.strip().replace(",", "").replace("$", "")
    try:
        return Fraction(text) if "/" in text else Fraction(Decimal(text))
    except (ValueError, InvalidOperation, ZeroDivisionError, OverflowError):
        return None
