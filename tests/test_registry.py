import pytest

from acr import registry
from acr.decision import Controller, Operator
from acr.errors import ConfigError


def test_the_built_in_ones_come_by_entry_points() -> None:
    assert {"recap", "snowball", "consolidate", "prune", "reask"} <= set(
        registry.available(registry.OPERATORS)
    )
    assert {"never", "always", "rules"} <= set(registry.available(registry.CONTROLLERS))
    for name, operator in registry.operators().items():
        assert isinstance(operator, Operator)
        assert operator.name == name


@pytest.mark.parametrize(
    ("spec", "name"), [("rules", "rules"), ("always:recap", "always:recap"), ("never", "never")]
)
def test_controllers_by_spec(spec: str, name: str) -> None:
    made = registry.controller(spec)
    assert isinstance(made, Controller)
    assert made.name == name


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: registry.operator("recup"), "known: .*recap"),
        (lambda: registry.controller("rulez"), "known: .*rules"),
        (lambda: registry.controller("always"), "needs an operator"),
    ],
)
def test_wrong_names_are_told_the_right_ones(make: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()  # type: ignore[operator]
