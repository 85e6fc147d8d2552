import io

from acr_training import progress
from rich.console import Console


def test_without_a_terminal_it_tells_a_line_now_and_then(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    text = io.StringIO()
    bar = progress.Bar(Console(file=text, width=200))
    bar.begin(4)
    for _ in range(3):
        now[0] += 20.0
        bar.call()
    bar.unit("a")
    now[0] += 40.0
    bar.call()
    bar.failure("b", ValueError("gone [red]"))
    told = text.getvalue().splitlines()
    assert told == [
        "0 of 4 conversations, 2 calls",
        "1 of 4 conversations, 4 calls, about 5 min left",
        "not finished: b: gone [red]",
    ]
