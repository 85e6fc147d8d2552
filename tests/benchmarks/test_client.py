"""The assistant's call."""

import aiohttp
import pytest
from acr_benchmarks.client import Client, first_model, plain_name, reach

from acr.errors import BenchmarkError, UpstreamError


def client(session: aiohttp.ClientSession, url: str, **more: object) -> Client:
    options = {"temperature": 0.7, "max_tokens": 9, "key": "k", "pauses": (0.0, 0.0)} | more
    return Client(session, url, "m", **options)  # type: ignore[arg-type]


async def test_a_reply_is_read_whole(server, make_completion) -> None:
    server.handler = lambda body: make_completion("hello", finish_reason="length")
    async with aiohttp.ClientSession() as session:
        reply = await client(session, server.url).complete([{"role": "user", "content": "hi"}], 5)
    assert (reply.text, reply.finish_reason, reply.model) == ("hello", "length", "scripted")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cached_tokens) == (10, 5, 4)
    assert reply.acr == {"overhead-ms": "0.5"}
    assert reply.seconds > 0
    assert server.requests == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "hi"}],
            "temperature": 0.7,
            "max_tokens": 9,
            "seed": 5,
        }
    ]


async def test_acr_on_the_way_is_asked_to_do_nothing_unless_it_is_what_is_measured(server) -> None:
    async with aiohttp.ClientSession() as session:
        await client(session, server.url).complete([], 0)
        await client(session, server.url, bypass=False).complete([], 0)
    assert server.bypassed == [True, False]


async def test_a_busy_server_is_asked_again(server, make_completion) -> None:
    answers = iter([(503, {}), (429, {}), make_completion("there")])
    server.handler = lambda body: next(answers)
    async with aiohttp.ClientSession() as session:
        reply = await client(session, server.url).complete([], 0)
    assert reply.text == "there"


async def test_a_failing_server_is_given_up(server) -> None:
    server.handler = lambda body: (500, {"error": "down"})
    async with aiohttp.ClientSession() as session:
        with pytest.raises(UpstreamError, match="after 3 attempts, status 500"):
            await client(session, server.url).complete([], 0)
    assert len(server.requests) == 3


async def test_a_refusal_is_not_repeated(server) -> None:
    server.handler = lambda body: (401, {"error": "who are you"})
    async with aiohttp.ClientSession() as session:
        with pytest.raises(BenchmarkError, match="refused the request, status 401"):
            await client(session, server.url).complete([], 0)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"type": "exceed_context_size_error", "message": "request exceeds"}}),
        (400, {"error": {"code": "context_length_exceeded"}}),
    ],
)
async def test_a_conversation_that_outgrew_the_model_is_a_result(server, status: int, body: object) -> None:
    server.handler = lambda _: (status, body)
    async with aiohttp.ClientSession() as session:
        reply = await client(session, server.url).complete([], 0)
    assert reply.error == "context"


@pytest.mark.parametrize("body", [{}, {"choices": []}, [], "text", {"choices": [{"message": None}]}])
async def test_what_is_no_completion_is_an_error(server, body: object) -> None:
    server.handler = lambda _: body
    async with aiohttp.ClientSession() as session:
        with pytest.raises(UpstreamError, match="not a chat completion"):
            await client(session, server.url).complete([], 0)


async def test_nobody_there() -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(UpstreamError, match=r"did not answer after 1 attempts, Connection refused$"):
            await client(session, "http://127.0.0.1:9/v1", pauses=()).complete([], 0)
        with pytest.raises(
            UpstreamError,
            match=r"^the model server http://127.0.0.1:9/v1 cannot be reached \(Connection refused\): start it",
        ):
            await first_model(session, "http://127.0.0.1:9/v1")
        with pytest.raises(UpstreamError, match=r"^nowhere/v1 is no address"):
            await first_model(session, "nowhere/v1")
        with pytest.raises(UpstreamError, match="cannot be reached"):
            await reach(session, "http://127.0.0.1:9/v1")


def test_a_models_name_says_nothing_of_a_machines_folders() -> None:
    assert plain_name("/home/me/model.gguf") == "model.gguf"
    assert plain_name("Qwen/Qwen2.5") == "Qwen/Qwen2.5"
    assert plain_name("") == ""


async def test_the_servers_first_model(server) -> None:
    async with aiohttp.ClientSession() as session:
        assert await first_model(session, server.url) == "scripted"
        await reach(session, server.url + "/other")  # whatever it answers
        with pytest.raises(UpstreamError, match=r"answered HTTP 404; give a model with --model"):
            await first_model(session, server.url + "/other")
