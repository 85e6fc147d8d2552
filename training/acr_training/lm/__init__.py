"""The language-model controller: a few layers of a small model and a LoRA adapter, one token a decision.

    recipe    what a step is told: a TOML file, flags over it
    data      from a table of outcomes to prompts, labels, pairs and rewards
    model     the trunk in torch, with its adapter
    heldout   how good the decisions are on states that are not trained on
    run       run directory, checkpoints, going on after a kill
    sft, dpo, grpo    the three trainers, each on TRL's
    curves    the figures of a run as JSON and as a plot
    export    an artefact that acr serve takes, and a merged one, both checked against torch

Only `recipe` and `data` can be imported without torch.
"""
