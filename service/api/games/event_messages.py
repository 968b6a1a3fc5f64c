"""The messages of a live game's stream, as objects and as server-sent events."""

from collections.abc import Collection
from typing import Annotated, Final, TypeAlias

import msgspec
from cachetools import LRUCache
from msgspec import Meta, Struct

from service.game.rulesets import Seat
from service.live.log import Game, Step
from service.live.tokens import Role
from service.live.views import view_change, view_game
from service.schemas.ids import GameId
from service.schemas.live_game import Change, LiveGame
from service.schemas.revision import Version

Present: TypeAlias = Annotated[
    tuple[Seat, ...], Meta(max_length=8, description="The seats that are present, in order: each has an open stream.")
]


class GameMessage(Struct, frozen=True, tag_field="event", tag="game"):
    """The whole game, sent first. Sent again if the store lost versions: then replace everything you show."""

    id: Annotated[Version, Meta(description="The version that is shown.")]
    data: Annotated[LiveGame, Meta(description="The game.")]


class ChangeMessage(Struct, frozen=True, tag_field="event", tag="change"):
    """A change of the game."""

    id: Annotated[Version, Meta(description="The version after the change.")]
    data: Annotated[Change, Meta(description="The change.")]


class PresenceMessage(Struct, frozen=True):
    """The presence of seats: no change of the game, so it has no version."""

    present: Present


HEARTBEAT: Final = b":\n\n"
GONE: Final = b"event: gone\ndata: {}\n\n"
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""Bytes of messages that a process caches for other streams of the same game."""
_JSON: Final = msgspec.json.Encoder()


class MessageCache:
    """The latest messages, each encoded once for all streams with the same view."""

    def __init__(self) -> None:
        self._written: LRUCache[tuple[GameId, bytes, Seat | None], bytes] = LRUCache(MAX_MESSAGE_BYTES, len)

    def write_change(self, game: GameId, step: Step, seat: Seat | None) -> bytes:
        """Write a change as a seat may see it or, for None, a spectator."""
        key = (game, step.game.raw, seat)
        text = self._written.get(key)
        if text is None:
            text = self._written[key] = _write_message("change", change_message(step, seat))
        return text


def game_message(game_id: GameId, game: Game, role: Role, present: Collection[Seat]) -> GameMessage:
    """Return the whole game as a role may see it."""
    return GameMessage(str(game.revision), view_game(game_id, game, role, present))


def change_message(step: Step, seat: Seat | None) -> ChangeMessage:
    """Return a change as a seat may see it or, for None, a spectator."""
    return ChangeMessage(str(step.game.revision), view_change(step, seat))


def write_game(game_id: GameId, game: Game, role: Role, present: Collection[Seat]) -> bytes:
    """Write the whole game as a role may see it."""
    return _write_message("game", game_message(game_id, game, role, present))


def write_presence(present: tuple[Seat, ...]) -> bytes:
    """Write the seats that are present."""
    return b"event: presence\ndata: %b\n\n" % _JSON.encode(PresenceMessage(present))


def write_retry(milliseconds: int) -> bytes:
    """Write how many milliseconds a client waits before it reconnects."""
    return b"retry: %d\n\n" % milliseconds


def _write_message(event: str, message: GameMessage | ChangeMessage) -> bytes:
    return b"event: %b\nid: %b\ndata: %b\n\n" % (event.encode(), message.id.encode(), _JSON.encode(message.data))
