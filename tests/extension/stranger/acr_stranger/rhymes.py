"""A task in one file, with its data beside it."""

from pathlib import Path

from acr_benchmarks.task import Answer, bullets


class Rhymes:
    name = "rhymes"
    licence = "CC0-1.0"

    def path(self):
        return Path(__file__).with_name("rhymes.jsonl")

    def system(self, item):
        return "You find rhymes."

    def full(self, item):
        return item.text("question")

    def concat(self, item, pieces):
        return bullets(pieces)

    def extract(self, item, response):
        words = response.split()
        return Answer(words[-1].strip(".")) if words else None

    def score(self, item, answer):
        return float(answer.lower() == item.text("answer"))
