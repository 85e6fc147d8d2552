"""A plain HTTP/1.1 client on a socket, for what real clients hide: raw bytes, breaks, timing."""

import contextlib
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass
class Answer:
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    """With the transfer coding taken off, the content coding left on."""
    end: str = "clean"
    """`clean`, or `aborted` where the transfer broke off before its end, or `closed` by ourselves."""
    arrivals: list[tuple[float, int]] = field(default_factory=list)
    """Time of each read after the head, and the bytes of body known by then."""
    finished: float = 0.0

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]


def send(
    port: int,
    method: str,
    target: str,
    body: bytes | Sequence[bytes] | None = None,
    headers: Sequence[tuple[str, str]] = (),
    *,
    timeout: float = 30.0,
    hang_up_after: float | None = None,
    hang_up_when: Callable[[], bool] | None = None,
) -> Answer:
    """One request on one connection. A list of bytes is sent chunked. Never raises for a broken answer."""
    names = {name.lower() for name, _ in headers}
    rows = [f"{method} {target} HTTP/1.1"]
    if "host" not in names:
        rows.append(f"host: 127.0.0.1:{port}")
    rows += [f"{name}: {value}" for name, value in headers]
    if isinstance(body, bytes) and "content-length" not in names:
        rows.append(f"content-length: {len(body)}")
    elif body is not None and not isinstance(body, bytes):
        rows.append("transfer-encoding: chunked")
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        with contextlib.suppress(ConnectionError):  # an early answer may come before all is sent
            connection.sendall(("\r\n".join(rows) + "\r\n\r\n").encode("utf-8"))
            if isinstance(body, bytes):
                connection.sendall(body)
            elif body is not None:
                for piece in body:
                    connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
                connection.sendall(b"0\r\n\r\n")
        if hang_up_when is not None:
            end = time.monotonic() + timeout
            while not hang_up_when():
                assert time.monotonic() < end, "there was never a reason to hang up"
                time.sleep(0.01)
            return Answer(end="closed")
        end = time.monotonic() + (timeout if hang_up_after is None else hang_up_after)
        return _read(connection, method, end, hang_up_after is not None)


def _read(connection: socket.socket, method: str, end: float, may_close: bool) -> Answer:
    answer, raw, done = Answer(), b"", False
    while not done:
        connection.settimeout(max(0.001, end - time.monotonic()))
        try:
            piece = connection.recv(1 << 16)
        except TimeoutError:
            if not may_close:
                raise
            answer.end = "closed"
            break
        except ConnectionError:
            piece = b""
        raw += piece
        if not answer.status:
            raw = _head(answer, raw)
        if answer.status:
            before = len(answer.body)
            raw, done = _body(answer, method, raw, at_end=not piece)
            if len(answer.body) > before:
                answer.arrivals.append((time.monotonic(), len(answer.body)))
        if not piece and not done:
            answer.end = "aborted"
            break
    answer.finished = time.monotonic()
    return answer


def _head(answer: Answer, raw: bytes) -> bytes:
    while b"\r\n\r\n" in raw:
        head, raw = raw.split(b"\r\n\r\n", 1)
        line, *rows = head.decode("latin-1").split("\r\n")
        status = int(line.split(" ")[1])
        if status >= 200:
            answer.status = status
            answer.headers = [
                (key.lower(), value.strip()) for key, _, value in (row.partition(":") for row in rows)
            ]
            return raw
    return raw


def _body(answer: Answer, method: str, raw: bytes, *, at_end: bool) -> tuple[bytes, bool]:
    """Take the body out of `raw`; what is left, and whether the body is whole."""
    if method == "HEAD" or answer.status in (204, 304):
        return raw, True
    if "chunked" in (answer.header("transfer-encoding") or ""):
        while b"\r\n" in raw:
            line, rest = raw.split(b"\r\n", 1)
            size = int(line.split(b";")[0], 16)
            if len(rest) < size + 2:
                break
            answer.body += rest[:size]
            raw = rest[size + 2 :]
            if size == 0:
                return raw, True
        return raw, False
    length = answer.header("content-length")
    answer.body += raw
    return b"", len(answer.body) >= int(length) if length is not None else at_end
