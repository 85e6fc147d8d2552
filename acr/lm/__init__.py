"""The controller that asks a small language model: a few layers, a LoRA adapter, one forward pass, no text.

    rendering    the digest of a conversation that the model reads, shared with training
    trunk        weights and tokenizer of the base model, as arrays (`gguf` reads its file)
    adapter      LoRA weights added to them
    graph        one forward pass in OpenVINO
    artefact     the folder a trained controller is: card and adapter
    controller   decides; loads in the background; `rules` where it cannot, or not in time

Needs the extra `lm`. Nothing but `artefact` and `controller` is imported before the first decision.
"""

from acr.lm.controller import LM

__all__ = ["LM"]
