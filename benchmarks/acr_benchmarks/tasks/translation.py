"""A German document translated to English, scored by BLEU over the whole document.

Reads the built-in items and the translation file of the Lost-in-Conversation release (WMT19): `document_de`,
`document_en`, and shards of two sentences each. The user hands over two sentences a turn and wants the whole
translated anew each time, so only the last answer can be complete.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from acr_benchmarks.bleu import bleu, signature
from acr_benchmarks.task import Answer, Item, Shard

SYSTEM = (
    "You translate German documents into English. A document may come in parts: then always answer with the "
    "translation of all parts so far, improved where a later part calls for it. Write the translation only."
)
FIRST = (
    "Translate this German document into English. I send it in parts; here is the first one:",
    "I have a German document that I need in English. It comes in parts, this is the first:",
    "Please put this into English. It is the first part of a document in German:",
    "Here is the beginning of a German document. Please translate it into English:",
)
NEXT = (
    "Here is the next part. Translate the whole document so far:",
    "The document goes on. Please give me the translation of everything up to here:",
    "Next part; I need all parts so far in English:",
    "This comes next. Translate it together with what I sent before:",
)


class Translation:
    """BLEU of the whole response (see `acr_benchmarks.bleu`). Pieces come in the order of the file."""

    name = "translation"
    licence = "Apache-2.0"

    def path(self) -> Path:
        return Path(__file__).parent.parent / "data" / "translation.jsonl"

    def facts(self) -> Mapping[str, str]:
        return {"bleu": signature()}

    def prepare(self, item: Item) -> Item:
        """The sentences are the file's own, word for word; only the words around them vary."""
        return replace(
            item,
            ordered=True,
            shards=tuple(led(shard, NEXT if index else FIRST) for index, shard in enumerate(item.shards)),
        )

    def system(self, item: Item) -> str:
        return SYSTEM

    def full(self, item: Item) -> str:
        return f"Translate this German document into English:\n\n{item.text('document_de')}"

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        parts = [piece.partition("\n\n")[2] or piece for piece in pieces]
        return "Translate this German document, which comes in parts, into English:\n\n" + "\n\n".join(parts)

    def extract(self, item: Item, response: str) -> Answer | None:
        return Answer(response.strip()) if response.strip() else None

    def score(self, item: Item, answer: str) -> float:
        return bleu(answer, [item.text("document_en")])


def led(shard: Shard, leads: Sequence[str]) -> Shard:
    """A shard with the words that hand it over, in each of their wordings."""
    text, *variants = (f"{lead}\n\n{shard.text}" for lead in leads)
    return replace(shard, text=text, variants=tuple(variants))
