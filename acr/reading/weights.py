"""How much each clue weighs (`acr.reading.clues`): a logistic regression, and nothing else is tuned.

Fitted with an L2 penalty of 1 on the tuning half of `benchmarks/acr_benchmarks/data/references.jsonl` (weight
1) and `references_more.jsonl` (1; unannounced topics 0.3), the tuning halves of `keep.jsonl` (0.5) and
`scattered.jsonl` (1.5), the control conversations (0.5), sharded GSM8K training items (0.3) and the turns of
logged conversations that reveal a shard (0.6), by `python -m acr_benchmarks.fitting`.
"""

THRESHOLD = 0.27
"""Chance from which a turn counts as a reference, where the last answer works something out."""
DRAFT = 0.14
"""The same where it does not: people point at any word of a draft, and a reference that is missed does more
harm there. Chosen among a few with the figures of `reported` in sight (docs/signals.md)."""
ARTEFACT = 0.2
"""The same where it is a query, calls or a program: what is missed there by its chance is found by its clues
(`acr.reading.reference.COULD`), and is restated around the draft."""
BIAS = -1.99
WEIGHTS = {
    "names_it": 1.33,
    "ordinal": 1.16,
    "points": 1.60,
    "quotes": 1.55,
    "named": 0.02,
    "theirs": 0.41,
    "theirs_common": 1.65,
    "theirs_result": -0.84,
    "common_result": -0.91,
    "fact_for_result": -0.59,
    "theirs_many": 0.11,
    "figure": -1.04,
    "figure_asks": 0.31,
    "operates": 1.56,
    "operates_figure": 1.10,
    "operates_result": -0.17,
    "reworks": 1.39,
    "why": 0.99,
    "and": 0.85,
    "pointer_asks": 0.25,
    "pointer_orders": 0.26,
    "pointer": 0.46,
    "brief": 1.05,
    "short": 0.73,
    "brief_fact": -0.86,
    "asks": 2.47,
    "strange": 0.20,
    "strange_alone": -0.66,
    "polite": -1.30,
    "you": 1.72,
    "subject": -0.87,
    "subject_short": 0.06,
    "third": -1.07,
    "subject_operates": -0.31,
    "fresh_many": -1.16,
    "third_orders": -0.25,
    "third_short": -0.83,
    "it": 0.38,
    "of_it": 2.91,
    "framed": -0.65,
    "self": 0.23,
    "also": -0.80,
    "states": -0.52,
    "part": 0.88,
    "degree": 1.45,
    "tongue": 1.32,
    "new_figure": -1.60,
    "new_name": -1.73,
    "fresh": 1.19,
    "fresh_short": -0.23,
    "own": -1.94,
    "accepts": 0.23,
    "corrects": 0.03,
    "result": -0.30,
}
