from pydantic import SecretStr

from acr.proxy.keys import Keys

OPEN = Keys((), None)
GUARDED = Keys((SecretStr("acr-1"), SecretStr("acr-2")), None)
REPLACING = Keys((SecretStr("acr-1"),), SecretStr("up"))


def outgoing(keys: Keys, *headers: tuple[bytes, bytes], anthropic: bool = False) -> dict[str, str]:
    found = keys.outgoing(headers, anthropic=anthropic)
    return {name.decode(): value.decode() for name, value in found}


def test_without_keys_everybody_comes_in_and_credentials_go_on() -> None:
    header = (b"authorization", b"Bearer sk-client")
    assert OPEN.admit([]) and OPEN.admit([header])
    assert outgoing(OPEN, header, (b"x-api-key", b"k")) == {
        "authorization": "Bearer sk-client",
        "x-api-key": "k",
    }


def test_any_of_the_keys_in_either_header_comes_in() -> None:
    for header in [
        (b"authorization", b"Bearer acr-1"),
        (b"authorization", b"bearer  acr-2"),
        (b"x-api-key", b"acr-2"),
    ]:
        assert GUARDED.admit([(b"x", b"y"), header])


def test_others_do_not() -> None:
    for header in [
        (b"authorization", b"Bearer acr-3"),
        (b"authorization", b"Bearer "),
        (b"authorization", b"Basic acr-1"),
        (b"authorization", b"acr-1"),
        (b"x-api-key", b""),
        (b"x-api-key", b"acr-1\xe4"),
        (b"x-other", b"acr-1"),
    ]:
        assert not GUARDED.admit([header])
    assert not GUARDED.admit([])


def test_an_acr_key_never_goes_upstream_and_another_credential_does() -> None:
    assert outgoing(GUARDED, (b"authorization", b"Bearer acr-1"), (b"a", b"b")) == {"a": "b"}
    assert outgoing(GUARDED, (b"x-api-key", b"acr-2"), (b"authorization", b"Bearer sk-client")) == {
        "authorization": "Bearer sk-client"
    }


def test_a_configured_upstream_key_replaces_completely() -> None:
    sent = [(b"authorization", b"Bearer sk-client"), (b"x-api-key", b"acr-1"), (b"a", b"b")]
    assert outgoing(REPLACING, *sent) == {"a": "b", "authorization": "Bearer up"}
    assert outgoing(REPLACING, *sent, anthropic=True) == {"a": "b", "x-api-key": "up"}
