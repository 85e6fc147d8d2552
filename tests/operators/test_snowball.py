from acr import registry
from acr.engine import Engine
from acr.testing import talk


async def test_every_earlier_user_turn_is_repeated() -> None:
    engine = Engine(registry.controller("always:snowball"), registry.operators())
    outcome = await engine.run(talk("How many?", "3", "Red ones.", "2", "Only big ones."))
    text = outcome.conversation.turns[-1].text
    assert "- How many?\n- Red ones.\n" in text
    assert text.endswith("\n\nOnly big ones.")
