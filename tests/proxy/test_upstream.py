import pytest

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
        (b"/v1/chat/completions", b"", "http://u:1/x/v1/chat/completions"),
        (b"/v1/models/a%2Fb", b"q=%20&r=a+b&s", "http://u:1/x/v1/models/a%2Fb?q=%20&r=a+b&s"),
        (b"/v1/@evil.example/", b"", "http://u:1/x/v1/@evil.example/"),
        (b"/v1//evil.example", b"", "http://u:1/x/v1//evil.example"),
    ],
)
def test_urls_are_passed_on_undecoded_and_never_choose_the_host(
    path: bytes, query: bytes, expected: str
) -> None:
    url = Upstream(Settings(upstream="http://u:1/x/v1")).url(path, query)
    assert str(url) == expected and url.host == "u" and url.port == 1
