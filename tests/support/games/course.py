"""The course of a live game: what its log says, and waiting for it to go on."""

import asyncio
from collections.abc import Callable

from service.live.log import Step, steps
from tests.support.games.callers import Live, Table
from tests.support.patience import WAIT


def until(live: Live, enough: Callable[[], bool], seconds: float = WAIT) -> None:
    """Let the processes work until it is enough."""
    for _ in range(round(seconds / 0.01)):
        if enough():
            return
        live.run(asyncio.sleep(0.01))
    raise AssertionError


def course(table: Table) -> list[Step]:
    """Read the log of a game."""
    return list(steps(table.live.run(table.live.store.load(table.opened.id)).entries))
