"""The games of an app: a finished game as its feed shows it, and an open game as its list shows it."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from service.game.rules.record import Record
from service.game.rulesets import Rules, Seat
from service.schemas.events import WonBy
from service.schemas.live_game import Expiry, GamePhase, NamedSeat, NextGame
from service.schemas.revision import REVISION, Version
from service.schemas.scalars import PointsBySide, ShownGameId, SideIndex
from service.schemas.timestamp import Timestamp

MAX_LISTED: Final = 100
"""Games in a page, at most."""
OpenPhase: TypeAlias = Literal["to_deal", "playing", "deal_over"]
"""The phases of a game that is not over."""
FeedCursor: TypeAlias = Annotated[
    str,
    Meta(
        title="FeedCursor",
        pattern=rf"^{REVISION}\Z",
        description="A place in the feed of an app: behind the last game that a page showed.",
        examples=["57-1f3a9c02"],
    ),
]
Outcome: TypeAlias = Annotated[
    Literal["won", "abandoned", "deleted"],
    Meta(
        title="GameOutcome",
        description="How a game ended. `won`: see `won_by`, also for a revoke or a resignation. `abandoned`: nobody "
        "changed it for its `ttl`. `deleted`: by its host.",
    ),
]


class EndedGame(Struct, frozen=True):
    """A game that is over, with all hands, as it is stored."""

    id: Annotated[ShownGameId, Meta(description="The id of the game. The same game may come again: it counts once.")]
    version: Annotated[Version, Meta(description="The version with which it ended.")]
    opened_at: Annotated[Timestamp, Meta(description="The time at which it was opened.")]
    ended_at: Annotated[Timestamp, Meta(description="The time at which it ended.")]
    outcome: Annotated[Outcome, Meta(description="How it ended.")]
    won_by: Annotated[WonBy | None, Meta(description="How it was won; null if nobody has won it.")]
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won it; [] if none has.")]
    totals: PointsBySide
    """By side: the game score at the end."""
    seats: Annotated[tuple[NamedSeat, ...], Meta(description="Every seat, in order, as it was at the end.")]
    record: Annotated[
        Record, Meta(description="The record with every deal, also one that was not played out, and the rules.")
    ]


class FinishedGame(EndedGame, frozen=True):
    """A game that is over, with all hands, in the feed of its app."""

    place: Annotated[FeedCursor, Meta(description="Its place in the feed: as `after` it leads to the games behind it.")]


class FinishedGames(Struct, frozen=True):
    """A page of the feed of an app."""

    games: Annotated[
        tuple[FinishedGame, ...], Meta(max_length=MAX_LISTED, description="The games, in the order they came.")
    ]
    next: Annotated[
        FeedCursor | None,
        Meta(description="Send it as `after` for the next page, also if this one is empty; null: leave `after` out."),
    ]
    more: Annotated[bool, Meta(description="True if more games are there already.")]
    dropped: Annotated[
        int,
        Meta(ge=0, description="The games behind `after` that are kept no longer, for their age or for want of room."),
    ]


class GameSummary(Struct, frozen=True):
    """A live game as it stands in a list, without its cards."""

    id: Annotated[ShownGameId, Meta(description="The id of the game.")]
    version: Annotated[Version, Meta(description="The version that is shown.")]
    phase: Annotated[GamePhase, Meta(description="The phase of the game.")]
    turn: Annotated[Seat | None, Meta(description="The seat that is to play, or to deal; null once the game is over.")]
    turn_since: Annotated[
        Timestamp | None,
        Meta(
            description="The time since which it is to; before the first deal, the time of the opening; null once the "
            "game is over."
        ),
    ]
    expires_at: Expiry
    """When the game expires."""
    rules: Annotated[Rules, Meta(description="The rules of the game.")]
    seats: Annotated[tuple[NamedSeat, ...], Meta(description="Every seat, in order.")]
    rematch: NextGame
    """The next game of the same people, or None."""


class OpenGames(Struct, frozen=True):
    """A page of the games of an app that are not over."""

    games: Annotated[
        tuple[GameSummary, ...], Meta(max_length=MAX_LISTED, description="The games, in the order they were opened.")
    ]
    next: Annotated[int | None, Meta(description="Send it as `after` for the next page; null if there is none.")]
