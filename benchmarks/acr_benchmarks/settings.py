"""The settings of the protocol: how much the user says in one turn, and what stands in between.

    full             the original instruction in one turn
    concat           the pieces as a list in one turn: as `sharded`, without the turns
    shuffle_concat   the same in another order; checks that the pieces stand on their own
    sharded          one piece a turn
    snowball         one piece a turn, each turn restating all earlier ones
    recap            as `sharded`, and one more turn that restates everything
    acr:POLICY       as `sharded`, through an ACR proxy with that controller: acr:rules, acr:always:recap,
                     acr:entropy:0.3, acr:token_threshold:1000, acr:always:drop_answers
    direct           for tasks whose items are whole conversations: as it stands, without ACR

`snowball` and `recap` are done by the user here and reach the model directly; as ACR policies they are
`acr:always:snowball` and `acr:always:recap`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from acr.errors import ConfigError
from acr_benchmarks.task import bullets

Shape = Literal["full", "concat", "shuffle_concat", "sharded", "snowball", "recap", "direct"]
SHAPES: tuple[Shape, ...] = ("full", "concat", "shuffle_concat", "sharded", "snowball", "recap", "direct")
PREFIX = "acr:"
TOP_LOGPROBS = 20
"""Alternatives that entropies are computed from: as many as OpenAI gives, and as ERGO uses."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One column of the report."""

    name: str
    shape: Shape
    policy: str | None = None
    """Controller of the proxy that the assistant's calls go through; None calls the model directly."""

    @property
    def extra(self) -> Mapping[str, Any]:
        """Fields of its requests besides the usual ones: what the policy needs of the model server."""
        name = (self.policy or "").partition(":")[0]
        return {"logprobs": True, "top_logprobs": TOP_LOGPROBS} if name == "entropy" else {}

    @property
    def single_turn(self) -> bool:
        return self.shape in ("full", "concat", "shuffle_concat")


def applies(setting: Setting, *, fixed: bool) -> bool:
    """Whether a setting makes sense for a task, whose items are whole conversations if `fixed`."""
    if setting.policy is not None:
        return True
    return (setting.shape == "direct") == fixed


def parse(name: str) -> Setting:
    """The setting of that name. Raises `ConfigError` naming the known ones."""
    policy = name.removeprefix(PREFIX)
    if name.startswith(PREFIX) and policy:
        return Setting(name, "sharded", policy)
    for shape in SHAPES:
        if name == shape:
            return Setting(name, shape)
    raise ConfigError(f"there is no setting named {name!r}; known: {', '.join(SHAPES)}, {PREFIX}POLICY")


def snowball(said: Sequence[str]) -> str:
    """A user turn that says the newest piece after restating all earlier ones."""
    *earlier, newest = said
    if not earlier:
        return newest
    return f"To repeat what I said so far:\n{bullets(earlier)}\n\nAnd this comes on top:\n{newest}"


def recap(whole: str) -> str:
    """A last user turn that restates the instruction; `whole` is the text of CONCAT."""
    return (
        f"To sum up, this is the whole task:\n{whole}\n\n"
        "Please solve it now, and take everything in it into account."
    )
