"""Bugs, as somebody could write them; none is in the service, and a seed finds each of them.

Each takes the place of a part of the service while it is planted.
"""

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import pytest
from msgspec.structs import replace

from service.api.games.live_games import LiveGames
from service.live import decisions, feed, log, pending_task, tokens, turns
from service.live.computers import Computers
from service.live.ending import EndWriter, pack_ended
from service.live.entries import AbsentPlayEntry
from service.live.feed import Feeds
from service.live.log import Game
from service.live.repository import Repository
from service.live.store.protocol import Loaded, StoreDown
from service.live.store.redis import store
from service.live.store.redis.pipeline import Command, Pipeline
from service.live.store.redis.pubsub import Subscriber, channel, parse_leases
from service.live.store.redis.scripts import APPEND, LEASE, Script
from service.live.store.redis.store import RedisStore, key_of
from service.schemas.ids import GameId

Patch: TypeAlias = pytest.MonkeyPatch
STALE: Final = 3.0
"""Seconds for which a process answers with what it has read before it lost the store."""


def _without(script: Script, text: str) -> Script:
    """Return a script without the lines in which a text stands."""
    return Script("\n".join(line for line in script.text.splitlines() if text not in line))


UNCHECKED: Final = _without(APPEND, "return 0")


def _do_nothing(*_: object) -> None:
    """Take the place of what should do something."""


def no_wait(patch: Patch) -> None:
    """Do not wait for replicas."""
    begin = RedisStore.__init__

    def begin_without(self: Any, topology: Any, timeout: float, replicas: int = 0) -> None:
        begin(self, topology, timeout)

    patch.setattr(RedisStore, "__init__", begin_without)


def wait_unread(patch: Patch) -> None:
    """Wait for replicas, and take any answer for good."""
    begin = Pipeline.__init__

    def begin_blind(self: Any, *arguments: Any) -> None:
        begin(self, *arguments)
        self._replicas = 0

    patch.setattr(Pipeline, "__init__", begin_blind)


def if_match_unread(patch: Patch) -> None:
    """Do not compare the version of If-Match."""
    patch.setattr(decisions, "_find_repeat", _do_nothing)


def length_compared(patch: Patch) -> None:
    """Append to a log of the right length, whatever its last entry is."""
    patch.setattr(store, "APPEND", _without(APPEND, "LINDEX"))


def appends_again(patch: Patch) -> None:
    """Append once more where nothing was heard, though the entry may be there."""
    append = RedisStore.append

    async def append_twice(
        self: Any, game: Any, version: int, entry: bytes, ttl: int, after: bytes, *owner: Any
    ) -> bool:
        try:
            return await append(self, game, version, entry, ttl, after, *owner)
        except StoreDown:
            again: Any = (version, after, entry, ttl, 0, "PUBLISH", channel(game), b"")
            return bool(await self._run(UNCHECKED, game, *again) == 1)

    patch.setattr(RedisStore, "append", append_twice)


def shows_too_soon(patch: Patch) -> None:
    """Show what no replica has."""

    async def load(self: Any, game: Any, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        key, last = key_of(game), -1 if stop is None else stop - 1
        found: Any = await self._execute(game, Command(("LRANGE", key, start, last), beside=("GET", f"{key}:marks")))
        return Loaded(found[0], parse_leases(found[1] or b""))

    patch.setattr(RedisStore, "load", load)


def reads_stale(patch: Patch) -> None:
    """Answer with what was read before a connection was lost, for a while after it is there again."""
    load, execute = RedisStore.load, RedisStore._execute

    async def fail(self: Any, *arguments: Any) -> Any:
        try:
            return await execute(self, *arguments)
        except StoreDown:
            self.stale_until = asyncio.get_running_loop().time() + STALE
            raise

    async def load_stale(self: Any, *asked: Any) -> Loaded:
        known = self.__dict__.setdefault("known", {})
        if asked not in known or asyncio.get_running_loop().time() > getattr(self, "stale_until", 0.0):
            known[asked] = await load(self, *asked)
        found: Loaded = known[asked]
        return found

    patch.setattr(RedisStore, "_execute", fail)
    patch.setattr(RedisStore, "load", load_stale)


def limit_halved(patch: Patch) -> None:
    """Give an absent seat half of its time."""
    find = turns.find_move_end

    def find_half(game: log.Game) -> int | None:
        ends_at = find(game)
        return ends_at and (ends_at + game.turn_at) // 2

    patch.setattr(pending_task, "find_move_end", find_half)


def wrong_clock(patch: Patch) -> None:
    """Measure a limit by the clock of the process."""

    async def read(self: Any, _: object) -> int:
        at: int = self._clock()
        return at

    patch.setattr(Computers, "_read_store_clock", read)


def absence_twice(patch: Patch) -> None:
    """Count an absence twice."""
    count = log._count_absences

    def count_twice(before: log.Game, after: log.Game, entry: Any) -> log.Game:
        once = count(before, after, entry)
        return count(once, once, entry) if isinstance(entry, AbsentPlayEntry) else once

    patch.setattr(log, "_count_absences", count_twice)


def wakeup_lost(patch: Patch) -> None:
    """Do not look again after a connection was lost on which messages may have come."""
    patch.setattr(Subscriber, "on_gap", _do_nothing)


def presence_kept(patch: Patch) -> None:
    """Keep the presence of a seat whose process has died."""
    text = LEASE.text.replace("tonumber(ends) > now", "true").replace(", 'PX', span", "")
    patch.setattr(store, "LEASE", Script(text, replicated=False))


def two_next_games(patch: Patch) -> None:
    """Open another next game for each request."""

    async def find_none(*_: object) -> None:
        """Find no next game."""

    patch.setattr(LiveGames, "_find_rematch", find_none)


def back_unasked(patch: Patch) -> None:
    """Take a card back though not all others agree."""
    alone = log._ask_back

    def take_back(now: log.Game, raw: bytes, seat: int) -> dict[str, object]:
        everybody = tuple(each for each in range(now.table.players) if each != seat)
        return alone(replace(now, take_back_agreed=everybody), raw, seat)

    patch.setattr(log, "_ask_back", take_back)


def draw_ignored(patch: Patch) -> None:
    """Leave everybody where they sit, though cards were drawn."""

    def stay(game: Game) -> tuple[int, ...]:
        return tuple(range(game.table.players))

    patch.setattr(decisions, "_draw_seats", stay)


def key_forgotten(patch: Patch) -> None:
    """Forget the Idempotency-Key of a new game."""

    async def forget(self: Any, key: str, value: bytes, *_: Any) -> bytes:
        return value

    patch.setattr(RedisStore, "remember", forget)


def computer_stops(patch: Patch) -> None:
    """Leave a turn of the computer to the process that began it."""
    patch.setattr(Computers, "start_after_timeout", _do_nothing)


def absence_unheeded(patch: Patch) -> None:
    """Let any seat give any other to the computer, whether its player is there or not."""
    patch.setattr(decisions, "AWAY_SECONDS", 0)


def token_not_void(patch: Patch) -> None:
    """Admit the token that a seat had before."""
    find = tokens._find_role

    def find_role(game: log.Game, token: Any) -> Any:
        role = find(game, token)
        return find(replace(game, renewals=()), token) if role is None else role

    patch.setattr(tokens, "_find_role", find_role)


def announced_too_soon(patch: Patch) -> None:
    """Announce a game as won before the card that wins it is stored."""
    append = Repository.append

    async def announce(self: Repository, game: GameId, step: log.Step) -> log.Game:
        if turns.game_phase(step.game) == "game_over" and step.game.rematch is None:
            entries, writer = (await self.store.load(game)).entries, EndWriter()
            for each in log.steps([*entries[: step.game.version - 1], step.game.raw]):
                writer.add(each)
            await self.store.announce(step.game.opened.owner, game, pack_ended(writer.write(game, b"")), 3600)
        return await append(self, game, step)

    patch.setattr(Repository, "append", announce)


def index_forgotten(patch: Patch) -> None:
    """Announce games where they end, and never sweep the index for others."""

    async def forget(_: object) -> None:
        """Sweep nothing."""

    patch.setattr(Feeds, "_sweep_all", forget)


def cursor_skips(patch: Patch) -> None:
    """Go on behind the end of a feed, though a page was too short for all that it has."""
    load = Feeds._load

    async def load_to_end(self: Feeds, app: Any, after: Any, limit: int) -> feed.FoundGames:
        found = await load(self, app, after, limit)
        return found._replace(next=(await load(self, app, found.next, 100)).next)

    patch.setattr(Feeds, "_load", load_to_end)


BUGS: Final[Mapping[str, Callable[[Patch], None]]] = {
    bug.__name__.replace("_", "-"): bug
    for bug in (
        no_wait,
        wait_unread,
        if_match_unread,
        length_compared,
        appends_again,
        shows_too_soon,
        reads_stale,
        limit_halved,
        wrong_clock,
        absence_twice,
        wakeup_lost,
        presence_kept,
        two_next_games,
        back_unasked,
        draw_ignored,
        key_forgotten,
        computer_stops,
        token_not_void,
        absence_unheeded,
        announced_too_soon,
        index_forgotten,
        cursor_skips,
    )
}


@contextmanager
def planted(name: str | None) -> Generator[None]:
    """Plant a bug for a while; None plants none."""
    with pytest.MonkeyPatch.context() as patch:
        if name is not None:
            BUGS[name](patch)
        yield
