"""The log of failed calls on Redis: why at once, and how many have failed since, a line in a while."""

import asyncio

import pytest

from service.live.store.protocol import StoreDown
from service.live.store.redis import failures
from service.live.store.redis.store import RedisStore
from service.live.store.redis.url import connect
from service.platform.rare_log import LOG_EVERY, RareLog
from tests.support import redis_server
from tests.support.patience import WAIT


def test_the_first_failure_is_logged_at_once_and_the_next_after_a_while_with_the_number_of_those_between(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(failures, "log", RareLog(failures.LINE, lambda: now))
    for failure in (ConnectionError("refused"), TimeoutError(), TimeoutError()):
        failures.log_failure(failure)
    now += LOG_EVERY - 0.1
    failures.log_failure(TimeoutError())
    now += 0.1
    failures.log_failure(ValueError("disk full"))
    now += LOG_EVERY
    failures.log_failure(TimeoutError())
    assert [record.getMessage() for record in caplog.records] == [
        "a call on Redis failed: ConnectionError: refused (failed since the last such line: 1)",
        "a call on Redis failed: ValueError: disk full (failed since the last such line: 4)",
        "a call on Redis failed: TimeoutError (failed since the last such line: 1)",
    ]
    assert {record.levelname for record in caplog.records} == {"WARNING"}


def test_what_a_server_quotes_of_a_command_is_left_out(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(port: int) -> None:
        store = RedisStore(connect(f"redis://127.0.0.1:{port}", WAIT), WAIT)
        with pytest.raises(StoreDown):
            await store.consume("rate/address/192.0.2.1", 1, 10)
        await store.close()

    monkeypatch.setattr(failures, "log", RareLog(failures.LINE))
    with redis_server.running("--rename-command", "EVALSHA", "") as port:
        asyncio.run(ask(port))
    (line,) = [record.getMessage() for record in caplog.records if "a call on Redis failed" in record.getMessage()]
    assert "EVALSHA" in line
    assert "192.0.2.1" not in caplog.text
    assert "rate/" not in caplog.text
