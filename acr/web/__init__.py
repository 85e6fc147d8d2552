"""The page at `/acr`: static files that show what the proxy's own endpoints tell. No build step, nothing from
elsewhere, and no data in them: who may see data is decided where it is asked for.

Nothing is read before somebody opens the page.
"""

from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

STATIC = Path(__file__).parent / "static"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
"""A text that got past the page's escaping could run nothing, load nothing and send nothing elsewhere."""


def routes() -> list[Route]:
    return [
        Route("/acr", _moved),
        Route("/acr/", _page),
        Route("/acr/{name}", _file),
    ]


async def _moved(request: Request) -> Response:
    return RedirectResponse("/acr/", status_code=308)  # so that the page's files are found beside it


async def _page(request: Request) -> Response:
    return Response(_read("index.html"), media_type="text/html", headers=HEADERS)


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _names():
        return Response("There is no such file.\n", status_code=404, media_type="text/plain")
    return Response(_read(name), media_type=TYPES[Path(name).suffix], headers=HEADERS)


@cache
def _names() -> frozenset[str]:
    """The files there are: no other name is ever looked for."""
    return frozenset(path.name for path in STATIC.iterdir() if path.suffix in TYPES)


@cache
def _read(name: str) -> bytes:
    return (STATIC / name).read_bytes()
