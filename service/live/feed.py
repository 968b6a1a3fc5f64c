"""The feed of an app's finished games, in order, and the list of its open games.

The log of a game is the truth. An app has an index of its open games. A game is put into the index before the game
exists, and moves from the index to the feed in one step of the store. Three actors make that move: the process that
ended the game, a process that lists the games, and a sweep, which every process makes at intervals. So nothing is lost
when a process dies, and no game is announced twice.

The log of an app's game is kept for a day beyond its time. When its time is over, the first actor that finds it ends it
in the store. From then on it cannot change, and its record goes to the feed.
"""

from asyncio import Event, Task, create_task, gather, sleep, timeout, wait
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from contextvars import Context
from logging import getLogger
from typing import Final, NamedTuple, get_args

from service.live.ending import EndWriter, pack_ended
from service.live.log import Game, kept_beyond
from service.live.repository import Clock, Repository, ask_store
from service.live.store.protocol import FeedPage, IndexedGame
from service.live.store.watchers import Watcher
from service.live.tokens import hash_game
from service.live.turns import game_phase
from service.platform.limits import POLLS, Account
from service.platform.metrics.families import FEED_DROPPED, FEED_GAMES
from service.platform.rare_log import RareLog
from service.schemas.finished_game import EndedGame, Outcome
from service.schemas.ids import Caller, GameId, is_app
from service.schemas.refusal import Refusal
from service.schemas.revision import Revision, revision_of

SWEEP_SECONDS: Final = 30
"""Seconds between two sweeps of the open games of an app, by any process."""
SWEPT_AT_ONCE: Final = 100
"""Games of the index per read."""
MAX_WAITING: Final = 10_000
"""Games waiting to be announced by this process; beyond that, the sweep finds them. Some 200 bytes each."""
ORPHAN_SECONDS: Final = 24 * 3600
"""Seconds after which a game in the index without a log is dropped: no opening takes so long."""
FAILED_LINE: Final = "a finished game, of the hash %s, cannot be announced: %s (since the last such line: %d)"
_GONE: Final = {"game_gone", "no_such_game"}
_FINISHED: Final = {outcome: FEED_GAMES.labels(outcome) for outcome in get_args(get_args(Outcome)[0])}
_NO_ROOM: Final = FEED_DROPPED.labels("room")
_LOST: Final = FEED_DROPPED.labels("lost")
_logger: Final = getLogger(__name__)


class FoundGames(NamedTuple):
    """A page of a feed: entries with their places, the place behind them, and the rest before and after."""

    entries: list[tuple[bytes, Revision]]
    next: Revision | None
    more: bool
    dropped: int


class _Poll(Watcher):
    """A request that waits for a feed to grow."""

    def __init__(self) -> None:
        super().__init__()
        self.news = Event()

    def wake(self) -> None:
        self.news.set()


class Feeds:
    """The feeds of all apps and the indexes of their open games.

    Shape: `list_apps` lists the apps that have an API key.
    Unit: `ttl`, the time for which a finished game is kept, in seconds.
    """

    def __init__(
        self, repository: Repository, clock: Clock, ttl: int, list_apps: Callable[[], Collection[Caller]]
    ) -> None:
        self._repository = repository
        self._store = repository.store
        self._clock = clock
        self._ttl = ttl
        self._list_apps = list_apps
        self._polls = Account(POLLS)
        self._polling = set[_Poll]()
        self._waiting: dict[GameId, Caller] = {}
        self._announcing: Task[None] | None = None
        self._tasks = set[Task[None]]()
        self._closed = False
        self._log_failed = RareLog(FAILED_LINE)

    async def open(self) -> None:
        """Begin to sweep at intervals."""
        self._start(self._sweep_all())

    async def close(self) -> None:
        """Stop. The next sweep of any process announces the rest."""
        self.end_polls()
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await wait(self._tasks)

    def end_polls(self) -> None:
        """Answer every waiting request now, and later ones at once."""
        self._closed = True
        for poll in self._polling:
            poll.wake()

    def note(self, game_id: GameId, game: Game) -> None:
        """Announce a game that this process changed, if it is an app's and over."""
        if is_app(game.opened.owner) and game.rematch is None and game_phase(game) == "game_over":
            self.note_end(game_id, game)

    def note_end(self, game_id: GameId, game: Game) -> None:
        """Announce a game that this process ended, if it is an app's."""
        if is_app(game.opened.owner) and len(self._waiting) < MAX_WAITING and not self._closed:
            self._waiting[game_id] = game.opened.owner
            if self._announcing is None or self._announcing.done():
                self._announcing = self._start(self._announce_waiting())

    async def withdraw(self, game_id: GameId, game: Game) -> None:
        """Delete a game that no caller knows. Its app sees it neither open nor finished.

        Errors: Refusal.
        """
        if is_app(game.opened.owner):
            await ask_store(self._store.announce(game.opened.owner, game_id, b"", self._ttl))
        await self._repository.drop(game_id)

    async def list_open(self, app: Caller, after: int, limit: int) -> list[tuple[IndexedGame, Game | None]]:
        """List an app's games in the index behind a place, with None for games that turn out to be over.

        Errors: Refusal.
        """
        listed = await ask_store(self._store.list_open(app, after, limit))
        games = await gather(*(self._settle(app, each.game, each.at) for each in listed))
        return [*zip(listed, games, strict=True)]

    async def find(self, app: Caller, after: Revision | None, limit: int, seconds: int) -> FoundGames:
        """Return an app's finished games behind a place in its feed; if there are none, wait for some.

        If the store lost the place, the feed begins again: a game may come twice, but none is left out.
        Errors: Refusal.
        """
        found = await self._load(app, after, limit)
        if found.entries or not seconds or self._closed:
            return found
        self._polls.take(app)
        poll = _Poll()
        self._polling.add(poll)
        self._store.watch(GameId(app), poll)
        try:
            with suppress(TimeoutError):
                async with timeout(seconds):
                    # Read again first: a game may have arrived before the watch began.
                    while not (found := await self._load(app, after, limit)).entries and not self._closed:
                        await poll.news.wait()
                        poll.news.clear()
        finally:
            self._store.unwatch(GameId(app), poll)
            self._polling.discard(poll)
            self._polls.give_back(app)
        return found

    async def _load(self, app: Caller, after: Revision | None, limit: int) -> FoundGames:
        seen = 0 if after is None else after.version
        # Read the last seen entry again: if it differs, the store lost it.
        page = await ask_store(self._store.load_feed(app, max(seen - 1, 0), limit + 1))
        if after is not None and _has_lost(page, after):
            after, seen = None, 0
            page = await ask_store(self._store.load_feed(app, 0, limit + 1))
        fresh = page.entries[1 if page.start < seen else 0 :][:limit]
        start = max(seen, page.start)
        places = [revision_of(at, entry) for at, entry in enumerate(fresh, start + 1)]
        dropped = max(page.first - seen, 0) if after else 0
        behind = places[-1] if places else after
        return FoundGames([*zip(fresh, places, strict=True)], behind, start + len(fresh) < page.end, dropped)

    async def _settle(self, app: Caller, game_id: GameId, at: int) -> Game | None:
        """Return a game of an app's index. Return None if it is over: then it has been announced.

        Unit: `at`, when it entered the index, in milliseconds.
        Errors: Refusal.
        """
        game = await self._load_open(game_id)
        if game is not None and game_phase(game) != "game_over":
            return game
        ended = None if game else await ask_store(self._store.load_ended(game_id))
        if game is None and ended is None and self._clock() - at < ORPHAN_SECONDS * 1000:
            return None  # it may be there soon
        finished = await self._write_end(game_id, ended or [b""]) if game or ended else None
        entry = b"" if finished is None else pack_ended(finished)
        dropped = await ask_store(self._store.announce(app, game_id, entry, self._ttl))
        if dropped is not None:
            _NO_ROOM.inc(dropped)
            _LOST.inc(ended == [])
            if finished is not None:
                _FINISHED[finished.outcome].inc()
        if ended:
            await ask_store(self._store.forget_ended(game_id))
        return None

    async def _write_end(self, game_id: GameId, ended: list[bytes]) -> EndedGame:
        """Write how a game ended, from its log or, after its end, from the log kept aside.

        Errors: Refusal.
        """
        writer, (*log, mark) = EndWriter(), ended
        await self._repository.walk(game_id, writer.add, entries=log)
        return writer.write(game_id, mark)

    async def _load_open(self, game_id: GameId) -> Game | None:
        """Load a game, and end it if its time is over. Return None if it does not exist.

        Errors: Refusal.
        """
        try:
            game = await self._repository.load(game_id)
        except Refusal as refusal:
            if refusal.code not in _GONE:
                raise
            return None
        is_late = self._clock() > game.expires_at and game_phase(game) != "game_over"
        if is_late and await ask_store(self._store.expire(game_id, game.raw, kept_beyond(game.opened))):
            self._repository.forget(game_id)
            return None
        return game

    async def _announce_waiting(self) -> None:
        """Announce the waiting games one by one. If one fails, the sweep finds it later."""
        while self._waiting:
            game_id = next(iter(self._waiting))
            await self._settle_alone(self._waiting.pop(game_id), game_id, self._clock())

    async def _sweep_all(self) -> None:
        """Sweep the open games of every app at intervals, unless another process does."""
        while True:
            for app in self._list_apps():
                with suppress(Refusal):
                    if await ask_store(self._store.take_sweep(app, SWEEP_SECONDS)):
                        await self._sweep(app)
            await sleep(SWEEP_SECONDS)

    async def _sweep(self, app: Caller) -> None:
        """Find the open games of an app that are over.

        Errors: Refusal, if the index cannot be read.
        """
        after = 0
        while listed := await ask_store(self._store.list_open(app, after, SWEPT_AT_ONCE)):
            for each in listed:
                await self._settle_alone(app, each.game, each.at)
            after = listed[-1].at

    async def _settle_alone(self, app: Caller, game_id: GameId, at: int) -> None:
        """Settle a game, or leave it to the next sweep. A failing game does not delay the others."""
        try:
            await self._settle(app, game_id, at)
        except Exception as exc:  # noqa: BLE001 – one bad game must not stop the sweep
            if not isinstance(exc, Refusal):
                self._log_failed.add(hash_game(game_id), repr(exc))

    def _start(self, work: Coroutine[None, None, None]) -> Task[None]:
        task = create_task(work, context=Context())  # outside the trace of a request
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: Task[None]) -> None:
        """Forget an ended task, and log its failure if it has one."""
        self._tasks.discard(task)
        if not task.cancelled() and (exc := task.exception()) is not None:
            _logger.error("finished games are not announced", exc_info=exc)


def _has_lost(page: FeedPage, after: Revision) -> bool:
    """Return True if a feed is shorter than a caller has seen, or its last seen entry differs."""
    if page.end < after.version:
        return True
    return page.start < after.version and revision_of(after.version, page.entries[0]) != after
