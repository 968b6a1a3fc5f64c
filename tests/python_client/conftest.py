"""A service on this machine for the tests of the package, one for each worker, and both kinds of client."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest
from httpx import create_ssl_context

from tests.python_client.both import Connect
from tests.support.http.server import Server, serving


@pytest.fixture(scope="session", autouse=True)
def one_tls_context() -> Iterator[None]:
    """Read the certificates of authorities once, not for each client: that takes 40 ms, and no test uses them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(create_ssl_context))
        yield


@pytest.fixture(scope="session")
def served() -> Iterator[Server]:
    with serving(STREAM_HEARTBEAT="0.1") as server:
        yield server


@pytest.fixture(scope="session")
def url(served: Server) -> str:
    return f"http://127.0.0.1:{served.port}"


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest, runner: asyncio.Runner) -> Iterator[Connect]:
    """Connect a client of either kind to a service, or to a function that plays one."""
    with ExitStack() as ends:
        yield Connect(request.param, runner, ends)


@pytest.fixture
def client(connect: Connect, url: str) -> Any:
    """A client of the real service."""
    return connect(url)
