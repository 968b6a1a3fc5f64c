"""Live games in Redis: a list for each game, its key tagged with the game's id, so that a cluster keeps it on one slot.

A change is one script: compare the length, push the entry, renew the expiry, announce it. No change is made again by
itself: the caller does that, at the same version. What Redis must be set to for which guarantee stands in
deploy/README.md.
"""

import asyncio
from collections.abc import Coroutine
from typing import Final

from redis.exceptions import AskError, MovedError, OutOfMemoryError

from service.store.protocol import Census, StoreDown, StoreFull, Watcher
from service.store.redis.census import Taker
from service.store.redis.pipeline import Answer, Command, Line, Script
from service.store.redis.pubsub import News, channel
from service.store.redis.topology import Place, Places, Theirs, Word
from service.store.redis.url import connect

__all__ = ["RedisStore", "connect"]

CHARGE_PATIENCE: Final = 0.25
"""Seconds that counting a request may take at most: it is better not counted than kept waiting."""
REDIRECTIONS: Final = 4
"""How often a call follows a cluster's word that a key is elsewhere."""

# Each script writes in any case that counts as done, so that waiting for replicas waits for what was found, too. What a
# script answers is what it has seen itself: another call may have asked another server.
CREATE: Final = Script("""
local made = KEYS[1] .. ':made' -- on the same slot of a cluster, for the tag of the key is the same
local first = redis.call('LINDEX', KEYS[1], 0)
if first then redis.call('EXPIRE', KEYS[1], ARGV[2]) return first end
if redis.call('EXISTS', made) == 1 then redis.call('EXPIRE', made, ARGV[3]) return '' end
if ARGV[3] ~= '0' then redis.call('SET', made, '', 'EX', ARGV[3]) end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return ARGV[1]
""")
LOAD: Final = Script("""
local entries = redis.call('LRANGE', KEYS[1], ARGV[1], -1)
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) else redis.call('SET', KEYS[1] .. ':gone', '', 'PX', 1) end
return entries
""")
APPEND: Final = Script("""
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
if redis.call('LINDEX', KEYS[1], -1) ~= ARGV[5] then return 0 end
local version = redis.call('RPUSH', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], version)
return 1
""")
DROP: Final = Script("""
if redis.call('DEL', KEYS[1]) == 0 then redis.call('SET', KEYS[1] .. ':gone', '', 'PX', 1) end
redis.call('PUBLISH', ARGV[1], '')
return 1
""")
REMEMBER: Final = Script("""
local kept = redis.call('GET', KEYS[1])
redis.call('SET', KEYS[1], kept or ARGV[1], 'EX', ARGV[2])
return kept or ARGV[1]
""")
# What is kept is when nothing will be owed any more, by the clock of Redis. Nobody waits for replicas to have it.
CHARGE: Final = Script(
    """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local owed = math.max(tonumber(redis.call('GET', KEYS[1]) or 0) - now, 0)
if owed + ARGV[1] > tonumber(ARGV[2]) then return {0, owed} end
owed = owed + ARGV[1]
redis.call('SET', KEYS[1], string.format('%.0f', now + owed), 'PX', math.ceil(owed / 1000))
return {1, owed}
""",
    lasting=False,
)


def _key(game: str) -> str:
    return f"catchten:{{{game}}}"


class RedisStore:
    """A store in Redis, shared by all processes that name the same one.

    Unit: `timeout` bounds every call, in seconds; `replicas` is how many must have a change before it counts as made.
    """

    def __init__(self, places: Places, timeout: float, replicas: int = 0) -> None:
        self._places = places
        self._timeout = timeout
        self._replicas = replicas
        self._news = News(places, timeout)
        # Of each place, the line for reading and the one for changes: no reader is to wait for replicas.
        self._lines: dict[Place, tuple[Line, Line]] = {}
        self._taker = Taker(places, lambda place: self._line(place, change=False), self._ask, timeout)

    async def create(self, game: str, entry: bytes, ttl: int, once: int = 0) -> bytes | None:
        """Begin a log, unless there is one, or was one not long ago."""
        kept: Theirs = await self._change(CREATE, game, entry, ttl, once)
        return kept or None

    async def append(self, game: str, version: int, entry: bytes, ttl: int, after: bytes) -> bool:
        """Append an entry to a log of that length, renew its expiry and announce it, in one script."""
        return await self._change(APPEND, game, version, entry, ttl, channel(game), after) == 1

    async def load(self, game: str, start: int = 0, known: bytes = b"") -> list[bytes]:
        """Return the entries from the one at `start` on; what is new only once the replicas asked for have it."""
        entries: Theirs = await self._ask(game, Command(("LRANGE", _key(game), start, -1)))
        if self._replicas and entries[-1:] != [known]:
            entries = await self._change(LOAD, game, start)
        return list(entries)

    async def drop(self, game: str) -> None:
        """Forget a game, and let those that watch it see so."""
        await self._change(DROP, game, channel(game))

    async def remember(self, key: str, value: bytes, ttl: int) -> bytes:
        """Keep a value under a key that has none."""
        kept = await self._change(REMEMBER, key, value, ttl)
        return kept if isinstance(kept, bytes) else value

    async def charge(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Let a name owe more, unless that came to too much, in one script."""
        command = Command((_key(name), cost, at_most), CHARGE)
        answer: Theirs = await self._ask(name, command, min(CHARGE_PATIENCE, self._timeout))
        return answer[0] == 1, answer[1]

    def watch(self, game: str, watcher: Watcher) -> None:
        """Tell the watcher of every change to a game from now on."""
        self._news.watch(game, watcher)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Tell the watcher no more."""
        self._news.unwatch(game, watcher)

    async def ping(self) -> None:
        """Ask Redis for a sign of life."""
        await self._ask("", Command(("PING",)))

    async def census(self) -> Census:
        """Tell how many games there were when they were last counted; Redis does not tell what has expired."""
        return Census(await self._taker.games(), 0)

    async def open(self) -> None:
        """Start to listen for changes; Redis need not be there yet."""
        self._news.start()

    async def close(self) -> None:
        """Let go of all connections."""
        await self._taker.close()
        await self._news.stop()
        for lines in tuple(self._lines.values()):
            for line in lines:
                await line.close()
        await self._places.close()

    def _change(self, script: Script, game: str, *words: Word) -> Coroutine[object, object, Answer]:
        return self._ask(game, Command((_key(game), *words), script))

    async def _ask(self, game: str, command: Command, within: float | None = None) -> Answer:
        """Ask the place that keeps a game, within the timeout or another time, whatever it takes.

        Errors: StoreFull, StoreDown.
        """
        until = asyncio.get_running_loop().time() + (self._timeout if within is None else within)
        answer: Answer
        try:
            answer = await self._asked(_key(game), command, until)
        except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
            answer = exc
        if not isinstance(answer, Exception):
            return answer
        # Redis before 7 says so only within the text.
        if isinstance(answer, OutOfMemoryError) or "OOM command not allowed" in str(answer):
            raise StoreFull from answer
        self._places.doubt()
        raise StoreDown from answer

    async def _asked(self, key: str, command: Command, until: float) -> Answer:
        place = self._places.known(key)
        if place is None:
            async with asyncio.timeout_at(until):
                place = await self._places.find(key)
        answer: Answer = None
        for _ in range(REDIRECTIONS):
            answer = await self._line(place, change=command.lasting).ask(command, until)
            if not isinstance(answer, AskError):
                break
            async with asyncio.timeout_at(until):
                place = await self._places.follow(answer)
            command = command._replace(asking=not isinstance(answer, MovedError))
        return answer

    def _line(self, place: Place, *, change: bool) -> Line:
        lines = self._lines.get(place)
        if lines is None:
            reading = Line(place, self._timeout)
            changing = Line(place, self._timeout, self._replicas) if self._replicas else reading
            lines = self._lines[place] = (reading, changing)
        return lines[change]
