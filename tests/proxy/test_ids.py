import pytest

from acr.proxy.ids import request_id


@pytest.mark.parametrize("given", [b"a", b"req_1.2:3-4", b"x" * 128])
def test_a_usable_id_is_the_client_s(given: bytes) -> None:
    assert request_id([(b"x-request-id", given)]) == (given, True)


@pytest.mark.parametrize("given", [b"", b"a b", b"../x", b"<x>", b"x" * 129, "ä".encode()])
def test_another_is_replaced(given: bytes) -> None:
    id, own = request_id([(b"x-request-id", given)])
    assert id.startswith(b"acr-") and not own


def test_ids_differ() -> None:
    assert request_id([]) != request_id([])
