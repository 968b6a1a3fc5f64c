"""Live games as this process knows them: loaded from the store, remembered by version, changed one entry at a time."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from service.games import log as game_log
from service.games.log import Game, Step
from service.store.protocol import Store, StoreDown, StoreFull
from service.wire.refusal import Refusal

Answer = TypeVar("Answer")

REMEMBERED: Final = 10_000
"""Games that a process remembers, of those whose changes it saw last."""
RECENT: Final = 2
"""Steps that a process remembers of each, for the streams that follow it; one that lags further reads the log."""


def _gone() -> Refusal:
    return Refusal("not_found", "There is no such game, or it has expired.")


async def answered(call: Awaitable[Answer]) -> Answer:
    """Wait for the store.

    Errors: Refusal, when it is out of reach or full.
    """
    try:
        return await call
    except StoreDown as exc:
        detail = "The store of live games cannot be reached. Whether a change was made is not known: ask again."
        raise Refusal("store_down", detail) from exc
    except StoreFull as exc:
        raise Refusal("store_full", "The store of live games is full. Nothing was changed.") from exc


class Repository:
    """What stands between the API and the store: every step of a game is made once and then remembered.

    A version of a game never changes, so that what is remembered is never wrong, only perhaps not the latest.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.losses = 0
        """How often the store was found to have lost changes to a game."""
        self._recent = OrderedDict[str, tuple[Step, ...]]()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def remembered(self, game: str) -> Game | None:
        """Tell a game as this process last saw it."""
        steps = self._recent.get(game)
        return steps[-1].game if steps else None

    async def latest(self, game: str) -> Game:
        """Load what is new of a game.

        Errors: Refusal, when the game is not there or the store is out of reach.
        """
        steps = self._recent.get(game)
        last = steps[-1] if steps else None
        # The last entry known is read again. Where it is not there, the game is gone, or the store has lost its latest
        # changes, as happens when a replica takes over that did not have them yet.
        lines = await answered(self.store.load(game, last.game.version - 1 if last else 0))
        if last is not None and lines[:1] != [game_log.write_entry(last.entry)]:
            self.forget(game)
            known = await self.latest(game)
            self.losses += 1
            return known
        if not lines:
            raise _gone()
        if last is not None and len(lines) == 1:
            return last.game
        fresh = deque(game_log.steps(lines[1:], last.game) if last else game_log.steps(lines), maxlen=RECENT)
        self._remember(game, *fresh)
        return fresh[-1].game

    async def steps_after(self, game: str, version: int, until: int | None = None) -> list[Step]:
        """Tell every step of a game after a version, up to one that is known to be there or to the latest.

        Of many who ask at once for the same news, one reads it from the store.
        Errors: Refusal, as for `latest`.
        """
        async with self._locks.setdefault(game, asyncio.Lock()):
            known = self.remembered(game)
            if known is None or until is None or known.version < until:
                await self.latest(game)
            recent = self._recent.get(game, ())
            if not recent or recent[0].game.version > version + 1:
                recent = tuple(game_log.steps(await answered(self.store.load(game))))
                if not recent:
                    raise _gone()
        return [step for step in recent if step.game.version > version]

    async def add(self, game: str, step: Step) -> bool:
        """Make a change to a game as it stood before; False when it has moved on since.

        Errors: Refusal, when the store is out of reach or full.
        """
        line, version = game_log.write_entry(step.entry), step.game.version - 1
        steps = self._recent.get(game)
        after = game_log.write_entry(steps[-1].entry) if steps and steps[-1].game.version == version else b""
        added = await answered(self.store.append(game, version, line, step.game.opened.ttl, after))
        if added:
            self._remember(game, step)
        return added

    async def confirm(self, game: str, ttl: int) -> None:
        """Make sure that what was found done already is kept as safely as the operator asks."""
        await answered(self.store.confirm(game, ttl))

    def forget(self, game: str) -> None:
        """Forget a game that is gone."""
        self._recent.pop(game, None)

    def _remember(self, game: str, *steps: Step) -> None:
        """Remember the latest steps, unless others have come in between that are as late."""
        known = self._recent.get(game, ())
        last = known[-1].game.version if known else 0
        fresh = [step for step in steps if step.game.version > last]
        if fresh:
            joined = known if fresh[0].game.version == last + 1 else ()
            self._recent[game] = (*joined, *fresh)[-RECENT:]
            self._recent.move_to_end(game)
            if len(self._recent) > REMEMBERED:
                self._recent.popitem(last=False)
