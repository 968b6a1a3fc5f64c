"""The change of a live game: load, decide, append; retry on conflict."""

from functools import partial
from typing import Final, NoReturn

from service.live.decisions import Append, Applied, Decide, Repeat
from service.live.entries import Milliseconds
from service.live.log import Game, Step, advance
from service.live.repository import Clock, Repository, ask_store, new_entry_bytes
from service.live.store.protocol import Store
from service.schemas.ids import GameId
from service.schemas.refusal import Refusal
from service.schemas.revision import Revision
from service.schemas.scalars import MoveSeconds

MAX_ATTEMPTS: Final = 20
"""Retries after losing a race, before giving up; more than there are players and computers at a table."""
TOO_BUSY: Final = "The game changes too fast. The change was not made: ask again."


async def change(
    repository: Repository, clock: Clock, game_id: GameId, decide: Decide, seen: Revision | None = None
) -> Applied:
    """Change a game as `decide` says, or return the change that an earlier request has made.

    A game cached at the caller's revision is not loaded: if it is stale, the append fails. After a failed append,
    decide again on the latest game.
    Errors: Refusal.
    """
    game, is_latest = repository.remembered(game_id), False
    if game is None or game.revision != seen:
        game, is_latest = await repository.load(game_id), True
    for _ in range(MAX_ATTEMPTS):
        decided = decide(game)
        if isinstance(decided, Append):
            at = await read_clock(repository.store, clock, game_id, game.opened.move_seconds)
            step = advance(game, decided.entry, new_entry_bytes(decided.entry, at), decided.played)
            game, is_latest = await repository.append(game_id, step), True
            if game is step.game:
                return Applied(step, decided.role)
        elif not is_latest:
            game, is_latest = await repository.load(game_id), True
        elif isinstance(decided, Repeat):
            return await _find_applied(repository, game_id, game, decided)
        elif isinstance(decided, Applied):
            return decided
        else:
            raise_refusal(decided)
    raise Refusal("too_busy", TOO_BUSY)


async def read_clock(store: Store, clock: Clock, game_id: GameId, move_seconds: MoveSeconds | None) -> Milliseconds:
    """Return the time for the next entry of a game: the store's clock if moves have a time limit.

    Errors: Refusal.
    """
    return clock() if move_seconds is None else await ask_store(store.read_clock(game_id))


async def _find_applied(repository: Repository, game_id: GameId, latest: Game, repeat: Repeat) -> Applied:
    """Return the change that a request repeats.

    Errors: Refusal, if its revision was followed by a different change or by none, or does not exist.
    """
    revision, steps, same = repeat.revision, None, list[Step]()
    if revision is None:
        await repository.walk(game_id, partial(_keep_same, same, repeat))
    else:
        _, steps = await repository.steps_after(game_id, revision, latest.revision)
        same = [step for step in (steps or ())[:1] if repeat.is_same(step)]
    if same:
        return Applied(same[0], repeat.role, repeated=True)
    detail = f"The game has moved on: it is at version {latest.revision}."
    if steps is None:
        lost = "if you saw it, the store has lost it since"
        detail = f"The game has no version {revision}; {lost}. It is at version {latest.revision}."
    raise Refusal("stale_version", detail, fact=latest.revision)


def _keep_same(same: list[Step], repeat: Repeat, step: Step) -> None:
    """Remember the last step that matches the repeated request."""
    if repeat.is_same(step):
        same[:] = [step]


def raise_refusal(refusal: Refusal) -> NoReturn:
    """Raise a copy of a refusal: raising an object that a frame still holds would make a reference cycle."""
    raise Refusal(refusal.code, refusal.detail, refusal.errors, refusal.fact)
