"""Live games as this process knows them: loaded from the store, remembered by version, changed one entry at a time."""

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
"""Memory of the games that a process remembers, of those whose changes it saw last: some 10,000 at printed rules."""
PIECE: Final = 100
"""Entries of a log that are read at once, in some 0.3 milliseconds."""
PAGE: Final = 50
"""Steps that are returned at once: some 50 kilobytes."""
GAME_GONE: Final = "The game is gone: it was deleted, or nobody has changed it for too long."
NO_SUCH_GAME: Final = "There is no such game. Its address may be mistyped, or it ended long ago."
GAME_LOST: Final = "The store of live games has lost the game: it was there, and cannot go on. Open another one."
MAX_LOST: Final = 10_000
"""Games that a process reports as lost; beyond that the first is forgotten. Some 300 bytes each."""
CLOCKS_APART: Final[Milliseconds] = 60_000
"""The most by which the clocks of two servers may differ: a game that expires within it is not lost."""
RECENT: Final = 2
"""Steps of each that it remembers, for the streams that follow it; one that lags further reads the log."""


GAME_BYTES: Final = 3100
"""Memory of a game with its latest steps, without what is its own to keep; measured, like the next two."""
RULES_BYTES: Final = 6000
"""Memory of a ruleset of the players' own, beside its texts."""
POSITION_BYTES: Final = 5000
"""Memory of the position that a game was opened from."""
SHUFFLE_BYTES: Final = 300
"""Memory of the parts of a shuffle, beside the entropy."""


def size_of(now: Game) -> int:
    """Return how many bytes of memory a game takes, about."""
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

    Shape: `unknown` tells a caller whose change gets no answer that it may have been made.
    Errors: Refusal, if it is out of reach or full.
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
    """Write an entry as it is to be stored, with a nonce that no other has."""
    return write_entry(entry, token_bytes(NONCE_BYTES), at)


class Repository:
    """Loads games, appends to them, and remembers the latest steps of each.

    What is remembered was loaded from the store or appended there, and is kept as safely as the operator asks. It is
    right for as long as the store loses nothing, but perhaps not the latest.
    Shape: `piece` is how many entries of a long log are read before other work gets a turn.
    Unit: `max_bytes` bounds the memory of the games that it remembers, of those whose changes it saw last.
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
        """Return a game as this process last saw it; None if it does not remember it."""
        recent = self._recent.get(game)
        return recent[-1].game if recent else None

    async def load(self, game: GameId) -> Game:
        """Load what is new of a game, and return the game as it stands.

        Errors: Refusal, if the game is gone or never was, or the store is out of reach.
        """
        return (await self.look(game))[0]

    async def look(self, game: GameId) -> tuple[Game, PresenceLeases]:
        """Load a game, and return it with the presence leases beside it, which come in the same round trip.

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
        # The last entry known is read again. If it is not there, the game is gone, or the store has lost its latest
        # changes, as happens when a replica takes over that did not have them yet.
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
        """Take every step of a game, one by one, and return the game after the last of them.

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
        """Return a game, and a page of its steps after a revision: of those up to one that is known to be there.

        Without one, up to the latest. In place of the steps stands None if the game has no such revision: it never
        had, or the store has lost it. Of many who ask at once for the same steps, one reads them from the store.
        Shape: `seen` is the game at the revision, where it is known; the log is read from there on.
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
        """Return a game as this process last saw it, if it remembers the step that made a revision."""
        recent = self._recent.get(game, ())
        return recent[-1].game if any(step.game.revision == revision for step in recent) else None

    async def _read_page(self, game: GameId, revision: Revision, now: Game, seen: Game | None) -> Sequence[Step]:
        """Read a page of steps after a revision from the log: from the game that was seen on, unless that is lost.

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
        """Return the lock of a game: `log` to read a long part of its log, `news` to read what is new."""
        return self._locks.setdefault((game, of), asyncio.Lock())

    async def append(self, game: GameId, step: Step) -> Game:
        """Append a step to the log of a game, and return its game. If the game has moved on since, return it as it is.

        Errors: Refusal, if the store is out of reach, full, or at odds with itself.
        """
        now = step.game
        made = self.store.append(game, now.version - 1, now.raw, store_ttl(now), step.previous, now.opened.owner)
        if await ask_store(made, unknown="The change may have been made."):
            self._remember(game, step)
            return now
        found = await self.load(game)
        if found.raw == step.previous:
            # One server has taken over from another, and each has answered once.
            raise Refusal("store_down", "The store of live games changes servers. The change was not made: ask again.")
        return found

    def note_opened(self, game: GameId, opened: Game) -> None:
        """Remember a game that was opened here: it counts as lost if the store loses it before anybody looks."""
        if self.remembered(game) is None:
            self._lost.pop(game, None)
            self._remember(game, Step(opened, opened.opened))

    async def drop(self, game: GameId, keep: int = 0) -> None:
        """Forget a game, here and in the store, which keeps its log aside for some seconds.

        Errors: Refusal, if the store is out of reach.
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
        """Return the refusal of a game that is not there, and forget it."""
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
        """Return True if a game that is not there was neither deleted nor has it expired."""
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
        """Walk a log, from its opening or on from a game that is known, and let others work between two pieces of it.

        Return the last steps, `keep` at most.
        Errors: Refusal, if another version stored an entry that this one cannot read.
        """
        found = deque[Step](maxlen=keep)
        for start in range(0, len(entries), self._piece):
            if len(entries) > RECENT:
                async with self._turn:  # of all logs, one piece in each round of the event loop
                    await asyncio.sleep(0)
            try:
                for step in steps(entries[start : start + self._piece], found[-1].game if found else now):
                    take(step)
                    found.append(step)
            except (UnknownFormat, Impossible, msgspec.ValidationError) as exc:
                GAMES_UNREADABLE.inc()
                self._log_unreadable.add(hash_game(game), str(exc))  # the id of a game lets anybody watch it
                detail = (
                    "Another version of the service has stored what this process cannot read of the game: ask again."
                )
                raise Refusal("store_down", detail) from exc
        return found

    def forget(self, game: GameId) -> None:
        """Forget what is remembered of a game."""
        self._recent.pop(game, None)
        self.remembered_bytes -= self._sizes.pop(game, 0)

    def _remember(self, game: GameId, *fresh: Step) -> Game:
        """Remember the latest steps, unless others have come in between that are as late. Return their last game."""
        now, known = fresh[-1].game, self._recent.get(game, ())
        if known and known[-1].game.version >= now.version:
            return now
        joined = known if known and known[-1].game.raw == fresh[0].previous else ()
        self._recent[game] = (*joined, *fresh)[-RECENT:]
        self._recent.move_to_end(game)
        if not known or known[-1].game.shuffles is not now.shuffles:  # else it has grown by nothing
            self._resize(game, now)
        return now

    def _resize(self, game: GameId, now: Game) -> None:
        """Note how much memory a game takes, and forget the games unchanged for longest that do not fit beside it."""
        self.remembered_bytes += size_of(now) - self._sizes.get(game, 0)
        self._sizes[game] = size_of(now)
        while self.remembered_bytes > self._max_bytes:
            self.forget(next(iter(self._recent)))
