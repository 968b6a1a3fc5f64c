"""The presence of seats: one is present while an event stream with its token is open, in whichever process.

A process keeps one lease beside the game for each seat with streams there, and renews it. If the process dies, its
leases expire. Renewing a lease also extends the game's expiry, so a table survives while somebody waits at it.
"""

from asyncio import Lock, get_running_loop
from contextlib import suppress
from secrets import token_hex
from typing import Final
from weakref import WeakValueDictionary

from cachetools import LRUCache

from service.game.rulesets import Seat
from service.live.entries import UNDEALT_TTL
from service.live.log import Game, kept_beyond
from service.live.repository import Clock, ask_store
from service.live.store.protocol import Store, StoreDown, StoreFull
from service.live.store.watchers import PresenceLeases, holder_of
from service.schemas.ids import GameId

MAX_LOOKS: Final = 10_000
"""Seats for which a process remembers when to note the next poll; some 200 bytes each."""
LOOK_SECONDS: Final = 30.0
"""Seconds between two noted polls of a seat."""


class PresenceLease:
    """The lease of this process on the presence of a seat, for all its streams.

    A failed write is retried when the next stream has something to write.
    """

    def __init__(self, store: Store, clock: Clock, game: GameId, name: str, seconds: float) -> None:
        self._store = store
        self._clock = clock
        self._game = game
        self._lives_until = self._kept_beyond = 0
        self._name = name
        self._seconds = seconds
        self._streams = 0
        self._due_at = 0.0
        self._lock = Lock()

    async def enter(self, game: Game) -> None:
        """Add a stream."""
        self._streams += 1
        self.see(game)
        await self.renew()

    def see(self, game: Game) -> None:
        """Note when the game expires as it stands now."""
        self._lives_until, self._kept_beyond = game.lives_until, kept_beyond(game.opened)

    async def renew(self) -> None:
        """Renew the lease once half of its time is over."""
        now = get_running_loop().time()
        if now >= self._due_at:
            self._due_at = now + self._seconds / 2
            await self._write()

    async def leave(self) -> None:
        """Remove a stream, and with the last one the lease."""
        self._streams -= 1
        if not self._streams:
            self._due_at = 0.0
            await self._write()

    async def _write(self) -> None:
        left = (self._lives_until - self._clock()) / 1000
        ttl = min(left, max(UNDEALT_TTL, self._seconds)) + self._kept_beyond
        try:
            async with self._lock:  # calls of the store may overtake each other
                await self._store.mark(self._game, self._name, self._seconds, stays=self._streams > 0, ttl=ttl)
        except (StoreDown, StoreFull):
            self._due_at = 0.0


class Presence:
    """The presence of the seats of live games.

    Unit: `seconds`, after which a lease expires without a renewal.
    """

    def __init__(self, store: Store, clock: Clock, seconds: float) -> None:
        self._store = store
        self._clock = clock
        self._seconds = seconds
        self._process = token_hex(4)
        self._leases: WeakValueDictionary[tuple[GameId, Seat], PresenceLease] = WeakValueDictionary()
        self._looks: LRUCache[tuple[GameId, Seat], float] = LRUCache(MAX_LOOKS)

    def lease(self, game: GameId, seat: Seat) -> PresenceLease:
        """Return the lease of this process on the presence of a seat."""
        fresh = PresenceLease(self._store, self._clock, game, f"{seat}/{self._process}", self._seconds)
        return self._leases.setdefault((game, seat), fresh)

    async def note_look(self, game: GameId, seat: Seat) -> None:
        """Note a poll of a seat without a stream, so it does not count as away.

        Not every poll is noted. If the store is down, a later poll is noted.
        """
        now = get_running_loop().time()
        if now < self._looks.get((game, seat), 0.0):
            return
        self._looks[game, seat] = now + LOOK_SECONDS
        with suppress(StoreDown, StoreFull):
            await self._store.mark(game, f"{seat}/look", self._seconds, stays=False)


def list_present_seats(leases: PresenceLeases) -> tuple[Seat, ...]:
    """Return the seats that have a presence lease, in order."""
    return tuple(sorted({int(holder_of(name)) for name in leases}))


async def find_absence(store: Store, game: GameId, seat: Seat) -> float | None:
    """Return how long a seat has had no stream and no poll. Return None if it never had one, or if unknown.

    Unit: seconds, by the clock of the store.
    Errors: Refusal.
    """
    return await ask_store(store.find_absence(game, str(seat)))
