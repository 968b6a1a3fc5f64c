"""The cache of live games: loaded from the store, cached by version, changed one entry at a time."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from secrets import token_bytes
from typing import Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache

from service.game.faults import Impossible
from service.live.entries import NONCE_BYTES, Entry, Milliseconds, UnknownFormat, write_entry
from service.live.log import Game, Step, steps
from service.live.store.protocol import Loaded, ShareUsed, Store, StoreDown, StoreFull
from service.live.store.watchers import PresenceLeases
from service.live.tokens import hash_game
from service.live.turns import store_ttl
from service.platform.metrics.families import GAMES_LOST, GAMES_ROLLED_BACK, GAMES_UNREADABLE
from service.platform.rare_log import RareLog
from service.schemas.ids import GameId
from service.schemas.refusal import Refusal
from service.schemas.revision import Revision, revision_of

Answer = TypeVar("Answer")
Clock: TypeAlias = Callable[[], Milliseconds]

MAX_REMEMBERED_BYTES: Final = 32 * 1024 * 1024
"""Bytes of cached games in a process, the latest changed first: some 10,000 at printed rules."""
PIECE: Final = 100
"""Entries of a log that are replayed at once, in some 0.3 milliseconds."""
PAGE: Final = 50
"""Steps that are returned at once: some 50 kilobytes."""
GAME_GONE: Final = "The game is gone: it was deleted, or nobody has changed it for too long."
NO_SUCH_GAME: Final = "There is no such game. Its address may be mistyped, or it ended long ago."
GAME_LOST: Final = "The store of live games has lost the game: it was there, and cannot go on. Open another one."
MAX_LOST: Final = 10_000
"""Lost games that a process remembers; beyond that the first is forgotten. Some 300 bytes each."""
CLOCKS_APART: Final[Milliseconds] = 60_000
"""Tolerated clock skew between two servers: a game that expires within it does not count as lost."""
RECENT: Final = 2
"""Cached steps of each game, for its streams; a stream that lags further reads the log."""


GAME_BYTES: Final = 3100
"""Bytes of a game with its latest steps, without the parts below; measured, like the next two."""
RULES_BYTES: Final = 6000
"""Bytes of house rules, beside their texts."""
POSITION_BYTES: Final = 5000
"""Bytes of the position that a game was opened from."""
SHUFFLE_BYTES: Final = 300
"""Bytes of the inputs of a shuffle, beside the entropy."""


def size_of(now: Game) -> int:
    """Return about how many bytes of memory a game takes."""
    rules = now.opened.rules
    own = 0 if isinstance(rules, str) else RULES_BYTES + len(msgspec.msgpack.encode(rules))
    own += 0 if now.position is None else POSITION_BYTES
    return GAME_BYTES + own + sum([SHUFFLE_BYTES + sum(map(len, shuffle.entropy)) for shuffle in now.shuffles])


LOST_LINE: Final = (
    "the store has lost a live game that this process knew, of the hash %s (since the last such line: %d)"
)
UNREADABLE_LINE: Final = "a game, of the hash %s, cannot be read: %s (since the last such line: %d)"


async def ask_store(call: Awaitable[Answer], unknown: str = "") -> Answer:
    """Wait for the store.

    Shape: `unknown` is the text for a caller whose change may have been made without an answer.
    Errors: Refusal, if it is down or full.
    """
    try:
        return await call
    except StoreDown as exc:
        detail = "The store of live games cannot be reached: ask again."
        raise Refusal("store_down", f"{detail} {unknown}".rstrip()) from exc
    except ShareUsed as exc:
        detail = "The app or address that opened this game has used its share of the store. Nothing was changed."
        raise Refusal("share_used_up", detail) from exc
    except StoreFull as exc:
        raise Refusal("store_full", "The store of live games is full. Nothing was changed.") from exc


def new_entry_bytes(entry: Entry, at: Milliseconds) -> bytes:
    """Encode an entry for the store, with a unique nonce."""
    return write_entry(entry, token_bytes(NONCE_BYTES), at)


class Repository:
    """Loads games, appends to them, and caches the latest steps of each.

    Cached entries are in the store, on as many replicas as the operator asks for. The cache is correct as long as the
    store loses nothing, but it may be stale.
    Shape: `piece` is how many entries of a long log are read before other work gets a turn.
    Unit: `max_bytes` bounds the cache, which evicts the least recently changed games.
    """

    def __init__(
        self,
        store: Store,
        max_bytes: int = MAX_REMEMBERED_BYTES,
        piece: int = PIECE,
    ) -> None:
        self.store = store
        self.remembered_bytes = 0
        self._max_bytes = max_bytes
        self._piece = piece
        self._log_lost = RareLog(LOST_LINE)
        self._log_unreadable = RareLog(UNREADABLE_LINE)
        self._recent = OrderedDict[GameId, tuple[Step, ...]]()
        self._sizes: dict[GameId, int] = {}
        self._lost: LRUCache[GameId, None] = LRUCache[GameId, None](MAX_LOST)
        self._locks: WeakValueDictionary[tuple[GameId, str], asyncio.Lock] = WeakValueDictionary()
        self._turn = asyncio.Lock()

    def remembered(self, game: GameId) -> Game | None:
        """Return a game from the cache; None if it is not there."""
        recent = self._recent.get(game)
        return recent[-1].game if recent else None

    async def load(self, game: GameId) -> Game:
        """Load the new entries of a game, and return the latest game.

        Errors: Refusal, if the game is gone or never existed, or the store is down.
        """
        return (await self.look(game))[0]

    async def look(self, game: GameId) -> tuple[Game, PresenceLeases]:
        """Load a game and its presence leases in one round trip.

        Errors: Refusal, as for `load`.
        """
        last = self.remembered(game)
        if last is None:
            async with self._lock(game, "log"):
                if self.remembered(game) is None:
                    entries, leases = await self._read(game)
                    self._lost.pop(game, None)
                    return self._remember(game, *await self._walk(game, entries, keep=RECENT)), leases
            return await self.look(game)
        # Read the last known entry again. If it is missing, the game is gone, or a failover to a lagging replica lost
        # its latest changes.
        entries, leases = await ask_store(self.store.load(game, last.version - 1, last.raw))
        if entries[:1] != [last.raw]:
            entries, leases = await self._read(game)
            self.forget(game)
            GAMES_ROLLED_BACK.inc()
            return self._remember(game, *await self._walk(game, entries, None, RECENT)), leases
        if len(entries) > 1:
            last = self._remember(game, *await self._walk(game, entries[1:], last, RECENT))
        return last, leases

    async def walk(
        self,
        game: GameId,
        take: Callable[[Step], object],
        last: Game | None = None,
        entries: Sequence[bytes] = (),
    ) -> Game:
        """Visit every step of a game, one by one, and return the game after the last.

        Shape: `last` is the game as it was seen; its last entry is safely stored. `entries` is the log, if known.
        Errors: Refusal, as for `load`.
        """
        async with self._lock(game, "log"):
            entries = entries or (await self._read(game, last.raw if last else b"")).entries
            found = await self._walk(game, entries, keep=1, take=take)
        return found[-1].game

    async def steps_after(
        self, game: GameId, revision: Revision, until: Revision | None = None, seen: Game | None = None
    ) -> tuple[Game, Sequence[Step] | None]:
        """Return a game, and a page of its steps after a revision, up to a known one.

        Without a known one, the page ends at the latest. The steps are None if the game has no such revision: it never
        had, or the store lost it. Concurrent requests for the same steps share one read.
        Shape: `seen` is the game at the revision, if known; the log is read from there on.
        Errors: Refusal, as for `load`.
        """
        now = self._recall(game, until)
        if now is None:
            async with self._lock(game, "news"):
                now = self._recall(game, until) or await self.load(game)
        found: Sequence[Step] = self._recent.get(game, ())
        if not found or found[0].game.version > revision.version + 1:
            found = await self._read_page(game, revision, now, seen)
        after = [step for step in found if step.game.version > revision.version]
        last = revision_of(after[0].game.version - 1, after[0].previous) if after else now.revision
        return (now, after) if last == revision else (await self.load(game), None)

    def _recall(self, game: GameId, revision: Revision | None) -> Game | None:
        """Return a game from the cache, if the step that made a revision is cached as well."""
        recent = self._recent.get(game, ())
        return recent[-1].game if any(step.game.revision == revision for step in recent) else None

    async def _read_page(self, game: GameId, revision: Revision, now: Game, seen: Game | None) -> Sequence[Step]:
        """Read a page of steps after a revision from the log, beginning at a seen game unless the store lost it.

        Errors: Refusal, as for `load`.
        """
        stop = min(revision.version + PAGE, now.version)
        async with self._lock(game, "log"):
            if seen is not None:
                entries, _ = await ask_store(self.store.load(game, seen.version - 1, now.raw, stop))
                if entries[:1] == [seen.raw]:
                    return await self._walk(game, entries[1:], seen)
            entries, _ = await self._read(game, now.raw, stop)
            return await self._walk(game, entries)

    def _lock(self, game: GameId, of: str) -> asyncio.Lock:
        """Return the lock of a game: `log` for reading a long part of its log, `news` for its new entries."""
        return self._locks.setdefault((game, of), asyncio.Lock())

    async def append(self, game: GameId, step: Step) -> Game:
        """Append a step to the log of a game. If another change won the race, return the latest game instead.

        Errors: Refusal, if the store is down, full, or inconsistent.
        """
        now = step.game
        made = self.store.append(game, now.version - 1, now.raw, store_ttl(now), step.previous, now.opened.owner)
        if await ask_store(made, unknown="The change may have been made."):
            self._remember(game, step)
            return now
        found = await self.load(game)
        if found.raw == step.previous:
            # A failover happened between the two answers.
            raise Refusal("store_down", "The store of live games changes servers. The change was not made: ask again.")
        return found

    def note_opened(self, game: GameId, opened: Game) -> None:
        """Remember a game opened here: it counts as lost if the store loses it before anybody reads it."""
        if self.remembered(game) is None:
            self._lost.pop(game, None)
            self._remember(game, Step(opened, opened.opened))

    async def drop(self, game: GameId, keep: int = 0) -> None:
        """Delete a game, here and in the store, which keeps its log aside for some seconds.

        Errors: Refusal, if the store is down.
        """
        await ask_store(self.store.drop(game, keep), unknown="The game may have been deleted.")
        self.forget(game)

    async def _read(self, game: GameId, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        """Read the log of a game, up to the entry at `stop`, and the presence leases beside it.

        Errors: Refusal, as for `load`.
        """
        loaded = await ask_store(self.store.load(game, 0, last_entry, stop))
        if not loaded.entries:
            raise await self._missing(game)
        return loaded

    async def _missing(self, game: GameId) -> Refusal:
        """Return the refusal for a missing game, and forget the game."""
        last = self.remembered(game)
        if last is not None:
            if await self._is_lost(game, last) and game not in self._lost:
                self._lost[game] = None
                GAMES_LOST.inc()
                self._log_lost.add(hash_game(game))
            self.forget(game)
        if game in self._lost:
            return Refusal("game_gone", GAME_LOST)
        if await ask_store(self.store.is_gone(game)):
            return Refusal("game_gone", GAME_GONE)
        return Refusal("no_such_game", NO_SUCH_GAME)

    async def _is_lost(self, game: GameId, last: Game) -> bool:
        """Return True if a missing game was neither deleted nor expired."""
        is_over = await ask_store(self.store.read_clock(game)) > last.expires_at - CLOCKS_APART
        return not is_over and not await ask_store(self.store.is_deleted(game))

    async def _walk(
        self,
        game: GameId,
        entries: Sequence[bytes],
        now: Game | None = None,
        keep: int = PAGE,
        take: Callable[[Step], object] = lambda _: None,
    ) -> deque[Step]:
        """Replay a log, from its opening or from a known game, in time slices.

        Return the last `keep` steps at most.
        Errors: Refusal, if another version stored an entry that this one cannot read.
        """
        found = deque[Step](maxlen=keep)
        for start in range(0, len(entries), self._piece):
            if len(entries) > RECENT:
                async with self._turn:  # of all logs, one slice in each round of the event loop
                    await asyncio.sleep(0)
            try:
                for step in steps(entries[start : start + self._piece], found[-1].game if found else now):
                    take(step)
                    found.append(step)
            except (UnknownFormat, Impossible, msgspec.ValidationError) as exc:
                GAMES_UNREADABLE.inc()
                self._log_unreadable.add(hash_game(game), str(exc))  # anybody who knows a game's id can watch it
                detail = (
                    "Another version of the service has stored what this process cannot read of the game: ask again."
                )
                raise Refusal("store_down", detail) from exc
        return found

    def forget(self, game: GameId) -> None:
        """Drop a game from the cache."""
        self._recent.pop(game, None)
        self.remembered_bytes -= self._sizes.pop(game, 0)

    def _remember(self, game: GameId, *fresh: Step) -> Game:
        """Cache the latest steps, unless others as late came in between. Return their last game."""
        now, known = fresh[-1].game, self._recent.get(game, ())
        if known and known[-1].game.version >= now.version:
            return now
        joined = known if known and known[-1].game.raw == fresh[0].previous else ()
        self._recent[game] = (*joined, *fresh)[-RECENT:]
        self._recent.move_to_end(game)
        if not known or known[-1].game.shuffles is not now.shuffles:  # else it has not grown
            self._resize(game, now)
        return now

    def _resize(self, game: GameId, now: Game) -> None:
        """Note how much memory a game takes, and evict the least recently changed games that no longer fit."""
        self.remembered_bytes += size_of(now) - self._sizes.get(game, 0)
        self._sizes[game] = size_of(now)
        while self.remembered_bytes > self._max_bytes:
            self.forget(next(iter(self._recent)))
