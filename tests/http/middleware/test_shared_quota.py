"""A quota is shared by all processes over one store."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from service.http.middleware import rate_limit
from service.settings import Settings
from service.store.protocol import Store
from service.store.redis.store import RedisStore
from service.store.redis.url import connect
from tests.support import redis_server
from tests.support.games.callers import Live
from tests.support.http.client import Answer
from tests.support.processes import Redis
from tests.support.redis_groups import Cluster, Watched, cluster, watched

RATE = "10/day"


def draw(live: Live) -> Answer:
    """Ask one question."""
    return live.call("POST", "/v1/draws", {"players": 2})


def patient(url: str, replicas: int = 0, charge_timeout: float = 10) -> Store:
    """Make a store that counts requests however long that takes, or for so many seconds."""
    return RedisStore(connect(url, 10), 10, replicas, charge_timeout=charge_timeout)


def test_two_processes_over_one_redis_share_a_quota(runner: asyncio.Runner) -> None:
    with redis_server.running() as port:
        settings = Settings(rate_limit=RATE)
        stores = [patient(f"redis://127.0.0.1:{port}") for _ in range(2)]
        one, other = (Live(runner, store, settings) for store in stores)
        answers = [draw(live) for live in (one, other) * 6]
        assert [answer.status for answer in answers] == [200] * 10 + [429] * 2
        assert answers[9].headers["ratelimit"].startswith('"default";r=0;')
        for store in stores:
            runner.run(store.close())


@pytest.mark.parametrize("how", ["killed", "paused"])
def test_while_redis_is_away_the_process_counts_by_itself_and_once_it_is_back_they_count_together(
    how: str, runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE", 0)
    with Redis(tmp_path / "redis") as redis:
        store = patient(redis.url, charge_timeout=1)
        live = Live(runner, store, Settings(rate_limit="2/day"))
        assert [draw(live).status for _ in range(3)] == [200, 200, 429]
        with redis.paused() if how == "paused" else killed(redis):
            answers = [draw(live) for _ in range(3)]
        assert [answer.status for answer in answers] == [200, 200, 429]
        assert 429 in [draw(live).status for _ in range(10)]
        runner.run(store.close())


@contextmanager
def killed(redis: Redis) -> Generator[None, None, None]:
    """Do without a Redis for a while."""
    redis.kill()
    yield
    redis.start()


def test_counting_waits_for_no_replica(runner: asyncio.Runner) -> None:
    with redis_server.running() as port:
        store = patient(f"redis://127.0.0.1:{port}", replicas=1)
        answer = draw(Live(runner, store, Settings(rate_limit=RATE)))
        assert answer.headers["ratelimit"].startswith('"default";r=9;')
        runner.run(store.close())


@pytest.mark.parametrize("group", [cluster, watched])
def test_every_caller_has_its_count_wherever_in_a_group_of_servers_it_is_kept(
    group: Callable[[Path], AbstractContextManager[Cluster | Watched]], runner: asyncio.Runner, tmp_path: Path
) -> None:
    async def charge(store: Store) -> list[bool]:
        names = [f"caller{at}" for at in range(20)] * 3
        return [(await store.charge(name, 10**9, 2 * 10**9))[0] for name in names]

    with group(tmp_path) as servers:
        store = patient(servers.url)
        assert runner.run(charge(store)) == [True] * 40 + [False] * 20
        runner.run(store.close())
