"""BLEU of one text, by sacrebleu with its defaults, as a number in [0, 1].

The text is scored as a corpus of one segment against all its references, as the Lost-in-Conversation code
does (arXiv 2505.06120, appendix J): for data2text that segment is a sentence, for translation the whole
document, which is why a score is not the mean over its sentences. sacrebleu's defaults are 13a tokens, case
kept, exponential smoothing. `signature` says which version counted; it goes into every episode.
"""

from collections.abc import Sequence
from typing import Any

from acr.errors import BenchmarkError

LENGTH = 20_000
"""Characters of a text that are read. No reference is nearly as long, and counting takes time."""


def metric() -> Any:
    """A new counter, as it keeps notes of what it counted. Raises `BenchmarkError` without sacrebleu."""
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise BenchmarkError(
            "this task needs sacrebleu: pip install 'adaptive-context-refactoring[bench]'"
        ) from error
    return BLEU()


def bleu(text: str, references: Sequence[str]) -> float:
    """BLEU / 100 of `text` against all `references` at once. Never raises for any text."""
    clean = text[:LENGTH].encode("utf-8", "replace").decode().strip()
    found = metric().corpus_score([clean], [[reference.strip()] for reference in references])
    return min(1.0, round(float(found.score) / 100, 6))


def signature() -> str:
    """What counts, in sacrebleu's own short form, the number of references left out."""
    one = metric()
    one.corpus_score(["a"], [["a"]])
    return "|".join(part for part in str(one.get_signature()).split("|") if not part.startswith("nrefs"))
