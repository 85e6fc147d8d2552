"""SQL queries, scored by what they return.

Reads the built-in items (`database`, one of `acr_benchmarks.databases`) and those of the
Lost-in-Conversation release, which come from Spider (`db_id`, `schema_sql`, `fully_specified_question`):
their databases are not part of it, so the environment variable BENCH_DATABASES has to name the folder that
holds `DB_ID/*.sqlite`.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from acr.errors import BenchmarkError
from acr_benchmarks import queries
from acr_benchmarks.databases import FILLINGS, SCHEMAS, dump
from acr_benchmarks.task import Answer, Item, bullets

FOLDER = "BENCH_DATABASES"
SYSTEM = (
    "You help people query a database. Whenever you give a query, put one complete SQLite SELECT statement "
    "into a single ```sql block. Return the columns that are asked for and no others. The schema:\n\n"
)
BLOCK = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
QUERY = re.compile(r"^\s*(?:--[^\n]*\n\s*)*(?:SELECT|WITH)\b", re.IGNORECASE)
LOOSE = re.compile(
    r"^[ \t]*((?:SELECT|WITH)\b.*?)(?:;|\n[ \t]*\n|\Z)", re.IGNORECASE | re.DOTALL | re.MULTILINE
)
ORDERED = re.compile(r"\border\s+by\b(?![^()]*\))", re.IGNORECASE)
"""An ORDER BY outside of all brackets: then the order of the rows counts."""


class Database:
    """The same rows as the reference query, on every filling of the database."""

    name = "database"
    licence = "Apache-2.0"

    def path(self) -> Path:
        return Path(__file__).parent.parent / "data" / "database.jsonl"

    def system(self, item: Item) -> str:
        if "database" in item.data:
            return SYSTEM + SCHEMAS[known(item)]
        return SYSTEM + item.text("schema_sql")

    def full(self, item: Item) -> str:
        return item.text("question" if "question" in item.data else "fully_specified_question")

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        return bullets(pieces)

    def extract(self, item: Item, response: str) -> Answer | None:
        blocks = [block.strip() for block in BLOCK.findall(response) if QUERY.match(block)]
        if blocks:
            return Answer(blocks[-1])
        loose = LOOSE.findall(BLOCK.sub("", response))
        return Answer(loose[-1].strip()) if loose else None

    def score(self, item: Item, answer: str) -> float:
        reference = item.text("reference_sql")
        ordered = ORDERED.search(reference) is not None
        for database in fillings(item):
            expected = queries.run(database, reference)
            try:
                given = queries.run(database, answer)
            except queries.QueryError:
                return 0.0
            if not queries.same(given, expected, ordered=ordered):
                return 0.0
        return 1.0


def known(item: Item) -> str:
    """The built-in database of an item. Raises `BenchmarkError` if there is none of that name."""
    name = item.text("database")
    if name not in SCHEMAS:
        raise BenchmarkError(f"item {item.id!r} wants database {name!r}; known: {', '.join(SCHEMAS)}")
    return name


def fillings(item: Item) -> list[bytes]:
    """All databases to run on. Raises `BenchmarkError` if they cannot be found."""
    if "database" in item.data:
        return [dump(known(item), filling) for filling in FILLINGS]
    folder = os.environ.get(FOLDER)
    if not folder:
        raise BenchmarkError(f"item {item.id!r} needs Spider's databases: set {FOLDER} to their folder")
    files = sorted((Path(folder) / item.text("db_id")).glob("*.sqlite"))
    if not files:
        raise BenchmarkError(f"there is no {item.text('db_id')}/*.sqlite in {folder}")
    return [path.read_bytes() for path in files]
