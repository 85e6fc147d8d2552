import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from acr_training.table import outcomes, states

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install '.[ray]'")


def command(server, data, out, *more):
    return [
        *(sys.executable, "-m", "acr_training", "collect", "--out", str(out), "--task", "math"),
        *("--data", f"math={data}", "--base-url", server.url, "--items", "5", "--turns", "2"),
        *("--operators", "consolidate,recap,reask", "--concurrency", "4", *more),
    ]


def ran(arguments):
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    environment.pop("RAY_ADDRESS", None)
    return subprocess.run(
        arguments, env=environment, capture_output=True, text=True, timeout=380, check=False
    )


def final(path):
    rows = [outcome.model_copy(update={"seconds": 0.0}) for outcome in outcomes(path)]
    return states(path), sorted(rows, key=lambda row: (row.state, row.operator or ""))


@needs_ray
@pytest.mark.timeout(400)
def test_both_engines_make_the_same_table(server, data, tmp_path):
    assert ran(command(server, data, tmp_path / "local")).returncode == 0
    local = len(server.requests)
    done = ran(command(server, data, tmp_path / "ray", "--engine", "ray"))
    assert done.returncode == 0, done.stderr
    assert len(server.requests) == 2 * local, "workers share the kept answers"
    assert final(tmp_path / "ray") == final(tmp_path / "local")
    assert "0 states and 0 outcomes are new" in ran(command(server, data, tmp_path / "ray")).stderr
    assert len(server.requests) == 2 * local, "continued with the other engine, nothing is asked again"


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_it_says_what_to_install(server, data, tmp_path):
    done = ran(command(server, data, tmp_path / "ray", "--engine", "ray"))
    assert done.returncode != 0
    assert "adaptive-context-refactoring[ray]" in done.stderr
    assert "Traceback" not in done.stderr
