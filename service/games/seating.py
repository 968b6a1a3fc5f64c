"""The seats of live games: new tokens for them, and computers that play them."""

from secrets import token_bytes, token_hex
from typing import Final, NamedTuple

from service.games.entries import ComputerSeated, TokenRenewed
from service.games.log import Game, advance
from service.games.opening import require_key
from service.games.repository import Clock, Repository, write_line
from service.games.tokens import Bearer, derive_token, hash_request, hash_token, require_holder
from service.players.level import Level
from service.revision import Revision
from service.rulesets import Seat
from service.wire.refusal import Refusal, refuse_computers

CHANGES_AT_MOST: Final = 5000
"""Changes of a game, more than any has that is played; after these, seats change once a minute, by the game's age."""
TOO_MANY_CHANGES: Final = "The game has had so many changes that its seats change only once a minute now."
_MINUTE: Final = 60_000
_SALT_BYTES: Final = 16


class Renewed(NamedTuple):
    """A new token of a seat, and the revision that it made; `repeated` is True if an earlier call has made it."""

    token: str
    revision: Revision
    repeated: bool


class Seating:
    """The operations on the seats of live games.

    Shape: a `token` is None for a spectator; `clock` returns the time, in milliseconds since 1970 began.
    """

    def __init__(self, repository: Repository, clock: Clock) -> None:
        self._repository = repository
        self._clock = clock

    async def renew_token(self, game_id: str, seat: Seat, token: str | None, caller: str, key: str | None) -> Renewed:
        """Give a seat a new token, in place of the one that it has.

        The same request once more, known by its Idempotency-Key, gets the same token, though the one that it was sent
        with may be void by then.
        Errors: Refusal.
        """
        game = await self._find(game_id, seat)
        sent = token or ""
        request = hash_request(caller, sent, require_key(key)) if key is not None else b""
        made = game.renewals[seat] if game.renewals else None
        if request and made is not None and made.entry.request == request:
            return Renewed(derive_token(sent, key or "", made.entry.salt), made.revision, repeated=True)
        require_holder(game, token, seat, "renew a token")
        self._require_room(game)
        salt = token_bytes(_SALT_BYTES)
        fresh = derive_token(sent, key or token_hex(32), salt)
        entry = TokenRenewed(seat, hash_token(fresh), request, salt)
        step = advance(game, write_line(entry, self._clock()))
        if await self._repository.append(game_id, step):
            return Renewed(fresh, step.game.revision, repeated=False)
        return await self.renew_token(game_id, seat, token, caller, key)

    async def seat_computer(
        self, game_id: str, seat: Seat, token: str | None, level: Level | None
    ) -> tuple[Game, Bearer]:
        """Let the computer play a seat; with None as the level, a person plays it again.

        Errors: Refusal, also if no seat would be left to a person.
        """
        game = await self._find(game_id, seat)
        bearer = require_holder(game, token, seat, "let the computer play, or take the seat back,")
        computers = game.computers or (None,) * game.table.players
        if computers[seat] == level:
            return game, bearer
        if level is not None and all(computers[:seat]) and all(computers[seat + 1 :]):
            raise refuse_computers()
        self._require_room(game)
        step = advance(game, write_line(ComputerSeated(seat, level), self._clock()))
        if await self._repository.append(game_id, step):
            return step.game, bearer
        return await self.seat_computer(game_id, seat, token, level)

    def _require_room(self, game: Game) -> None:
        """Refuse a change of a seat where there were so many that the log would grow without end.

        Errors: Refusal.
        """
        minutes = (self._clock() - game.opened_at) // _MINUTE
        if game.version >= CHANGES_AT_MOST + minutes:
            raise Refusal("too_many_changes", TOO_MANY_CHANGES)

    async def _find(self, game_id: str, seat: Seat) -> Game:
        game = await self._repository.load(game_id)
        if seat >= game.table.players:
            raise Refusal("not_found", f"There is no seat {seat} among {game.table.players} players.")
        return game
