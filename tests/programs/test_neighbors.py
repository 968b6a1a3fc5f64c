"""Connections to replicas that rest behind a load balancer of others."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.programs.neighbors.balancers import REST, make_neighbor
from tests.programs.neighbors.checks import KEEP_ALIVE, rest_and_post
from tests.programs.neighbors.line import DelayedLine
from tests.support.processes import Service

pytestmark = pytest.mark.nightly


async def _lose(folder: Path, keep_alive: int, timers: Sequence[int]) -> list[str]:
    """Return what failed of POSTs behind nginx, with replicas that close idle connections after some seconds."""
    with Service(folder / "log", keep_alive_seconds=keep_alive) as service:
        async with DelayedLine(service.port) as line:
            with make_neighbor("nginx", folder / "nginx", [line.port]) as nginx:
                return (await rest_and_post(nginx.port, timers)).failed


def test_no_post_after_a_rest_is_lost_behind_nginx(tmp_path: Path) -> None:
    assert asyncio.run(_lose(tmp_path, KEEP_ALIVE, (REST, KEEP_ALIVE))) == []


def test_posts_are_lost_where_a_replica_closes_before_nginx_does(tmp_path: Path) -> None:
    assert "502" in str(asyncio.run(_lose(tmp_path, REST - 1, [REST - 1])))
