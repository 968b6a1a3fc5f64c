"""Live games as this process knows them: loaded from the store, remembered by version, changed one entry at a time."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from secrets import token_bytes
from typing import Final, Protocol, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import msgspec

from service.games.entries import NONCE_BYTES, Entry, Milliseconds, write_entry
from service.games.log import Game, Step, steps
from service.revision import Revision, revision_of
from service.store.protocol import Store, StoreDown, StoreFull
from service.wire.refusal import Refusal

Answer = TypeVar("Answer")

REMEMBERED_BYTES: Final = 32 * 1024 * 1024
"""Memory of the games that a process remembers, of those whose changes it saw last: some 10,000 at printed rules."""
PIECE: Final = 100
"""Entries of a log that are read at once, in some 0.3 milliseconds."""
RECENT: Final = 2
"""Steps of each that it remembers, for the streams that follow it; one that lags further reads the log."""


GAME_BYTES: Final = 3100
"""Memory of a game with its latest steps, without what is its own to keep; measured, like the next two."""
RULES_BYTES: Final = 6000
"""Memory of a ruleset of the players' own, beside its texts."""
OPENING_BYTES: Final = 300
"""Memory of the parts of a shuffle, beside the entropy."""


def size_of(now: Game) -> int:
    """Return how many bytes of memory a game takes, about."""
    rules = now.opened.rules
    own = 0 if isinstance(rules, str) else RULES_BYTES + len(msgspec.msgpack.encode(rules))
    return GAME_BYTES + own + sum([OPENING_BYTES + sum(map(len, opening.entropy)) for opening in now.openings])


def _gone() -> Refusal:
    return Refusal("not_found", "There is no such game, or it has expired.")


async def answered(call: Awaitable[Answer]) -> Answer:
    """Wait for the store.

    Errors: Refusal, if it is out of reach or full.
    """
    try:
        return await call
    except StoreDown as exc:
        detail = "The store of live games cannot be reached. Whether a change was made is not known: ask again."
        raise Refusal("store_down", detail) from exc
    except StoreFull as exc:
        raise Refusal("store_full", "The store of live games is full. Nothing was changed.") from exc


async def _walk(lines: Sequence[bytes], now: Game | None = None, keep: int | None = None) -> deque[Step]:
    """Walk a log, from its opening or on from a game that is known, and let others work now and then.

    Return every step, or only so many of the last.
    """
    found = deque[Step](maxlen=keep)
    for start in range(0, len(lines), PIECE):
        if start:
            await asyncio.sleep(0)
        found.extend(steps(lines[start : start + PIECE], found[-1].game if found else now))
    return found


Clock: TypeAlias = Callable[[], Milliseconds]


def write_line(entry: Entry, at: Milliseconds) -> bytes:
    """Write an entry as a new line for the store, with a nonce that no other line has."""
    return write_entry(entry, token_bytes(NONCE_BYTES), at)


class Observer(Protocol):
    """One that sees each game as it stands whenever this process has loaded or changed it."""

    def __call__(self, game_id: str, game: Game, *, changed: bool) -> None:
        """See a game; `changed` is True if this process has just made the latest change."""
        ...


class Repository:
    """Loads games, appends to them, and remembers the latest steps of each.

    What is remembered was loaded from the store or appended there, and is kept as safely as the operator asks. It is
    right for as long as the store loses nothing, but perhaps not the latest.
    Shape: `note_rollback` is called each time the store turns out to have lost the latest change known of a game;
    `observer` sees games in which the computer plays, if there is one.
    """

    def __init__(self, store: Store, note_rollback: Callable[[], None] = lambda: None) -> None:
        self.store = store
        self._note_rollback = note_rollback
        self._recent = OrderedDict[str, tuple[Step, ...]]()
        self._sizes: dict[str, int] = {}
        self._size = 0
        self.observer: Observer | None = None
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def remembered(self, game: str) -> Game | None:
        """Return a game as this process last saw it; None if it does not remember it."""
        recent = self._recent.get(game)
        return recent[-1].game if recent else None

    async def load(self, game: str) -> Game:
        """Load what is new of a game, and return the game as it stands.

        Errors: Refusal, if the game is not there or the store is out of reach.
        """
        last = self.remembered(game)
        # The last line known is read again. If it is not there, the game is gone, or the store has lost its latest
        # changes, as happens when a replica takes over that did not have them yet.
        lines = await answered(self.store.load(game, last.version - 1, last.line) if last else self.store.load(game))
        if last is not None and lines[:1] != [last.line]:
            self._forget(game)
            now = await self.load(game)
            self._note_rollback()
            return now
        if not lines:
            raise _gone()
        if last is not None and len(lines) == 1:
            self._show(game, changed=False)
            return last
        fresh = await _walk(lines[1:], last, RECENT) if last else await _walk(lines, None, RECENT)
        self._remember(game, *fresh)
        self._show(game, changed=False)
        return fresh[-1].game

    async def steps(self, game: str, known: Game | None = None) -> list[Step]:
        """Return every step of a game; where its last one is known, it is not seen to again that it is kept safely.

        Errors: Refusal, as for `load`.
        """
        lines = await answered(self.store.load(game, known=known.line if known else b""))
        if not lines:
            raise _gone()
        return list(await _walk(lines))

    async def steps_after(self, game: str, revision: Revision, until: Revision | None = None) -> list[Step] | None:
        """Return every step of a game after a revision, up to one that is known to be there or to the latest.

        Return None if the game has no such revision: it never had, or the store has lost it.
        Of many who ask at once for the same steps, one reads them from the store.
        Errors: Refusal, as for `load`.
        """
        async with self._locks.setdefault(game, asyncio.Lock()):
            if until is None or all(step.game.revision != until for step in self._recent.get(game, ())):
                await self.load(game)
            found = list(self._recent.get(game, ()))
            if not found or found[0].game.version > revision.version + 1:
                found = await self.steps(game, self.remembered(game))
        after = [step for step in found if step.game.version > revision.version]
        last = revision_of(after[0].game.version - 1, after[0].after) if after else found[-1].game.revision
        return after if last == revision else None

    async def append(self, game: str, step: Step) -> bool:
        """Append a step to the log of a game; return False if the game has moved on since.

        Errors: Refusal, if the store is out of reach, full, or at odds with itself.
        """
        now = step.game
        if await answered(self.store.append(game, now.version - 1, now.line, now.opened.ttl, step.after)):
            self._remember(game, step)
            self._show(game, changed=True)
            return True
        if (await self.load(game)).line == step.after:
            # One server has taken over from another, and each has answered once.
            raise Refusal("store_down", "The store of live games changes servers. The change was not made: ask again.")
        return False

    async def drop(self, game: str) -> None:
        """Forget a game, here and in the store.

        Errors: Refusal, if the store is out of reach.
        """
        await answered(self.store.drop(game))
        self._forget(game)

    def _show(self, game: str, *, changed: bool) -> None:
        """Show a game to the observer, as it is remembered: another call may have seen it later than this one."""
        now = self.remembered(game)
        if self.observer is not None and now is not None and now.computers:
            self.observer(game, now, changed=changed)

    def _forget(self, game: str) -> None:
        """Forget what is remembered of a game."""
        self._recent.pop(game, None)
        self._size -= self._sizes.pop(game, 0)

    def _remember(self, game: str, *fresh: Step) -> None:
        """Remember the latest steps, unless others have come in between that are as late."""
        known = self._recent.get(game, ())
        if known and known[-1].game.version >= fresh[-1].game.version:
            return
        joined = known if known and known[-1].game.line == fresh[0].after else ()
        self._recent[game] = (*joined, *fresh)[-RECENT:]
        self._recent.move_to_end(game)
        if not known or known[-1].game.openings is not fresh[-1].game.openings:  # else it has grown by nothing
            self._resize(game, fresh[-1].game)

    def _resize(self, game: str, now: Game) -> None:
        """Note how much memory a game takes, and forget the games unchanged for longest that do not fit beside it."""
        self._size += size_of(now) - self._sizes.get(game, 0)
        self._sizes[game] = size_of(now)
        while self._size > REMEMBERED_BYTES:
            self._forget(next(iter(self._recent)))
