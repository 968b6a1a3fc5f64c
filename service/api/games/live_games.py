"""Open, find, change and follow live games for callers; computers play on after a change."""

from typing import Final

from msgspec.structs import replace

from service.api.games.game_request import GameRequest
from service.game.rulesets import Seat
from service.live.changes import MAX_ATTEMPTS, TOO_BUSY, change, raise_refusal, read_clock
from service.live.computers import Computers
from service.live.decisions import Applied, Decide, decide_rematch
from service.live.feed import Feeds
from service.live.log import Game, advance, kept_beyond, open_game
from service.live.opening import Opening, draw_opening, draw_rematch
from service.live.presence import Presence, find_absence, list_present_seats
from service.live.repository import Clock, Repository, ask_store, new_entry_bytes
from service.live.tokens import Role, as_stored, require_role
from service.live.turns import store_ttl
from service.schemas.ids import Caller, GameId, Key
from service.schemas.new_game import NewGame
from service.schemas.refusal import Refusal
from service.schemas.revision import Revision

OPENED_AND_GONE: Final = (
    "The game that was opened with this Idempotency-Key is gone: it was deleted, or has expired. "
    "With another key another one is opened."
)


def require_token(request: GameRequest) -> None:
    """Refuse a request without a token, before the game is loaded.

    Errors: Refusal.
    """
    if request.token is None:
        detail = "This needs a token of the game, of a seat or of the host: send it as `Authorization: Bearer …`."
        raise Refusal("token_missing", detail)


class LiveGames:
    """The live games that callers of this process open, find and change.

    Shape: `clock` returns the time in milliseconds since 1970.
    Unit: `max_ttl`, the longest time until a game expires, in seconds.
    """

    def __init__(
        self,
        repository: Repository,
        computers: Computers,
        feeds: Feeds,
        presence: Presence,
        clock: Clock,
        max_ttl: int,
    ) -> None:
        self.repository = repository
        self._presence = presence
        self.feeds = feeds
        self.clock = clock
        self._max_ttl = max_ttl
        self._computers = computers

    async def open(self, wanted: NewGame, caller: Caller, key: Key | None) -> Opening:
        """Open a game: seat the players, draw for the first dealer, commit to the first shuffle.

        Errors: Refusal.
        """
        store, wanted = self.repository.store, replace(wanted, ttl=min(wanted.ttl, self._max_ttl))
        # The server for the game is not known yet, so read the clock of any.
        at = await read_clock(store, self.clock, GameId(""), wanted.move_seconds)
        opening = await draw_opening(store, wanted, caller, key, at)
        game_id, game = opening.secrets.game, open_game(opening.raw)
        kept = await self._create(game_id, game)
        if kept is None:
            raise Refusal("game_gone", OPENED_AND_GONE)
        if kept[1]:
            self._computers.start_now(game_id, game, caller)
        return Opening(kept[0], as_stored(opening.secrets, open_game(kept[0]).opened))

    async def open_rematch(self, request: GameRequest) -> tuple[GameId, Revision]:
        """Open the next game, unless it exists; return its id and its first revision.

        It is opened for one version of the finished game, and its id is noted right after this version. If another
        change comes in between, the new game is withdrawn, and another one is opened. If the process dies in between,
        the new game expires.
        Errors: Refusal.
        """
        require_token(request)
        game = await self.repository.load(request.game_id)
        for _ in range(MAX_ATTEMPTS):
            at = await read_clock(self.repository.store, self.clock, request.game_id, game.opened.move_seconds)
            rematch, raw = await self._find_rematch(game) or draw_rematch(game, at)
            decided, opened = decide_rematch(game, request.token, rematch, at), open_game(raw)
            if isinstance(decided, Refusal):
                raise_refusal(decided)
            if decided is None:
                return rematch, opened.revision
            await self._create(rematch, opened)
            step = advance(game, decided.entry, new_entry_bytes(decided.entry, at))
            game = await self.repository.append(request.game_id, step)
            if game is step.game:
                self._computers.start_now(rematch, opened, request.caller)
                return rematch, opened.revision
            await self.feeds.withdraw(rematch, opened)
        raise Refusal("too_busy", TOO_BUSY)

    async def _find_rematch(self, game: Game) -> tuple[GameId, bytes] | None:
        """Return the id and the opening of the noted next game. Return None if it does not exist.

        Errors: Refusal.
        """
        if game.rematch is None:
            return None
        entries = (await ask_store(self.repository.store.load(game.rematch, stop=1))).entries
        return (game.rematch, entries[0]) if entries else None

    async def _create(self, game_id: GameId, game: Game) -> tuple[bytes, bool] | None:
        """Begin the log of a game; return its first entry, and True unless an earlier request opened the game.

        Return None if the game is gone.
        Errors: Refusal.
        """
        created = self.repository.store.create(game_id, game.raw, store_ttl(game), game.opened.owner)
        found = await ask_store(created, unknown="The game may have been opened.")
        if found is not None and found[1]:
            self.repository.note_opened(game_id, game)
        return found

    async def find(self, request: GameRequest) -> tuple[Game, Role]:
        """Return the latest game, and the role of the caller.

        Errors: Refusal, if there is no such game, or the token is not one of it.
        """
        game = await self.repository.load(request.game_id)
        return game, require_role(game, request.token)

    async def find_with_presence(self, request: GameRequest) -> tuple[Game, Role, tuple[Seat, ...]]:
        """Return the latest game, the caller's role, and the present seats, in one round trip.

        A poll of a seat without a stream is noted now and then, in another round trip.

        Errors: Refusal, if there is no such game, the token is not one of it, or the store is down.
        """
        game, leases = await self.repository.look(request.game_id)
        role, present = require_role(game, request.token), list_present_seats(leases)
        if isinstance(role, int) and role not in present:
            await self._presence.note_look(request.game_id, role)
        return game, role, present

    async def change(self, request: GameRequest, decide: Decide) -> Applied:
        """Change a game, and let the computer play on; after a repetition, only if no other process does.

        Errors: Refusal.
        """
        require_token(request)
        applied = await change(self.repository, self.clock, request.game_id, decide, request.version)
        if applied.repeated:
            self.follow(request, applied.step.game)
        else:
            self.feeds.note(request.game_id, applied.step.game)
            self._computers.start_now(request.game_id, applied.step.game, request.caller)
        return applied

    async def find_absence(self, request: GameRequest) -> float | None:
        """Return how many seconds the seat of a request has been absent. Return None if unknown.

        Errors: Refusal.
        """
        require_token(request)
        return await find_absence(self.repository.store, request.game_id, request.seat)

    async def delete(self, request: GameRequest, game: Game) -> None:
        """Delete a game.

        Errors: Refusal.
        """
        await self.repository.drop(request.game_id, kept_beyond(game.opened))
        self.feeds.note_end(request.game_id, game)

    def follow(self, request: GameRequest, game: Game) -> None:
        """Let the computer play on in a game that a caller follows, unless another process does so in time."""
        self._computers.start_after_timeout(request.game_id, game, request.caller)
