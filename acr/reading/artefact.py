"""Artefacts: answers in a form that the request fixes, a query, calls or a program.

People point at any word of a letter. A query or a list of calls is looked at as a whole, does what was asked
or not, and is written anew from what was asked; so is a program, as long as the names by which others
would know it are the user's own.
"""

import re
from collections.abc import Set
from dataclasses import dataclass

from acr.memo import Memo
from acr.reading.features import features
from acr.text import fold, tokens

_BLOCK = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_QUERY = re.compile(r"\A\s*(?:--[^\n]*\n\s*)*(?:SELECT|WITH)\b.*\bFROM\b", re.IGNORECASE | re.DOTALL)
_CALL = re.compile(r"\A\s*\[?\s*[A-Za-z_][\w.]*\(.*\)[\s\]]*\Z", re.DOTALL)
_NAMED = re.compile(
    r"^(?:export\s+|public\s+|async\s+|static\s+|default\s+)*"
    r"(?:def|class|function|func|fn|struct|interface|trait|module|CREATE\s+(?:TABLE|VIEW|FUNCTION))\s+(\w+)",
    re.MULTILINE | re.IGNORECASE,
)
"""Definitions at the left margin; what is indented is nobody else's business."""
_PROSE = 400
"""Characters beside the artefact: who writes more explains something, and that may be pointed at."""
_LIMIT = 20_000
"""Characters of a whole answer: what is longer nobody looks at as a whole."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A query, calls or a program."""

    defines: frozenset[str]
    """Folded names that it defines at its top level. None in queries and calls."""


def _read(text: str) -> tuple[Artefact, ...]:
    """One or none, so that a memory of either can be told from nothing remembered."""
    if len(text) > _LIMIT:
        return ()
    blocks = [block for block in _BLOCK.findall(text) if block.strip()]
    beside = len(_BLOCK.sub("", text).strip())
    if not blocks:
        bare = text.strip()
        defined = frozenset(map(fold, _NAMED.findall(bare))) if _NAMED.match(bare) else frozenset()
        if defined:
            return (Artefact(defined),)
        whole = bool(_QUERY.match(bare)) or (features(text).call and bool(_CALL.match(_last(bare))))
        return (Artefact(frozenset()),) if whole else ()
    if beside > _PROSE:
        return ()
    defines = {fold(name) for block in blocks for name in _NAMED.findall(block)}
    if defines or all(_QUERY.match(block) or _CALL.match(block) for block in blocks):
        return (Artefact(frozenset(defines)),)
    return ()


def _last(text: str) -> str:
    r"""The last paragraph that begins as calls do ("Here are the calls:\n\n[…]")."""
    parts = [part for part in text.split("\n\n") if part.lstrip().startswith("[") or _CALL.match(part)]
    return parts[-1] if parts else ""


_artefacts = Memo(_read)


def artefact(text: str) -> Artefact | None:
    """The artefact that an answer is, or None; remembered by content."""
    return next(iter(_artefacts(text)), None)


def body(text: str) -> str:
    """An answer's blocks without what is said around them, or all of it; without white space."""
    return "".join("".join(_BLOCK.findall(text) or [text]).split())


_LABEL = re.compile(r"```(\w+)")


def labels(text: str) -> set[str]:
    """What the blocks of a text are said to be: "```sql" is no word of the query."""
    return {fold(label) for label in _LABEL.findall(text)} if "```" in text else set()


_VALUE = re.compile(r"=\s*\"([^\"\n]*)\"|=\s*'([^'\n]*)'|=\s*(\d[\d.]*)")


def values(text: str) -> set[str]:
    """Tokens of the arguments of calls: texts and numbers."""
    return {token for found in _VALUE.findall(text) for token in tokens(" ".join(found))}


_TABLE = re.compile(r"\b(?:FROM|JOIN)\s+[\"`]?([\w.]+)", re.IGNORECASE)
_SELECTS = re.compile(r"\bSELECT\b", re.IGNORECASE)


def version(before: str, after: str, said: str, newest: str) -> bool:
    """Whether an artefact may be another version of one before it: both share what tells which thing it is.

    That is a table, a defined name, or in calls a value that the user `said` before the `newest` turn and
    that does not merely come from that turn. Where nothing tells, it may be; so may it after calls in which
    more was guessed than told, for those are not done.
    """
    if before.strip() == after.strip():
        return True
    one, other = artefact(before), artefact(after)
    if one and other and one.defines and other.defines:
        return bool(one.defines & other.defines)
    if _SELECTS.search(before) and _SELECTS.search(after):
        old, new = _tables(before), _tables(after)
        return bool(old & new) or not (old and new)
    was, now = values(before), values(after)
    told = _told(was, said)
    return not (told and now) or 2 * len(told) < len(was) or bool((told & now) - _told(told, newest))


def _told(found: Set[str], text: str) -> set[str]:
    """Those of some values that a text has, with another ending or as part of a compound too."""
    words, folded = set(tokens(text)), fold(text)
    return {one for one in found if one in words or (_long(one) and _root(one) in folded)}


def _long(value: str) -> bool:
    return len(value) >= _ROOT or not value.isascii()


def _root(value: str) -> str:
    return value[:-1] if len(value) > _ROOT else value


_ROOT = 4
"""Characters from which a value may be looked for inside of words."""


def _tables(text: str) -> set[str]:
    return set(map(fold, _TABLE.findall(text)))


def owned(text: str, said: Set[str]) -> bool:
    """Whether an answer is an artefact that defines only names among those tokens."""
    found = artefact(text)
    return found is not None and found.defines <= said
