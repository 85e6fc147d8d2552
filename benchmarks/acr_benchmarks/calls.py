"""Function calls written as Python: read as syntax, never run, and held against a documented signature.

The rules are those of the Berkeley Function-Calling Leaderboard's check for parallel calls (Apache-2.0),
written anew: the right number of calls in any order, each with the right name, every required parameter,
no undocumented one, and every value among the allowed ones. Strings are compared without case, spaces and
punctuation; an empty string among the allowed values means that the parameter may be left out.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MISSING = object()
WORDS = {"true": True, "false": False, "null": None, "none": None}
"""Names from JSON that models write where Python has others."""
LOOSE = re.compile(r"[\s,./\-_*^'\"()]+")


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `order` are its positional arguments."""

    name: str
    arguments: Mapping[str, Any]
    order: Sequence[Any] = field(default=())


def read(source: str) -> list[Call] | None:
    """The calls of `[f(a=1), g(b="x")]`, of one call, or of one call a line; None if it is none of these."""
    try:
        body = ast.parse(source.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes: list[ast.expr] = []
    for statement in body:
        if not isinstance(statement, ast.Expr):
            return None
        value = statement.value
        nodes += value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
    try:
        return [call(unquoted(node)) for node in nodes] or None
    except (ValueError, RecursionError):
        return None


def unquoted(node: ast.expr) -> ast.expr:
    """The call in a string that holds one: `["f(a=1)"]` is what small models make of a list of calls."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, MemoryError):
            raise ValueError("a string that holds no call") from None
    return node


def call(node: ast.expr) -> Call:
    """One call from its syntax. Raises ValueError for anything else, and for values that are not literals."""
    if not isinstance(node, ast.Call):
        raise ValueError("not a call")
    arguments = {}
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise ValueError("keyword arguments must be written out, each once")
        arguments[keyword.arg] = literal(keyword.value)
    return Call(name(node.func), arguments, [literal(one) for one in node.args])


def name(node: ast.expr) -> str:
    """A dotted name. Raises ValueError for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{name(node.value)}.{node.attr}"
    raise ValueError("not a name")


def literal(node: ast.expr) -> Any:
    """The value of a literal; `true`, `false` and `null` count. Raises ValueError for anything else."""
    if isinstance(node, ast.Name) and node.id in WORDS:
        return WORDS[node.id]
    if isinstance(node, ast.List | ast.Tuple):
        return [literal(one) for one in node.elts]
    if isinstance(node, ast.Dict):
        if any(key is None for key in node.keys):
            raise ValueError("a dictionary must be written out")
        return {literal(key): literal(one) for key, one in zip(node.keys, node.values, strict=True) if key}
    try:
        return ast.literal_eval(node)
    except (TypeError, SyntaxError, MemoryError) as error:
        raise ValueError(str(error)) from error


Expected = Mapping[str, Mapping[str, Sequence[Any]]]
"""One call that is wanted: {name: {parameter: [allowed, …]}}."""


def right(
    given: Sequence[Call], expected: Sequence[Expected], functions: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether the calls are the expected ones, in any order.

    `functions` are the documentations, with `name` and `parameters` {properties, required}.
    """
    if len(given) != len(expected):
        return False
    documented = {str(function["name"]): function["parameters"] for function in functions}
    wanted = [(name, allowed) for pair in expected for name, allowed in pair.items()]
    return assign([[matches(one, name, allowed, documented) for name, allowed in wanted] for one in given])


def assign(fits: Sequence[Sequence[bool]]) -> bool:
    """Whether every row can have a column of its own that fits (augmenting paths)."""
    owner: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, fit in enumerate(fits[row]):
            if fit and column not in tried:
                tried.add(column)
                if column not in owner or place(owner[column], tried):
                    owner[column] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(fits)))


def matches(given: Call, wanted: str, allowed: Mapping[str, Any], documented: Mapping[str, Any]) -> bool:
    """Whether one call is the wanted one."""
    if given.name != wanted or wanted not in documented:
        return False
    properties = documented[wanted].get("properties", {})
    arguments = dict(given.arguments)
    if len(given.order) > len(properties):
        return False
    for parameter, value in zip(properties, given.order, strict=False):
        if parameter in arguments:
            return False
        arguments[parameter] = value
    if any(parameter not in properties or parameter not in allowed for parameter in arguments):
        return False
    for parameter, values in allowed.items():
        value = arguments.get(parameter, MISSING)
        if value is MISSING:
            if "" not in values or parameter in documented[wanted].get("required", ()):
                return False
        elif not any(equal(value, one, properties[parameter]) for one in values):
            return False
    return True


def equal(given: Any, allowed: Any, kind: Mapping[str, Any]) -> bool:
    """Whether a value is an allowed one, of the documented type."""
    if isinstance(allowed, dict) and isinstance(given, dict):
        inner = kind.get("properties", {})
        required = {key for key, values in allowed.items() if "" not in values}
        return required <= given.keys() <= allowed.keys() and all(
            any(equal(value, one, inner.get(key, {})) for one in allowed[key]) for key, value in given.items()
        )
    if isinstance(allowed, list) and isinstance(given, list):
        items = kind.get("items", {})
        return len(given) == len(allowed) and all(
            equal(a, b, items) for a, b in zip(given, allowed, strict=True)
        )
    if isinstance(given, bool) or isinstance(allowed, bool) or given is None or allowed is None:
        return given is allowed
    if isinstance(given, str) and isinstance(allowed, str):
        return given == allowed or (bool(loose(allowed)) and loose(given) == loose(allowed))
    if isinstance(given, int | float) and isinstance(allowed, int | float):
        whole = kind.get("type") in ("integer", "int")
        return given == allowed and not (whole and isinstance(given, float))
    return False


def loose(text: str) -> str:
    """A string without case, spaces and punctuation."""
    return LOOSE.sub("", text).lower()
