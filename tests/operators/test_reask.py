from acr import registry
from acr.engine import Engine
from acr.testing import talk

ENGINE = Engine(registry.controller("never"), registry.operators())


async def test_instructs_for_this_turn_in_the_users_language() -> None:
    outcome = await ENGINE.run(
        talk("Wie viele Äpfel habe ich?", "12.", "Ich meine die roten."), operator="reask"
    )
    text = outcome.conversation.turns[-1].text
    assert "rate nicht" in text
    assert text.endswith("\n\nIch meine die roten.")


async def test_not_where_the_user_said_to_go_ahead() -> None:
    outcome = await ENGINE.run(
        talk("Write the plan.", "For whom is it?", "Just do it, please."), operator="reask"
    )
    assert not outcome.changed
