"""Types that many answers share."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from service.game.cards import Code
from service.game.level import Level
from service.game.rulesets.ruleset import PRINTABLE
from service.schemas.ids import GameId

SideIndex: TypeAlias = Annotated[int, Meta(title="Side", ge=0, le=7, description="A side, by its place in `sides`.")]
Points: TypeAlias = Annotated[int, Meta(title="Points", ge=0, description="Points.")]
DealPoints: TypeAlias = Annotated[int, Meta(title="DealPoints", description="Points; below zero only by a fine.")]
PointsBySide: TypeAlias = Annotated[tuple[Points, ...], Meta(description="By side, in points.")]
PlayerLevel: TypeAlias = Annotated[
    Level, Meta(title="ComputerLevel", description="How far a computer player thinks: a higher level takes longer.")
]
ShownGameId: TypeAlias = Annotated[
    GameId, Meta(title="GameId", pattern=r"^[A-Za-z0-9_-]{22}\Z", description="The id of a game.")
]
Cards: TypeAlias = Annotated[tuple[Code, ...], Meta(max_length=36)]
PlayerName: TypeAlias = Annotated[
    str,
    Meta(
        title="PlayerName",
        min_length=1,
        max_length=40,
        pattern=PRINTABLE,
        description="The name of a player, as written on opening the game or taking the seat: one that can be "
        "seen, and none that pages give to seats themselves, such as `You` or `Seat 1`.",
    ),
]

MoveSeconds: TypeAlias = Annotated[int, Meta(ge=5, le=24 * 3600)]
"""Seconds that a seat has for a move."""
