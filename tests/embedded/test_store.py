"""Where files lie, and whether they are whole."""

import os
from pathlib import Path

import pytest
from support.models import CONTENT

from acr.embedded import store
from acr.embedded.catalogue import Model
from acr.errors import ModelError


def put(model: Model, content: bytes) -> Path:
    file = store.path(model)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def test_the_cache_is_where_the_variables_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    monkeypatch.delenv("ACR_CACHE", raising=False)
    assert store.cache() == Path("/somewhere/acr")
    monkeypatch.setenv("ACR_CACHE", "~/own")
    assert store.cache() == Path.home() / "own"


def test_absent_present_damaged(cache: Path, tiny: Model) -> None:
    assert store.state(tiny) == "absent"
    file = put(tiny, CONTENT)
    assert store.state(tiny) == "present"
    assert store.ready(tiny) == file
    put(tiny, b"FUGG" + CONTENT[4:])
    assert store.state(tiny) == "damaged"
    put(tiny, CONTENT[:-1])
    assert store.state(tiny) == "damaged"


def test_one_wrong_byte_is_found(cache: Path, tiny: Model) -> None:
    put(tiny, CONTENT)
    assert store.state(tiny) == "present"
    put(tiny, CONTENT[:-1] + b"\0")
    os.utime(store.path(tiny), ns=(1, 1))
    assert store.state(tiny) == "damaged"


def test_a_verified_file_is_not_hashed_again(
    cache: Path, tiny: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tiny, CONTENT)
    assert store.state(tiny) == "present"
    monkeypatch.setattr(store, "digest", lambda file: pytest.fail("hashed again"))
    assert store.state(tiny) == "present"


def test_what_to_do_is_said(cache: Path, tiny: Model) -> None:
    with pytest.raises(ModelError, match="acr model pull tiny"):
        store.ready(tiny)
    put(tiny, b"no model")
    with pytest.raises(ModelError, match=r"damaged.*acr model pull tiny"):
        store.ready(tiny)


def test_forget_removes_the_note_too(cache: Path, tiny: Model) -> None:
    put(tiny, CONTENT)
    store.state(tiny)
    store.forget(tiny)
    assert list(store.path(tiny).parent.iterdir()) == []


def test_a_cache_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="set ACR_CACHE"):
        store.made(tmp_path / "file" / "cache")
