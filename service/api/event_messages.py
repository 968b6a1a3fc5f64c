"""The messages of the event streams, in the format of server-sent events."""

from typing import Final

import msgspec
from cachetools import LRUCache

from service.games.log import Game, Step
from service.games.views import view_game, view_streamed
from service.revision import Revision
from service.rulesets import Seat

HEARTBEAT: Final = b":\n\n"
GONE: Final = b"event: gone\ndata: {}\n\n"
MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""Bytes of the messages that a process keeps for other streams of the same game."""
_JSON: Final = msgspec.json.Encoder()


class MessageCache:
    """The latest messages, each written once for all streams that show the same."""

    def __init__(self) -> None:
        self._written: LRUCache[tuple[str, bytes, Seat | None], bytes] = LRUCache(MESSAGE_BYTES, len)

    def write_change(self, game: str, step: Step, seat: Seat | None) -> bytes:
        """Write a change as a seat may see it; None as the seat: as a spectator may."""
        key = (game, step.game.line, seat)
        text = self._written.get(key)
        if text is None:
            text = self._written[key] = _write_message("change", step.game.revision, view_streamed(step, seat))
        return text


def write_game(game_id: str, game: Game, seat: Seat | None) -> bytes:
    """Write the whole game as a seat may see it; None as the seat: as a spectator may."""
    return _write_message("game", game.revision, view_game(game_id, game, seat))


def write_retry(milliseconds: int) -> bytes:
    """Write after how many milliseconds a client that has lost the stream is to connect again."""
    return b"retry: %d\n\n" % milliseconds


def _write_message(event: str, revision: Revision, content: object) -> bytes:
    return b"event: %b\nid: %b\ndata: %b\n\n" % (event.encode(), str(revision).encode(), _JSON.encode(content))
