"""A live game as one object."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from time import monotonic
from typing import Self

import anyio
import httpx

from catch_the_ten._async.transport import AsyncTransport
from catch_the_ten.following import Follower, amessages_of
from catch_the_ten.models import (
    Card,
    ChangePage,
    ComputerLevel,
    DealPosition,
    GameChange,
    GamePhase,
    GameRecord,
    GameToken,
    LiveGame,
    Rematch,
    RenewedToken,
    Seat,
)
from catch_the_ten.problems import GameGone, NoSuchGame, StaleVersion, UnknownToken
from catch_the_ten.refusal import CallFailed, Refusal
from catch_the_ten.request import Request, new_key, path_of, without_none
from catch_the_ten.sight import Sight, Update


class AsyncGame:
    """A live game as the bearer of a token sees it; without a token, as a spectator.

    A change applies to the last position that was seen. If it gets no answer, repeat the call: the change is made only
    once. Errors of every call: Refusal, NoAnswer.
    """

    def __init__(self, transport: AsyncTransport, token: str, first: Update) -> None:
        self.id = first.game.id
        self.token = token
        self._transport = transport
        self._sight = Sight(first)
        self._unanswered: tuple[str, object, Update] | None = None
        self._renewals: dict[Seat | None, str] = {}

    @classmethod
    async def join(cls, transport: AsyncTransport, game_id: str, token: str) -> Self:
        """Return a live game as the bearer of a token sees it."""
        game = await transport.ask(Request("GET", path_of(game_id), token=token), LiveGame)
        return cls(transport, token, Update(game=game, whole=True))

    @property
    def latest(self) -> Update:
        """The latest update: a version and its events."""
        return self._sight.latest

    @property
    def state(self) -> LiveGame:
        """The game as last seen."""
        return self.latest.game

    @property
    def seat(self) -> Seat | None:
        """The seat of the bearer; None for the host and for spectators."""
        return self.state.seat

    @property
    def phase(self) -> GamePhase:
        """The phase of the game."""
        return self.state.phase

    @property
    def position(self) -> DealPosition | None:
        """The position; None before the first deal."""
        return self.state.position

    @property
    def is_my_turn(self) -> bool:
        """True if the bearer is to play a card; False while the computer plays the seat."""
        return self.position is not None and self._is_mine(self.position.turn)

    @property
    def is_my_deal(self) -> bool:
        """True if the bearer is to deal; False while the computer plays the seat."""
        return self.phase in {"to_deal", "deal_over"} and self._is_mine(self.state.dealer)

    @property
    def legal_cards(self) -> Sequence[Card]:
        """The legal cards of the bearer."""
        return (self.position and self.is_my_turn and self.position.legal_cards) or ()

    async def see(self) -> LiveGame:
        """Load the latest game."""
        return await self._see(self._request("GET", ""))

    async def play(self, card: Card) -> Update:
        """Play a card."""
        return await self._change("/plays", {"card": card}, anew=card in self.legal_cards)

    async def deal(self, strip: Sequence[Card] | None = None, *, three_at_a_time: bool | None = None) -> Update:
        """Deal the next deal, as the dealer or the host."""
        body = without_none(strip=strip, three_at_a_time=three_at_a_time)
        return await self._change("/deals", body, anew=self.phase in {"to_deal", "deal_over"})

    async def change_seats(self, seats: Sequence[Seat] | None = None) -> LiveGame:
        """Change who sits where before the first deal; each player keeps the token.

        `seats` has by seat where its player sits now. Without it, cards are drawn: see `seating` of the game.
        """
        seen = self.latest
        while True:
            try:
                return await self._see(self._request("POST", "/seatings", without_none(seats=seats), seen.version))
            except StaleVersion:
                before, now = seen.game, await self.see()
                if (now.phase, now.seating) != (before.phase, before.seating):
                    raise
                seen = self.latest

    async def resign(self, seat: Seat | None = None) -> Update:
        """Resign the bearer's seat or, as the host, an absent seat."""
        return await self._change("/resignations", without_none(seat=seat), anew=self.phase != "game_over")

    async def take_back(self) -> Update:
        """Ask to take back the seat's last card, or agree to another seat's request."""
        return await self._change("/take-backs", None, anew=self.phase == "playing")

    async def add_entropy(self, entropy: str) -> LiveGame:
        """Add a text that nobody can guess to the next shuffle."""
        await self._transport.ask(self._request("POST", "/entropy", {"entropy": entropy}), GameChange)
        return await self.see()

    async def renew_token(self, seat: Seat | None = None, name: str | None = None) -> GameToken:
        """Return a new token of the bearer's seat or, for the host, of any seat; the old one is void at once.

        A player who takes the seat with it may give a name.
        """
        renewed = self.seat if seat is None else seat
        key = self._renewals.setdefault(renewed, new_key())
        request = self._request("POST", f"/seats/{renewed}/tokens", without_none(name=name))._replace(key=key)
        token = (await self._transport.ask(request, RenewedToken)).token
        if renewed == self.seat:
            self.token = token
        del self._renewals[renewed]
        return token

    async def seat_computer(self, level: ComputerLevel = "medium", seat: Seat | None = None) -> Update:
        """Let the computer play the bearer's seat or, for the host, any seat, from now on.

        Any player may let the computer play, at medium, a seat that has been away for two minutes.
        """
        return await self._change_player("PUT", seat, level)

    async def take_seat_back(self, seat: Seat | None = None) -> Update:
        """Take a seat back from the computer."""
        return await self._change_player("DELETE", seat)

    async def open_rematch(self) -> "AsyncGame":
        """Open the next game for the same people, as a player or the host, once this one is over, and return it."""
        rematch = await self._transport.ask(self._request("POST", "/rematches"), Rematch)
        return await AsyncGame.join(self._transport, rematch.id, self.token)

    async def await_rematch(self) -> "AsyncGame":
        """Wait until somebody opens the next game, and return it: at the same seat, with the same token.

        A game that is gone by now does not count: another one can be opened.
        """
        gone: set[str | None] = {None}
        while True:
            while (rematch := self.state.rematch) is None or rematch in gone:
                async with aclosing(self._follow_until(lambda update: update.game.rematch not in gone)) as updates:
                    async for _ in updates:
                        pass
            try:
                return await AsyncGame.join(self._transport, rematch, self.token)
            except (GameGone, NoSuchGame):
                gone.add(rematch)

    async def get_record(self) -> GameRecord:
        """Load the record of the finished deals."""
        return await self._transport.ask(self._request("GET", "/record"), GameRecord)

    async def list_changes(self, after: str = "") -> ChangePage:
        """List the changes after a version, a page at a time; without it, the whole game comes first."""
        request = self._request("GET", "/changes")._replace(query=without_none(after=after or None))
        return await self._transport.ask(request, ChangePage)

    async def delete(self) -> None:
        """Delete the game, as the host."""
        with suppress(GameGone):  # if the first answer was lost, the second is this refusal
            await self._transport.ask(self._request("DELETE", ""), type(None))

    async def changes(self) -> AsyncGenerator[Update]:
        """Yield the game as it is now, then after each change, until it is over.

        A cut or silent stream is resumed without loss; while no stream comes through, the changes are polled. If the
        service lost changes that were shown, an update with the whole game replaces everything before it.
        """
        async with aclosing(self._follow_until(lambda update: update.phase == "game_over")) as updates:
            async for update in updates:
                yield update

    async def _follow_until(self, is_last: Callable[[Update], bool]) -> AsyncGenerator[Update]:
        """Follow the game up to its last update."""
        follower = Follower(self._sight, self._transport.silence, is_last)
        while not follower.is_done():
            token = self.token
            try:
                async with aclosing(self._follow(follower)) as updates:
                    async for update in updates:
                        yield update
            except UnknownToken:
                if token == self.token and not self._renewals:
                    raise
                await anyio.sleep(follower.pause)  # the token is being renewed

    async def _follow(self, follower: Follower) -> AsyncGenerator[Update]:
        """Follow one stream to its end; if it showed nothing, poll for a while."""
        follower.failures += 1
        try:
            async with aclosing(self._stream(follower)) as updates:
                async for update in updates:
                    yield update
        except (httpx.TransportError, CallFailed) as failed:
            self._transport.lose_stream(failed)
        if follower.is_gone():
            await self.see()  # raises the problem of a game that is gone
        if follower.failures:
            async with aclosing(self._poll(follower)) as updates:
                async for update in updates:
                    yield update
        elif not follower.is_done():
            await anyio.sleep(follower.pause)

    async def _poll(self, follower: Follower) -> AsyncGenerator[Update]:
        """Poll for changes until it is time to try a stream again."""
        until = monotonic() + follower.window
        while True:
            page = await self.list_changes(follower.last_seen)
            for message in page.messages:
                update = follower.show(message)
                if update is not None:
                    yield update
            follower.set_present(page.present)
            rest = follower.rest(page)
            if follower.is_done() or monotonic() + rest > until:
                return
            await anyio.sleep(rest)

    async def _stream(self, follower: Follower) -> AsyncGenerator[Update]:
        """Follow one stream to its end, or to the end of the game."""
        request = self._request("GET", "/events")
        stream = await self._transport.open(request._replace(accept="text/event-stream", last_seen=follower.last_seen))
        try:
            async with aclosing(amessages_of(stream)) as messages:
                async for message in messages:
                    update = follower.read(message)
                    if update is not None:
                        yield update
                    if follower.is_done() or follower.is_gone():
                        break
        finally:
            await stream.aclose()

    async def _see(self, request: Request) -> LiveGame:
        """Return the game in the answer to a request."""
        held = self.latest.version
        game = await self._transport.ask(request, LiveGame)
        self._sight.take(Update(game=game, whole=True), held)
        return game

    def _is_mine(self, seat: Seat | None) -> bool:
        return seat is not None and seat == self.seat and self.state.seats[seat].computer is None

    async def _change_player(self, method: str, seat: Seat | None, level: ComputerLevel | None = None) -> Update:
        """Change who plays a seat, at the last seen version, or at a later one if the seat's player is the same.

        Errors: StaleVersion, if the seat's player has changed; Refusal, NoAnswer.
        """
        changed = self.seat if seat is None else seat
        path, body = f"/seats/{changed}/computer", None if level is None else {"level": level}
        while True:
            seen = self.latest
            try:
                change = await self._transport.ask(self._request(method, path, body, seen.version), GameChange)
            except StaleVersion:
                before, now = seen.game.seats, (await self.see()).seats
                if changed is None or (now[changed] != before[changed] and now[changed].computer != level):
                    raise
            else:
                update = seen.follow(change)
                self._sight.take(update)
                return update

    async def _change(self, path: str, body: object, *, anew: bool) -> Update:
        """Make a change at the last seen position.

        A change without an answer that cannot be made `anew` is repeated at the version of the first try, so the
        service repeats its answer.

        Errors: StaleVersion, if the position has changed; Refusal, NoAnswer.
        """
        seen = self.latest
        if not anew and self._unanswered and self._unanswered[:2] == (path, body):
            seen = self._unanswered[2]
        while True:
            self._unanswered = path, body, seen
            try:
                change = await self._transport.ask(self._request("POST", path, body, seen.version), GameChange)
            except StaleVersion:
                self._unanswered = None
                await self.see()
                if (self.position, self.phase) != (seen.position, seen.phase):
                    raise
                seen = self.latest
            except Refusal as refusal:
                if not refusal.passes and refusal.problem.status < 500:
                    self._unanswered = None
                raise
            else:
                self._unanswered = None
                update = seen.follow(change)
                self._sight.take(update)
                return update

    def _request(self, method: str, path: str, body: object = None, version: str = "") -> Request:
        return Request(method, path_of(self.id) + path, body, self.token, version)
