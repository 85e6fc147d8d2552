import asyncio

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
