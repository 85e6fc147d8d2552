"""Completion by the shell: what `acr --show-completion` prints, driven by a real bash."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("acr")


def offered(*words: str) -> set[str]:
    """What pressing Tab at the last word offers, by the script's own function."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = subprocess.run(
        [PROGRAM, "--show-completion", "bash"], capture_output=True, text=True, check=True
    ).stdout
    assert "complete -o default -F" in script, script
    function = script.split("complete -o default -F ")[1].split()[0]
    asked = " ".join(f"'{word}'" for word in ("acr", *words))
    driver = (
        f'COMP_WORDS=({asked}); COMP_CWORD={len(words)}; {function} acr; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    found = subprocess.run(
        [bash, "--norc", "-c", f"{script}\n{driver}"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"},
    )
    return set(found.stdout.split())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("se",), {"serve"}),
        (("serve", "--up"), {"--upstream"}),
        (("model", ""), {"list", "pull"}),
    ],
)
def test_tab_completes(words: tuple[str, ...], expected: set[str]) -> None:
    assert expected <= offered(*words)
