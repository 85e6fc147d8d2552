"""A tiny trunk of the same architecture, and a table of outcomes in which the label can be learnt."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from acr_training import table
from acr_training.records import Example, Outcome, Pair, State, state

ACTIONS = ("none", "consolidate", "prune")
WORDS = {
    "none": "thanks that is fine",
    "consolidate": "also sort the numbers",
    "prune": "make the draft shorter",
}
"""What the newest message says decides which action is best."""
TOPICS = "a report a letter a plan a query a program a summary a table a recipe a poem a test".split(" a ")


def examples(count: int, seed: int = 0) -> list[tuple[State, Example]]:
    """States with their outcomes. Groups, and so splits, are spread by hash."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        best = ACTIONS[number % len(ACTIONS)]
        topic, other = chance.sample(TOPICS, 2)
        said = f"{WORDS[best]} {chance.choice('now please once'.split())} {chance.randrange(100)}"
        messages = [
            {"role": "user", "content": f"Write {topic} about {other} {number}."},
            {"role": "assistant", "content": f"Here is {topic} about {other}: {chance.randrange(1000)}."},
            {"role": "user", "content": said},
        ]
        made = state(task="made", item=str(number), messages=messages)
        rewards = {action: 1.0 if action == best else round(chance.uniform(0, 0.4), 3) for action in ACTIONS}
        pairs = [
            Pair(better=best, worse=worse, margin=round(1 - rewards[worse], 3))
            for worse in ACTIONS
            if worse != best
        ]
        kind = "none" if best == "none" else "corrective"
        gain = round(rewards[best] - rewards["none"], 3)
        found.append(
            (made, Example(state=made.id, label=best, kind=kind, gain=gain, rewards=rewards, pairs=pairs))
        )
    return found


def outcomes(example: Example) -> list[Outcome]:
    """Whose scores are the rewards, as if tokens were free."""
    return [
        Outcome(
            state=example.state,
            operator=None if action == "none" else action,
            view=action,
            changed=action != "none",
            score=reward,
            prompt_tokens=0,
            completion_tokens=0,
            answer="",
            last="",
        )
        for action, reward in example.rewards.items()
    ]


def write_table(path: Path, count: int, seed: int = 0) -> Path:
    """A run directory as `acr train collect` and `label` leave it."""
    made = examples(count, seed)
    table.write(path / table.STATES, [one for one, _ in made])
    table.write(path / table.OUTCOMES, [outcome for _, one in made for outcome in outcomes(one)])
    table.write(path / table.EXAMPLES, [one for _, one in made])
    return path


def write_trunk(folder: Path, *, hidden: int = 48, layers: int = 2, seed: int = 0) -> Path:
    """A random Llama model with tied embeddings in the layout of transformers, with a small tokenizer."""
    from safetensors.numpy import save_file

    from acr.lm.trunk import EMBEDDING, NORM, names

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = _tokenizer(folder / "tokenizer.json")
    heads, kv_heads, inner = 4, 2, hidden * 2
    head = hidden // heads
    rng = np.random.default_rng(seed)

    def random_(*shape: int, scale: float = 0.0) -> Any:
        return (rng.standard_normal(shape) * (scale or shape[-1] ** -0.5)).astype(np.float32)

    shapes = {
        "q_proj": (heads * head, hidden), "k_proj": (kv_heads * head, hidden), "v_proj": (kv_heads * head, hidden),
        "o_proj": (hidden, heads * head), "gate_proj": (inner, hidden), "up_proj": (inner, hidden),
        "down_proj": (hidden, inner),
    }  # fmt: skip
    weights = {EMBEDDING: random_(vocabulary, hidden, scale=0.3), NORM: np.ones(hidden, np.float32)}
    for layer in range(layers):
        for name in names(layer):
            part = name.split(".")[-2]
            weights[name] = random_(*shapes[part]) if part in shapes else np.ones(hidden, np.float32)
    save_file(weights, folder / "model.safetensors")
    config = {
        "model_type": "llama", "tie_word_embeddings": True, "num_hidden_layers": layers, "hidden_size": hidden,
        "num_attention_heads": heads, "num_key_value_heads": kv_heads, "head_dim": head, "rms_norm_eps": 1e-5,
        "rope_theta": 10_000.0, "vocab_size": vocabulary, "intermediate_size": inner,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def _tokenizer(path: Path) -> int:
    """Trained on the examples; every letter that may be a label is one token. Its size."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    text = [message["content"] for one, _ in examples(60) for message in one.messages]
    text += ["goal answer user decide said seen newest requirement turns pieces attempts"] * 5
    text += [f"x {letter}" for letter in "ABCDEFGH" for _ in range(5)]
    trainer = trainers.BpeTrainer(
        vocab_size=500,
        special_tokens=["<|endoftext|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(text, trainer)
    made.save(str(path))
    return int(made.get_vocab_size())


@pytest.fixture(scope="session")
def tiny_trunk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny trunk's folder."""
    return write_trunk(tmp_path_factory.mktemp("trunk"))
