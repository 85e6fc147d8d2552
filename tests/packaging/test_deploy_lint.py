"""The files of deploy/, read by the real tools. Those that are missing (the extra `deploy`) are skipped."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import ROOT

DEPLOY = ROOT / "deploy"


def tool(name: str, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program of this environment or of the system."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}: pip install 'adaptive-context-refactoring[deploy]'")
    return subprocess.run(
        [found, *arguments],
        env={"PATH": os.environ["PATH"], "HOME": str(Path.home()), **variables},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_the_compose_file_by_compose() -> None:
    """Compose itself reads it: anchors, variables, dependencies and schema. No engine is needed for that."""
    variables = {"ACR_UPSTREAM": "http://u/v1", "ACR_API_KEY": "k", "GRAFANA_PASSWORD": "g"}
    file = DEPLOY / "compose.yaml"
    done = tool("docker-compose", "-f", file, "config", "--quiet", **variables, POSTGRES_PASSWORD="p")
    assert done.returncode == 0 and not done.stderr, done.stderr
    without = tool("docker-compose", "-f", file, "config", "--quiet", **variables)
    assert without.returncode != 0 and "POSTGRES_PASSWORD" in without.stderr


def test_the_manifests_by_the_schemas_of_kubernetes() -> None:
    files = [file for file in (DEPLOY / "kubernetes").glob("*.yaml") if file.name != "kustomization.yaml"]
    done = tool("kubernetes-validate", "--strict", *files)
    told = done.stdout + done.stderr
    assert done.returncode == 0 and told.count("passed for resource") == len(files), told


def test_the_dockerfile_by_hadolint() -> None:
    done = tool("hadolint", DEPLOY / "Dockerfile")
    assert done.returncode == 0, done.stdout


def test_all_yaml_by_yamllint() -> None:
    done = tool("yamllint", "--strict", "-c", DEPLOY / ".yamllint.yaml", DEPLOY)
    assert done.returncode == 0, done.stdout
