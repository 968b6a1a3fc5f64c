"""The seats of live games: new tokens for them."""

from secrets import token_bytes, token_hex
from typing import Final, NamedTuple

from service.games.entries import TokenRenewed
from service.games.log import Game, advance
from service.games.opening import require_key
from service.games.repository import Clock, Repository, write_line
from service.games.tokens import derive_token, hash_request, hash_token, require_holder
from service.revision import Revision
from service.rulesets import Seat
from service.wire.refusal import Refusal

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
        made = game.seats[seat].renewal
        if request and made is not None and made.entry.request == request:
            return Renewed(derive_token(sent, key or "", made.entry.salt), made.revision, repeated=True)
        require_holder(game, token, seat, "renew a token")
        salt = token_bytes(_SALT_BYTES)
        fresh = derive_token(sent, key or token_hex(32), salt)
        entry = TokenRenewed(seat, hash_token(fresh), request, salt)
        step = advance(game, write_line(entry, self._clock()))
        if await self._repository.append(game_id, step):
            return Renewed(fresh, step.game.revision, repeated=False)
        return await self.renew_token(game_id, seat, token, caller, key)

    async def _find(self, game_id: str, seat: Seat) -> Game:
        game = await self._repository.load(game_id)
        if seat >= game.table.players:
            raise Refusal("not_found", f"There is no seat {seat} among {game.table.players} players.")
        return game
