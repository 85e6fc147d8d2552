"""Sampling seeds, the same for whatever is compared with each other."""

import hashlib


def draw(seed: int, group: str, run: int, turn: int) -> int:
    """The seed of one call: a 31-bit integer.

    The operator is left out: contexts that are equal get equal answers, and contexts that differ are sampled
    with the same random numbers, which makes paired differences less noisy. For benchmark items it is the
    seed that `acr bench run` draws, so the two share answers.
    """
    key = f"{seed}/{group}/{run}/{turn}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") >> 1
