"""Live games: open, see, stir, deal, play, record, delete. Each change is one entry of the game's log."""

from collections.abc import Callable
from contextlib import suppress
from secrets import token_hex
from typing import Final, NamedTuple

from service.api import game_bodies, questions
from service.api.game_calls import Call, etag, knows, seat_of, stale
from service.api.game_views import game_phase, view_change, view_game, write_record
from service.cards import NUMBER, Card, parse_mask
from service.faults import HandNotSeen, NoRevokePenalty, NotPlaying
from service.games.log import (
    CardPlayed,
    Dealt,
    EntropyAdded,
    Game,
    Step,
    advance,
    dealer_next,
    played_step,
)
from service.games.opening import draw_opening
from service.games.repository import Repository, answered, write_line
from service.games.tokens import Bearer
from service.http.problems import ProblemCode, Refusal
from service.metrics import plays
from service.rules import play
from service.rulesets import Seat

DEALS_AT_MOST: Final = 100
"""As many as a record may hold. Only revokes that cost every deal its points make a game so long."""


class Reply(NamedTuple):
    """An answer with its status and the headers of its own."""

    answer: object
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()


def _versioned(answer: object, version: int, status: int = 200) -> Reply:
    return Reply(answer, status, ((b"etag", etag(version).encode()),))


class Games:
    """The calls on live games, over a keeper."""

    def __init__(self, keeper: Repository) -> None:
        self._keeper = keeper

    async def create(self, call: Call, body: game_bodies.NewGame) -> Reply:
        """Open a game: seat the players, draw for the first deal, commit to its shuffle."""
        opening, once = await draw_opening(self._keeper.store, body, call.headers.get("idempotency-key"))
        game = opening.secrets.game
        # A repeated request finds its game made already, even if it is gone by now, and is answered as the first was.
        await answered(self._keeper.store.create(game, write_line(opening.entry), body.ttl, once))
        answer = game_bodies.OpenedGame(game, 1, opening.secrets.seats, opening.secrets.host)
        return Reply(answer, 201, ((b"location", f"/v1/games/{game}".encode()), (b"etag", etag(1).encode())))

    async def see(self, call: Call, _: None) -> Reply:
        """Show a game to the bearer."""
        game = await self._keeper.load(call.game)
        seat = seat_of(call.bearer(game))
        if knows(call, game.version):
            return _versioned(None, game.version, 304)
        return _versioned(view_game(call.game, game, seat), game.version)

    async def stir(self, call: Call, body: game_bodies.NewEntropy) -> Reply:
        """Add a seat's entropy to the next shuffle, once; the same once more changes nothing."""
        game = await self._keeper.load(call.game)
        seat, version = call.seat(game), call.version()
        entry = EntropyAdded(seat, body.entropy)
        if version is not None and version != game.version:
            return _stirred((await self._made(call, version, lambda step: step.entry == entry)).game)
        _require_no_deal(game)
        if game.entropy[seat] == body.entropy:
            return _stirred(game)
        if game.entropy[seat]:
            raise Refusal("entropy_given", f"Seat {seat} has added to the next shuffle already.")
        step = advance(game, write_line(entry))
        return _stirred(step.game) if await self._keeper.append(call.game, step) else await self.stir(call, body)

    async def deal(self, call: Call, body: game_bodies.NewDeal) -> Reply:
        """Deal the next deal; the same call at the same version once more is answered as the first time."""
        game = await self._keeper.load(call.game)
        bearer = call.bearer(game)
        if bearer == "spectator":
            raise Refusal("token_missing", "To deal needs the dealer's token or the host's.")
        version = call.version()
        if version is not None and version != game.version:
            step = await self._made(call, version, lambda step: _dealt(step, bearer, body))
            return _changed(step, seat_of(bearer), 201)
        if bearer not in {"host", dealer_next(game)}:
            raise Refusal("wrong_token", f"Seat {dealer_next(game)} deals, or the host does.")
        _require_no_deal(game)
        questions.require_threes(game.table, asked=body.three_at_a_time)
        strip = questions.choose_strip(body.strip, game.table, questions.usual_strip(game.table, game.state))
        step = advance(game, write_line(Dealt(strip, body.three_at_a_time, token_hex(32))))
        if not await self._keeper.append(call.game, step):
            return await self.deal(call, body)
        return _changed(step, seat_of(bearer), 201)

    async def play(self, call: Call, body: game_bodies.NewPlay) -> Reply:
        """Play a card; the same card at the same version once more is answered as the first time."""
        card = NUMBER[body.card]
        seat, step = self._played_at_once(call, card)
        if seat is None or step is None:
            game = await self._keeper.load(call.game)
            seat, version = call.seat(game), call.version()
            if version is None:
                raise Refusal("version_needed", "Send the version that you saw, as its ETag gave it, in If-Match.")
            if version != game.version:
                return await self._played_before(call, version, seat, card)
            step = _judged(game, CardPlayed(seat, card))
        if not await self._keeper.append(call.game, step):
            return await self._played_before(call, step.game.version - 1, seat, card)
        if step.before is not None and step.played is not None:
            plays.played(step.before, step.played)
        return _changed(step, seat)

    def _played_at_once(self, call: Call, card: Card) -> tuple[Seat, Step] | tuple[None, None]:
        """Play a card on the game as this process remembers it; None for what only the store can decide."""
        game = self._keeper.remembered(call.game)
        with suppress(Refusal):
            if game is not None and game.version == call.version():
                seat = call.seat(game)
                return seat, _played(game, CardPlayed(seat, card))
        return None, None

    async def _played_before(self, call: Call, version: int, seat: Seat, card: Card) -> Reply:
        entry = CardPlayed(seat, card)
        return _changed(await self._made(call, version, lambda step: step.entry == entry), seat)

    async def _made(self, call: Call, version: int, same: Callable[[Step], bool]) -> Step:
        """Find the change that was made at a version, so that it is answered as it was then.

        Errors: Refusal 412, when there is none or it was another one.
        """
        latest = await self._keeper.load(call.game)
        if version < latest.version:
            step = await self._keeper.step_at(call.game, version)
            if step is not None and same(step):
                return step
        raise stale(latest)

    async def record(self, call: Call, _: None) -> Reply:
        """Show the whole record of a game that is over."""
        game = await self._keeper.load(call.game)
        call.bearer(game)
        if game_phase(game) != "game_over":
            raise Refusal("game_not_over", "The record of a game is shown once the game is over.")
        return _versioned(write_record(await self._keeper.steps_after(call.game, 0)), game.version)

    async def delete(self, call: Call, _: None) -> Reply:
        """Forget a game."""
        game = await self._keeper.load(call.game)
        bearer = call.bearer(game)
        if bearer != "host":
            code: ProblemCode = "token_missing" if bearer == "spectator" else "wrong_token"
            raise Refusal(code, "To delete a game needs the host's token.")
        await self._keeper.drop(call.game)
        return Reply(None, 204)


def _require_no_deal(game: Game) -> None:
    phase = game_phase(game)
    if phase == "playing":
        raise Refusal("deal_not_over", "The deal is still being played.")
    if phase == "game_over":
        raise Refusal("game_over", "The game is over.")
    if len(game.openings) >= DEALS_AT_MOST:
        raise Refusal("too_many_deals", f"The game has had {DEALS_AT_MOST} deals, and there are no more.")


def _judged(game: Game, entry: CardPlayed) -> Step:
    """Play a card as below, and count one that may not be played each time that it is tried."""
    try:
        return _played(game, entry)
    except Refusal as refusal:
        if refusal.verdict is not None:
            plays.judged(game.opened.rules, refusal.verdict.reason)
        raise


def _played(game: Game, entry: CardPlayed) -> Step:
    """Play a card.

    Errors: Refusal, when there is no deal, it is another seat's turn, or the card may not be played.
    """
    state = game.state
    if state is None:
        raise Refusal("not_dealt", "No cards are dealt yet.")
    if state.seat_to_play != entry.seat and game_phase(game) == "playing":
        raise Refusal("not_your_turn", f"It is seat {state.seat_to_play}'s turn, not seat {entry.seat}'s.")
    try:
        played = play.play(state, entry.card, game.opened.on_revoke)
    except (play.IllegalPlay, NotPlaying, HandNotSeen, NoRevokePenalty) as exc:
        raise questions.refuse_play(exc, state, "card") from exc
    return played_step(game, write_line(entry), played)


def _dealt(step: Step, bearer: Bearer, body: game_bodies.NewDeal) -> bool:
    """Tell whether a step was this bearer's deal, with the cards stripped that the body asks for."""
    entry, state = step.entry, step.game.state
    if not isinstance(entry, Dealt) or state is None or bearer not in {"host", state.dealer}:
        return False
    return entry.threes == body.three_at_a_time and (body.strip is None or parse_mask(body.strip) == entry.strip)


def _stirred(game: Game) -> Reply:
    return _versioned(game_bodies.EntropyAdded(game.version), game.version)


def _changed(step: Step, seat: Seat | None, status: int = 200) -> Reply:
    return _versioned(view_change(step, seat), step.game.version, status)
