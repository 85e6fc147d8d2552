import pytest
from hypothesis import HealthCheck, settings

# Timings of a loaded machine are no faults of what is tested.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of tests/wire. They stand here because pytest reads no options from folders below."""
    wire = parser.getgroup("wire", "tests of the wire")
    wire.addoption("--cases", action="append", default=[], help="file of wire cases to run instead of ours")
    wire.addoption("--many", type=int, default=150, help="generated requests for each dialect")
    wire.addoption("--soak", type=float, default=3.0, help="seconds of many streams at once")
    wire.addoption("--streams", type=int, default=40, help="how many streams at once")
    parser.addoption("--screenshots", help="folder for pictures of the page, tests/web/test_screens.py")
    wire.addoption(
        "--forced",
        choices=["some", "each", "all"],
        help="operators forced at wire cases: one a case, each that may act (with --cases), or all",
    )
