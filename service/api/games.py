"""Live games: open, see, stir, deal, play, record, delete. Each change is one entry of the game's log."""

from hashlib import sha256
from secrets import token_bytes, token_hex
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from service import shuffle
from service.api import game_bodies, questions
from service.api.keeper import Keeper, answered
from service.api.live_calls import Call, etag, seat_of, stale
from service.api.live_views import game_phase, view_change, view_game, write_record
from service.api.problems import ProblemCode, Refusal, refuse_faults
from service.api.tokens import Bearer, Secrets, fresh_secrets, hash_token, repeatable_secrets
from service.cards import NUMBER
from service.faults import FaultCode, HandNotSeen, Impossible, NoRevokePenalty, NotPlaying
from service.game_log import (
    CardPlayed,
    Dealt,
    Game,
    Opened,
    Step,
    Stirred,
    advance,
    dealer_next,
    played_step,
    write_entry,
)
from service.rules import play, revoke
from service.rulesets import Seat, Table, lay, usual_sides

REMEMBER_KEY: Final = 24 * 3600
"""How long an Idempotency-Key is remembered, in seconds."""
KEY_AT_LEAST: Final = 16
KEY_AT_MOST: Final = 256


class Reply(NamedTuple):
    """An answer with its status and the headers of its own."""

    answer: object
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Kept(Struct, frozen=True, array_like=True):
    """What is kept of an Idempotency-Key: the salt of the secrets and the hash of the body that came first."""

    salt: bytes
    body: bytes


def _versioned(answer: object, version: int, status: int = 200) -> Reply:
    return Reply(answer, status, ((b"etag", etag(version).encode()),))


class Games:
    """The calls on live games, over a keeper."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def create(self, call: Call, body: game_bodies.NewGame) -> Reply:
        """Open a game: seat the players, draw for the first deal, commit to its shuffle."""
        table = _table(body)
        key = call.headers.get("idempotency-key")
        secrets = fresh_secrets(table.players) if key is None else await self._repeatable(key, body, table.players)
        opened = _opened(body, table, secrets)
        # A repeated request finds its game there already, and is answered as the first was.
        await answered(self._keeper.store.create(secrets.game, write_entry(opened), body.ttl))
        answer = game_bodies.OpenedGame(secrets.game, 1, secrets.seats, secrets.host)
        location = (b"location", f"/v1/games/{secrets.game}".encode())
        return Reply(answer, 201, (location, (b"etag", etag(1).encode())))

    async def _repeatable(self, key: str, body: game_bodies.NewGame, players: int) -> Secrets:
        if not KEY_AT_LEAST <= len(key) <= KEY_AT_MOST:
            detail = f"An Idempotency-Key has {KEY_AT_LEAST} to {KEY_AT_MOST} characters that nobody can guess."
            raise Refusal("bad_idempotency_key", detail)
        fresh = Kept(token_bytes(32), sha256(msgspec.json.encode(body)).digest())
        name = "key:" + sha256(key.encode()).hexdigest()
        line = await answered(self._keeper.store.remember(name, msgspec.msgpack.encode(fresh), REMEMBER_KEY))
        kept = msgspec.msgpack.decode(line, type=Kept)
        if kept.body != fresh.body:
            raise Refusal("idempotency_key_reused", "The Idempotency-Key came first with another body.")
        return repeatable_secrets(players, key, kept.salt)

    async def see(self, call: Call, _: None) -> Reply:
        """Show a game to the bearer."""
        game = await self._keeper.latest(call.game)
        seat = seat_of(call.bearer(game))
        if call.headers.get("if-none-match", "").strip().removeprefix("W/") == etag(game.version):
            return _versioned(None, game.version, 304)
        return _versioned(view_game(call.game, game, seat), game.version)

    async def stir(self, call: Call, body: game_bodies.NewEntropy) -> Reply:
        """Add a seat's entropy to the next shuffle."""
        game = await self._keeper.latest(call.game)
        seat = call.seat(game)
        if call.version() not in {None, game.version}:
            raise stale(game)
        _require_no_deal(game)
        step = advance(game, Stirred(seat, body.entropy))
        if not await self._keeper.add(call.game, game, step):
            return await self.stir(call, body)
        return _versioned(game_bodies.EntropyAdded(step.game.version), step.game.version)

    async def deal(self, call: Call, body: game_bodies.NewDeal) -> Reply:
        """Deal the next deal; the same call at the same version once more is answered as the first time."""
        game = await self._keeper.latest(call.game)
        bearer = call.bearer(game)
        if bearer == "spectator":
            raise Refusal("token_missing", "To deal needs the dealer's token or the host's.")
        version = call.version()
        if version is not None and version != game.version:
            return await self._again(call, version, bearer, None)
        if bearer not in {"host", dealer_next(game)}:
            raise Refusal("wrong_token", f"Seat {dealer_next(game)} deals, or the host does.")
        _require_no_deal(game)
        questions.require_threes(game.table, asked=body.three_at_a_time)
        strip = questions.choose_strip(body.strip, game.table, questions.usual_strip(game.table, game.state))
        step = advance(game, Dealt(strip, body.three_at_a_time, token_hex(32)))
        if not await self._keeper.add(call.game, game, step):
            return await self.deal(call, body)
        return _changed(step, seat_of(bearer), 201)

    async def play(self, call: Call, body: game_bodies.NewPlay) -> Reply:
        """Play a card; the same card at the same version once more is answered as the first time."""
        version = call.needed_version()
        game = self._keeper.remembered(call.game)
        if game is None or game.version != version:
            game = await self._keeper.latest(call.game)
        seat = call.seat(game)
        entry = CardPlayed(seat, NUMBER[body.card])
        if version != game.version:
            return await self._again(call, version, seat, entry)
        step = _played(game, entry)
        if not await self._keeper.add(call.game, game, step):
            return await self._again(call, version, seat, entry)
        return _changed(step, seat)

    async def _again(self, call: Call, version: int, bearer: Bearer, entry: CardPlayed | None) -> Reply:
        """Answer a change that was made before as it was answered then; refuse any other as stale."""
        latest = await self._keeper.latest(call.game)
        if version < latest.version:
            step = (await self._keeper.steps_after(call.game, version))[0]
            if step.entry == entry or (entry is None and _dealt_by(step, bearer)):
                await self._keeper.confirm(call.game, latest.opened.ttl)
                return _changed(step, seat_of(bearer), 200 if entry else 201)
        raise stale(latest)

    async def record(self, call: Call, _: None) -> Reply:
        """Show the whole record of a game that is over."""
        game = await self._keeper.latest(call.game)
        call.bearer(game)
        if game_phase(game) != "game_over":
            raise Refusal("game_not_over", "The record of a game is shown once the game is over.")
        return _versioned(write_record(await self._keeper.steps_after(call.game, 0)), game.version)

    async def delete(self, call: Call, _: None) -> Reply:
        """Forget a game."""
        game = await self._keeper.latest(call.game)
        bearer = call.bearer(game)
        if bearer != "host":
            code: ProblemCode = "token_missing" if bearer == "spectator" else "wrong_token"
            raise Refusal(code, "To delete a game needs the host's token.")
        await answered(self._keeper.store.drop(call.game))
        self._keeper.forget(call.game)
        return Reply(None, 204)


def _table(body: game_bodies.NewGame) -> Table:
    if (body.players is None) == (body.sides is None):
        code: FaultCode = "fields_missing" if body.players is None else "fields_contradict"
        raise questions.refuse_fields(code, "A game needs exactly one of players and sides.", "players")
    try:
        table = lay(body.rules, body.sides or usual_sides(body.rules, body.players or 0))
        if body.on_revoke == "penalise":
            revoke.require_penalty(table)
    except Impossible as exc:
        raise refuse_faults(exc.faults) from exc
    except NoRevokePenalty as exc:
        raise questions.refuse_penalty(
            lay(body.rules, body.sides or usual_sides(body.rules, body.players or 0))
        ) from exc
    return table


def _opened(body: game_bodies.NewGame, table: Table, secrets: Secrets) -> Opened:
    draw_seed = token_hex(16)
    _, dealer = shuffle.draw(table.players, draw_seed)
    return Opened(
        rules=body.rules,
        sides=table.sides,
        on_revoke=body.on_revoke,
        ttl=body.ttl,
        draw_seed=draw_seed,
        dealer=dealer,
        secret=token_hex(32),
        host=hash_token(secrets.host),
        seats=tuple(hash_token(token) for token in secrets.seats),
    )


def _require_no_deal(game: Game) -> None:
    phase = game_phase(game)
    if phase == "playing":
        raise Refusal("deal_not_over", "The deal is still being played.")
    if phase == "game_over":
        raise Refusal("game_over", "The game is over.")


def _played(game: Game, entry: CardPlayed) -> Step:
    """Play a card.

    Errors: Refusal, when there is no deal, it is another seat's turn, or the card may not be played.
    """
    state = game.state
    if state is None:
        raise Refusal("not_dealt", "No cards are dealt yet.")
    if game_phase(game) == "playing" and state.seat_to_play != entry.seat:
        raise Refusal("not_your_turn", f"It is seat {state.seat_to_play}'s turn, not seat {entry.seat}'s.")
    try:
        played = play.play(state, entry.card, game.opened.on_revoke)
    except (play.IllegalPlay, NotPlaying, HandNotSeen, NoRevokePenalty) as exc:
        raise questions.refuse_play(exc, state, "card") from exc
    return played_step(game, entry, played)


def _dealt_by(step: Step, bearer: Bearer) -> bool:
    state = step.game.state
    return isinstance(step.entry, Dealt) and state is not None and bearer in {"host", state.dealer}


def _changed(step: Step, seat: Seat | None, status: int = 200) -> Reply:
    return _versioned(view_change(step, seat), step.game.version, status)
