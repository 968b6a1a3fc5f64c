"""Why calls on Redis fail stands in the log, in the words that the runbook explains."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from redis import Redis as Client

from service.live.store.protocol import StoreDown
from service.live.store.redis import failures
from service.live.store.redis.store import RedisStore
from service.live.store.redis.url import connect
from service.platform.rare_log import RareLog
from service.schemas.ids import GameId
from tests.support.processes import Redis
from tests.support.redis_server import free_port

RUNBOOK: Final = Path(__file__).parents[3] / "deploy" / "runbooks" / "CatchtenStoreDown.md"
PATIENT: Final = 60.0
"""Seconds until a call fails in any case: longer than a busy machine needs to say why."""
HASTY: Final = 0.3


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with Redis(tmp_path / "redis") as server:
        yield server


@pytest.fixture(autouse=True)
def _own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log the first failure of each test: the log of the process says little when much fails."""
    monkeypatch.setattr(failures, "log", RareLog(failures.LINE))


def words_for(url: str, caplog: pytest.LogCaptureFixture, replicas: int = 0, timeout: float = PATIENT) -> str:
    """Fail to begin a game, and return the words of the runbook that stand in the log."""

    async def begin() -> None:
        store = RedisStore(connect(url, timeout), timeout, replicas)
        try:
            with pytest.raises(StoreDown):
                await store.create(GameId("g" * 22), b"entry", 60)
        finally:
            await store.close()

    asyncio.run(begin())
    (line,) = [record.getMessage() for record in caplog.records if "a call on Redis failed" in record.getMessage()]
    known: list[str] = re.findall(r"^\| `([^`]+)` \|", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE)
    (found,) = [words for words in known if all(part in line for part in words.split(" … "))]
    return found


def test_nothing_listens(caplog: pytest.LogCaptureFixture) -> None:
    assert words_for(f"redis://127.0.0.1:{free_port()}", caplog) == "ConnectionError … Connect call failed"


def test_no_sentinel_knows_a_primary(caplog: pytest.LogCaptureFixture) -> None:
    assert words_for(f"redis+sentinel://127.0.0.1:{free_port()}/mymaster", caplog) == "MasterNotFoundError"


def test_redis_is_asleep(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    with redis.paused():
        assert words_for(redis.url, caplog, timeout=HASTY) == "TimeoutError"


@pytest.mark.parametrize("user", ["", ":wrong@"])
def test_the_password_is_missing_or_wrong(redis: Redis, caplog: pytest.LogCaptureFixture, user: str) -> None:
    assert redis.answers("CONFIG", "SET", "requirepass", "secret") == b"+OK\r\n"
    assert words_for(redis.url.replace("://", f"://{user}"), caplog) == "AuthenticationError"


def test_the_user_lacks_a_right(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    assert redis.answers("ACL", "SETUSER", "weak", "on", ">weak", "+@connection", "~*") == b"+OK\r\n"
    assert words_for(redis.url.replace("://", "://weak:weak@"), caplog) == "NoPermissionError"


def test_the_disk_cannot_be_written(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    (redis.folder / "dump.rdb").mkdir()  # no snapshot can take the place of a folder
    with Client(port=redis.port) as client:
        client.config_set("save", "3600 1")
        client.bgsave()
    redis.until(lambda: b"rdb_last_bgsave_status:err" in redis.answers("INFO", "persistence"), "it can write")
    assert words_for(redis.url, caplog) == "MISCONF"
