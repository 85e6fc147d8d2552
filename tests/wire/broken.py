"""A relay with faults on purpose, one at a time: what the harness must be able to catch.

Each fault is one that users of real proxies have reported, in its simplest form.
"""

import asyncio
import itertools
import json
import threading
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

import aiohttp
from aiohttp import web
from support.http import Answer

Body = dict[str, Any]


class BrokenRelay:
    """Relays, with one fault. Runs in a thread; a `Subject` like any other."""

    def __init__(self, upstream: str, fault: str) -> None:
        self.upstream = upstream
        self.fault = fault
        self.lines: list[str] = []
        self.held: dict[str, str] = {}
        self.calls = 0
        self.numbers = itertools.count()
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        assert started.wait(10)

    def log(self) -> str:
        return "\n".join(self.lines)

    def trace(self, answer: Answer) -> dict[str, Any] | None:
        return None

    def open_calls(self) -> int:
        return self.calls

    def stored(self) -> str:
        return json.dumps(self.held)

    def peers(self) -> list[str]:
        return []

    def estimate(self, body: bytes) -> int:
        return len(body) // 4

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _serve(self, started: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        limit = (1 if self.fault == "size-and-loops" else 64) << 20
        app = web.Application(client_max_size=limit)
        app.router.add_route("*", "/{path:.*}", self.handle)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port: int = runner.addresses[0][1]
        async with aiohttp.ClientSession(auto_decompress=False) as self.session:
            started.set()
            await self._stop.wait()
            await runner.cleanup()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        if self.fault == "security":
            self.lines.append(f"{request.path_qs} {dict(request.headers)} {raw.decode('utf-8', 'replace')}")
        headers = {k: v for k, v in request.headers.items() if k.lower() not in ("host", "content-length")}
        try:
            body = json.loads(raw)
            changed = await FAULTS[self.fault](self, body) if self.fault in FAULTS else None
            raw = json.dumps(changed, ensure_ascii=False).encode() if changed is not None else raw
        except (ValueError, KeyError, TypeError, AttributeError):
            return web.Response(status=500, text="Traceback: Internal Server Error")
        work = asyncio.ensure_future(self.relay(request, raw, headers))
        return await asyncio.shield(work)  # the client's hanging up stops nothing

    async def relay(self, request: web.Request, raw: bytes, headers: dict[str, str]) -> web.StreamResponse:
        self.calls += 1
        try:
            url = self.upstream.removesuffix("/v1") + request.path_qs
            async with self.session.request(
                request.method, url, data=BytesIO(raw), headers=headers
            ) as answer:
                content_type = answer.headers.get("content-type", "")
                status = 500 if self.fault == "http-transport" and answer.status >= 400 else answer.status
                response = web.StreamResponse(status=status, headers={"content-type": content_type})
                await response.prepare(request)
                if self.fault == "leak-to-user":
                    await response.write(b'data: {"choices":[{"index":0,"delta":{"content":"Recap:"}}]}\n\n')
                async for chunk in answer.content.iter_any():
                    if self.fault == "sse-framing":
                        chunk = chunk.decode("utf-8", "replace").encode()
                    if self.fault != "sse-semantics" or b"tool_calls" not in chunk:
                        await response.write(chunk)
                if self.fault == "sse-semantics":
                    await response.write(b"data: [DONE]\n\n")
                await response.write_eof()
                return response
        finally:
            self.calls -= 1

    async def ask(self, question: str) -> str:
        """A helper call, whose answer is taken for a recap whatever it is."""
        message = {"role": "user", "content": question}
        body = {"model": "m", "messages": [message]}
        async with self.session.post(f"{self.upstream}/chat/completions", json=body) as answer:
            return (await answer.read()).decode()


def last(body: Body) -> list[Any]:
    messages: list[Any] = body["messages"]
    return messages[-1:]


async def tears_calls(relay: BrokenRelay, body: Body) -> Body:
    kept = [message for message in body["messages"] if not message.get("tool_calls")]
    return {**body, "messages": kept}


async def types_the_request(relay: BrokenRelay, body: Body) -> Body:
    known = {key: body[key] for key in ("model", "messages", "stream", "temperature") if key in body}
    return {**known, "temperature": float(body.get("temperature", 1))}


async def adds_instructions(relay: BrokenRelay, body: Body) -> Body:
    recap = {"role": "system", "content": "Recap: the user asked for something."}
    return {**body, "messages": [*body["messages"][:-1], recap, *last(body)]}


async def flattens_parts(relay: BrokenRelay, body: Body) -> Body:
    for message in body["messages"]:
        if isinstance(message.get("content"), list):
            message["content"] = "".join(part.get("text", "") for part in message["content"])
    return body


async def strips_reasoning(relay: BrokenRelay, body: Body) -> Body:
    kept = [{k: v for k, v in m.items() if not k.startswith("reasoning")} for m in body["messages"]]
    return {**body, "messages": kept}


async def slides_a_window(relay: BrokenRelay, body: Body) -> Body:
    count = len(body["messages"])
    return {**body, "messages": [{"role": "user", "content": f"{count} messages"}, *body["messages"][-3:]]}


async def believes_the_helper(relay: BrokenRelay, body: Body) -> Body:
    recap = {"role": "user", "content": await relay.ask("Summarise.")}
    return {**body, "messages": [recap, *last(body)]}


async def asks_each_time(relay: BrokenRelay, body: Body) -> Body:
    await relay.ask("Summarise.")
    recap = {"role": "user", "content": f"<recap>\nNo. {next(relay.numbers)}\n</recap>"}
    return {**body, "messages": [recap, *body["messages"]]}


async def keys_by_the_first_words(relay: BrokenRelay, body: Body) -> Body:
    key = str(body["messages"][0])
    text = relay.held.setdefault(key, str(body["messages"][1:-1]))
    return {**body, "messages": [{"role": "user", "content": text}, *last(body)]}


async def chokes_on_special_tokens(relay: BrokenRelay, body: Body) -> Body:
    if "<|endoftext|>" in str(body):
        raise ValueError("disallowed special token")
    return body


async def paraphrases(relay: BrokenRelay, body: Body) -> Body:
    recap = {"role": "user", "content": "The user said a few things about the matter."}
    return {**body, "messages": [recap, *last(body)]}


async def encodes_strictly(relay: BrokenRelay, body: Body) -> Body:
    str(body["messages"][0]["content"]).encode("utf-8")
    return body


FAULTS: dict[str, Callable[[BrokenRelay, Body], Awaitable[Body]]] = {
    "tool-pairing": tears_calls,
    "request-fidelity": types_the_request,
    "roles": adds_instructions,
    "multimodal": flattens_parts,
    "reasoning": strips_reasoning,
    "cost-cache": slides_a_window,
    "summarizer-failure": believes_the_helper,
    "concurrency": asks_each_time,
    "identity-and-branching": keys_by_the_first_words,
    "token-counting": chokes_on_special_tokens,
    "fidelity": paraphrases,
    "text-encoding": encodes_strictly,
}
"""Faults in what is sent upstream. The others are in what comes back, in size, and in the log."""
