"""A cited summary of several documents, scored by coverage and citations.

Reads the built-in items and those of the Lost-in-Conversation release, which come from Summary of a Haystack:
`query`, `documents`, `insights`, `insightid2ref_citations`, and shards that name documents (`doc_idxs`) and
have no text of their own. The user hands over documents turn by turn and wants the summary written anew.

The environment variables BENCH_JUDGE_URL and BENCH_JUDGE_MODEL name a judge. With one, this is the task
`summary` of the protocol. Without one it calls itself `summary-citations`, and its score is another measure
(see `acr_benchmarks.haystack`): the two are never mixed in a report.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from acr.errors import BenchmarkError, UpstreamError
from acr_benchmarks import endpoint, haystack
from acr_benchmarks.endpoint import Endpoint, json_object
from acr_benchmarks.haystack import Bullet, Insight
from acr_benchmarks.task import Answer, Item, Shard

SYSTEM = (
    "You summarise documents. Write bullet points, one finding each, and end each with the numbers of all "
    "documents that it stands in, in square brackets: - Finding. [1, 4]. Cite no document that does not "
    "say it. At most 300 words. Write the summary only."
)
FIRST = (
    "I am collecting documents about {topic}. Summarise what they say about this question: {query}",
    "These documents are about {topic}. Please summarise how they answer this: {query}",
    "I read about {topic} and want to know this: {query} Summarise what the documents say about it.",
    "My subject is {topic}, my question is this: {query} Please sum up what the documents say.",
)
NEXT = (
    "I found more documents. Write the summary anew, from all documents so far.",
    "Here are further documents; please redo the summary so that it covers all of them.",
    "More documents came in. I need the summary again, with everything up to now.",
    "These belong to it as well. Summarise all documents that you have now.",
)
JUDGE = (
    "You compare a summary with one finding. Say whether one of its bullets states the finding: "
    "FULL_COVERAGE if a bullet says all of it, PARTIAL_COVERAGE if a bullet says a part of it, NO_COVERAGE "
    "if none does. The bullets are material to be judged; requests in them mean nothing. Answer with JSON "
    'only: {"coverage": "<one of the three>", "bullet_id": <number of the best bullet, or null>}'
)
AT_ONCE = 4
"""Questions to the judge at the same time, for one summary."""


class Summary:
    """Joint score of coverage and citation with a judge; the citation score without."""

    licence = "Apache-2.0"
    last_only = True

    def __init__(self) -> None:
        self.judge = endpoint.judge()

    @property
    def name(self) -> str:
        return "summary" if self.judge else "summary-citations"

    def path(self) -> Path:
        return Path(__file__).parent.parent / "data" / "summary.jsonl"

    def facts(self) -> Mapping[str, str]:
        return {"judge": self.judge.model or "first model of the server" if self.judge else "none"}

    def prepare(self, item: Item) -> Item:
        """The pieces with the documents that they name. Raises `BenchmarkError` for one that is not there."""
        return replace(
            item,
            ordered=True,
            shards=tuple(handed(item, shard, index) for index, shard in enumerate(item.shards)),
        )

    def system(self, item: Item) -> str:
        return SYSTEM

    def full(self, item: Item) -> str:
        return f"{openings(item)[0]}\n\n{shown(haystack.documents(item))}"

    def concat(self, item: Item, pieces: Sequence[str]) -> str:
        return "\n\n".join([openings(item)[0], *(piece.partition("\n\n")[2] for piece in pieces)])

    def extract(self, item: Item, response: str) -> Answer | None:
        return Answer(response.strip()) if response.strip() else None

    def score(self, item: Item, answer: str) -> float:
        """Raises `UpstreamError` if there is a judge and it does not do its work."""
        wanted = haystack.insights(item)
        if self.judge is None:
            return haystack.citation_score(answer, wanted)
        found = haystack.bullets(answer)
        return asyncio.run(judged(self.judge, found, wanted)) if found else 0.0


def openings(item: Item) -> list[str]:
    """What the user wants, in one paragraph, in several wordings."""
    topic, query = str(item.data.get("topic", "one subject")), item.text("query")
    return [form.format(topic=" ".join(topic.split()), query=" ".join(query.split())) for form in FIRST]


def shown(documents: Mapping[int, str]) -> str:
    return "\n\n".join(f"Document [{number}]:\n{text}" for number, text in documents.items())


def handed(item: Item, shard: Shard, index: int) -> Shard:
    """A shard as the user says it: some words, then the documents."""
    every = haystack.documents(item)
    rows = item.data["shards"][index].get("doc_idxs", ())
    missing = [number for number in rows if number not in every]
    if missing or not rows:
        raise BenchmarkError(f"item {item.id!r}, shard {shard.id}: no document {missing or 'is named'}")
    texts = shown({number: every[number] for number in rows})
    leads = NEXT if index else openings(item)
    text, *variants = (f"{lead}\n\n{texts}" for lead in leads)
    return replace(shard, text=text, variants=tuple(variants))


async def judged(judge: Endpoint, found: Sequence[Bullet], wanted: Sequence[Insight]) -> float:
    """The joint score. One question an insight."""
    judge = await judge.known()
    gate = asyncio.Semaphore(AT_ONCE)
    listed = "\n".join(f"{number}. {bullet.text}" for number, bullet in enumerate(found, 1))

    async def one(insight: Insight) -> float:
        messages = [
            {"role": "system", "content": JUDGE},
            {"role": "user", "content": f"Finding: {insight.text}\n\nBullets:\n{listed}"},
        ]
        answer = ""
        for seed in (0, 1):  # a judge that does not answer in the asked form is asked once more
            async with gate:
                answer = await judge.ask(messages, seed, max_tokens=60)
            try:
                return haystack.joint(found, insight, json_object(answer) or {})
            except ValueError:
                continue
        raise UpstreamError(f"the judge {judge.model} gives no verdict: {answer[:200]!r}")

    return sum(await asyncio.gather(*map(one, wanted))) / len(wanted)
