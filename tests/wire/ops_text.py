"""Rules on the text that the proxy added, and on how it changes from turn to turn."""

import re
from itertools import pairwise
from typing import Any

from wire.messages import journey, short, strings
from wire.ops import Check, many, one, wrong
from wire.targets import Seen

REPLACED = (
    "superseded|replace|no longer|instead|overrul|outdated|was changed|previous|earlier|not |corrected|"
    "ersetzt|nicht mehr|remplac|sustitu|substitu"
)
"""How a text marks a value as no longer the current one."""
FINISHED = "done|finished|completed|answered|already|settled|erledigt|earlier"
WORDS = {
    "de": "der die das und ist nicht ich wir mit für ein eine auf zu von den dem was",
    "en": "the and is not we with for a an on to of what you it this that",
    "es": "el la los las y es no con para un una en de que por lo se más",
    "fr": "le la les et est pas nous avec pour un une sur de que dans ce il vous",
    "it": "il lo la gli e è non con per un una su di che nel questo sono",
    "nl": "de het en is niet wij met voor een op te van wat dit dat zijn",
    "pt": "o a os as e é não com para um uma em de que no na por se está",
    "sv": "och är inte vi med för en ett på att av vad det som den till",
}
SCRIPTS = {
    "ar": "\u0600-\u06ff",
    "el": "\u0370-\u03ff",
    "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f",
    "ja": "\u3040-\u30ff",
    "ko": "\uac00-\ud7af",
    "ru": "\u0400-\u04ff",
    "zh": "\u4e00-\u9fff",
}


def added(seen: Seen) -> str:
    return "\n".join(journey(seen).added)


def language(text: str) -> str:
    """The most likely language of a text, by its script or by its commonest words."""
    for code, signs in SCRIPTS.items():
        if len(re.findall(f"[{signs}]", text)) > len(text) / 4:
            return code
    words = re.findall(r"[^\W\d_]+", text.lower())
    return max(WORDS, key=lambda code: sum(word in WORDS[code].split() for word in words))


@one("current_value")
def current_value(seen: Seen, want: Any, check: Check) -> str | None:
    """Untouched; or the added text has each value, and the superseded ones only where that is told."""
    if journey(seen).untouched:
        return None
    text = added(seen)
    missing = [value for value in want if value not in text]
    if missing:
        return f"the added text lacks {missing}: {short(text)}"
    for old in check.get("superseded", ()):
        for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
            told = any(value in sentence for value in want) or re.search(REPLACED, sentence, re.I)
            if old in sentence and not told:
                return f"tells {old!r} as current: {sentence!r}"
    return None


@one("added_text_is_delimited")
def added_text_is_delimited(seen: Seen, want: Any, check: Check) -> str | None:
    """Each added text begins and ends with a mark of its own, so that it cannot be taken for the user's."""
    for text in journey(seen).added:
        lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
        opened = re.match(r"[<\[(#*=\-`《【「]", lines[0])
        closed = re.search(r"[>\])#*=\-`》】」]$", lines[-1])
        if not opened or not closed:
            return f"is not delimited: {short(text)}"
    return None


@one("added_text_language")
def added_text_language(seen: Seen, want: Any, check: Check) -> str | None:
    text = re.sub(r"</?[\w-]+>", "", added(seen))
    if not text.strip():
        return None
    found = language(text)
    return wrong(found == want, f"reads as {found}: {short(text)}")


@one("added_text_has_no_open_task")
def added_text_has_no_open_task(seen: Seen, want: Any, check: Check) -> str | None:
    """None of these stands in the added text, unless its line or the heading above tells it is done."""
    heading = ""
    for line in added(seen).splitlines():
        if line.rstrip().endswith(":") or line.startswith("#"):
            heading = line
        for task in want:
            if task in line and not re.search(FINISHED, f"{heading} {line}", re.I):
                return f"is told as open: {line!r}"
    return None


@one("added_blocks_le")
def added_blocks_le(seen: Seen, want: Any, check: Check) -> str | None:
    """At most so many blocks: added texts, and openings of fences in them."""
    texts = journey(seen).added
    fences = len(re.findall(r"^\s*<(?!/)[\w-]+>\s*$", "\n".join(texts), re.M))
    return wrong(max(len(texts), fences) <= want, f"{max(len(texts), fences)} blocks: {short(texts)}")


@one("added_text_len_le")
def added_text_len_le(seen: Seen, want: Any, check: Check) -> str | None:
    return wrong(len(added(seen)) <= want, f"{len(added(seen))} characters")


@many("same_added_text")
def same_added_text(seen: list[Seen], want: Any, check: Check) -> str | None:
    texts = {added(item) for item in seen}
    return wrong(len(texts) <= 1, f"they differ: {short(sorted(texts))}")


@many("append_only_except_boundaries")
def append_only_except_boundaries(seen: list[Seen], want: Any, check: Check) -> str | None:
    """Successive requests share what leads; only the newest turn may be told in another way next time."""
    breaks = 0
    for earlier, later in pairwise(seen):
        shared = earlier.value[:-1]
        breaks += later.value[: len(shared)] != shared
    allowed = check.get("max_boundaries", 0)
    return wrong(breaks <= allowed, f"the prefix changed {breaks} times, {allowed} allowed")


@one("starts_with_rewritten_span_of")
def starts_with_rewritten_span_of(seen: Seen, want: Any, check: Check) -> str | None:
    """The leading messages that the proxy wrote at step `value` lead here as well."""
    step = seen.result.steps[want if isinstance(want, int) else 0]
    if not step.main:
        return "that step did not reach the upstream"
    from wire.targets import find

    (other,) = find(seen.result, f"up.main[{step.index}].messages")
    kept = journey(other).kept
    written = [index for index, own in enumerate(kept[:-1]) if own is None]
    span = other.value[: written[-1] + 1] if written else []
    return wrong(seen.value[: len(span)] == span, f"starts with {short(seen.value[: len(span)])}")


@one("original_or_condensed_from_full_history")
def original_or_condensed_from_full_history(seen: Seen, want: Any, check: Check) -> str | None:
    """Untouched, or without a trace of the helper's broken-off text."""
    if journey(seen).untouched:
        return None
    texts = strings(seen.value)
    for reply in (request.reply for request in seen.result.aux):
        words = re.findall(rb'"content":\s*"([^"]{12,})"', reply.body if reply else b"")
        for word in words:
            if any(word.decode("utf-8", "replace") in text for text in texts):
                return "is built from what the helper said"
    return None
