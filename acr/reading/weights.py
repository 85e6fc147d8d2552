"""How much each clue weighs (`acr.reading.clues`): a logistic regression, and nothing else is tuned.

Fitted with an L2 penalty of 1 on the tuning half of `benchmarks/acr_benchmarks/data/references.jsonl` (weight
1) and `references_more.jsonl` (1; unannounced topics 0.3), the tuning halves of `keep.jsonl` (0.5) and
`scattered.jsonl` (1.5), the control conversations (0.5), sharded GSM8K training items (0.15) and the turns of
logged conversations that reveal a shard (0.3), by `python -m acr_benchmarks.fitting`.
"""

THRESHOLD = 0.24
"""Chance from which a turn counts as a reference: chosen by cross-validation on the tuning half, for a recall
of 0.97. A reference that is missed may do harm; one that is imagined only leaves the turn alone."""
BIAS = -1.83
WEIGHTS = {
    "names_it": 1.30,
    "ordinal": 1.39,
    "points": 1.41,
    "quotes": 1.01,
    "named": 0.07,
    "theirs": 0.38,
    "theirs_common": 1.92,
    "theirs_result": -0.67,
    "common_result": -0.90,
    "fact_for_result": -0.38,
    "theirs_many": -0.35,
    "figure": -0.91,
    "figure_asks": 0.34,
    "operates": 1.77,
    "operates_figure": 1.21,
    "operates_result": -0.07,
    "reworks": 1.39,
    "why": 0.59,
    "and": 0.80,
    "pointer_asks": 0.43,
    "pointer_orders": 0.83,
    "pointer": -0.05,
    "brief": 1.14,
    "short": 0.85,
    "brief_fact": -0.33,
    "asks": 1.99,
    "strange": 0.26,
    "strange_alone": -0.66,
    "polite": -1.22,
    "you": 1.97,
    "self": -0.28,
    "also": -0.94,
    "states": -0.76,
    "part": 1.26,
    "degree": 1.52,
    "tongue": 1.27,
    "new_figure": -1.49,
    "new_name": -1.45,
    "fresh": 0.57,
    "fresh_short": -0.22,
    "own": -1.52,
    "accepts": 0.00,
    "corrects": 0.17,
    "result": -0.60,
}
