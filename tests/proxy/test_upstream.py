import asyncio
import shutil
import socket
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.raw import Script, serving, until

from acr.errors import UpstreamError
from acr.proxy.upstream import Upstream, base
from acr.settings import Settings


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("http://localhost:8000", "http://localhost:8000/v1"),
        ("http://localhost:8000/", "http://localhost:8000/v1"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
        ("https://a.example/v1beta/openai", "https://a.example/v1beta/openai"),
        ("http://[::1]:9/v1", "http://[::1]:9/v1"),
    ],
)
def test_the_base_is_what_an_openai_client_would_be_given(given: str, expected: str) -> None:
    assert base(given) == expected


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        (b"/v1/chat/completions", b"", b"/x/v1/chat/completions"),
        (b"/v1/models/a%2Fb", b"q=%20&r=a+b&s", b"/x/v1/models/a%2Fb?q=%20&r=a+b&s"),
        (b"/v1/@evil.example/", b"", b"/x/v1/@evil.example/"),
        (b"/v1//evil.example", b"", b"/x/v1//evil.example"),
    ],
)
def test_paths_are_passed_on_undecoded_and_never_choose_the_host(
    path: bytes, query: bytes, expected: bytes
) -> None:
    assert Upstream(Settings(upstream="http://u:1/x/v1")).target(path, query) == expected


async def test_a_connection_is_used_again_and_closed_when_it_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    accepted = 0

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal accepted
        accepted += 1
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")

    monkeypatch.setattr("acr.proxy.upstream.KEEP_ALIVE", 0.2)
    async with serving(script) as port:
        upstream = Upstream(Settings(upstream=f"http://127.0.0.1:{port}"))
        for _ in range(3):
            connection = await upstream.open("GET", b"/v1/models", [])
            assert await connection.read() == b"" and upstream.busy
            upstream.done(connection)
            assert not upstream.busy
        assert accepted == 1 and not connection.lost
        await until(lambda: connection.lost)
        upstream.done(await upstream.open("GET", b"/v1/models", []))
        assert accepted == 2
        await upstream.close()


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


@pytest.mark.parametrize(
    ("script", "wanted"), [(silent, "did not answer in time"), (rude, "broke off before it answered")]
)
async def test_what_an_upstream_fails_at_is_told_without_its_address(script: Script, wanted: str) -> None:
    async with serving(script) as port:
        upstream = Upstream(Settings(upstream=f"http://127.0.0.1:{port}", first_byte_timeout=0.2))
        with pytest.raises(UpstreamError, match=wanted) as raised:
            await upstream.open("GET", b"/v1/models", [])
        assert str(port) not in str(raised.value) and not upstream.busy
    assert not await upstream.reachable()
    with pytest.raises(UpstreamError, match="could not be reached"):
        await upstream.open("GET", b"/v1/models", [])
    await upstream.close()


async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.readuntil(b"\r\n\r\n"):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")


@pytest.mark.parametrize("first", ["refuses", "is silent"])
async def test_a_host_has_several_addresses(monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    """As `localhost` has: where IPv6 leads nowhere, or into the dark, IPv4 is tried soon."""
    with socket.socket() as nobody, socket.socket() as waits:
        nobody.bind(("127.0.0.1", 0))
        if first == "is silent":  # its queue is full
            nobody.listen(0)
            waits.setblocking(False)
            waits.connect_ex(nobody.getsockname())
        async with serving(answers) as port:

            async def found(*_: Any, **__: Any) -> list[Any]:
                addresses = [nobody.getsockname(), ("127.0.0.1", port)]
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", one) for one in addresses]

            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found)
            upstream = Upstream(Settings(upstream="http://several.example", connect_timeout=5))
            connection = await upstream.open("GET", b"/v1/models", [])
            assert connection.status == 200
            await upstream.close()


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for `localhost` that is signed by itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with openssl")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    order = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=t -addext subjectAltName=DNS:localhost"
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*order.split(), *files], check=True, capture_output=True)
    return certificate, key


async def test_certificates_are_checked(signed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*signed)
    server = await asyncio.start_server(answers, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]

    async def status(host: str) -> int:
        upstream = Upstream(Settings(upstream=f"https://{host}:{port}"))
        try:
            return (await upstream.open("GET", b"/v1/models", [])).status
        finally:
            await upstream.close()

    with pytest.raises(UpstreamError, match=r"certificate was refused: self.signed"):
        await status("localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(signed[0]))
    assert await status("localhost") == 200
    with pytest.raises(UpstreamError, match=r"certificate was refused: IP address mismatch$"):
        await status("127.0.0.1")
    server.close()


async def test_what_is_no_tls_is_told() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad\r\n\r\n")

    async with serving(plain) as port:
        upstream = Upstream(Settings(upstream=f"https://127.0.0.1:{port}"))
        with pytest.raises(UpstreamError, match="no TLS with the upstream"):
            await upstream.open("GET", b"/v1/models", [])
