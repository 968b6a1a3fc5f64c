"""Live games in Redis: a list for each game, its key tagged with the game's id, so that a cluster keeps it on one slot.

A change is one script. No change is made again by itself: the caller does that, at the same version. What Redis must be
set to for which guarantee stands in deploy/README.md.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from redis.exceptions import AskError, MovedError, NoScriptError, OutOfMemoryError

from service.revision import revision_of
from service.store.protocol import StoreDown, StoreFull, StoreStats
from service.store.redis.failures import log_failure
from service.store.redis.pipeline import WAIT_SHARE, Answer, Command, Pipeline
from service.store.redis.pubsub import GONE, Subscriber, channel
from service.store.redis.scripts import APPEND, CHARGE, CREATE, DROP, LOAD, REMEMBER, Script
from service.store.redis.topology import Argument, Node, Topology

CHARGE_TIMEOUT: Final = 0.25
"""Seconds that counting a request may take at most: it is better not counted than kept waiting."""
MAX_TRIES: Final = 4
"""How often a call is sent: a cluster may say that a key is elsewhere, and a server that it does not know a script."""


def key_of(game: str) -> str:
    """Return the key of a game, or of a value that is remembered."""
    return f"catchten:{{{game}}}"


class RedisStore(Subscriber):
    """A store in Redis, shared by all processes that name the same one.

    Unit: `timeout` bounds every call, in seconds, `charge_timeout` that of counting a request; `replicas` is how many
    must have a change before it counts as made, and `wait_share` the share of the time that they may take.
    """

    def __init__(
        self,
        topology: Topology,
        timeout: float,
        replicas: int = 0,
        *,
        charge_timeout: float = CHARGE_TIMEOUT,
        wait_share: float = WAIT_SHARE,
    ) -> None:
        super().__init__(topology, timeout)
        self._replicas = replicas
        self._charge_timeout = min(charge_timeout, timeout)
        self._wait_share = wait_share
        self._publish = "SPUBLISH" if topology.is_cluster else "PUBLISH"
        # Of each node, the pipeline for reading and the one for changes: reading is not to wait for replicas.
        self._pipelines: dict[Node, tuple[Pipeline, Pipeline]] = {}

    async def create(self, game: str, entry: bytes, ttl: int, once: int = 0, owner: str = "") -> bytes | None:  # noqa: ARG002 – Redis has room for all
        """Begin a log, unless there is one, or was one not long ago."""
        kept: Any = await self._run(CREATE, game, entry, ttl, once)
        return entry if kept == 1 else kept or None

    async def append(self, game: str, version: int, entry: bytes, ttl: int, after: bytes) -> bool:
        """Append an entry to a log of that length, renew its expiry and publish it, in one script."""
        message = str(revision_of(version + 1, entry)).encode()
        announcement = (self._publish, channel(game), message)
        if await self._run(APPEND, game, version, after, entry, ttl, *announcement) != 1:
            return False
        self.on_message(game, message)  # which is sooner, and does not need the subscription
        return True

    async def load(self, game: str, start: int = 0, last_entry: bytes = b"") -> list[bytes]:
        """Return the entries from the one at `start` on; what is new only once the replicas asked for have it."""
        entries: Any = await self._execute(game, Command(("LRANGE", key_of(game), start, -1)))
        if self._replicas and entries[-1:] != [last_entry]:
            entries = await self._run(LOAD, game, start)
        return list(entries)

    async def drop(self, game: str) -> None:
        """Forget a game, and let those that watch it see so."""
        await self._run(DROP, game, self._publish, channel(game), GONE)
        self.on_message(game, GONE)

    async def remember(self, key: str, value: bytes, ttl: int, owner: str = "") -> bytes:  # noqa: ARG002 – as above
        """Keep a value under a key that has none."""
        kept: Any = await self._run(REMEMBER, key, value, ttl)
        return bytes(kept)

    async def charge(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Let a name owe more, unless that came to too much, in one script."""
        command = Command((key_of(name), cost, at_most), CHARGE)
        answer: Any = await self._execute(name, command, self._charge_timeout)
        return answer[0] == 1, answer[1]

    async def ping(self) -> None:
        """Ask Redis for a sign of life."""
        await self._execute("", Command(("PING",)))

    async def stats(self) -> StoreStats:
        """Return how full the fullest primary is, as far as each says so to this user of Redis."""
        await self.ping()
        command, deadline = Command(("INFO", "memory")), asyncio.get_running_loop().time() + self._timeout
        nodes = self._topology.primaries()
        answers = [await self._pipeline(node, change=False).execute(command, deadline) for node in nodes]
        servers = [parse_memory(answer) for answer in answers if isinstance(answer, bytes)]
        if len(servers) < len(answers):
            return StoreStats()
        return StoreStats(used=max(used for used, _ in servers), evicts=any(evicts for _, evicts in servers))

    async def close(self) -> None:
        """Close all connections."""
        await self.stop_listening()
        for pipelines in tuple(self._pipelines.values()):
            for pipeline in pipelines:
                await pipeline.close()
        await self._topology.close()

    def _run(self, script: Script, game: str, *arguments: Argument) -> Coroutine[object, object, Answer]:
        return self._execute(game, Command((key_of(game), *arguments), script))

    async def _execute(self, game: str, command: Command, timeout: float | None = None) -> Answer:  # noqa: ASYNC109 – a deadline, and not every step in it can be cancelled
        """Execute a command on the node that keeps a game, within a timeout.

        Errors: StoreFull, StoreDown.
        """
        deadline = asyncio.get_running_loop().time() + (self._timeout if timeout is None else timeout)
        answer: Answer
        try:
            answer = await self._follow(key_of(game), command, deadline)
        except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
            answer = exc
        if not isinstance(answer, Exception):
            return answer
        log_failure(answer)
        # Redis before 7 says so only within the text.
        if isinstance(answer, OutOfMemoryError) or "OOM command not allowed" in str(answer):
            raise StoreFull from answer
        self._topology.refresh_soon()
        raise StoreDown from answer

    async def _follow(self, key: str, command: Command, deadline: float) -> Answer:
        """Execute a command on the node that keeps a key, wherever a cluster says that this is."""
        node = self._topology.find(key)
        if node is None:
            async with asyncio.timeout_at(deadline):
                node = await self._topology.discover(key)
        answer: Answer = None
        for _ in range(MAX_TRIES):
            answer = await self._pipeline(node, change=command.replicated).execute(command, deadline)
            if isinstance(answer, AskError):
                async with asyncio.timeout_at(deadline):
                    node = await self._topology.redirect(answer)
                command = command._replace(asking=not isinstance(answer, MovedError))
            elif isinstance(answer, NoScriptError):
                command = command._replace(whole=True)
            else:
                break
        return answer

    def _pipeline(self, node: Node, *, change: bool) -> Pipeline:
        pipelines = self._pipelines.get(node)
        if pipelines is None:
            reading = Pipeline(node, self._timeout)
            changing = Pipeline(node, self._timeout, self._replicas, self._wait_share) if self._replicas else reading
            pipelines = self._pipelines[node] = (reading, changing)
        return pipelines[change]


def parse_memory(info: bytes) -> tuple[float, bool]:
    """Return how full a server is, and whether it drops games: without a limit, it has the machine's memory."""
    fields = dict(line.split(b":", 1) for line in info.split(b"\r\n") if b":" in line)
    limit = int(fields[b"maxmemory"]) or int(fields[b"total_system_memory"])
    return int(fields[b"used_memory"]) / limit, fields[b"maxmemory_policy"] != b"noeviction"
