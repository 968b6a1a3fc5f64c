"""Live games: opening, viewing, dealing, playing, deleting. Each change is one entry in the log of a game.

A change that is requested again, at the version at which it was made, gets the same answer again.
"""

from collections.abc import Callable
from secrets import token_hex
from typing import NamedTuple

from service.cards import Card, CardCode, parse_mask
from service.faults import HandNotSeen, NoRevokePenalty, NotPlaying
from service.games.entries import CardPlayed, Dealt, EntropyAdded, Milliseconds, Resigned
from service.games.log import Game, Step, advance, dealer_next, played_step
from service.games.opening import NewGame, Opening, draw_opening
from service.games.refusals import (
    choose_strip,
    refuse_resigned,
    refuse_unreadable,
    require_no_deal,
    require_revision,
    resigning_seat,
)
from service.games.repository import Clock, Repository, answered, write_line
from service.games.tokens import Bearer, require_bearer, require_seat
from service.games.views import game_phase
from service.revision import Revision
from service.rules import play
from service.rulesets import Seat
from service.wire.refusal import ProblemCode, Refusal, refuse, refuse_turn


class Played(NamedTuple):
    """A card that was played; `repeated` is True if an earlier call has played it."""

    step: Step
    seat: Seat
    repeated: bool


class LiveGames:
    """The operations on live games.

    Shape: a `token` is None for a spectator; a `revision` is None if the caller names none, and NOTHING if it names
    something else; `clock` returns the time, in milliseconds since 1970 began.
    """

    def __init__(self, repository: Repository, clock: Clock) -> None:
        self._repository = repository
        self._clock = clock

    async def open(self, wanted: NewGame, caller: str, key: str | None) -> Opening:
        """Open a game: seat the players, draw for the first dealer, commit to the first shuffle.

        Errors: Refusal.
        """
        opening = await draw_opening(self._repository.store, wanted, caller, key, self._clock())
        # A repeated request finds its game made already, even if it is gone by now, and is answered as the first was.
        create = self._repository.store.create
        kept = await answered(create(opening.secrets.game, opening.line, wanted.ttl, opening.once, caller))
        if kept and wanted.computers:
            await self._repository.load(opening.secrets.game)  # so that the computer sees what it has to do
        return opening._replace(line=kept or opening.line)

    async def find(self, game_id: str, token: str | None) -> tuple[Game, Bearer]:
        """Return a game as it is now, and the bearer of the token.

        Errors: Refusal, if there is no such game, or the token is not one of it.
        """
        game = await self._repository.load(game_id)
        return game, require_bearer(game, token)

    async def add_entropy(
        self, game_id: str, token: str | None, revision: Revision | None, entropy: str
    ) -> tuple[Step, Seat]:
        """Add a seat's entropy to the next shuffle. The same entropy once more changes nothing.

        Errors: Refusal.
        """
        game = await self._repository.load(game_id)
        entry = EntropyAdded(require_seat(game, token), entropy)
        refuse_unreadable(revision)
        if revision is not None and revision != game.revision:
            return await self._find_made(game_id, revision, lambda step: step.entry == entry), entry.seat
        require_no_deal(game)
        given = game.entropy[entry.seat]
        if given == entropy:
            steps = await self._repository.steps(game_id)
            return next(step for step in reversed(steps) if step.entry == entry), entry.seat
        if given:
            raise Refusal("entropy_given", f"Seat {entry.seat} has added to the next shuffle already.")
        step = advance(game, write_line(entry, self._clock()))
        if await self._repository.append(game_id, step):
            return step, entry.seat
        return await self.add_entropy(game_id, token, revision, entropy)

    async def deal(
        self,
        game_id: str,
        token: str | None,
        revision: Revision | None,
        strip: tuple[CardCode, ...] | None,
        *,
        threes: bool,
    ) -> tuple[Step, Bearer]:
        """Deal the next deal.

        Errors: Refusal.
        """
        game = await self._repository.load(game_id)
        bearer = require_bearer(game, token)
        if bearer == "spectator":
            raise Refusal("token_missing", "To deal needs the dealer's token or the host's.")
        refuse_unreadable(revision)
        if revision is not None and revision != game.revision:

            def same(step: Step) -> bool:
                return _is_deal(step, bearer, strip, threes=threes)

            return await self._find_made(game_id, revision, same), bearer
        if bearer not in {"host", dealer_next(game)}:
            raise Refusal("wrong_token", f"Seat {dealer_next(game)} deals, or the host does.")
        dealt = Dealt(choose_strip(game, strip, threes=threes), threes, token_hex(32))
        step = advance(game, write_line(dealt, self._clock()))
        if await self._repository.append(game_id, step):
            return step, bearer
        return await self.deal(game_id, token, revision, strip, threes=threes)

    async def play(self, game_id: str, token: str | None, revision: Revision | None, card: Card) -> Played:
        """Play a card on the revision that the player saw.

        Errors: Refusal.
        """
        game = self._repository.remembered(game_id)
        from_memory = game is not None and game.revision == revision
        if game is None or not from_memory:
            game = await self._repository.load(game_id)
        try:
            seat = require_seat(game, token)
            revision = require_revision(revision)
            step = (
                _play_card(game, CardPlayed(seat, card), self._clock())
                if from_memory or revision == game.revision
                else None
            )
        except Refusal:
            # What is remembered may be the past: only what holds now is refused.
            if from_memory and await self._repository.load(game_id) is not game:
                return await self.play(game_id, token, revision, card)
            raise
        if step is None:
            entry = CardPlayed(seat, card)
            made = await self._find_made(game_id, revision, lambda step: step.entry == entry)
            return Played(made, seat, repeated=True)
        if await self._repository.append(game_id, step):
            return Played(step, seat, repeated=False)
        return await self.play(game_id, token, revision, card)

    async def resign(self, game_id: str, token: str | None, revision: Revision | None, seat: Seat | None) -> Step:
        """Resign for a seat: its own, or, for the host, one that is gone.

        Errors: Refusal.
        """
        game = await self._repository.load(game_id)
        entry = Resigned(resigning_seat(game, token, seat))
        refuse_unreadable(revision)
        if revision is not None and revision != game.revision:
            return await self._find_made(game_id, revision, lambda step: step.entry == entry)
        if game.state is None:
            raise Refusal("not_dealt", "No cards are dealt yet.")
        if game_phase(game) == "game_over":
            raise Refusal("game_over", "The game is over.")
        step = advance(game, write_line(entry, self._clock()))
        if await self._repository.append(game_id, step):
            return step
        return await self.resign(game_id, token, revision, seat)

    async def read(self, game_id: str, token: str | None) -> list[Step]:
        """Return every step of a game.

        Errors: Refusal.
        """
        await self.find(game_id, token)
        return await self._repository.steps(game_id)

    async def list_changes(
        self, game_id: str, token: str | None, after: Revision | None
    ) -> tuple[Game, Bearer, list[Step] | None]:
        """Return the game, and its steps after a revision; None in their place if the game has no such revision.

        Errors: Refusal.
        """
        game, bearer = await self.find(game_id, token)
        steps = None if after is None else await self._repository.steps_after(game_id, after, game.revision)
        return game, bearer, steps

    async def delete(self, game_id: str, token: str | None) -> None:
        """Delete a game.

        Errors: Refusal.
        """
        _, bearer = await self.find(game_id, token)
        if bearer != "host":
            code: ProblemCode = "token_missing" if bearer == "spectator" else "wrong_token"
            raise Refusal(code, "To delete a game needs the host's token.")
        await self._repository.drop(game_id)

    async def _find_made(self, game_id: str, revision: Revision, same: Callable[[Step], bool]) -> Step:
        """Return the change that was made at a revision, if it is the same.

        Errors: Refusal, if it is another one, none was made, or the game has no such revision.
        """
        latest = await self._repository.load(game_id)
        made = await self._repository.steps_after(game_id, revision, latest.revision)
        if made and same(made[0]):
            return made[0]
        detail = f"The game has moved on: it is at version {latest.revision}."
        if made is None:
            detail = (
                f"The game has no version {revision}; if you saw it, the store has lost it since. It is at version "
                f"{latest.revision}."
            )
        raise Refusal("stale_version", detail, fact=latest.revision)


def _play_card(game: Game, entry: CardPlayed, at: Milliseconds) -> Step:
    """Play a card.

    Errors: Refusal, if there is no deal, it is another seat's turn, or the card may not be played.
    """
    state = game.state
    if state is None:
        raise Refusal("not_dealt", "No cards are dealt yet.")
    refuse_resigned(game)
    if game.computers and game.computers[entry.seat] is not None:
        raise Refusal("computer_plays", f"The computer plays seat {entry.seat}. Take the seat back first.")
    if state.seat_to_play != entry.seat and game_phase(game) == "playing":
        raise refuse_turn(state.seat_to_play, entry.seat)
    try:
        played = play.play(state, entry.card, game.opened.on_revoke)
    except (play.IllegalPlay, NotPlaying, HandNotSeen, NoRevokePenalty) as exc:
        raise refuse(exc, "card") from exc
    return played_step(game, write_line(entry, at), played)


def _is_deal(step: Step, bearer: Bearer, strip: tuple[CardCode, ...] | None, *, threes: bool) -> bool:
    """Return True if a step is a deal of this bearer, with the strip that is asked for."""
    entry, state = step.entry, step.game.state
    if not isinstance(entry, Dealt) or state is None or bearer not in {"host", state.dealer}:
        return False
    return entry.threes == threes and (strip is None or parse_mask(strip) == entry.strip)
