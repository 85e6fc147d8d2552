"""The built-in databases are the same everywhere, and their fillings differ."""

import hashlib
import re

import pytest
from acr_benchmarks import queries
from acr_benchmarks.databases import FILLINGS, SCHEMAS, dump


def content(name: str, filling: int) -> dict[str, list]:
    tables = re.findall(r"TABLE (\w+)", SCHEMAS[name])
    return {table: queries.run(dump(name, filling), f"SELECT * FROM {table}") for table in tables}


@pytest.mark.parametrize("name", SCHEMAS)
def test_of_realistic_size_and_each_filling_another(name: str) -> None:
    fillings = [content(name, filling) for filling in FILLINGS]
    assert all(sum(map(len, tables.values())) > 900 for tables in fillings)
    assert all(all(tables.values()) for tables in fillings)
    assert fillings[0] != fillings[1] != fillings[2] != fillings[0]


def test_the_same_on_every_machine() -> None:
    digest = hashlib.sha256(repr([content(name, 1) for name in sorted(SCHEMAS)]).encode()).hexdigest()
    assert digest == "6f67e8d6b2f9dd618c22c96e1add64a0b3a768d4436ecd6be89a285890984245"


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_the_schema_says_of_values_is_so(name: str) -> None:
    for column, values in re.findall(r"(\w+) is ('[^\n;]*')", SCHEMAS[name]):
        listed = set(re.findall(r"'(\w+)'", values))
        (table,) = [
            t
            for t in re.findall(r"TABLE (\w+) \(([^;]*);", SCHEMAS[name])
            if re.search(rf"\b{column} TEXT", t[1])
        ][:1]
        query = f"SELECT DISTINCT {column} FROM {table[0]}"
        found = {row[0] for filling in FILLINGS for row in queries.run(dump(name, filling), query)}
        assert found == listed, column
