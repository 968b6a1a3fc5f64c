"""Both stores, and the service over each of them. A worker of the tests starts one Redis, and stops it at its end."""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from service.app import make_store
from service.live.store.protocol import Store
from service.platform.settings import Settings
from tests.support import redis_server
from tests.support.games.callers import Bearer, Live, Table
from tests.support.games.listeners import Follow, Listener


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with redis_server.running() as port:
        yield f"redis://127.0.0.1:{port}"


@pytest.fixture(scope="session", params=["memory", "redis"])
def settings(request: pytest.FixtureRequest) -> Settings:
    if request.param == "memory":
        return Settings()
    return Settings(redis_url=str(request.getfixturevalue("redis_url")), store_timeout=60)


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def store(settings: Settings, runner: asyncio.Runner) -> Iterator[Store]:
    store = make_store(settings)
    yield store
    runner.run(store.close())


@pytest.fixture(scope="session")
def live(store: Store, runner: asyncio.Runner) -> Live:
    return Live(runner, store)


@pytest.fixture(scope="session")
def twin(settings: Settings, store: Store, runner: asyncio.Runner) -> Iterator[Live]:
    """Another instance of the service over the same games."""
    own = store if settings.redis_url is None else make_store(settings)
    yield Live(runner, own)
    runner.run(own.close())


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Random:
    return Random(request.node.name)


@pytest.fixture
def follow() -> Iterator[Follow]:
    """Follow games; listeners that are left at the end of the test leave then."""
    listeners: list[Listener] = []

    def listen(table: Table, bearer: Bearer = None, seen: object = None, client: str = "127.0.0.1") -> Listener:
        last = table.revision(seen) if isinstance(seen, int) else seen
        known = () if last is None else (("last-event-id", str(last)),)
        listeners.append(Listener(table.live, f"{table.path}/events", (*table.token(bearer), *known), client))
        return listeners[-1]

    yield listen
    for listener in listeners:
        listener.leave()
