"""The HTML report."""

from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

from acr_benchmarks.page import bars, curves, html, page, scatter


def setting(
    score: float, tokens: int | None = 100, first: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    return {
        "score": {"value": score, "low": score - 0.1, "high": score + 0.1},
        "prompt_tokens": tokens,
        "completion_tokens": tokens,
        "by_first_answer": first or [],
    }


SETTINGS = {
    "full": setting(0.9),
    "sharded": setting(
        0.1, 300, [{"turn": 1, "episodes": 9, "score": 0.0}, {"turn": 3, "episodes": 1, "score": 1.0}]
    ),
    "acr:<b>": setting(0.5),
}


def test_plots_are_well_formed_and_to_scale() -> None:
    widths = [float(rect.attrib["width"]) for rect in ElementTree.fromstring(bars(SETTINGS)).iter("rect")]
    assert [round(width / widths[0], 2) for width in widths] == [1.0, 0.11, 0.56]
    circles = list(ElementTree.fromstring(scatter(SETTINGS)).iter("circle"))
    assert float(circles[1].attrib["cy"]) < float(circles[0].attrib["cy"])  # more tokens stand higher
    assert float(circles[1].attrib["cx"]) < float(circles[0].attrib["cx"])  # a lower score further left
    assert len(list(ElementTree.fromstring(curves(SETTINGS)).iter("circle"))) == 2


def test_what_is_not_known_is_not_drawn() -> None:
    assert scatter({"full": setting(0.5, None)}) == ""
    assert curves({"full": setting(0.5)}) == ""
    without = setting(0.5)
    without["score"] |= {"low": None, "high": None}
    assert bars({"full": without}).count("<line") == 1  # the axis alone


def test_markdown_becomes_html() -> None:
    made = html(
        "# A `b`\n\ntext & **more**\n\n| a | b |\n|---|---:|\n| `x` | 1 < 2 |\n\n- one\n- two\n  lines\n"
    )
    assert "<h1>A <code>b</code></h1>" in made
    assert "<p>text &amp; <b>more</b></p>" in made
    assert "<tr><th>a</th><th>b</th></tr><tr><td><code>x</code></td><td>1 &lt; 2</td></tr>" in made
    assert made.count("<li>") == 2


def test_the_page_needs_nothing_else_and_trusts_no_name() -> None:
    made = page({"tasks": {"math": {"settings": SETTINGS}}}, "# t\n", "<script>alert(1)</script>")
    tags: list[tuple[str, dict[str, str | None]]] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append((tag, dict(attrs)))

    Parser().feed(made)
    assert "script" not in {tag for tag, _ in tags}
    assert not any(name in attributes for _, attributes in tags for name in ("src", "href", "onload"))
    assert "acr:&lt;b&gt;" in made
