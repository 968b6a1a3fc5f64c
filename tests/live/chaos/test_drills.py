"""Failures of Redis, one by one: answers, log lines, and the time to recover.

`python -m pytest -s tests/live/chaos/test_drills.py` prints how long each took.
"""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import pytest
from redis import Redis as RedisClient

from tests.deploy.files import RUNBOOKS
from tests.support.games.client import Call, Client
from tests.support.processes import Redis, Service

NEW: Final = Call("POST", "/v1/games", {"rules": "trebor", "players": 4})
QUESTION: Final = Call("POST", "/v1/deals", {"rules": "trebor", "players": 4, "dealer": 3})
PASSWORD: Final = "changed-by-somebody"
SOON: Final = 60
"""Seconds within which all is well again once the cause is gone; without other work on the machine it is one."""

Act: TypeAlias = Callable[[Redis], None]


class Drill(NamedTuple):
    """A harm to Redis and its cure, the answer to callers, and the words of the log and the runbook."""

    harm: Act
    heal: Act
    code: str
    retry_after: str
    words: str
    runbook: str = "CatchtenStoreDown"


def _set(name: str, value: str) -> Act:
    def configure(redis: Redis) -> None:
        assert redis.answers("CONFIG", "SET", name, value) == b"+OK\r\n"

    return configure


def _pause(redis: Redis) -> None:
    os.kill(redis.pid, signal.SIGSTOP)


def _resume(redis: Redis) -> None:
    os.kill(redis.pid, signal.SIGCONT)


def _fill_disk(redis: Redis) -> None:
    """Let a snapshot fail, as it does on a full disk, after which Redis refuses changes."""
    (redis.folder / "dump.rdb" / "in the way").mkdir(parents=True)
    _set("save", "3600 1")(redis)
    _save(redis, b"err")


def _clear_disk(redis: Redis) -> None:
    shutil.rmtree(redis.folder / "dump.rdb")
    _save(redis, b"ok")


def _save(redis: Redis, status: bytes) -> None:
    assert redis.answers("BGSAVE").startswith(b"+")
    redis.until(lambda: b"rdb_last_bgsave_status:" + status in redis.answers("INFO", "persistence"), "no snapshot")


def _lock(redis: Redis) -> None:
    with RedisClient(port=redis.port) as client:
        client.config_set("requirepass", PASSWORD)
        client.client_kill_filter(_type="normal", skipme=True)


def _unlock(redis: Redis) -> None:
    with RedisClient(port=redis.port, password=PASSWORD) as client:
        client.config_set("requirepass", "")


DRILLS: Final = {
    "killed": Drill(Redis.kill, Redis.start, "store_down", "1", "Connection refused"),
    "asleep": Drill(_pause, _resume, "store_down", "1", "TimeoutError"),
    "disk full": Drill(_fill_disk, _clear_disk, "store_down", "1", "MISCONF"),
    "another password": Drill(_lock, _unlock, "store_down", "1", "AuthenticationError"),
    "memory full": Drill(
        _set("maxmemory", "1"),
        _set("maxmemory", "0"),
        "store_full",
        "60",
        "command not allowed when",
        "CatchtenStoreFull",
    ),
}
EVERY_TIME, *AT_NIGHT = DRILLS


async def _run(port: int, redis: Redis, drill: Drill) -> tuple[float, float]:
    """Return how long a refusal took at most, and how long it took until all was well again."""
    with Client([port]) as client:
        assert (await client.ask(NEW)).status == 201
        drill.harm(redis)
        for _ in range(3):
            refused = await client.ask(NEW)
            assert (refused.status, refused.json["code"]) == (503, drill.code)
            assert refused.headers["retry-after"] == drill.retry_after
            assert (await client.ask(QUESTION)).status == 200
        slowest = client.slowest
        await asyncio.to_thread(drill.heal, redis)
        began = time.monotonic()
        assert (await client.insist(NEW)).status == 201
        return slowest, time.monotonic() - began


@pytest.mark.parametrize("name", [EVERY_TIME, *(pytest.param(name, marks=pytest.mark.nightly) for name in AT_NIGHT)])
def test_a_failure_of_redis_is_told_explained_and_over_soon(tmp_path: Path, name: str) -> None:
    drill = DRILLS[name]
    with Redis(tmp_path / "redis") as redis, Service(tmp_path / "one", redis_url=redis.url) as one:
        slowest, back = asyncio.run(_run(one.port, redis, drill))
        one.until_said(drill.words)
        said = one.said()
    print(f"{name}: refused within {slowest:.2f} s, back after {back:.2f} s")
    assert back < SOON
    assert "Traceback" not in said
    assert said.count("a call on Redis failed") <= 2, "one line in ten seconds"
    assert drill.words in (RUNBOOKS / f"{drill.runbook}.md").read_text()
