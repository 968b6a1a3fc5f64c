"""The computer players of live games: tasks of this process that play and deal when it is their turn.

The process that has made a change goes on at once where the computer is next. Every other one that sees the game, in a
stream or by any call, waits for a while, and takes over if nothing has come: so a game goes on whichever process dies,
and none asks for it at intervals. All come to the same card, and only one line follows another: it is played once.

The computer works for the caller who made it its turn, or saw the game first: a card counts for the quota of this
caller like a suggestion, and waits for it; callers have their places to think by turns.
"""

from asyncio import Lock, Task, create_task, sleep
from collections.abc import Callable, Iterator
from contextvars import Context
from itertools import chain, repeat
from logging import getLogger
from random import random
from typing import Final
from weakref import WeakValueDictionary

from service.cards import Card
from service.computing.capacity import CapacityLimiter, FairSemaphore
from service.computing.thinking import NODES_PER_REQUEST, think
from service.games.computers import Duty, deal_cards, find_duty, find_sight, play_card
from service.games.log import Game, Step
from service.games.repository import Clock, Repository
from service.games.views import view_change
from service.http.caller import CALLER
from service.http.middleware.rate_limit import RateLimit
from service.metrics.families import COMPUTER_PLAYS, COMPUTER_TURNS_DROPPED
from service.players.player import EFFORTS, Level
from service.wire.refusal import Refusal

AT_ONCE: Final = 8
"""Computer players who think at once, half of them for one caller, at most; the others wait."""
TURNS_AT_MOST: Final = 4000
"""Turns of the computer that are begun and wait, half of them for one caller, at most: some 5 KB each."""
PATIENCE: Final[dict[Level, float]] = {"easy": 0.2, "medium": 0.3, "hard": 1.5}
"""Seconds that another process has for a card before this one takes over: more than it takes to think of it."""
DEAL_SECONDS: Final = 3.0
"""Seconds before the computer deals, in which others may look, add entropy, or deal themselves as the host."""
RETRY_SECONDS: Final = (0.25, 0.5, 1.0, 2.0)
"""Seconds to wait while the store is away; then whoever sees the game again lets the computer go on."""
RETRIES: Final = 20
_COUNTED: Final = {level: COMPUTER_PLAYS.labels(level) for level in EFFORTS}
_logger: Final = getLogger(__name__)


class _Turn:
    """What the computer does in one game, after a line of its log, for a caller.

    Shape: `at_once` is False while it waits for other processes to do it; `writes` is True once it may be done already.
    """

    def __init__(self, line: bytes, caller: str, *, at_once: bool) -> None:
        self.line = line
        self.caller = caller
        self.at_once = at_once
        self.writes = False
        self.task: Task[None] | None = None


class Computers:
    """The computer players of this process.

    Shape: `count` counts what is in an answer, as metrics do, for nobody asks for what the computer does; `quota` is
    None if there is none.
    """

    def __init__(
        self,
        repository: Repository,
        clock: Clock,
        count: Callable[[object, object], None],
        quota: RateLimit | None = None,
    ) -> None:
        self._repository = repository
        self._quota = quota
        self._clock = clock
        self._count = count
        self._places = FairSemaphore(AT_ONCE)
        self._room = CapacityLimiter(TURNS_AT_MOST)
        self._turns: dict[str, _Turn] = {}
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        self._closed = False
        repository.observer = self.see

    def see(self, game_id: str, game: Game, *, changed: bool) -> None:
        """Begin what the computer has to do in a game, unless that is under way."""
        known = self._turns.get(game_id)
        # An event stream may have shown this process what it has itself changed, before that was acknowledged.
        if self._closed or (known is not None and known.line == game.line and (known.at_once or not changed)):
            return
        if known is not None:
            self._forget(game_id, known)
            if known.task is not None and not known.writes:
                known.task.cancel()
        duty = find_duty(game)
        if duty is None:
            return
        caller = CALLER.get()
        if not self._room.try_acquire(caller):
            COMPUTER_TURNS_DROPPED.count()
            return
        self._begin(game_id, game, duty, _Turn(game.line, caller, at_once=changed))

    def _begin(self, game_id: str, game: Game, duty: Duty, turn: _Turn) -> None:
        self._turns[game_id] = turn
        context = Context()  # not in the trace of the request that saw the game
        context.run(CALLER.set, turn.caller)
        turn.task = create_task(self._act(game_id, game, duty, turn), context=context)
        turn.task.add_done_callback(lambda task: self._end(game_id, turn, task))

    def close(self) -> None:
        """Stop: other processes take over, or this one when it is back and somebody looks at the game."""
        self._closed = True
        for turn in self._turns.values():
            if turn.task is not None:
                turn.task.cancel()

    def _end(self, game_id: str, turn: _Turn, task: Task[None]) -> None:
        """Forget a task that has ended, and log why if it failed."""
        self._forget(game_id, turn)
        if not task.cancelled() and (exc := task.exception()) is not None:
            _logger.error("a computer player failed", exc_info=exc)

    def _forget(self, game_id: str, turn: _Turn) -> None:
        if self._turns.get(game_id) is turn:
            del self._turns[game_id]
            self._room.release(turn.caller)

    async def _act(self, game_id: str, game: Game, duty: Duty, turn: _Turn) -> None:
        """Wait, and do what there is to do if nobody has done it by then."""
        wait = _wait_for(duty, at_once=turn.at_once)
        await sleep(wait)
        card: Card | None = None
        for pause in _pauses():
            chooses = duty.task == "play" and card is None
            try:
                waited = (chooses and await self._await_quota(turn.caller)) or wait > 0
                if waited and (await self._repository.load(game_id)).line != game.line:
                    return
                card = await self._choose(game, duty, turn.caller) if chooses else card
                turn.writes = True
                self._note(duty, await self._do(game_id, game, card))
            except Refusal as refusal:
                if refusal.code not in {"store_down", "store_full"}:
                    return  # the game is gone
            else:
                return
            turn.writes = False
            await sleep(pause)

    async def _await_quota(self, caller: str) -> bool:
        """Count a card as a request of a caller, once the quota is not used up. Return True if that took a while."""
        waited = False
        if self._quota is not None:
            async with self._locks.setdefault(caller, Lock()):  # of many who wait, one asks
                while (standing := await self._quota.admit(caller)) and standing.wait:
                    waited = True
                    await sleep(standing.wait)
        return waited

    async def _choose(self, game: Game, duty: Duty, caller: str) -> Card:
        """Choose the card to play, from what the seat sees and nothing else, and charge the caller for it."""
        sight = find_sight(game, duty.seat)
        found = await think(self._places, caller, sight.state, duty.level, sight.seed, sight.played)
        if self._quota is not None and (more := found.nodes // NODES_PER_REQUEST):
            await self._quota.charge_more(caller, more)
        return found.options[0].card

    async def _do(self, game_id: str, game: Game, card: Card | None) -> Step | None:
        if card is None:
            return await deal_cards(self._repository, game_id, game, self._clock())
        return await play_card(self._repository, game_id, game, card, self._clock())

    def _note(self, duty: Duty, step: Step | None) -> None:
        """Count what was done; None if another process or a person was first."""
        if step is None:
            return
        self._count(None, view_change(step, None))
        if duty.task == "play":
            _COUNTED[duty.level].count()


def _wait_for(duty: Duty, *, at_once: bool) -> float:
    """Return for how many seconds this process waits before it does a duty, not all processes for the same time."""
    wait = DEAL_SECONDS if duty.task == "deal" else 0.0
    return wait if at_once else wait + PATIENCE[duty.level] * (1 + random() / 2)  # noqa: S311 – nobody gains by it


def _pauses() -> Iterator[float]:
    return chain(RETRY_SECONDS, repeat(RETRY_SECONDS[-1], RETRIES))
