from collections.abc import Iterator

import pytest
from acr_benchmarks.reliability.redis_server import RedisServer, installed


@pytest.fixture
def server() -> Iterator[RedisServer]:
    """A real redis-server."""
    if not installed():
        pytest.skip("no redis-server (Debian: apt install redis-server)")
    pytest.importorskip("redis", reason="the client of the extra 'redis' is not installed")
    with RedisServer() as running:
        yield running
