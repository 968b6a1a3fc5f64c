"""A primary is killed and its replica takes over: the games play on, and what replicas acknowledged is kept."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.chaos.load import failures, play_through
from tests.support.processes import Redis, Service
from tests.support.redis_groups import cluster, role, wait_until, watched


async def _fail_over(primary: Redis, over: Callable[[], bool]) -> None:
    await asyncio.sleep(1)
    primary.kill()
    await asyncio.to_thread(wait_until, over, "no failover")
    # Only with a replica again can a change be acknowledged. No sooner: it would still be taken for the primary.
    await asyncio.to_thread(primary.start)
    await asyncio.to_thread(wait_until, lambda: role(primary) == b"slave", "the old primary does not follow")
    await asyncio.sleep(1)


def test_a_cluster_loses_no_play_that_a_replica_acknowledged(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        one, two = (Service(tmp_path / name, redis_url=nodes.url, store_replicas=1) for name in ("one", "two"))
        with one, two:
            victim, heir = nodes.primaries[1], nodes.replicas[1]
            harm = partial(_fail_over, victim, lambda: role(heir) == b"master")
            players = asyncio.run(play_through([one.port, two.port], harm))
            assert "Traceback" not in one.said() + two.said()
    assert failures(players)


def test_sentinels_name_a_new_primary_and_no_play_that_a_replica_acknowledged_is_lost(tmp_path: Path) -> None:
    with watched(tmp_path) as group, Service(tmp_path / "one", redis_url=group.url, store_replicas=1) as one:
        harm = partial(_fail_over, group.primary, group.switched)
        players = asyncio.run(play_through([one.port], harm))
        assert "Traceback" not in one.said()
    assert failures(players)
