"""Closing the connections to Redis ends in a moment, and raises nothing, even if the servers fail."""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import pytest
from redis.asyncio.cluster import NodesManager

from service.live.store.redis import failures
from service.live.store.redis.store import RedisStore
from service.live.store.redis.topology import Node, Topology
from service.live.store.redis.url import connect
from service.platform.rare_log import RareLog

TIMEOUT: Final = 0.1


class Sentinels:
    """Sentinels whose connections do not close in time: they fail at once, as the library does, or take long."""

    def __init__(self, *, hang: bool) -> None:
        self._hang = hang

    async def aclose(self) -> None:
        """Fail to close."""
        if self._hang:
            await asyncio.sleep(60)
        raise TimeoutError("a sentinel")


@pytest.mark.parametrize("hang", [False, True], ids=["fails", "hangs"])
def test_a_sentinel_that_does_not_let_go_is_logged(
    hang: bool,
    runner: asyncio.Runner,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(failures, "log", RareLog(failures.LINE))
    pool: Any = None
    sentinels: Any = Sentinels(hang=hang)
    start = monotonic()
    runner.run(RedisStore(Topology(Node(pool), sentinels), TIMEOUT).close())
    assert monotonic() - start < 30
    assert ["TimeoutError" in record.getMessage() for record in caplog.records] == [True]


def test_a_refresh_that_swallows_its_cancellation_does_not_hold_up_the_end(
    runner: asyncio.Runner, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def swallow(_: NodesManager) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)

    async def close() -> None:
        topology = connect("redis+cluster://127.0.0.1:1", 60)
        topology.refresh_soon()
        await asyncio.sleep(0)
        await RedisStore(topology, 5).close()

    monkeypatch.setattr(NodesManager, "initialize", swallow)
    runner.run(close())
    assert caplog.records == []
