"""How many games there are in Redis: counted now and then by one process for all. And how full Redis is.

Redis could keep an index of the games only if somebody took out of it what has expired. So the keys are scanned, a page
at a time and with pauses, by the process that is asked first once the last scan is old; if nobody asks, nobody scans.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from service.store.protocol import Room, StoreDown, StoreFull
from service.store.redis.failures import log_failure
from service.store.redis.pipeline import Answer, Command, Pipeline
from service.store.redis.topology import Node, Topology

NAME: Final = "census"
"""Stands where a game's id stands in other keys."""
COUNT: Final = f"catchten:{{{NAME}}}"
LOCK: Final = f"{COUNT}:turn"
LOCK_SECONDS: Final = 60
"""No process begins sooner after another."""
COUNT_SECONDS: Final = 600
"""After so long a count is no longer shown."""
PAGE: Final = 1000
"""Keys looked at in one command, which takes Redis less than a millisecond."""
PAUSE: Final = 0.02
"""Seconds between two pages."""


class CensusJob:
    """Counts the games when it is time.

    Unit: `timeout` bounds a step, in seconds.
    """

    def __init__(
        self,
        topology: Topology,
        reading: Callable[[Node], Pipeline],
        execute: Callable[[str, Command], Awaitable[Answer]],
        timeout: float,
    ) -> None:
        self._topology = topology
        self._reading = reading
        self._execute = execute
        self._timeout = timeout
        self._scan: asyncio.Task[None] | None = None

    async def count_games(self) -> int | None:
        """Return how many games there were of late, and begin to count if it is time; None if nobody has counted.

        Errors: StoreDown.
        """
        if (self._scan is None or self._scan.done()) and await self._lock():
            self._scan = asyncio.create_task(self._scan_all())
        count: Any = await self._execute(NAME, Command(("GET", COUNT)))
        return None if count is None else int(count)

    async def measure_room(self) -> Room | None:
        """Return how full the fullest primary is; None if one does not say so, for instance to this user of Redis."""
        try:
            async with asyncio.timeout(self._timeout):
                nodes = await self._topology.primaries()
            rooms = [parse_room(await self._ask(node, Command(("INFO", "memory")))) for node in nodes]
        except (StoreDown, TimeoutError, KeyError, ValueError):
            return None
        return Room(max(room.used for room in rooms), any(room.evicts for room in rooms))

    async def close(self) -> None:
        """Stop counting."""
        if self._scan is not None:
            self._scan.cancel()
            await asyncio.wait([self._scan])

    async def _lock(self) -> bool:
        with suppress(StoreFull):  # there is no room for the count either
            return await self._execute(NAME, Command(("SET", LOCK, "", "NX", "EX", LOCK_SECONDS))) is not None
        return False

    async def _scan_all(self) -> None:
        """Count the games, unless Redis is out of reach or full; then some process begins again after a while."""
        with suppress(StoreDown, StoreFull, TimeoutError):
            async with asyncio.timeout(self._timeout):
                nodes = await self._topology.primaries()
            games = sum([await self._scan_node(node) for node in nodes])
            await self._execute(NAME, Command(("SET", COUNT, games, "EX", COUNT_SECONDS)))

    async def _scan_node(self, node: Node) -> int:
        games, cursor = 0, b"0"
        while True:
            cursor, found = await self._scan_page(node, cursor)
            games += found
            if cursor == b"0":
                return games
            # A scan that takes longer than the lock keeps it.
            await self._execute(NAME, Command(("SET", LOCK, "", "EX", LOCK_SECONDS)))
            await asyncio.sleep(PAUSE)

    async def _scan_page(self, node: Node, cursor: bytes) -> tuple[bytes, int]:
        """Look at some keys; only games are lists.

        Errors: StoreDown.
        """
        command = Command(("SCAN", cursor, "MATCH", "catchten:{*", "COUNT", PAGE, "TYPE", "list"))
        answer = await self._ask(node, command)
        return answer[0], len(answer[1])

    async def _ask(self, node: Node, command: Command) -> Any:
        """Ask one server.

        Errors: StoreDown.
        """
        deadline = asyncio.get_running_loop().time() + self._timeout
        answer = await self._reading(node).execute(command, deadline)
        if isinstance(answer, Exception):
            log_failure(answer)
            raise StoreDown from answer
        return answer


def parse_room(info: bytes) -> Room:
    """Return what a server's answer to `INFO memory` says; without a limit of its own, it has the machine's memory.

    Errors: KeyError, ValueError, for an answer of another form.
    """
    fields = dict(line.split(b":", 1) for line in info.split(b"\r\n") if b":" in line)
    limit = int(fields[b"maxmemory"]) or int(fields[b"total_system_memory"])
    return Room(int(fields[b"used_memory"]) / limit, fields[b"maxmemory_policy"] != b"noeviction")
