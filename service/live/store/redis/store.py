"""Live games in Redis: a list per game, its key tagged with the game's id, so a cluster keeps it on one slot.

A change is one script. The store never retries a change; its caller may, at the same version. deploy/REDIS.md says
which guarantee needs which setting of Redis.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from logging import getLogger
from typing import Any, Final, NamedTuple, cast

from cachetools import LRUCache
from redis.exceptions import AskError, MovedError, NoScriptError, OutOfMemoryError

from service.live.store.protocol import (
    GONE_SECONDS,
    INDEX_SECONDS,
    MAX_FEED_BYTES,
    MAX_FEED_SHARE,
    FeedPage,
    IndexedGame,
    Loaded,
    ShareUsed,
    StoreDown,
    StoreFull,
    StoreMisconfigured,
    StoreStats,
)
from service.live.store.redis.failures import log_failure
from service.live.store.redis.misfits import find_misfit, find_other_protocol
from service.live.store.redis.pipeline import WAIT_SHARE, Answer, Command, Pipeline
from service.live.store.redis.pubsub import GONE, LEASES, Subscriber, channel, parse_leases
from service.live.store.redis.scripts import (
    ANNOUNCE,
    APPEND,
    CHARGE,
    CREATE,
    DESCRIBE,
    DROP,
    FIND_ABSENCE,
    INDEX,
    IS_GONE,
    LEASE,
    LOAD,
    LOAD_ENDED,
    LOAD_FEED,
    REMEMBER,
    TAKE_SWEEP,
    Script,
)
from service.live.store.redis.topology import Argument, Node, Topology
from service.schemas.ids import NOBODY, Caller, GameId, is_app
from service.schemas.revision import revision_of

CHARGE_TIMEOUT: Final = 0.25
"""Timeout of charging a request: better an uncharged request than a delayed one."""
SEEN_SECONDS: Final = 600
"""Seconds after a game's last lease for which the last presence of each holder is kept."""
MAX_TRIES: Final = 4
"""How often a call is sent: a cluster may redirect it, and a server may lack its script."""
ROOM_SECONDS: Final = 24 * 3600
"""Seconds in which one caller may write half of Redis's capacity; half of that at once."""
LOG_BYTES: Final = 512
"""Measured overhead in bytes of a log, and of each later entry."""
ENTRY_BYTES: Final = 16
UNBOUNDED: Final = 2**40
"""Bytes of a feed while the capacity of Redis is unknown."""
INDEX_BYTES: Final = 160
"""Bytes of a game in its app's index."""
PREPAID_BYTES: Final = 4096
"""Bytes for later entries that are charged in advance, so that few changes need another call."""
MAX_PREPAID: Final = 10_000
"""Callers whose prepaid bytes are remembered; beyond that the least recent caller pays again."""
PROBED: Final = 16
"""Keys that are read at the start: a node of a cluster lacks some of them, and says so."""
SCANNED: Final = 200
"""Keys of Redis per step of a scan."""
_DISK_FAILS: Final = (b"aof_last_write_status:err", b"aof_last_bgrewrite_status:err", b"rdb_last_bgsave_status:err")
_ROOM: Final = ROOM_SECONDS * 1_000_000
_logger: Final = getLogger(__name__)


class StoredGame(NamedTuple):
    """A game as Redis stores it."""

    game: GameId
    """The id of the game."""
    first: bytes
    """Its first entry."""
    last: bytes
    """Its last entry."""
    entries: int
    """The number of its entries."""
    size: int
    """The bytes of its entries."""


def key_of(game: str) -> str:
    """Return the key of a game, or of a stored value."""
    return f"catchten:{{{game}}}"


class RedisStore(Subscriber):
    """A store in Redis, shared by all processes that name the same one.

    Unit: seconds. `timeout` bounds every call, `charge_timeout` the charge of a request. A change counts as made when
    `replicas` replicas confirm it; they may take `wait_share` of the timeout.
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
        self._max_bytes: int | None = None
        self._feed_bytes = UNBOUNDED
        self._unawaited = 0
        self._fits = False
        self._prepaid: LRUCache[Caller, int] = LRUCache(MAX_PREPAID)
        self._publish = "SPUBLISH" if topology.is_cluster else "PUBLISH"
        # By node, a pipeline for reads and one for changes: reads do not wait for replicas.
        self._pipelines: dict[Node, tuple[Pipeline, Pipeline]] = {}

    async def create(self, game: GameId, entry: bytes, ttl: int, owner: Caller = NOBODY) -> tuple[bytes, bool] | None:
        """Begin a log, unless one exists or existed recently."""
        deadline = self._deadline()
        if await self._charge_new(owner, game, entry, deadline) and is_app(owner):
            await self._run(INDEX, owner, game, INDEX_SECONDS, deadline=deadline)
        kept: Any = await self._run(CREATE, game, entry, ttl, GONE_SECONDS, deadline=deadline)
        if kept == 1:
            return entry, True
        return (kept, False) if kept else None

    async def is_gone(self, game: GameId) -> bool:
        """Return True if a log is missing and its mark exists."""
        return await self._run(IS_GONE, game) == 1

    async def is_deleted(self, game: GameId) -> bool:
        """Return True if the mark of a game exists and lasts no longer than `drop` leaves it.

        The mark of an unexpired game lasts longer.
        """
        left: Any = await self._execute(game, Command(("PTTL", f"{key_of(game)}:made")))
        return 0 <= int(left) <= GONE_SECONDS * 1000

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        """Append an entry to a log of that length, extend its expiry and publish it, in one script."""
        deadline, size = self._deadline(), ENTRY_BYTES + len(entry)
        await self._charge_entry(owner, size, deadline)
        message = str(revision_of(version + 1, entry)).encode()
        announcement = (self._publish, channel(game), message)
        written = (version, after, entry, ttl, GONE_SECONDS, *announcement)
        if await self._run(APPEND, game, *written, deadline=deadline) != 1:
            self._prepaid[owner] = self._prepaid.get(owner, 0) + size
            return False
        self.on_message(game, message)  # sooner, and without a subscription
        return True

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        """Return the entries from `start` on, once the replicas have them, and the presence leases."""
        key, last = key_of(game), -1 if stop is None else stop - 1
        command = Command(("LRANGE", key, start, last), beside=("GET", f"{key}:marks"))
        entries, leases = cast("tuple[list[bytes], bytes | None]", await self._execute(game, command))
        if self._replicas and entries[-1:] != [last_entry]:
            entries = cast("list[bytes]", await self._run(LOAD, game, start, last))
        return Loaded(entries, parse_leases(leases or b""))

    async def drop(self, game: GameId, keep: int = 0) -> None:
        """Delete a game, and notify its watchers."""
        await self._drop(game, keep, "deleted")

    async def expire(self, game: GameId, last_entry: bytes, keep: int) -> bool:
        """Drop a game whose time is over, unless something extended it, in one script."""
        return await self._drop(game, keep, "expired", last_entry)

    async def _drop(self, game: GameId, keep: int, how: str, *last_entry: bytes) -> bool:
        announcement = (self._publish, channel(game), GONE)
        dropped = await self._run(DROP, game, GONE_SECONDS, *announcement, keep, how, *last_entry) == 1
        if dropped:
            self.on_message(game, GONE)
        return dropped

    async def load_ended(self, game: GameId) -> list[bytes] | None:
        """Return the log kept aside for an ended game."""
        return cast("list[bytes] | None", await self._run(LOAD_ENDED, game))

    async def forget_ended(self, game: GameId) -> None:
        """Delete the log kept aside."""
        await self._execute(game, Command(("DEL", f"{key_of(game)}:ended")))

    async def list_open(self, app: Caller, after: int, limit: int) -> list[IndexedGame]:
        """List the games in the index of an app."""
        listed = ("ZRANGEBYSCORE", f"{key_of(app)}:open", f"({after}", "+inf", "WITHSCORES", "LIMIT", 0, limit)
        found: Any = await self._execute(app, Command(listed))
        return [IndexedGame(GameId(game.decode()), int(at)) for game, at in zip(found[::2], found[1::2], strict=True)]

    async def announce(self, app: Caller, game: GameId, entry: bytes, ttl: int) -> int | None:
        """Move a game from an app's index to its feed, and drop old entries, in one script."""
        announcement = (self._publish, channel(GameId(app)))
        dropped: Any = await self._run(ANNOUNCE, app, game, entry, ttl, self._feed_bytes, *announcement)
        return None if dropped < 0 else dropped

    async def load_feed(self, app: Caller, start: int, limit: int) -> FeedPage:
        """Return the entries of a feed from a position on, once the replicas have them."""
        first, end, at, *entries = cast("list[Any]", await self._run(LOAD_FEED, app, start, limit, MAX_FEED_BYTES))
        return FeedPage(first, end, at, [entry.partition(b" ")[2] for entry in entries])

    async def take_sweep(self, app: Caller, seconds: int) -> bool:
        """Reserve the sweep of an app's index, unless another process has it, in one script."""
        return await self._run(TAKE_SWEEP, app, seconds, INDEX_SECONDS) == 1

    async def remember(self, key: str, value: bytes, ttl: int, owner: Caller = NOBODY) -> bytes:
        """Store a value under a key, unless it has one."""
        deadline = self._deadline()
        await self._charge_new(owner, key, value, deadline)
        kept: Any = await self._run(REMEMBER, key, value, ttl, deadline=deadline)
        return bytes(kept)

    async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Charge a name, unless that would exceed its limit, in one script."""
        return await self._charge(name, cost, at_most, self._deadline(self._charge_timeout))

    async def read_clock(self, game: GameId) -> int:
        """Return the time of the server that keeps a game."""
        answer: Any = await self._execute(game, Command(("TIME",)))
        seconds, microseconds = map(int, answer)
        return seconds * 1000 + microseconds // 1000

    async def mark(self, game: GameId, name: str, seconds: float, *, stays: bool = True, ttl: float = 0) -> None:
        """Store or remove a presence lease, and publish all leases if one appears or disappears, in one script."""
        spans = (round(ttl * 1000), GONE_SECONDS * 1000, SEEN_SECONDS * 1000)
        announcement = (self._publish, channel(game), LEASES)
        await self._run(LEASE, game, name, round(seconds * 1000), int(stays), *announcement, *spans)

    async def find_absence(self, game: GameId, holder: str) -> float | None:
        """Return how long a holder has had no lease. Return None if unknown."""
        found: Any = await self._run(FIND_ABSENCE, game, holder)
        return None if found < 0 else found / 1000

    async def ping(self) -> None:
        """Ping Redis and, until it has answered once, compare it with its URL.

        Errors: StoreMisconfigured.
        """
        try:
            await self._execute("", Command(("PING",)))
            if not self._fits and not self._topology.is_cluster:
                await self._execute("", Command((key_of("0"),), IS_GONE))
                await asyncio.gather(*(self._execute("", Command(("EXISTS", key_of(f"{at}")))) for at in range(PROBED)))
        except StoreMisconfigured:
            raise
        except StoreDown as exc:
            if not self._fits and (misfit := await find_other_protocol(self._topology, self._timeout)):
                raise StoreMisconfigured(misfit) from exc
            raise
        self._fits = True

    async def stats(self) -> StoreStats:
        """Return how full the fullest primary is, and other faults of any, as far as they report them."""
        await self.ping()
        command, deadline = Command(("INFO",)), self._deadline()
        nodes = self._topology.primaries()
        answers = [await self._pipeline(node, replicated=False).execute(command, deadline) for node in nodes]
        told = [answer for answer in answers if isinstance(answer, bytes)]
        if len(told) < len(answers):
            return StoreStats()
        servers, replicas = [parse_memory(info) for info in told], [info.count(b"state=online") for info in told]
        self._max_bytes = sum(limit for limit, _, _ in servers)
        self._feed_bytes = min(limit for limit, _, _ in servers) // MAX_FEED_SHARE
        used, evicts = max(used for _, used, _ in servers), any(evicts for _, _, evicts in servers)
        unawaited, missing = self._note_replicas(max(replicas)), max(self._replicas - min(replicas), 0)
        disk_fails = any(sign in info for info in told for sign in _DISK_FAILS)
        return StoreStats(used=used, evicts=evicts, unawaited=unawaited, missing=missing, disk_fails=disk_fails)

    def _note_replicas(self, found: int) -> int:
        """Return how many replicas a change does not wait for, and log an increase."""
        unawaited = max(found - self._replicas, 0) if self._replicas else 0
        if unawaited > self._unawaited:
            line = "STORE_REPLICAS is %d, but a Redis primary has %d replicas: a failover may lose acknowledged changes"
            _logger.warning(line, self._replicas, found)
        self._unawaited = unawaited
        return unawaited

    async def list_games(self) -> AsyncGenerator[list[StoredGame]]:
        """List all games, some hundred per step, so Redis answers others in between."""
        await self.ping()
        for node in self._topology.primaries():
            cursor: Any = b""
            while cursor != b"0":
                command = Command(("SCAN", cursor or 0, "MATCH", key_of("*"), "COUNT", SCANNED, "TYPE", "list"))
                answer: Any = await self._pipeline(node, replicated=False).execute(command, self._deadline())
                if isinstance(answer, Exception):
                    raise StoreDown from answer
                cursor, keys = answer
                games = [GameId(key.decode()[len(key_of("")) - 1 : -1]) for key in keys]
                described: Any = await asyncio.gather(*(self._run(DESCRIBE, game) for game in games))
                yield [StoredGame(game, *found) for game, found in zip(games, described, strict=True) if found[0]]

    async def close(self) -> None:
        """Close all connections, each kind within the timeout of a call. Failures are logged."""
        pipelines = [pipeline for pair in self._pipelines.values() for pipeline in pair]
        for close in (self.stop_listening, *(pipeline.close for pipeline in pipelines), self._topology.close):
            try:
                async with asyncio.timeout(self._timeout):
                    await close()
            except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
                log_failure(exc)

    def _deadline(self, timeout: float | None = None) -> float:
        return asyncio.get_running_loop().time() + (self._timeout if timeout is None else timeout)

    async def _charge(self, name: str, cost: int, at_most: int, deadline: float) -> tuple[bool, int]:
        answer: Any = await self._run(CHARGE, name, cost, at_most, deadline=deadline)
        return answer[0] == 1, answer[1]

    async def _charge_new(self, owner: Caller, name: str, first: bytes, deadline: float) -> bool:
        """Charge an owner for a log with its first entry, or for a stored value; return True.

        Return False, without a charge, if it exists or existed already, or has no owner.
        Errors: ShareUsed.
        """
        look = Command(("EXISTS", key_of(name), f"{key_of(name)}:made"))
        if not is_app(owner) and not (owner and self._max_bytes):
            return False
        if await self._execute(name, look, deadline):
            return False
        own = INDEX_BYTES if is_app(owner) else 0
        await self._charge_room(owner, LOG_BYTES + own + len(first), _ROOM // 2, deadline)
        return True

    async def _charge_entry(self, owner: Caller, size: int, deadline: float) -> None:
        """Charge an owner for an entry, first from its prepaid bytes.

        Errors: ShareUsed.
        """
        if self._prepaid.get(owner, 0) < size:
            await self._charge_room(owner, PREPAID_BYTES, _ROOM, deadline)
            self._prepaid[owner] = self._prepaid.get(owner, 0) + PREPAID_BYTES
        self._prepaid[owner] -= size

    async def _charge_room(self, owner: Caller, size: int, at_most: int, deadline: float) -> None:
        """Charge an owner for bytes; the debt decays over a day, like the requests of a rate limit.

        An exact sum of the owner's bytes would need one server with all its games.
        Errors: ShareUsed.
        """
        if owner and self._max_bytes:
            cost = size * _ROOM * 2 // self._max_bytes
            admitted, _ = await self._charge(f"room/{owner}", cost, at_most, deadline)
            if not admitted:
                raise ShareUsed

    def _run(
        self, script: Script, game: str, *arguments: Argument, deadline: float | None = None
    ) -> Coroutine[object, object, Answer]:
        return self._execute(game, Command((key_of(game), *arguments), script), deadline)

    async def _execute(self, game: str, command: Command, deadline: float | None = None) -> Answer:
        """Execute a command on the node that keeps a game, before a deadline: by default the timeout from now.

        Errors: StoreFull, StoreDown.
        """
        if deadline is None:
            deadline = self._deadline()
        answer: Answer
        try:
            answer = await self._follow(key_of(game), command, deadline)
        except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
            answer = exc
        if not isinstance(answer, Exception):
            return answer
        log_failure(answer)
        # Redis before 7 says so only inside the text.
        if isinstance(answer, OutOfMemoryError) or "OOM command not allowed" in str(answer):
            raise StoreFull from answer
        self._topology.refresh_soon()
        if misfit := find_misfit(answer) or find_misfit(self._topology.fault):
            raise StoreMisconfigured(misfit) from answer
        raise StoreDown from answer

    async def _follow(self, key: str, command: Command, deadline: float) -> Answer:
        """Execute a command on the node that keeps a key, following a cluster's redirections.

        MOVED (a subclass of ASK in the library), ASK and NOSCRIPT mean that nothing was executed: the command is sent
        again.
        """
        node = self._topology.find(key)
        if node is None:
            async with asyncio.timeout_at(deadline):
                node = await self._topology.discover(key)
        answer: Answer = None
        for _ in range(MAX_TRIES):
            answer = await self._pipeline(node, replicated=command.replicated).execute(command, deadline)
            if isinstance(answer, AskError):
                async with asyncio.timeout_at(deadline):
                    node = await self._topology.redirect(answer)
                command = command._replace(asking=not isinstance(answer, MovedError))
            elif isinstance(answer, NoScriptError):
                command = command._replace(whole=True)
            else:
                break
        return answer

    def _pipeline(self, node: Node, *, replicated: bool) -> Pipeline:
        pipelines = self._pipelines.get(node)
        if pipelines is None:
            reading = Pipeline(node, self._timeout)
            changing = Pipeline(node, self._timeout, self._replicas, self._wait_share) if self._replicas else reading
            pipelines = self._pipelines[node] = (reading, changing)
        return pipelines[replicated]


def parse_memory(info: bytes) -> tuple[int, float, bool]:
    """Return a server's capacity in bytes, how full it is, and True if it evicts games.

    Shape: without a limit, the capacity is the machine's memory.
    """
    fields = dict(line.split(b":", 1) for line in info.split(b"\r\n") if b":" in line)
    limit = int(fields[b"maxmemory"]) or int(fields[b"total_system_memory"])
    return limit, int(fields[b"used_memory"]) / limit, fields[b"maxmemory_policy"] != b"noeviction"
