"""Calls as syntax, and the comparison with what is expected."""

import pytest
from acr_benchmarks import calls
from acr_benchmarks.calls import Call
from hypothesis import given
from hypothesis import strategies as st

DOCS = [
    {
        "name": "book",
        "parameters": {
            "type": "dict",
            "properties": {
                "place": {"type": "string"},
                "people": {"type": "integer"},
                "price": {"type": "float"},
                "outside": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "who": {"type": "dict", "properties": {"age": {"type": "integer"}}},
            },
            "required": ["place", "people"],
        },
    }
]
EXPECTED = {"book": {"place": ["Lido"], "people": [4], "outside": [True, ""], "price": [2.5, ""]}}


def right(source: str, *expected: dict) -> bool:
    made = calls.read(source)
    return made is not None and calls.right(made, expected or (EXPECTED,), DOCS)


@pytest.mark.parametrize(
    "source",
    [
        "[book(place='Lido', people=4)]",
        'book(people=4, place="lido.")',
        "book('Lido', 4)",
        "[book('LIDO', people=4, outside=True)]",
        "['book(place=\\'Lido\\', people=4)']",
        "book(place='Lido', people=4, outside=true, price=2.5)",
        "(book(place='Lido', people=4),)",
    ],
)
def test_right(source: str) -> None:
    assert right(source)


@pytest.mark.parametrize(
    "source",
    [
        "book(place='Lido')",
        "book(place='Lido', people=5)",
        "book(place='Lido', people='4')",
        "book(place='Lido', people=4.0)",
        "book(place='Lido', people=True)",
        "book(place='', people=4)",
        "book(place='Lido', people=4, outside=False)",
        "book(place='Lido', people=4, outside='True')",
        "book(place='Lido', people=4, drinks=2)",
        "book(place='Lido', people=4, tags=['x'])",
        "book('Lido', place='Lido', people=4)",
        "book('Lido', 4, 2.5, True, [], {}, 7)",
        "books(place='Lido', people=4)",
        "[book(place='Lido', people=4), book(place='Lido', people=4)]",
        "[" + ", ".join(f"book(place='Lido', people={n})" for n in range(10)) + "]",
    ],
)
def test_wrong(source: str) -> None:
    assert not right(source)


@pytest.mark.parametrize(
    "source",
    ["", "[]", "I cannot.", "x = book()", "book(**all)", "book(people=n)", "book(people=2 * 2)", "book(f())", "3",
     "lambda: book()", "book(", "book(a={**b})", "[book, book]", "book()()", "book(a=1, a=2)", "(" * 500],
)  # fmt: skip
def test_what_is_no_call(source: str) -> None:
    assert calls.read(source) is None


def test_calls_are_read() -> None:
    made = calls.read("[a.b(x=-1, y=[1, {'k': null}])]\nc('s')")
    assert made == [Call("a.b", {"x": -1, "y": [1, {"k": None}]}, []), Call("c", {}, ["s"])]


def test_order_of_calls_is_free_and_each_counts_once() -> None:
    two = ({"book": {"place": ["A", "B"], "people": [1]}}, {"book": {"place": ["A"], "people": [1]}})
    assert right("[book('A', 1), book('B', 1)]", *two)
    assert right("[book('B', 1), book('A', 1)]", *two)
    assert right("[book('A', 1), book('A', 1)]", *two)
    assert not right("[book('B', 1), book('B', 1)]", *two)


def test_nested_values() -> None:
    wanted = {
        "book": {
            "place": ["A"],
            "people": [1],
            "tags": [["x", "y"], []],
            "who": [{"age": [3, 4], "name": ["a", ""]}],
        }
    }
    assert right("book('A', 1, tags=['X', 'y'], who={'age': 4})", wanted)
    assert right("book('A', 1, tags=[], who={'age': 3, 'name': 'a'})", wanted)
    assert not right("book('A', 1, tags=['y', 'x'], who={'age': 4})", wanted)
    assert not right("book('A', 1, tags=['x'], who={'age': 4})", wanted)
    assert not right("book('A', 1, tags=[], who={'name': 'a'})", wanted)
    assert not right("book('A', 1, tags=[], who={'age': 4, 'more': 1})", wanted)


def test_a_required_parameter_may_not_be_left_out_whatever_the_reference_says() -> None:
    assert not right("book(people=1)", {"book": {"place": ["A", ""], "people": [1]}})


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    for source in (text, f"book({text})", f"[book(place={text!r}, people=4), {text}]"):
        made = calls.read(source)
        if made:
            calls.right(made, (EXPECTED,), DOCS)
