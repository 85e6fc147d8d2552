"""A real local model behind the OpenAI interface, for when no upstream is configured.

`catalogue` names the models, `fetch` brings and verifies their files, `server` runs one in a child process
(`child`) on loopback. The runtime is the optional extra `local`; nothing here imports it in this process.
"""

from acr.embedded.catalogue import DEFAULT, MODELS, Model, find
from acr.embedded.fetch import pull
from acr.embedded.server import EmbeddedServer, check_runtime, launch
from acr.embedded.store import installed, state

__all__ = [
    "DEFAULT",
    "MODELS",
    "EmbeddedServer",
    "Model",
    "check_runtime",
    "find",
    "installed",
    "launch",
    "pull",
    "state",
]
