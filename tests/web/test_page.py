"""The page in a real Chromium, before a real proxy."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.proxy import RunningProxy
from support.story import HOSTILE, PIECES, Start, talk, told

from acr.dialects.chat import read

Visit = Callable[..., Any]


LAST = "in 5 pieces"
"""In the reason of the newest request of the orchard conversation."""


def open_request(page: Any, proxy: RunningProxy, reason: str = LAST) -> None:
    page.goto(f"{proxy.root}/acr/")
    choose(page, reason)


def choose(page: Any, reason: str = LAST) -> None:
    """Open one of the list by what it says: which was finished last is up to the machine."""
    page.locator(".requests li", has_text=reason).first.get_by_role("link").click()
    page.wait_for_selector(".plots, .note")


def test_requests_come_in_while_it_is_open(start: Start, visit: Visit) -> None:
    proxy = start()
    page = visit(f"{proxy.root}/acr/")
    page.wait_for_selector(".empty")
    assert f"{proxy.url}" in page.inner_text(".empty")
    talk(proxy, PIECES[:2])
    page.wait_for_selector(".requests li:nth-child(2)")
    first = page.locator(".requests li").first.inner_text()
    assert "intervened" in first and "consolidate" in first and "→" in first and "200" in first
    page.locator(".requests a").first.click()
    page.wait_for_selector(".plots")
    text = page.inner_text("#detail")
    assert "No message text is kept" in text and PIECES[0] not in text
    assert page.locator(".turns a").count() == 2


def test_the_page_says_where_text_is_kept(start: Start, visit: Visit, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="the extra 'store' is not installed")
    pytest.importorskip("alembic", reason="the extra 'store' is not installed")
    for settings, hint, status in (
        ({}, "Message text is not kept", "text not kept"),
        (
            {"keep_text": True},
            "kept in the proxy's memory, bounded, until it is stopped",
            "text kept in memory",
        ),
        (
            {"keep_text": True, "store": f"sqlite:///{tmp_path}/t.db"},
            "in its sqlite store",
            "stored in sqlite",
        ),
    ):
        page = visit(f"{start(**settings).root}/acr/")
        page.wait_for_selector("#detail .card")
        assert hint in page.inner_text("#detail") and status in page.inner_text("#status")


def test_a_conversation_turn_by_turn(proxy: RunningProxy, visit: Visit) -> None:
    page = visit("about:blank")
    open_request(page, proxy)
    text = page.inner_text("#detail")
    assert "the request came in 5 pieces and 4 earlier answers are stale" in text
    assert page.locator(".turns a").count() == len(PIECES) and page.locator(".plot svg circle").count() > 10
    assert page.locator(".message.dropped").count() == 8
    assert page.locator(".message ins").inner_text().startswith(PIECES[0])
    assert "requirement" in page.inner_text("article table") and "1080 kilograms" in text
    page.get_by_role("button", name="As the model saw it").click()
    assert page.locator(".message.user").count() == 1
    page.get_by_role("button", name="Changes").click()
    page.locator(".evidence a").first.click()
    assert page.evaluate("document.activeElement.id").startswith("turn-")
    page.locator(".turns a").first.click()
    page.wait_for_selector("#detail >> text=single turn")  # the list beside it says so too
    assert page.locator(".turns a").first.get_attribute("aria-current") == "true"


def test_text_stays_text(proxy: RunningProxy, visit: Visit) -> None:
    page = visit("about:blank")
    open_request(page, proxy, "recap")
    for name in ("Changes", "As the client sent it", "As the model saw it"):
        page.get_by_role("button", name=name).click()
        assert HOSTILE in page.inner_text("#detail")
    page.get_by_text("Trace as JSON").click()
    page.get_by_role("button", name="To the playground").click()
    page.wait_for_selector("#send")
    page.click("#send")
    page.wait_for_selector("#results a >> nth=1")
    assert HOSTILE in page.inner_text("#results")
    assert page.title() == "ACR" and page.locator("main img, main script, main b >> text=bold").count() == 0


def test_markup_would_run_nothing(proxy: RunningProxy, visit: Visit) -> None:
    page = visit(f"{proxy.root}/acr/totals.js")
    policy = page.request.get(f"{proxy.root}/acr/").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy


def test_totals(proxy: RunningProxy, visit: Visit) -> None:
    page = visit(f"{proxy.root}/acr/#/totals")
    page.wait_for_selector("svg")
    shown = dict(zip(page.locator("dt").all_inner_texts(), page.locator("dd").all_inner_texts(), strict=True))
    assert shown["failed open"] == "1" and int(shown["prompt tokens saved"].split()[0]) > 100
    assert "OperatorError" in page.inner_text("main") and "rules" in page.inner_text("main")


def test_playground_sends_both(proxy: RunningProxy, visit: Visit) -> None:
    page = visit(f"{proxy.root}/acr/#/playground")
    page.wait_for_selector("#send")
    page.get_by_role("button", name="Add a turn").click()
    page.get_by_label("Role of turn 4").select_option("assistant")
    page.get_by_role("button", name="Remove turn 4").click()
    page.get_by_label("through").select_option("x-acr-operator snowball")
    page.click("#send")
    page.wait_for_selector("#results details")
    raw, through = page.locator("#results > section").all_inner_texts()
    assert "bypassed" in raw and "intervened" in through and "snowball" in through and "50 + 9" in through
    assert page.locator("#results ins").count() == 1


def test_keyboard(proxy: RunningProxy, visit: Visit) -> None:
    page = visit(f"{proxy.root}/acr/")
    page.wait_for_selector(".requests a")
    page.keyboard.press("j")
    page.wait_for_selector(".requests li:nth-child(1) a[aria-current]")
    page.keyboard.press("j")
    page.wait_for_selector(".requests li:nth-child(2) a[aria-current]")
    page.keyboard.press("x")
    assert page.inner_text("#chosen") == "1 chosen"
    page.keyboard.press("/")
    page.keyboard.type("failed open")
    page.wait_for_function("document.querySelectorAll('.requests li').length === 1")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.wait_for_selector("text=Intervention rate >> visible=true", timeout=5000)


@pytest.mark.parametrize("form", ["dialogues", "traces"])
def test_export_is_what_training_reads(proxy: RunningProxy, visit: Visit, tmp_path: Path, form: str) -> None:
    states = pytest.importorskip("acr_training.states")
    page = visit(f"{proxy.root}/acr/", accept_downloads=True)
    page.wait_for_selector(".requests a")
    page.locator(".requests li", has_text=LAST).first.get_by_role("checkbox").check()
    page.select_option("#format", form)
    with page.expect_download() as coming:
        page.click("#export")
    file = tmp_path / coming.value.suggested_filename
    coming.value.save_as(file)
    found = (states.of_traces if form == "traces" else states.of_dialogues)(file)
    assert len(found) == (1 if form == "traces" else len(PIECES) - 1)
    said = [message["content"] for message in found[-1].messages if message["role"] == "user"]
    assert said == list(PIECES)
    if form == "dialogues":
        assert len(read(json.loads(file.read_text())["messages"]).turns) == 2 * len(PIECES)


def test_the_key_is_asked_for_and_kept_for_the_tab_only(start: Start, visit: Visit) -> None:
    proxy = start(api_key="FAKE-key", keep_text=True)
    told(proxy, key="FAKE-key")
    page = visit(f"{proxy.root}/acr/")
    page.fill("#key", "wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=not one of its keys")
    page.fill("#key", "FAKE-key")
    page.keyboard.press("Enter")
    page.wait_for_selector(".requests a")
    assert page.context.cookies() == [] and page.evaluate("localStorage.length") == 0
    page.reload()
    page.wait_for_selector(".requests a")
    page.click("#leave")
    page.wait_for_selector("#key")


def test_a_proxy_that_is_gone_is_told(start: Start, visit: Visit) -> None:
    page = visit(f"{start().root}/acr/")
    page.wait_for_selector(".empty")
    page.context.set_offline(True)
    page.wait_for_selector("text=cannot be reached")
    page.context.set_offline(False)
    page.wait_for_selector(".trouble", state="hidden")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("page_name", ["requests", "totals", "playground"])
def test_nothing_stands_out_of_the_page(
    proxy: RunningProxy, visit: Visit, width: int, page_name: str
) -> None:
    page = visit(f"{proxy.root}/acr/#/{page_name}", width=width)
    page.wait_for_selector(".card")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if page_name == "requests":
        choose(page)
        assert page.locator(".plots").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".list").is_visible() is (width > 1000)
