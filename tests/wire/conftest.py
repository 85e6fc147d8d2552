import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from wire.case import Case, load
from wire.modes import OFF, WRITTEN, modes, table
from wire.run import Runner
from wire.subject import AcrServe

from acr import registry
from acr.engine import model_backed

OWN = Path(__file__).parent / "cases"
SHARED = Path(os.environ.get("ACR_TEST_DATA", Path(__file__).parents[2].parent / "shared"))
OPERATORS = tuple(name for name, made in registry.operators().items() if not model_backed(made))
RESULTS = pytest.StashKey[dict[tuple[str, str], dict[str, str]]]()
Tell = Callable[[str], None]


def files(config: pytest.Config) -> list[Path]:
    given = [Path(name) for name in config.getoption("--cases")]
    if given:
        return given
    shared = SHARED / "cases" / "wire.jsonl"
    return [*sorted(OWN.glob("*.jsonl")), *([shared] if shared.is_file() else [])]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        option = metafunc.config.getoption
        forced = option("--forced") or ("each" if option("--cases") else "some")
        cases = [case for path in files(metafunc.config) for case in load(path)]
        rows = [(case, mode) for n, case in enumerate(cases) for mode in modes(case, OPERATORS, forced, n)]
        ids = [f"{case.id}-{case.kind}-{mode.name.replace(' ', '_')}" for case, mode in rows]
        metafunc.parametrize(("case", "mode"), rows, ids=ids)


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    made = Runner(AcrServe)
    yield made
    made.close()


@pytest.fixture(scope="session")
def own_cases() -> list[Case]:
    return [case for path in sorted(OWN.glob("*.jsonl")) for case in load(path)]


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Tell:
    """Enter the result of the case and the mode at hand into the table that stands at the end of the output."""
    case, mode = request.getfixturevalue("case"), request.getfixturevalue("mode")
    results = request.config.stash.setdefault(RESULTS, {})

    def enter(result: str) -> None:
        results.setdefault((case.id, case.kind), {})[mode.name] = result

    return enter


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    results = config.stash.get(RESULTS, {})
    if results:
        terminalreporter.section("cases of the wire, by mode")
        for line in table(results, [WRITTEN, OFF, *OPERATORS]):
            terminalreporter.write_line(line)
        terminalreporter.write_line(
            "pass: holds, the request untouched; changed: holds, an operator changed it; "
            "no entry: the same as another mode of that case"
        )
