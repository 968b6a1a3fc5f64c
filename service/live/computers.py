"""The computer players of live games: tasks of this process that play and deal when it is their turn.

After a change, the process that made it plays the computer's next card at once. A client follows a game by a stream, a
page of changes or the game itself. Every other process with a follower waits a while, and takes over if no card comes.
So a game survives the death of any process, and nobody polls. Every process computes the same card, and the store
accepts one entry at a version, so the card is played once.

When a limit for moves expires, by the clock of the store, the computer moves for the absent seat in the same way. A
game without followers waits for one.

Each computer's card is charged to one caller: the one whose act made it the computer's turn or, failing that, the
first follower. The price depends only on what everybody sees. While that caller's quota is used up, the computer works
for the next follower of the game, and waits if there is none.
A change of tokens, names or other seats does not interrupt a turn: the deal is the same. A waiting turn keeps only the
deal. The game is loaded when the turn is due and a slot is free; slots go to callers in round-robin order.
"""

from asyncio import Lock, Task, create_task, sleep
from collections.abc import Awaitable, Callable, Mapping
from contextvars import Context
from logging import getLogger
from random import random
from secrets import token_hex
from time import monotonic
from typing import Final, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from msgspec import Struct

from service.game.cards import Card
from service.game.level import LEVELS, Level
from service.game.state import State
from service.live.changes import raise_refusal, read_clock
from service.live.decisions import Append, choose_strip, decide_card
from service.live.entries import AbsentPlayEntry, DealEntry, Milliseconds
from service.live.feed import Feeds
from service.live.log import Game, Step, advance
from service.live.pending_task import TASK_KINDS, Observation, PendingTask, find_task, observe
from service.live.repository import Clock, Repository, ask_store, new_entry_bytes
from service.live.views import view_events
from service.platform.limits import THINKING, TURNS, Account, FairSemaphore
from service.platform.metrics.families import ABSENT_MOVES, COMPUTER_PLAYS, COMPUTER_TURNS_DROPPED, TURNS_OVERDUE
from service.platform.metrics.plays import count_events
from service.schemas.ids import Caller, GameId
from service.schemas.refusal import Refusal

Result = TypeVar("Result")

TAKEOVER_TIMEOUTS: Final[Mapping[Level, float]] = {"easy": 0.2, "medium": 0.3, "hard": 1.5}
RETRY_SECONDS: Final = (0.25, 0.5, 1.0, *[2.0] * 21)
"""Seconds to wait while the store is down; afterwards the next request for the game starts the computer again."""
FIRST_DEAL: Final = 5
"""Factor on the wait before the first deal at a table of several people: until then they may change seats."""
MAX_FOLLOWERS: Final = 8
"""Known followers of a game: if one has used up its quota, the computer works for another."""
OVERDUE_SECONDS: Final = 10.0
"""Seconds after which a missing move is overdue: all waits of a healthy process together take less."""
_COUNTED: Final = {level: COMPUTER_PLAYS.labels(level) for level in LEVELS}
_ABSENT: Final = {kind: ABSENT_MOVES.labels(kind) for kind in TASK_KINDS}
_logger: Final = getLogger(__name__)


class Limits(NamedTuple):
    """The limits of the computer players of a process. Unit: seconds."""

    max_tasks: int = TURNS.in_all
    """Turns under way, each a task of some 3 KB."""
    takeover: Mapping[Level, float] = TAKEOVER_TIMEOUTS
    """By level: how long another process has to play a card before this one does."""
    deal: float = 3.0
    """The time before the computer deals: people can look, add entropy, or deal as the host."""
    ahead: float = 90.0
    """The longest wait for a time limit to expire; beyond it, the next follower begins a new task."""


LIMITS: Final = Limits()


class QuotaResult(Protocol):
    """The result of charging a quota: seconds to wait, 0 if the request is admitted."""

    @property
    def retry_after(self) -> int:
        """Return the seconds."""
        ...


class Quota(Protocol):
    """The quota of every caller."""

    async def try_consume(self, caller: Caller) -> QuotaResult:
        """Charge a caller for one request, unless its quota is used up."""
        ...

    async def consume(self, caller: Caller, requests: int) -> QuotaResult:
        """Charge an admitted caller for more requests."""
        ...


class Choice(NamedTuple):
    """A card that a computer player chose, and how many requests it costs beyond the first."""

    card: Card
    cost: int


class Player(Protocol):
    """A computer player: it sees what its seat sees and nothing else."""

    async def choose(self, seen: Observation, level: Level, caller: Caller) -> Choice:
        """Choose a card; its CPU time is charged to a caller."""
        ...


class _Job(Struct, eq=False):
    """A task of the computer in one game, charged to a caller.

    It ends when the deal in play or the pending act changes.
    """

    game_id: GameId
    """The game."""
    state: State | None
    """The deal in play when the task began; None before the first deal."""
    pending: PendingTask
    """What is to do."""
    caller: Caller
    """The caller who is charged for it."""
    followers: tuple[Caller, ...]
    """Other followers of the game, charged next."""
    at_once: bool
    """False while the task waits for another process to act."""
    is_appending: bool = False
    """True once the act may have been done."""
    unpaid: bool = False
    """True while the quota of the caller is used up."""
    begun_at: float = 0.0
    """When it was due, in seconds of the process's clock; 0 before."""
    task: Task[None] | None = None
    """The asyncio task; None until it is made."""

    def is_to_do(self, game: Game) -> bool:
        """Return True if the same act is pending in a game; its seats may have changed."""
        return find_task(game) == self.pending and game.state == self.state


class Computers:
    """The computer players of this process.

    Shape: `quota` is None if there is none; `feeds` is told of games that the computer ends; it may be None.
    """

    def __init__(
        self,
        repository: Repository,
        clock: Clock,
        player: Player,
        quota: Quota | None = None,
        limits: Limits = LIMITS,
        feeds: Feeds | None = None,
    ) -> None:
        self._repository = repository
        self._clock = clock
        self._player = player
        self._quota = quota
        self._limits = limits
        self._feeds = feeds
        self._turns = Account(TURNS, limits.max_tasks)
        self._thinking = FairSemaphore(THINKING)
        self._jobs: dict[GameId, _Job] = {}
        self._locks: WeakValueDictionary[Caller, Lock] = WeakValueDictionary()
        self._closed = False
        TURNS_OVERDUE.set_function(self._count_overdue)

    def start_now(self, game_id: GameId, game: Game, caller: Caller) -> None:
        """Let the computer act at once in a game that this process has just changed for a caller."""
        self._begin(game_id, game, caller, at_once=True)

    def start_after_timeout(self, game_id: GameId, game: Game, caller: Caller) -> None:
        """Let the computer act in a game that a caller follows, unless another process does so in time."""
        self._begin(game_id, game, caller, at_once=False)

    def close(self) -> None:
        """Stop. Other processes take over, or this one after a restart, once somebody follows the game."""
        self._closed = True
        for job in self._jobs.values():
            if job.task is not None:
                job.task.cancel()

    def _begin(
        self, game_id: GameId, game: Game, caller: Caller, *, at_once: bool, followers: tuple[Caller, ...] = ()
    ) -> None:
        game = self._repository.remembered(game_id) or game  # others may have seen more
        known = self._jobs.get(game_id)
        if self._closed or (known is not None and self._goes_on(known, game, caller, at_once=at_once)):
            return
        if known is not None:
            followers = (known.caller, *known.followers)
            self._forget(known)
            if known.task is not None and not known.is_appending:
                known.task.cancel()
        pending = find_task(game)
        if pending is None:
            return
        if not self._turns.try_take(caller):
            COMPUTER_TURNS_DROPPED.inc()
            return
        others = tuple(dict.fromkeys(each for each in followers if each != caller))[:MAX_FOLLOWERS]
        job = self._jobs[game_id] = _Job(game_id, game.state, pending, caller, others, at_once)
        job.task = create_task(self._run(job), context=Context())  # outside the request's trace
        job.task.add_done_callback(lambda task: self._end(job, task))

    @staticmethod
    def _goes_on(known: _Job, game: Game, caller: Caller, *, at_once: bool) -> bool:
        """Return True if a job will do the pending act, for its caller or for another follower."""
        # An event stream may show this process its own change before the store acknowledges it.
        if not known.is_to_do(game) or (at_once and not known.at_once) or (known.unpaid and caller != known.caller):
            return False
        if caller != known.caller and caller not in known.followers:
            known.followers = (*known.followers, caller)[-MAX_FOLLOWERS:]
        return True

    def _count_overdue(self) -> int:
        """Count the overdue jobs; called by the thread that writes the metrics."""
        since = monotonic() - OVERDUE_SECONDS
        return sum([0 < job.begun_at < since and not job.unpaid for job in tuple(self._jobs.values())])

    def _end(self, job: _Job, task: Task[None]) -> None:
        """Forget an ended job, and log its failure if it has one."""
        self._forget(job)
        if not task.cancelled() and (exc := task.exception()) is not None:
            _logger.error("a computer player failed", exc_info=exc)

    def _forget(self, job: _Job) -> None:
        if self._jobs.get(job.game_id) is job:
            del self._jobs[job.game_id]
            self._turns.give_back(job.caller)

    async def _run(self, job: _Job) -> None:
        """Wait, act unless somebody did so meanwhile, and see what comes next."""
        try:
            if not await self._await_limit(job):
                return
            job.begun_at, wait = monotonic(), self._find_wait(job)
            await sleep(wait)
            waited = await self._await_quota(job) or wait > 0 or job.pending.due_at is not None
            now, step = await _retry(lambda: self._decide(job, waited=waited))
            job.is_appending = True
            if step is not None:
                now = await _retry(lambda: self._repository.append(job.game_id, step))
        except Refusal:
            return  # the game is gone, or the store is down for long
        made = step is not None and step.game.raw == now.raw
        if step is not None and made:
            _count(job, step)
            if self._feeds is not None:
                self._feeds.note(job.game_id, now)
        self._forget(job)
        at_once = made or (step is not None and job.is_to_do(now))  # a seat may have changed meanwhile
        self._begin(job.game_id, now, job.caller, at_once=at_once, followers=job.followers)

    async def _await_limit(self, job: _Job) -> bool:
        """Wait until an absent seat's time is over. Return False if that is too far ahead.

        Errors: Refusal.
        """
        due_at = job.pending.due_at
        while due_at is not None and (left := due_at - await _retry(lambda: self._read_store_clock(job))) > 0:
            if left > self._limits.ahead * 1000:
                return False
            await sleep(left / 1000)
        return True

    def _read_store_clock(self, job: _Job) -> Awaitable[Milliseconds]:
        return ask_store(self._repository.store.read_clock(job.game_id))

    def _find_wait(self, job: _Job) -> float:
        """Return how many seconds this process waits before it begins; processes wait for different times."""
        wait = self._limits.deal if job.pending.kind == "deal" and job.pending.due_at is None else 0.0
        wait *= FIRST_DEAL if job.pending.among_people else 1
        spread = 1 + random() / 2  # noqa: S311 – guessing it gains nothing
        return wait if job.at_once else wait + self._limits.takeover[job.pending.level] * spread

    async def _await_quota(self, job: _Job) -> bool:
        """Charge a card to the caller as a request, waiting for its quota. Return True if it had to wait.

        While it is used up, the next follower of the game pays for the card.
        """
        if self._quota is None or job.pending.kind != "play":
            return False
        lock, waited = self._locks.setdefault(job.caller, Lock()), False
        job.unpaid = lock.locked()
        async with lock:  # only one of many waiters asks
            while (result := await self._quota.try_consume(job.caller)).retry_after:
                waited = job.unpaid = True
                if not self._pass_on(job):
                    await sleep(result.retry_after)
            job.unpaid = False
        return waited

    def _pass_on(self, job: _Job) -> bool:
        """Pass a job to the next follower of the game. Return False if none has room for one more."""
        caller = next(filter(self._turns.may_take, job.followers), None)
        if caller is None:
            return False
        self._turns.take(caller)
        self._turns.give_back(job.caller)
        job.caller, job.followers = caller, tuple([each for each in job.followers if each != caller])
        return True

    async def _decide(self, job: _Job, *, waited: bool) -> tuple[Game, Step | None]:
        """Return the game, and the step to append; None if the game has moved on.

        Errors: Refusal, also if no step can be made, which means that the log is damaged.
        """
        async with self._thinking.hold(job.caller):
            game = None if waited else self._repository.remembered(job.game_id)
            if game is None or not job.is_to_do(game):
                game = await self._repository.load(job.game_id)
            if not job.is_to_do(game):
                return game, None
            decided = await self._choose_card(job, game) if job.pending.kind == "play" else _decide_deal(game)
            if isinstance(decided, Refusal):
                raise_refusal(decided)
            at = await read_clock(self._repository.store, self._clock, job.game_id, game.opened.move_seconds)
            return game, advance(game, decided.entry, new_entry_bytes(decided.entry, at), decided.played)

    async def _choose_card(self, job: _Job, game: Game) -> Append | Refusal:
        """Choose the card to play, from what the seat sees and nothing else, and charge the caller for it."""
        seat = job.pending.seat
        card, cost = await self._player.choose(observe(game, seat), job.pending.level, job.caller)
        if self._quota is not None and cost:
            await self._quota.consume(job.caller, cost)
        if job.pending.due_at is not None:
            return Append(AbsentPlayEntry(seat, card), seat)
        return decide_card(game, seat, card)


def _decide_deal(game: Game) -> Append | Refusal:
    strip = choose_strip(game, None, threes=False)
    if isinstance(strip, Refusal):
        return strip
    return Append(DealEntry(strip, threes=False, secret=token_hex(32)), "host")


def _count(job: _Job, step: Step) -> None:
    """Count a card that the computer played, and acts for an absent seat."""
    if job.pending.due_at is not None:
        _ABSENT[job.pending.kind].inc()
    if job.pending.kind == "play" and step.before is not None:
        count_events(step.game.opened.rules, step.game.table, step.before.trump, view_events(step, None))
        _COUNTED[job.pending.level].inc()


async def _retry(call: Callable[[], Awaitable[Result]]) -> Result:
    """Call the store, and retry while it is down.

    Errors: Refusal, if that takes too long, or for any other reason.
    """
    for pause in RETRY_SECONDS:
        try:
            return await call()
        except Refusal as refusal:
            if refusal.code not in {"store_down", "store_full", "share_used_up"}:
                raise
        await sleep(pause)
    return await call()
