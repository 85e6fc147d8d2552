"""The trunk in torch, with its adapter, made from the very arrays that serving uses."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from acr.errors import TrainingError, boundary
from acr.lm.trunk import EMBEDDING, LAYER, Trunk
from acr_training.lm.recipe import Recipe

END, PAD = "<|im_end|>", "<|endoftext|>"
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


BARRED = -1e4
"""Bias of every token that is no label: its probability is 0 in any number format."""


def causal(trunk: Trunk, dtype: str = "float32", labels: Sequence[int] = ()) -> LlamaForCausalLM:
    """The trunk as a causal language model.

    With `labels` (token ids) its head is a label head: the rows of the tied head for these tokens, all others
    barred by a bias that is not trained. So TRL's trainers, which know language models only, train and sample
    a distribution over labels, the one that serving reads.
    """
    shape, weights = trunk.shape, trunk.weights
    vocabulary, hidden = weights[EMBEDDING].shape
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        intermediate_size=weights[LAYER.format(0) + "mlp.up_proj.weight"].shape[0],
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head,
        rms_norm_eps=shape.epsilon,
        rope_parameters={"rope_theta": shape.theta, "rope_type": "default"},
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        use_cache=False,
    )
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    tensors = {name: torch.from_numpy(array).to(getattr(torch, dtype)) for name, array in weights.items()}
    model = model.to_empty(device="cpu")
    model.load_state_dict({**tensors, "lm_head.weight": tensors[EMBEDDING]}, strict=True, assign=True)
    model.tie_weights()
    # Its buffers are computed, not loaded.
    model.model.rotary_emb = type(model.model.rotary_emb)(config=config)
    if labels:
        bias = torch.full((vocabulary,), BARRED, dtype=getattr(torch, dtype))
        bias[list(labels)] = 0.0
        model.lm_head.bias = torch.nn.Parameter(bias, requires_grad=False)
    return model.eval()


def adapted(model: LlamaForCausalLM, recipe: Recipe, start: Path | None) -> PeftModel:
    """The model with a new adapter, or with that in the folder `start`, ready to be trained."""
    if start is not None:
        with boundary(TrainingError, f"loading the adapter in {start}"):
            return PeftModel.from_pretrained(model, str(start), is_trainable=True)
    config = LoraConfig(
        task_type="CAUSAL_LM",
        r=recipe.rank,
        lora_alpha=recipe.alpha,
        lora_dropout=recipe.dropout,
        target_modules=TARGETS,
        base_model_name_or_path=recipe.base if not Path(recipe.base).is_dir() else Path(recipe.base).name,
    )
    return get_peft_model(model, config)


def tokens(trunk: Trunk) -> PreTrainedTokenizerFast:
    """The trunk's tokenizer as transformers wants it."""
    made = PreTrainedTokenizerFast(tokenizer_object=trunk.tokenizer, eos_token=END, pad_token=PAD)
    return made


def logits(model: Any, prompts: list[list[int]], labels: list[int], batch: int = 16) -> torch.Tensor:
    """Logits of the labels after each prompt, (prompts, labels), float32."""
    base = model.get_base_model() if isinstance(model, PeftModel) else model
    head = base.lm_head.weight[labels].float()
    device, found = head.device, []
    training = model.training
    model.eval()
    with torch.no_grad():
        for start in range(0, len(prompts), batch):
            some = prompts[start : start + batch]
            width = max(map(len, some))
            ids = torch.tensor([ids + [0] * (width - len(ids)) for ids in some], device=device)
            mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in some], device=device)
            states = base.model(input_ids=ids, attention_mask=mask).last_hidden_state
            ends = torch.tensor([len(ids) - 1 for ids in some], device=device)
            last = states[torch.arange(len(some), device=device), ends].float()
            found.append(last @ head.T)
    model.train(training)
    return torch.cat(found).cpu()
