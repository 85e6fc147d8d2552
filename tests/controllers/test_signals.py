import json

import pytest
from controllers.test_weights import LINEAR

from acr import registry
from acr.controllers.signals import Signals
from acr.controllers.weights import FILE
from acr.conversation import Conversation
from acr.decision import Controller
from acr.errors import ConfigError
from acr.signals import Signal
from acr.signals import Signals as Observed

TALK = Conversation(())


@pytest.fixture
def folder(tmp_path):
    (tmp_path / FILE).write_text(json.dumps(LINEAR | {"confidence": [[0.0, 0.0], [1.0, 0.5]]}))
    return tmp_path


def observed(**values):
    return Observed({name: Signal(float(value)) for name, value in values.items()})


def test_it_decides_by_its_weights(folder):
    made = Signals(str(folder))
    assert isinstance(made, Controller)
    lost = made.decide(TALK, observed(stale=3))
    assert (lost.operator, lost.controller) == ("consolidate", "signals")
    assert 0.2 < lost.confidence < 0.5, "calibrated"
    alone = made.decide(TALK, observed(stale=1, reference=1))
    assert alone.operator is None
    assert 0.5 < alone.confidence <= 1.0


def test_tasks_with_tools_are_left_alone(folder):
    decision = Signals(str(folder)).decide(TALK, observed(stale=3, tools=1))
    assert decision.operator is None
    assert "tools" in decision.reason


def test_the_threshold_holds(folder):
    content = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps(content | {"threshold": 0.99}))
    assert Signals(str(folder)).decide(TALK, observed(stale=3)).operator is None


def test_by_name_and_by_folder(folder):
    assert registry.controller(f"signals:{folder}").name == "signals"
    assert registry.controller(str(folder)).name == "signals"
    with pytest.raises(ConfigError, match="no folder of a trained controller"):
        registry.controller(str(folder / "nowhere"))
    (folder / FILE).write_text("{}")
    with pytest.raises(ConfigError, match="does not say whose"):
        registry.controller(str(folder))


async def test_a_request_may_not_name_a_file(folder):
    from support.engines import engine

    from acr.dialects.chat import Chat
    from acr.proxy.controls import ControlError
    from acr.proxy.refactor import Refactorer

    body = b'{"messages": [{"role": "user", "content": "a"}]}'
    refactorer = Refactorer(engine(), "auto")
    for spec in (str(folder), f"signals:{folder}", "signals:..", "..\\x"):
        with pytest.raises(ControlError, match="not a file"):
            await refactorer.prepare(Chat(), body, {"controller": spec})
    refactorer.close()
