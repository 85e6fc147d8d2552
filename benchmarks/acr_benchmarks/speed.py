"""What reading and deciding cost, in milliseconds of one thread, by the length of the conversation.

python -m acr_benchmarks.speed
"""

import random
from collections.abc import Callable
from statistics import median
from time import thread_time

from acr import registry
from acr.conversation import Conversation, Role, Turn
from acr.reading.dialogue import readers
from acr.reading.features import features
from acr.signals import observe

LENGTHS = (21, 41, 201, 2001)
WORDS = "garden fence metre shop price list answer because Oslo Kyle maybe 12 40 7.5 which under over".split()


def conversation(turns: int, seed: int = 1) -> Conversation:
    """User and assistant by turns, about 100 tokens each. The texts are new objects, as in a request."""
    chance = random.Random(seed)
    roles: tuple[Role, Role] = ("user", "assistant")
    texts = [" ".join(chance.choice(WORDS) for _ in range(80)) + "." for _ in range(turns)]
    return Conversation(tuple(Turn(str(i), roles[i % 2], text) for i, text in enumerate(texts)))


def milliseconds(work: Callable[[Conversation], object], said: Conversation) -> float:
    start = thread_time()
    work(said)
    return 1000 * (thread_time() - start)


def report() -> str:
    controller = registry.controller("rules")

    def both(said: Conversation) -> object:
        return controller.decide(said, observe(said))

    lines = ["| turns | never seen | seen before | two more turns | all families |", "|" + " --- |" * 5]
    for turns in LENGTHS:
        readers.clear()
        features.clear()
        new = milliseconds(both, conversation(turns))
        again = median(milliseconds(both, conversation(turns)) for _ in range(5 if turns > 1000 else 30))
        more = milliseconds(both, conversation(turns + 2))
        everything = milliseconds(lambda said: observe(said).numbers(), conversation(turns))
        lines.append(f"| {turns} | {new:.1f} | {again:.2f} | {more:.1f} | {everything:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
