"""Stores that fail on purpose."""

from service.live.store.memory import MemoryStore
from service.live.store.protocol import Loaded, StoreDown
from service.schemas.ids import NOBODY, Caller, GameId


class Failing(MemoryStore):
    """A store that, for each call named in `before` or `after`, fails once before or after it has done its work."""

    def __init__(self) -> None:
        super().__init__(1000, 2**20)
        self.before: list[str] = []
        self.after: list[str] = []
        self.away = False

    def _fail(self, names: list[str], name: str) -> None:
        if self.away:
            raise StoreDown
        if name in names:
            names.remove(name)
            raise StoreDown

    async def lose(self, game: GameId, changes: int, *, silently: bool = False) -> None:
        """Lose the latest changes to a game, as when a replica takes over that did not have them."""
        del self._logs[game].entries[-changes:]
        if not silently:
            self.notify_all()

    async def forget(self, game: GameId) -> None:
        """Lose a whole game, as when a replica takes over that did not have it."""
        del self._logs[game]

    def notify_all(self) -> None:
        """Ask every watcher to resync, as after a reconnect."""
        for name in tuple(self._by_game):
            self.notify_resync(name)

    async def create(self, game: GameId, entry: bytes, ttl: int, owner: Caller = NOBODY) -> tuple[bytes, bool] | None:
        self._fail(self.before, "create")
        kept = await super().create(game, entry, ttl, owner)
        self._fail(self.after, "create")
        return kept

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        self._fail(self.before, "append")
        made = await super().append(game, version, entry, ttl, after)
        self._fail(self.after, "append")
        return made

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        self._fail(self.before, "load")
        return await super().load(game, start, last_entry, stop)

    async def drop(self, game: GameId, keep: int = 0) -> None:
        self._fail(self.before, "drop")
        await super().drop(game, keep)
        self._fail(self.after, "drop")

    async def ping(self) -> None:
        self._fail([], "ping")

    async def remember(self, key: str, value: bytes, ttl: int, owner: Caller = NOBODY) -> bytes:
        self._fail(self.before, "remember")
        return await super().remember(key, value, ttl, owner)

    async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        self._fail(self.before, "charge")
        return await super().consume(name, cost, at_most)

    async def mark(self, game: GameId, name: str, seconds: float, *, stays: bool = True, ttl: float = 0) -> None:
        self._fail(self.before, "mark")
        await super().mark(game, name, seconds, stays=stays, ttl=ttl)

    @property
    def kept(self) -> bytes:
        """Everything that is kept, names and values."""
        return b"\0".join(part for name, log in self._logs.items() for part in (name.encode(), *log.entries))
