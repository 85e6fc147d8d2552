"""SQL as a task: right, wrong, malformed and adversarial answers."""

import sqlite3
from pathlib import Path

import pytest
from acr_benchmarks import queries, task
from acr_benchmarks.databases import dump
from acr_benchmarks.soundness import problems
from acr_benchmarks.task import Item, Shard
from acr_benchmarks.tasks.database import ORDERED, Database, fillings

from acr.errors import BenchmarkError

TASK = Database()
ITEM = Item(
    "i",
    "database",
    (Shard(1, "?"),),
    {
        "database": "clinic",
        "question": "Fields?",
        "reference_sql": "SELECT field, COUNT(*) FROM doctors WHERE id > 3 GROUP BY field ORDER BY field",
    },
)


def score(response: str, item: Item = ITEM) -> float | None:
    answer = TASK.extract(item, response)
    return None if answer is None else TASK.score(item, answer.text)


@pytest.mark.parametrize(
    "response",
    [
        "```sql\nSELECT field, COUNT(*) FROM doctors WHERE id > 3 GROUP BY field ORDER BY field;\n```",
        "```\nselect count(id) as n, field from doctors where id >= 4 group by 2 order by 2\n```",
        "```sql\n-- by field\nWITH d AS (SELECT * FROM doctors WHERE id > 3)\nSELECT field, COUNT(*) FROM d GROUP BY field ORDER BY 1\n```",
        "Not this:\n```sql\nSELECT 1\n```\nbut this:\n```sql\nSELECT field, COUNT(*) FROM doctors WHERE id > 3 GROUP BY field ORDER BY field\n```",
        "Use this:\nSELECT field, COUNT(*)\nFROM doctors WHERE id > 3\nGROUP BY field ORDER BY field;\nIt counts.",
        "```sql\nSELECT field, COUNT(*) FROM doctors WHERE id > 3 GROUP BY field ORDER BY field",
    ],
)
def test_right(response: str) -> None:
    assert score(response) == 1.0


@pytest.mark.parametrize(
    "query",
    [
        "SELECT field, COUNT(*) FROM doctors GROUP BY field ORDER BY field",
        "SELECT field, COUNT(*) FROM doctors WHERE id > 3 GROUP BY field ORDER BY field DESC",
        "SELECT field FROM doctors WHERE id > 3 GROUP BY field ORDER BY field",
        "SELECT field, COUNT(*), 1 FROM doctors WHERE id > 3 GROUP BY field ORDER BY field",
        "SELECT * FROM doctors",
        "SELECT * FROM doctors, patients, visits",
        "SELECT field, COUNT(*) FROM doctor GROUP BY field",
        "SELECT",
        "SELECT field, COUNT(*) FROM doctors WHERE id > 3 GROUP BY field ORDER BY field; DROP TABLE doctors",
        "SELECT 1; SELECT 2",
    ],
)
def test_wrong(query: str) -> None:
    assert score(f"```sql\n{query}\n```") == 0.0


def test_results_written_into_the_query_do_not_pass() -> None:
    rows = queries.run(dump("clinic", 1), ITEM.text("reference_sql"))
    union = " UNION ALL ".join(f"SELECT '{field}', {count}" for field, count in rows)
    assert queries.same(queries.run(dump("clinic", 1), union), rows, ordered=True)
    assert score(f"```sql\n{union}\n```") == 0.0


@pytest.mark.parametrize(
    "response",
    ["", "Which field?", "```sql\nDELETE FROM doctors\n```", "```sql\n```", "I would select the doctors."],
)
def test_no_answer(response: str) -> None:
    assert score(response) is None


def test_only_an_outer_order_counts() -> None:
    assert ORDERED.search("SELECT a FROM t ORDER BY COUNT(*) DESC")
    assert ORDERED.search("SELECT a FROM (SELECT 1) order  by a")
    assert not ORDERED.search("SELECT a FROM t WHERE a = (SELECT b FROM u ORDER BY b LIMIT 1)")
    assert not ORDERED.search("SELECT a FROM t")


def test_the_system_prompt_has_the_schema() -> None:
    assert "CREATE TABLE doctors" in TASK.system(ITEM)


def test_spider_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    item = Item(
        "s",
        "database",
        (Shard(1, "?"),),
        {
            "db_id": "pets",
            "schema_sql": "CREATE TABLE pets (name)",
            "fully_specified_question": "All pets?",
            "reference_sql": "SELECT name FROM pets",
        },
    )
    monkeypatch.delenv("BENCH_DATABASES", raising=False)
    with pytest.raises(BenchmarkError, match="set BENCH_DATABASES"):
        fillings(item)
    monkeypatch.setenv("BENCH_DATABASES", str(tmp_path))
    with pytest.raises(BenchmarkError, match=r"no pets/\*\.sqlite"):
        fillings(item)
    (tmp_path / "pets").mkdir()
    for index, names in enumerate((("Rex",), ("Tom", "Kim"))):
        connection = sqlite3.connect(tmp_path / "pets" / f"pets{index}.sqlite")
        connection.execute("CREATE TABLE pets (name)")
        connection.executemany("INSERT INTO pets VALUES (?)", [(name,) for name in names])
        connection.commit()
        connection.close()
    assert "CREATE TABLE pets" in TASK.system(item)
    assert TASK.full(item) == "All pets?"
    assert score("```sql\nSELECT name FROM pets\n```", item) == 1.0
    assert score("```sql\nSELECT 'Rex'\n```", item) == 0.0


def test_an_unknown_database_is_named() -> None:
    with pytest.raises(BenchmarkError, match="known: shop, library"):
        TASK.system(Item("x", "database", (Shard(1, "?"),), {"database": "nope"}))


ITEMS = task.read(TASK.path(), "database")


def test_there_are_enough_built_in_items() -> None:
    assert len(ITEMS) >= 40
    assert {item.text("database") for item in ITEMS} == {"shop", "library", "league", "clinic"}


@pytest.mark.parametrize("built_in", ITEMS, ids=lambda built_in: built_in.id)
def test_built_in_items_are_sound(built_in: Item) -> None:
    assert list(problems(built_in, TASK.full(built_in))) == []
    reference = built_in.text("reference_sql")
    results = [queries.run(database, reference) for database in fillings(built_in)]
    assert all(results), "there is something to find in every filling"
    assert any(result != results[0] for result in results), "and not the same"
    assert TASK.score(built_in, reference) == 1.0
    if ORDERED.search(reference):
        assert any(len(result) > 1 for result in results), "else the order would mean nothing"
