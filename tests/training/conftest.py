"""A scripted chat-completions server in a thread, which a test and processes that it starts can talk to."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from support.engines import Fold, Lead

Answers = Callable[[list[dict[str, Any]]], str]


def lost(messages: list[dict[str, Any]]) -> str:
    """A model that adds up what the user said, but holds on to an answer that stands in its context."""
    earlier = [re.search(r"Answer: (\S+)", m["content"]) for m in messages if m["role"] == "assistant"]
    if any(earlier):
        return f"As I said before, I am quite sure of it. Answer: {next(filter(None, earlier))[1]}"
    said = " ".join(message["content"] for message in messages if message["role"] == "user")
    return f"That makes it. Answer: {sum(map(int, re.findall(r'[0-9]+', said)))}"


class Server:
    """Answers with what `answers` makes of the messages. Tokens are words."""

    def __init__(self) -> None:
        self.answers: Answers = lost
        self.requests: list[dict[str, Any]] = []
        self.delay = 0.0
        self.url = ""

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(body)
        time.sleep(self.delay)
        text = self.answers(body["messages"])
        words = sum(len(message["content"].split()) for message in body["messages"])
        return {
            "model": "scripted",
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": words, "completion_tokens": len(text.split())},
        }


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send({"data": [{"id": "scripted"}]})

        def do_POST(self) -> None:
            self.send(made.reply(json.loads(self.rfile.read(int(self.headers["content-length"])))))

        def send(self, content: dict[str, Any]) -> None:
            body = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """Clients that are killed hang up."""

    http = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.02,))
    thread.start()
    made.url = f"http://127.0.0.1:{http.server_port}/v1"
    yield made
    http.shutdown()
    thread.join()
    http.server_close()


@pytest.fixture
def fold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Candidates whose effect does not depend on how dialogues are read: `fold` leaves nothing to hold on to,
    `lead` leaves everything.
    """
    monkeypatch.setattr("acr_training.units.candidates", lambda wanted, operators: tuple(operators))
    monkeypatch.setattr("acr_training.units.parts", lambda wanted: {"fold": Fold(), "lead": Lead()})


def record(number: int) -> dict[str, Any]:
    """An item whose answer is the sum of its numbers, all of them told in the pieces."""
    parts = [number + 2, 16, 2 * number + 1]
    return {
        "task_id": f"item-{number}",
        "task": "math",
        "question": f"There are {parts[0]} red, {parts[1]} green and {parts[2]} blue beads. How many?",
        "answer": f"#### {sum(parts)}",
        "shards": [
            {"shard_id": 1, "shard": "How many beads are in the box?"},
            {"shard_id": 2, "shard": f"There are {parts[0]} red beads."},
            {"shard_id": 3, "shard": f"There are {parts[1]} green beads."},
            {"shard_id": 4, "shard": f"And {parts[2]} blue beads."},
        ],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file of twelve items."""
    path = tmp_path / "items.json"
    path.write_text(json.dumps([record(number) for number in range(12)]), encoding="utf-8")
    return path
