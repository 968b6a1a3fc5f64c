"""A quota is shared by all processes over one store."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path

import pytest

from service.http.guards.rate_limit import PAUSE, RateLimit
from service.live.store.protocol import Store
from service.live.store.redis.store import RedisStore
from service.live.store.redis.url import connect
from service.platform.settings import Settings
from service.schemas.ids import Caller
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
    """Make a store that waits ten seconds for the count of requests, or `charge_timeout` seconds."""
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
    how: str, runner: asyncio.Runner, tmp_path: Path
) -> None:
    with Redis(tmp_path / "redis") as redis:
        store = patient(redis.url, charge_timeout=1)
        each_time_later = map(float, count(0, PAUSE)).__next__
        limit = RateLimit(store, "2/day", each_time_later)

        def admitted(requests: int, caller: str = "somebody") -> list[bool]:
            return [not runner.run(limit.try_consume(Caller(caller))).retry_after for _ in range(requests)]

        assert admitted(3) == [True, True, False]
        with redis.paused() if how == "paused" else killed(redis):
            assert admitted(3) == [False] * 3, "it has spent its quota"
            assert admitted(3, "a newcomer") == [True, True, False]
        assert False in admitted(10)
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
    async def consume(store: Store) -> list[bool]:
        names = [f"caller{at}" for at in range(20)] * 3
        return [(await store.consume(name, 10**9, 2 * 10**9))[0] for name in names]

    with group(tmp_path) as servers:
        store = patient(servers.url)
        assert runner.run(consume(store)) == [True] * 40 + [False] * 20
        runner.run(store.close())
