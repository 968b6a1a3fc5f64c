"""Reading the messages of a live game, from its event stream or page by page."""

from collections.abc import AsyncGenerator, Callable, Collection, Generator
from contextlib import aclosing
from random import uniform
from typing import Final

import httpx
from httpx_sse import EventSource, ServerSentEvent
from msgspec.structs import replace

from catch_the_ten.models import (
    ChangeMessage,
    ChangePage,
    GameChange,
    GameMessage,
    LiveGame,
    PresenceMessage,
    Seat,
    TokenRenewed,
)
from catch_the_ten.request import decode
from catch_the_ten.sight import Sight, Update, set_present

_PAUSE: Final = 1.0
_POLLS: Final = 25
"""The most polls for changes per `silence` while no stream comes through."""
_LONGEST_WINDOW: Final = 60.0


class Follower:
    """Reads the messages of successive streams and pages, and knows where to continue.

    Shape: nothing is shown after an update that `is_last`.
    Unit: seconds. `pause` is the time before the next stream, `silence` the longest time without bytes. `failures`
    counts the streams in a row that showed nothing.
    """

    def __init__(self, sight: Sight, silence: float, is_last: Callable[[Update], bool]) -> None:
        self._sight = sight
        self._is_last = is_last
        self._shown: Update | None = None
        self._is_gone = False
        self._silence = silence
        self._idle = 0
        self.failures = 0
        self.pause = _PAUSE

    @property
    def last_seen(self) -> str:
        """The version where the next stream continues; "" if it begins anew."""
        return "" if self._shown is None else self._shown.version

    @property
    def window(self) -> float:
        """Seconds of polling for changes before the next stream is tried: after one failure, one poll."""
        return min((2.0**self.failures - 2) * self._silence / _POLLS, _LONGEST_WINDOW)

    def read(self, message: ServerSentEvent) -> Update | None:
        """Return the update of a stream's message. Return None if it has none.

        Errors: NoAnswer, if it cannot be read.
        """
        if message.retry is not None:
            self.pause = message.retry / 1000
        self._is_gone = message.event == "gone"
        if message.event == "game":
            return self._read(GameMessage(id=message.id, data=decode(message.data, LiveGame)))
        if message.event == "change":
            return self._read(ChangeMessage(id=message.id, data=decode(message.data, GameChange)))
        if message.event == "presence":
            self.set_present(decode(message.data, PresenceMessage).present)
        return None

    def _read(self, message: GameMessage | ChangeMessage) -> Update | None:
        self.failures = 0
        return self.show(message)

    def show(self, message: GameMessage | ChangeMessage) -> Update | None:
        """Return the update of a message. Return None if it has none."""
        if isinstance(message, GameMessage):
            self._shown = Update(game=message.data, whole=True)
            self._sight.begin_anew(self._shown)
            return self._shown
        return None if self._shown is None else self._follow(self._shown, message.data)

    def set_present(self, present: Collection[Seat]) -> None:
        """Note the present seats, which is no update."""
        if self._shown is not None:
            self._shown = replace(self._shown, game=set_present(self._shown.game, present))
            self._sight.set_present(present)

    def rest(self, page: ChangePage) -> float:
        """Return the seconds to wait after a page: more, the longer nothing is new."""
        self._idle = 0 if page.messages else self._idle + 1
        is_behind = self._shown is None or self._shown.is_before(self._sight.latest)
        if page.more or (page.messages and is_behind):
            return 0
        longer = min(2.0**self._idle, 4.0) * uniform(0.75, 1.25)  # noqa: S311 – clients are spread
        return self._silence / _POLLS * longer

    def _follow(self, shown: Update, change: GameChange) -> Update | None:
        """Follow a change. When the bearer's token becomes void, the stream ends; its last change hides the hand."""
        seat = shown.game.seat
        if any(isinstance(event, TokenRenewed) and event.seat == seat for event in change.events):
            self._shown = None
            return None
        self._shown = shown.follow(change)
        self._sight.take(self._shown)
        return self._shown

    def is_done(self) -> bool:
        """Return True if the last update was shown."""
        return self._shown is not None and self._is_last(self._shown)

    def is_gone(self) -> bool:
        """Return True if the game was deleted or has expired."""
        return self._is_gone


def messages_of(stream: httpx.Response) -> Generator[ServerSentEvent]:
    """Yield the messages of a stream as they arrive."""
    yield from EventSource(stream).iter_sse()


async def amessages_of(stream: httpx.Response) -> AsyncGenerator[ServerSentEvent]:
    """Yield the messages of a stream as they arrive."""
    async with aclosing(EventSource(stream).aiter_sse()) as messages:
        async for message in messages:
            yield message
