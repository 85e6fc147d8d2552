"""The built-in databases: four schemas, filled by seed, a few hundred to a few thousand rows each.

Every schema comes in several fillings. A query counts only if it is right on all of them, so that one which
is right by chance, or has the result written into it, fails.
"""

import sqlite3
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

FILLINGS = (1, 2, 3)

SCHEMAS = {
    "shop": """CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, since INTEGER);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, category TEXT, price REAL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, day TEXT, status TEXT,
  FOREIGN KEY (customer_id) REFERENCES customers(id));
CREATE TABLE items (order_id INTEGER, product_id INTEGER, quantity INTEGER,
  FOREIGN KEY (order_id) REFERENCES orders(id), FOREIGN KEY (product_id) REFERENCES products(id));
-- since is a year, day is YYYY-MM-DD, status is 'open', 'paid' or 'cancelled'
-- category is 'tools', 'toys', 'books' or 'garden'; city is 'Bern', 'Lyon', 'Turin', 'Graz' or 'Ghent'""",
    "library": """CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, country TEXT, born INTEGER);
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER, year INTEGER, genre TEXT,
  pages INTEGER, FOREIGN KEY (author_id) REFERENCES authors(id));
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, city TEXT, joined INTEGER);
CREATE TABLE loans (id INTEGER PRIMARY KEY, book_id INTEGER, member_id INTEGER, taken TEXT, returned TEXT,
  FOREIGN KEY (book_id) REFERENCES books(id), FOREIGN KEY (member_id) REFERENCES members(id));
-- born, year and joined are years; taken and returned are YYYY-MM-DD, returned is NULL while it is out
-- genre is 'crime', 'poetry', 'history' or 'science'; country is 'Chile', 'Kenya', 'Norway' or 'Japan'
-- city is 'Bern', 'Lyon', 'Turin', 'Graz' or 'Ghent'""",
    "league": """CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT, city TEXT, founded INTEGER);
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT, team_id INTEGER, position TEXT, born INTEGER,
  salary INTEGER, FOREIGN KEY (team_id) REFERENCES teams(id));
CREATE TABLE games (id INTEGER PRIMARY KEY, home_id INTEGER, away_id INTEGER, day TEXT, home_goals INTEGER,
  away_goals INTEGER, FOREIGN KEY (home_id) REFERENCES teams(id), FOREIGN KEY (away_id) REFERENCES teams(id));
-- founded and born are years, day is YYYY-MM-DD
-- position is 'goal', 'defence', 'midfield' or 'attack'
-- city is 'Bern', 'Lyon', 'Turin', 'Graz' or 'Ghent'""",
    "clinic": """CREATE TABLE doctors (id INTEGER PRIMARY KEY, name TEXT, field TEXT);
CREATE TABLE patients (id INTEGER PRIMARY KEY, name TEXT, city TEXT, born INTEGER);
CREATE TABLE visits (id INTEGER PRIMARY KEY, doctor_id INTEGER, patient_id INTEGER, day TEXT, minutes INTEGER,
  cost REAL, kind TEXT, FOREIGN KEY (doctor_id) REFERENCES doctors(id),
  FOREIGN KEY (patient_id) REFERENCES patients(id));
-- born is a year, day is YYYY-MM-DD, kind is 'first', 'control' or 'emergency'
-- field is 'heart', 'skin', 'eyes' or 'bones'; city is 'Bern', 'Lyon', 'Turin', 'Graz' or 'Ghent'""",
}

FIRST = "Ada Ben Cleo Dov Eva Finn Gita Hugo Ines Jan Kira Leo Mona Nils Olga Piet Rosa Sami Tara Uli".split()
LAST = (
    "Abt Berg Costa Diaz Ek Falk Gross Huber Ito Jonas Kaya Lang Mori Novak Otto Park Quist Ruiz Sato".split()
)
CITIES = "Bern Lyon Turin Graz Ghent".split()
NOUNS = "Lamp Rope Drum Chair Kite Spade Atlas Clock Glove Torch Chess Pot Robot Saw Globe".split()
ADJECTIVES = "Blue Small Grand Silent Bright Old Swift Soft".split()


class Dice:
    """Draws from a seed, by `Random.random` alone, whose results are the same in every version of Python."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    def between(self, low: int, high: int) -> int:
        return low + int(self.random.random() * (high - low + 1))

    def one(self, of: Sequence[str]) -> str:
        return of[self.between(0, len(of) - 1)]

    def person(self) -> str:
        return f"{self.one(FIRST)} {self.one(LAST)}"

    def thing(self) -> str:
        return f"{self.one(ADJECTIVES)} {self.one(NOUNS)}"

    def day(self, first: int = 2021, last: int = 2024) -> str:
        return f"{self.between(first, last)}-{self.between(1, 12):02}-{self.between(1, 28):02}"

    def cents(self, low: int, high: int) -> float:
        return self.between(low * 4, high * 4) / 4


def shop(dice: Dice, put: Callable[..., None]) -> None:
    for id in range(1, 121):
        put("customers", id, dice.person(), dice.one(CITIES), dice.between(2010, 2024))
    for id in range(1, 61):
        put("products", id, dice.thing(), dice.one(("tools", "toys", "books", "garden")), dice.cents(2, 120))
    for id in range(1, 901):
        put("orders", id, dice.between(1, 110), dice.day(), dice.one(("open", "paid", "paid", "cancelled")))
        for _ in range(dice.between(1, 4)):
            put("items", id, dice.between(1, 55), dice.between(1, 6))


def library(dice: Dice, put: Callable[..., None]) -> None:
    for id in range(1, 41):
        put(
            "authors",
            id,
            dice.person(),
            dice.one(("Chile", "Kenya", "Norway", "Japan")),
            dice.between(1900, 1995),
        )
    for id in range(1, 301):
        genre = dice.one(("crime", "poetry", "history", "science"))
        put(
            "books",
            id,
            dice.thing(),
            dice.between(1, 37),
            dice.between(1930, 2024),
            genre,
            dice.between(60, 900),
        )
    for id in range(1, 101):
        put("members", id, dice.person(), dice.one(CITIES), dice.between(2005, 2024))
    for id in range(1, 1201):
        returned = None if dice.between(1, 5) == 1 else dice.day(2024, 2024)
        put("loans", id, dice.between(1, 280), dice.between(1, 92), dice.day(2021, 2023), returned)


def league(dice: Dice, put: Callable[..., None]) -> None:
    for id in range(1, 17):
        put(
            "teams",
            id,
            f"{dice.one(ADJECTIVES)} {dice.one(NOUNS)}s {id}",
            dice.one(CITIES),
            dice.between(1895, 2010),
        )
    for id in range(1, 321):
        position = dice.one(("goal", "defence", "defence", "midfield", "midfield", "attack"))
        put(
            "players",
            id,
            dice.person(),
            dice.between(1, 15),
            position,
            dice.between(1984, 2006),
            dice.between(20, 400) * 1000,
        )
    for id in range(1, 601):
        home = dice.between(1, 15)
        away = (home + dice.between(1, 14) - 1) % 15 + 1
        put("games", id, home, away, dice.day(), dice.between(0, 5), dice.between(0, 4))


def clinic(dice: Dice, put: Callable[..., None]) -> None:
    for id in range(1, 26):
        put("doctors", id, dice.person(), dice.one(("heart", "skin", "eyes", "bones")))
    for id in range(1, 251):
        put("patients", id, dice.person(), dice.one(CITIES), dice.between(1935, 2020))
    for id in range(1, 1501):
        kind = dice.one(("first", "control", "control", "emergency"))
        put(
            "visits",
            id,
            dice.between(1, 23),
            dice.between(1, 230),
            dice.day(),
            dice.between(5, 90),
            dice.cents(20, 400),
            kind,
        )


FILL = {"shop": shop, "library": library, "league": league, "clinic": clinic}


@lru_cache(maxsize=16)
def dump(name: str, filling: int) -> bytes:
    """One filled database as bytes. Raises KeyError for an unknown name."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMAS[name])

    def put(table: str, *row: object) -> None:
        connection.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)

    FILL[name](Dice(f"{name}/{filling}"), put)
    connection.commit()
    data = connection.serialize()
    connection.close()
    return data
