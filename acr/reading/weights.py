"""How much each clue weighs (`acr.reading.clues`): a logistic regression, and nothing else is tuned.

Fitted with an L2 penalty of 1 on the tuning half of `benchmarks/acr_benchmarks/data/references.jsonl` (weight
1) and `references_more.jsonl` (1; unannounced topics 0.3), the tuning halves of `keep.jsonl` (0.5) and
`scattered.jsonl` (1.5), the control conversations (0.5), sharded GSM8K training items (0.15) and the turns of
logged conversations that reveal a shard (0.3), by `python -m acr_benchmarks.fitting`.
"""

THRESHOLD = 0.24
"""Chance from which a turn counts as a reference, where the last answer works something out."""
DRAFT = 0.18
"""The same where it does not: people point at any word of a draft, and a reference that is missed does more
harm there. Both were chosen on the tuning turns, for a recall near 0.98."""
BIAS = -1.80
WEIGHTS = {
    "names_it": 1.25,
    "ordinal": 1.37,
    "points": 1.29,
    "quotes": 1.35,
    "named": 0.03,
    "theirs": 0.42,
    "theirs_common": 1.75,
    "theirs_result": -0.73,
    "common_result": -0.71,
    "fact_for_result": -0.40,
    "theirs_many": 0.18,
    "figure": -0.61,
    "figure_asks": 0.37,
    "operates": 1.94,
    "operates_figure": 1.09,
    "operates_result": -0.07,
    "reworks": 1.50,
    "why": 0.73,
    "and": 0.73,
    "pointer_asks": 0.09,
    "pointer_orders": 0.71,
    "pointer": 0.23,
    "brief": 1.32,
    "short": 0.54,
    "brief_fact": -0.15,
    "asks": 2.02,
    "strange": 0.47,
    "strange_alone": -0.52,
    "polite": -1.08,
    "you": 2.12,
    "subject": -1.00,
    "subject_short": -0.41,
    "self": 0.29,
    "also": -0.75,
    "states": -0.43,
    "part": 1.39,
    "degree": 1.71,
    "tongue": 1.39,
    "new_figure": -1.14,
    "new_name": -1.46,
    "fresh": 0.30,
    "fresh_short": -0.16,
    "own": -1.68,
    "accepts": -0.05,
    "corrects": 0.18,
    "result": -0.65,
}
