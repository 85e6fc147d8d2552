import subprocess
import sys
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from acr.conversation import Conversation, Turn
from acr.proxy.moments import moments

texts = st.text(max_size=8)


def of(*said: tuple[str, str]) -> Conversation:
    return Conversation(tuple(Turn(str(n), role, text) for n, (role, text) in enumerate(said)))  # type: ignore[arg-type]


@given(st.lists(st.tuples(texts, texts), max_size=4), texts)
def test_the_next_request_follows_this_one(pairs: list[tuple[str, str]], newest: str) -> None:
    before: list[Any] = [("system", "s")]
    follows = None
    for user, answer in pairs:
        before.append(("user", user))
        moment, followed = moments(of(*before))
        assert followed == follows and moment is not None
        follows = moment
        before.append(("assistant", answer))
    moment, followed = moments(of(*before, ("user", newest)))
    assert followed == follows and moment not in (None, follows)


@given(
    st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), texts), min_size=1, max_size=5),
    st.data(),
)
def test_anything_else_is_another_moment(said: list[tuple[str, str]], data: st.DataObject) -> None:
    said = [*said, ("user", "now")]
    at = data.draw(st.integers(0, len(said) - 1))
    other = list(said)
    other[at] = (said[at][0], said[at][1] + "x")
    assert moments(of(*said))[0] != moments(of(*other))[0]
    assert moments(of(("user", "ab"), ("user", "c")))[0] != moments(of(("user", "a"), ("user", "bc")))[0]


def test_tool_results_after_the_newest_user_turn_are_of_its_moment() -> None:
    said = (("user", "a"), ("assistant", "b"), ("user", "c"))
    assert moments(of(*said)) == moments(of(*said, ("assistant", ""), ("tool", "12")))
    assert moments(of(("system", "s"))) == (None, None)
    assert moments(of(("user", "\ud800")))[0]


def test_nobody_can_try_out_what_was_said() -> None:
    """Another process names the same moment otherwise."""
    code = (
        "from acr.conversation import Conversation, Turn; from acr.proxy.moments import moments; "
        "print(moments(Conversation((Turn('0', 'user', 'hi'),)))[0])"
    )
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert len(other) == 16 and other != moments(of(("user", "hi")))[0]
