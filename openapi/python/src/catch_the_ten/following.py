"""The reading of the event stream of a live game."""

from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from typing import Final

import httpx
from httpx_sse import EventSource, ServerSentEvent

from catch_the_ten.models import Change, LiveGame, TokenRenewed
from catch_the_ten.request import decode
from catch_the_ten.sight import Sight, Update

_PAUSE: Final = 1.0


class Follower:
    """Reads the messages of one stream after the other, and knows from where to go on.

    Unit: `pause`, before the next stream, in seconds.
    """

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._shown: Update | None = None
        self._is_gone = False
        self.pause = _PAUSE

    @property
    def last_seen(self) -> str:
        """The revision from which the next stream goes on; "" if it begins anew."""
        return "" if self._shown is None else self._shown.revision

    def read(self, message: ServerSentEvent) -> Update | None:
        """Return what a message shows. Return None if it shows nothing of the game.

        Errors: NoAnswer, if it cannot be read.
        """
        if message.retry is not None:
            self.pause = message.retry / 1000
        if message.event == "game":
            self._shown = Update(game=decode(message.data, LiveGame), revision=message.id, whole=True)
            self._sight.begin_anew(self._shown)
            return self._shown
        if message.event == "change" and self._shown is not None:
            return self._follow(self._shown, decode(message.data, Change), message.id)
        self._is_gone = message.event == "gone"
        return None

    def _follow(self, shown: Update, change: Change, revision: str) -> Update | None:
        """Follow a change. With the token of the bearer a stream ends, and its last change hides the bearer's hand."""
        seat = shown.game.seat
        if any(isinstance(event, TokenRenewed) and event.seat == seat for event in change.events):
            self._shown = None
            return None
        self._shown = shown.follow(change, revision)
        self._sight.take(self._shown)
        return self._shown

    def is_over(self) -> bool:
        """Return True if the game is over."""
        return self._shown is not None and self._shown.phase == "game_over"

    def is_gone(self) -> bool:
        """Return True if the game was deleted or has expired."""
        return self._is_gone


def messages_of(stream: httpx.Response) -> Generator[ServerSentEvent]:
    """List the messages of a stream as they come."""
    yield from EventSource(stream).iter_sse()


async def amessages_of(stream: httpx.Response) -> AsyncGenerator[ServerSentEvent]:
    """List the messages of a stream as they come."""
    async with aclosing(EventSource(stream).aiter_sse()) as messages:
        async for message in messages:
            yield message
