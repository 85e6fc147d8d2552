"""The page's files as they are served: safe headers, nothing from elsewhere, no name but theirs. No browser."""

import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from support.http import send
from support.proxy import RunningProxy
from support.story import Start

from acr import web

NAMES = sorted(path.name for path in web.STATIC.iterdir())


@pytest.mark.parametrize("name", ["", *NAMES])
def test_each_file_with_its_type_and_a_strict_policy(proxy: RunningProxy, name: str) -> None:
    answer = send(proxy.port, "GET", f"/acr/{name}")
    assert answer.status == 200 and answer.body
    wanted = web.TYPES["." + name.rpartition(".")[2]] if name else "text/html"
    assert (answer.header("content-type") or "").partition(";")[0] == wanted
    policy = answer.header("content-security-policy") or ""
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "*" not in policy
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("set-cookie") is None


@pytest.mark.parametrize("name", NAMES)
def test_nothing_comes_from_elsewhere_and_text_is_never_markup(name: str) -> None:
    text = (web.STATIC / name).read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"'`]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|style=", text
    )
    assert not re.search(r"localStorage|document\.cookie|\son\w+=\"", text)


@pytest.mark.parametrize(
    "name", ["none.js", "..%2f__init__.py", "../__init__.py", "index.html%00", ".", "static"]
)
def test_no_other_name_is_looked_for(proxy: RunningProxy, name: str) -> None:
    assert send(proxy.port, "GET", f"/acr/{name}").status == 404


def test_the_page_itself_needs_no_key_and_holds_no_data(start: Start) -> None:
    keyed = start(api_key="FAKE-key", keep_text=True)
    assert send(keyed.port, "GET", "/acr/").status == 200
    for path in (
        "/v1/acr/decisions",
        "/v1/acr/totals",
        "/v1/acr/status",
        "/v1/acr/decisions/x/turns",
        "/metrics",
    ):
        assert send(keyed.port, "GET", path).status == 401, path


def test_every_file_that_is_named_is_there() -> None:
    client = TestClient(Starlette(routes=web.routes()))
    assert client.get("/acr", follow_redirects=False).headers["location"] == "/acr/"
    for name in NAMES:
        text = (web.STATIC / name).read_text(encoding="utf-8")
        for used in re.findall(r"from \"\./([\w.]+)\"|(?:src|href)=\"([\w]+\.\w+)\"", text):
            assert next(filter(None, used)) in NAMES
