"""The table of the neighbors, and connections to replicas that rest behind a load balancer of others."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.programs.binaries import NoProgram
from tests.programs.neighbors import __main__ as table
from tests.programs.neighbors.agents import list_faults
from tests.programs.neighbors.balancers import REST, make_neighbor
from tests.programs.neighbors.checks import KEEP_ALIVE, rest_and_post
from tests.programs.neighbors.line import DelayedLine
from tests.programs.neighbors.rows import Result, Row
from tests.support.processes import Service


async def _lose(folder: Path, keep_alive: int, timers: Sequence[int]) -> list[str]:
    """Return what failed of POSTs behind nginx, with replicas that close idle connections after some seconds."""
    with Service(folder / "log", keep_alive_seconds=keep_alive) as service:
        async with DelayedLine(service.port) as line:
            with make_neighbor("nginx", folder / "nginx", [line.port]) as nginx:
                return [*(await rest_and_post(nginx.port, timers)).failed]


@pytest.mark.nightly
def test_no_post_after_a_rest_is_lost_behind_nginx(tmp_path: Path) -> None:
    assert asyncio.run(_lose(tmp_path, KEEP_ALIVE, (REST, KEEP_ALIVE))) == []


@pytest.mark.nightly
def test_posts_are_lost_where_a_replica_closes_before_nginx_does(tmp_path: Path) -> None:
    assert "502" in str(asyncio.run(_lose(tmp_path, REST - 1, [REST - 1])))


def _play(_: Path) -> list[Result]:
    return [Result("5 plays")]


def _find_faults(_: Path) -> list[Result]:
    return [Result("5 plays", ["x", "x"])]


def _refuse() -> str:
    raise NoProgram("there is none here")


def _fail() -> str:
    raise TimeoutError("no answer")


@pytest.mark.parametrize(
    ("row", "code", "told"),
    [
        (Row("one", partial(str, "1.0"), _play), 0, "| one | 1.0 | 5 plays | 0 failed |"),
        (Row("one", partial(str, "1.0"), _find_faults), 1, "| one | 1.0 | 5 plays | 2 × x |"),
        (Row("one", _fail, _play), 1, "| one |  |  | 1 × no answer |"),
        (Row("one", _refuse, _play), 0, "| one | not run: there is none here |"),
    ],
    ids=["passes", "finds faults", "ends at once", "cannot be had"],
)
def test_the_table_tells_of_each_row(
    row: Row, code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(table, "ROWS", (row,))
    assert table.main([]) == code
    assert told in capsys.readouterr().out


def test_a_tool_that_openai_would_refuse_is_found() -> None:
    schema = {"type": "object", "properties": {"cards": {"type": "array", "description": "x" * 1025}}}
    refused = {"name": "a tool", "description": "x", "inputSchema": schema}
    assert [*list_faults(refused)] == ["name", "description", "array without items"]
    several: dict[str, Any] = {"name": "tool", "inputSchema": {"type": "object", "anyOf": []}}
    assert [*list_faults(several)] == ["no plain object"]
