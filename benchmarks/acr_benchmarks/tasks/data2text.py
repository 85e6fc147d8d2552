"""One sentence about the highlighted cells of a table, scored by BLEU.

Reads the built-in items and those of the Lost-in-Conversation release, which come from ToTTo:
`table_html`, `table_highlighted_html`, `fewshot_descriptions`, `metadata`, `references`, and shards that
hold table, examples, highlighted table and metadata one after the other. In a built-in shard, `{table_html}`
and the like stand for the field of that name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from acr.errors import BenchmarkError
from acr_benchmarks.bleu import bleu, signature
from acr_benchmarks.task import Answer, Item, Shard

SYSTEM = (
    "You describe tables. Whenever the user shows or tells you something about a table, answer with one "
    "sentence of at most 30 words that describes it, and with nothing else."
)
FIELDS = ("table_html", "table_highlighted_html", "fewshot_descriptions")


class Data2Text:
    """BLEU of the whole response against all references (see `acr_benchmarks.bleu`).

    The pieces come in the order and the words of the file, as in the protocol: they are material, not a
    person's sentences.
    """

    name = "data2text"
    licence = "Apache-2.0"

    def path(self) -> Path:
        return Path(__file__).parent.parent / "data" / "data2text.jsonl"

    def facts(self) -> Mapping[str, str]:
        return {"bleu": signature()}

    def prepare(self, item: Item) -> Item:
        return replace(item, ordered=True, shards=tuple(filled(item, shard) for shard in item.shards))

    def system(self, item: Item) -> str:
        return SYSTEM

    def full(self, item: Item) -> str:
        context = "\n".join(f"{key}: {value}" for key, value in item.data.get("metadata", {}).items())
        return (
            "Describe the highlighted cells of this table in one sentence of at most 30 words.\n\n"
            f"{item.text('table_highlighted_html')}\n\n{context}\n\n"
            f"Descriptions of other tables, as examples of the style:\n{item.text('fewshot_descriptions')}"
        )

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        return "Write one sentence about a table. Here is all there is to know:\n\n" + "\n\n".join(pieces)

    def extract(self, item: Item, response: str) -> Answer | None:
        return Answer(response.strip()) if response.strip() else None

    def score(self, item: Item, answer: str) -> float:
        references = item.data.get("references")
        if not isinstance(references, list) or not references:
            raise BenchmarkError(f"item {item.id!r} has no references")
        return bleu(answer, list(map(str, references)))


def filled(item: Item, shard: Shard) -> Shard:
    """A shard with the fields that it names put in."""

    def fill(text: str) -> str:
        for field in FIELDS:
            if f"{{{field}}}" in text:
                text = text.replace(f"{{{field}}}", item.text(field))
        return text

    return replace(shard, text=fill(shard.text), variants=tuple(map(fill, shard.variants)))
