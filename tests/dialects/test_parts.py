from typing import Any

import pytest

from acr.dialects.parts import Content, only, read

IMAGE = {"type": "image", "source": {}}


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (None, Content()),
        ("a", Content(["a"])),
        ([], Content()),
        (["a", {"type": "text", "text": "b"}], Content(["a", "b"])),
        ([{"type": "input_text", "text": "a"}], Content(["a"])),
        ([{"type": "output_text", "text": "a", "annotations": [], "logprobs": []}], Content(["a"])),
        ([{"type": "text", "text": "a", "citations": None}], Content(["a"])),
        ([{"type": "text", "text": "a", "citations": [1]}], Content(["a"], plain=False)),
        ([{"type": "refusal", "refusal": "no"}], Content(["no"], plain=False)),
        ([IMAGE], Content(attached=True, plain=False)),
        ([{"type": "tool_use", "id": "t", "input": {}}], Content(plain=False)),
        ([{"type": "tool_result", "content": "r"}], Content(["r"], plain=False)),
        ([{"type": "tool_result", "content": [IMAGE]}], Content(attached=True, plain=False)),
        ([{"type": "thinking", "thinking": "t", "signature": "s"}], Content(plain=False, sealed=True)),
        ([{"type": "redacted_thinking", "data": "d"}], Content(plain=False, sealed=True)),
        ([{"type": "compaction", "content": "c"}], Content(plain=False, sealed=True)),
        ([{"type": "text", "text": "a", "cache_control": {"type": "e"}}], Content(["a"], plain=False, sealed=True)),
        ({"text": "odd"}, Content(attached=True, plain=False)),
        ([{"type": ["odd"], "text": 7}], Content(attached=True, plain=False)),
        (7, Content(attached=True, plain=False)),
    ],
)  # fmt: skip
def test_contents(content: Any, found: Content) -> None:
    assert read(content) == found


def test_only() -> None:
    assert only({"a": 1, "b": None, "c": []}, ("a",))
    assert not only({"a": 1, "b": 0}, ("a",))
