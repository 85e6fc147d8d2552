import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from wire.case import Case, load
from wire.run import Runner
from wire.subject import AcrServe

OWN = Path(__file__).parent / "cases"
SHARED = Path(os.environ.get("ACR_TEST_DATA", Path(__file__).parents[2].parent / "shared"))


def files(config: pytest.Config) -> list[Path]:
    given = [Path(name) for name in config.getoption("--cases")]
    if given:
        return given
    shared = SHARED / "cases" / "wire.jsonl"
    return [*sorted(OWN.glob("*.jsonl")), *([shared] if shared.is_file() else [])]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        cases = [case for path in files(metafunc.config) for case in load(path)]
        metafunc.parametrize("case", cases, ids=[f"{case.id}-{case.kind}" for case in cases])


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    made = Runner(AcrServe)
    yield made
    made.close()


@pytest.fixture(scope="session")
def own_cases() -> list[Case]:
    return [case for path in sorted(OWN.glob("*.jsonl")) for case in load(path)]
