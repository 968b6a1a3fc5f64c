"""A replica takes over from its primary: the games play on, and what a replica acknowledged is kept.

The servers keep on disk what they have, as the operators' guide asks for: on a machine that is busy, the old primary
may be made the primary again as soon as it is back.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.live.chaos.load import play_through
from tests.support.processes import Redis, Service
from tests.support.redis_groups import Cluster, Watched, cluster, has_replica, role, wait_until, watched

pytestmark = pytest.mark.nightly

Over: TypeAlias = Callable[[], bool]
"""Returns whether another server has taken over."""


async def _kill(primary: Redis, over: Over) -> None:
    primary.kill()
    await asyncio.to_thread(wait_until, over, "no failover")
    await asyncio.to_thread(primary.start)


async def _kill_in_cluster(nodes: Cluster) -> None:
    await _kill(nodes.primaries[1], lambda: role(nodes.replicas[1]) == b"master")


async def _kill_watched(group: Watched) -> None:
    await _kill(group.primary, group.switched)


async def _replace_in_cluster(nodes: Cluster) -> None:
    """Let a replica take over without a word to its primary, which lives and serves until it hears of it."""
    assert nodes.replicas[1].answers("CLUSTER", "FAILOVER", "FORCE") == b"+OK\r\n"
    await asyncio.to_thread(wait_until, lambda: role(nodes.replicas[1]) == b"master", "no failover")


async def _replace_watched(group: Watched) -> None:
    """Let a replica take over while the primary lives, and serves until the sentinels come round to it."""
    assert group.sentinels[0].answers("SENTINEL", "FAILOVER", "game") == b"+OK\r\n"
    await asyncio.to_thread(wait_until, group.switched, "no failover")


async def _play_on(harm: Awaitable[None], pair: list[Redis]) -> None:
    """Play, do the harm, and play on until one of two servers has the other as its replica: then all is answered."""
    await asyncio.sleep(1)
    await harm
    await asyncio.to_thread(wait_until, lambda: any(map(has_replica, pair)), "no replica")
    await asyncio.sleep(1)


@pytest.mark.parametrize("harm", [_kill_in_cluster, _replace_in_cluster])
def test_a_cluster_loses_no_play_that_a_replica_acknowledged(
    tmp_path: Path, harm: Callable[[Cluster], Awaitable[None]]
) -> None:
    with cluster(tmp_path) as nodes:
        one, two = (Service(tmp_path / name, redis_url=nodes.url, store_replicas=1) for name in ("one", "two"))
        pair = [nodes.primaries[1], nodes.replicas[1]]
        with one, two:
            asyncio.run(play_through([one.port, two.port], partial(_play_on, harm(nodes), pair)))
            assert "Traceback" not in one.said() + two.said()


@pytest.mark.parametrize("harm", [_kill_watched, _replace_watched])
def test_sentinels_name_a_new_primary_and_no_play_that_a_replica_acknowledged_is_lost(
    tmp_path: Path, harm: Callable[[Watched], Awaitable[None]]
) -> None:
    with watched(tmp_path) as group:
        one, two = (Service(tmp_path / name, redis_url=group.url, store_replicas=1) for name in ("one", "two"))
        pair = [group.primary, *group.replicas]
        with one, two:
            asyncio.run(play_through([one.port, two.port], partial(_play_on, harm(group), pair)))
            assert "Traceback" not in one.said() + two.said()
