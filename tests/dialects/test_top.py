from dataclasses import replace

import pytest

from acr.conversation import Conversation
from acr.dialects.chat import Chat
from acr.dialects.top import Top, glance, one_list, with_model
from acr.errors import ConversationError


def test_the_field_acr_is_cut_out_and_the_rest_keeps_its_bytes() -> None:
    top = Top.of(b'{ "a":1.0, "acr" : {"mode":"off"} , "m":[1 , 2]}', "m")
    assert top.body == b'{ "a":1.0, "m":[1 , 2]}'
    request = top.request(lambda history: Conversation(()), "")
    assert request.controls == {"mode": "off"} and request.conversation == Conversation(())


def test_without_it_the_body_is_the_client_s_own_object() -> None:
    body = b'{"m":[]}'
    assert Top.of(body, "m").body is body


def test_a_history_that_cannot_be_read_leaves_a_reason() -> None:
    def read(history: object) -> Conversation:
        raise ConversationError("odd")

    request = Top.of(b'{"m":[],"model":7,"stream":"yes","acr":[]}', "m").request(read, "")
    assert (request.conversation, request.why, request.model, request.stream) == (None, "odd", "", False)
    assert request.controls is None


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{}", "not one"),
        (b'{"m":[],"m":[]}', "not one"),
        (b'{"m":[],"\\u006d":[]}', "not one"),
        (b'{"a":"\\"m","m":[]}', ""),
        (b'{"a":{"m":[]}}', "not one"),
        (b'{"m":{}}', "not a list"),
        (b'{"m":[]}', ""),
    ],
)
def test_one_list(body: bytes, why: str) -> None:
    found = one_list(Top.of(body, "m"))
    assert why in found and bool(found) is bool(why)


def test_another_model() -> None:
    assert with_model(b'{"model" : "a", "x":1.0}', 'b"') == b'{"model" : "b\\"", "x":1.0}'
    for body in (b"{}", b'{"model":"a","model":"b"}', b"[]"):
        with pytest.raises(ConversationError):
            with_model(body, "b")


@pytest.mark.parametrize(
    "body",
    [
        b'{"model": "m", "stream": true, "messages": []}',
        b'{"model": "m", "model": "last", "stream": 1, "messages": [{}]}',
        b'{"mod\\u0065l": "caf\\u00e9", "messages": [1e-400, 123456789012345678901234567890]}',
        b'{"model": null}',
    ],
)
def test_a_glance_tells_what_reading_all_tells(body: bytes) -> None:
    glanced, read = glance(body), Chat().parse(body, history=False)
    assert glanced is not None
    assert glanced == replace(read, why=glanced.why)


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"nonsense", b'{"acr": {"mode": "auto"}}', b'{"\\u0061cr": {}}', b'{"a": NaN}', b"\xff"],
)
def test_a_glance_leaves_to_the_reader_what_it_cannot_tell(body: bytes) -> None:
    assert glance(body) is None
