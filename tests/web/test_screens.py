"""Every page and state at phone and desktop width, light and dark: it can be drawn, and be looked at.

pytest tests/web/test_screens.py --screenshots FOLDER
"""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.proxy import RunningProxy
from support.story import Start

Visit = Callable[..., Any]
SIZES = ((1280, 860), (390, 844))


def requests(page: Any, root: str) -> None:
    page.goto(f"{root}/acr/")
    page.wait_for_selector(".requests a")


def request(page: Any, root: str) -> None:
    requests(page, root)
    page.locator(".requests li", has_text="in 5 pieces").first.get_by_role("link").click()
    page.wait_for_selector(".plots")


def totals(page: Any, root: str) -> None:
    page.goto(f"{root}/acr/#/totals")
    page.wait_for_selector("svg.bars")


def playground(page: Any, root: str) -> None:
    page.goto(f"{root}/acr/#/playground")
    page.get_by_label("through").select_option("x-acr-operator consolidate")
    page.click("#send")
    page.wait_for_selector("#results details")
    page.locator("#results").scroll_into_view_if_needed()


def gone(page: Any, root: str) -> None:
    requests(page, root)
    page.context.set_offline(True)
    page.wait_for_selector(".trouble >> visible=true")


def empty(page: Any, root: str) -> None:
    page.goto(f"{root}/acr/")
    page.wait_for_selector(".empty")


def key(page: Any, root: str) -> None:
    page.goto(f"{root}/acr/")
    page.fill("#key", "wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=not one of its keys")


LIVE = (requests, request, totals, playground, gone)


@pytest.fixture(scope="module")
def roots(start: Start, proxy: RunningProxy) -> dict[Any, str]:
    others = {empty: start().root, key: start(api_key="FAKE-key").root}
    return {**dict.fromkeys(LIVE, proxy.root), **others}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=["1280", "390"])
def test_screens(
    roots: dict[Any, str], visit: Visit, size: tuple[int, int], dark: bool, pytestconfig: pytest.Config
) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    folder = pytestconfig.getoption("--screenshots")
    if folder is None and dark is not (size[0] < 1000):
        pytest.skip("drawn with --screenshots only: the same pages in other colours")
    for show, root in roots.items():
        page = visit("about:blank", width=size[0], height=size[1], dark=dark)
        show(page, root)
        page.wait_for_timeout(100)
        drawn = page.screenshot()
        picture = image.open(io.BytesIO(drawn)).convert("RGB")
        corner = picture.getpixel((2, picture.height - 2))
        assert (sum(corner) < 200) is dark, f"{show.__name__}: the ground is {corner}"
        assert len(picture.getcolors(1 << 24)) > 30, f"{show.__name__}: nearly nothing is drawn"
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], show.__name__
        if folder:
            small = picture.quantize(192)
            name = f"{show.__name__}-{size[0]}-{'dark' if dark else 'light'}.png"
            Path(folder).mkdir(parents=True, exist_ok=True)
            small.save(Path(folder, name), optimize=True)
        page.context.close()
