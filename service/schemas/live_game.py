"""A live game, and a change of one, as the bearer of a token may see them."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.game.fairness.verification import SeatsProof
from service.game.rules import play
from service.game.rules.record import Proof, RecordedPlay
from service.game.rulesets import Rules, Seat, Sides
from service.schemas.draw import DrawRounds
from service.schemas.events import Event, TakeBackRequest
from service.schemas.position import Position
from service.schemas.revision import Version
from service.schemas.scalars import MoveSeconds, PlayerLevel, PlayerName, ShownGameId, SideIndex
from service.schemas.timestamp import Timestamp

GamePhase: TypeAlias = Annotated[
    Literal["to_deal", "playing", "deal_over", "game_over"],
    Meta(title="GamePhase", description="The phase of a live game; `to_deal`: before its first deal."),
]
RoleName: TypeAlias = Annotated[
    Literal["seat", "host", "spectator"],
    Meta(
        title="GameRole",
        description="In which role a bearer sees a game: at a seat, as its host or, without a token, as a spectator.",
    ),
]
MoveEnd: TypeAlias = Annotated[
    Timestamp | None,
    Meta(
        description="The time from which the computer makes the move of the seat that is to act, by the clock of the "
        "store; null where no limit runs: the game has none, is not dealt yet or over, or the computer is to act."
    ),
]

NextGame: TypeAlias = Annotated[
    ShownGameId | None,
    Meta(description="The game that the same people play after this one, with the same tokens; null if none does."),
]
Expiry: TypeAlias = Annotated[
    Timestamp,
    Meta(
        description="The time at which the game expires if nothing changes it. Before the first deal, until a seat is "
        "taken, an open event stream of a seat puts it off further than this says: see `ttl`."
    ),
]


class Shuffle(Struct, frozen=True):
    """The shuffle of one deal: the commitment made before it, and the proof that opens it once the deal is over."""

    deal: Annotated[int, Meta(ge=1, description="The number of the deal, from 1.")]
    commitment: Annotated[str, Meta(description="The hash of the secret of the shuffle, in hex.")]
    proof: Annotated[Proof | None, Meta(description="null until the deal is over.")]


class Seating(Struct, frozen=True, gc=False):
    """A change of seats before the first deal."""

    seats: Annotated[tuple[Seat, ...], Meta(description="By seat: where its player sat before this change.")]
    first_seats: Annotated[
        tuple[Seat, ...],
        Meta(description="By seat: where its token was when the game was opened, before any change of seats."),
    ]
    rounds: Annotated[
        DrawRounds,
        Meta(description="The cards drawn, round by round, by the seats before this change; [] if seats were named."),
    ]
    proof: Annotated[SeatsProof | None, Meta(description="The proof of the draw; null if seats were named.")]


class LastTrick(Struct, frozen=True, gc=False):
    """The trick that was taken last."""

    cards: Annotated[tuple[RecordedPlay, ...], Meta(description="Its cards, in the order played.")]
    winner: Annotated[Seat, Meta(description="The seat that took it.")]


class NamedSeat(Struct, frozen=True):
    """A seat of a game, and who plays it."""

    seat: Annotated[Seat, Meta(description="The number of the seat.")]
    side: Annotated[SideIndex, Meta(description="The side of the seat.")]
    name: Annotated[
        PlayerName | None,
        Meta(
            description="The name of its player, or null. It was written on opening the game or taking the seat, and "
            "nobody has checked it: show it as text, never as HTML."
        ),
    ]
    computer: Annotated[PlayerLevel | None, Meta(description="How well the computer plays it; null for a person.")]


class GameSeat(NamedSeat, frozen=True):
    """A seat of a live game."""

    present: Annotated[
        bool,
        Meta(
            description="True while an event stream with the token of the seat is open. It is no part of the version, "
            "and stays true for up to two minutes where the process with the stream has died."
        ),
    ]


RequestedBack: TypeAlias = Annotated[
    TakeBackRequest | None, Meta(description="The request to take a card back; null if there is none.")
]


class LiveGame(Struct, frozen=True):
    """A live game, as the bearer of the token may see it."""

    id: Annotated[ShownGameId, Meta(description="The id of the game.")]
    version: Annotated[Version, Meta(description="The version that is shown.")]
    opened_at: Annotated[Timestamp, Meta(description="The time at which the game was opened.")]
    changed_at: Annotated[Timestamp, Meta(description="The time of the change that made this version.")]
    expires_at: Expiry
    """When the game expires."""
    rules: Annotated[Rules, Meta(description="The rules of the game.")]
    sides: Annotated[Sides, Meta(description="The seats of each side.")]
    on_revoke: Annotated[play.OnRevoke, Meta(description="Whether a revoke is refused, or stands and is penalised.")]
    move_seconds: Annotated[
        MoveSeconds | None, Meta(description="The seconds that a seat has for a move; null for no limit.")
    ]
    take_back: Annotated[bool, Meta(description="True if a seat may take back its last card by consent.")]
    seats: Annotated[tuple[GameSeat, ...], Meta(description="Every seat, in order.")]
    from_position: Annotated[
        bool,
        Meta(description="True if the game was opened from a position: its first deal has no shuffle that proves it."),
    ]
    phase: Annotated[GamePhase, Meta(description="The phase of the game.")]
    role: Annotated[RoleName, Meta(description="With whose eyes the game is seen.")]
    seat: Annotated[Seat | None, Meta(description="The bearer's seat; null for the host and for spectators.")]
    dealer: Annotated[Seat, Meta(description="The dealer of this deal or, if none is being played, of the next.")]
    move_ends_at: MoveEnd
    """When the limit of a move ends; None without one."""
    take_back_asked: RequestedBack
    """The open request to take a card back, or None."""
    draw: Annotated[DrawRounds, Meta(description="The cards drawn for the first dealer, by round; [] if it was named.")]
    seating: Annotated[
        Seating | None, Meta(description="The latest change of seats before the first deal; null if there was none.")
    ]
    position: Annotated[Position | None, Meta(description="null before the first deal.")]
    last_trick: Annotated[
        LastTrick | None, Meta(description="The last trick taken of this deal; null until there is one.")
    ]
    resigned: Annotated[
        Seat | None, Meta(description="The seat that resigned, so that every other side has won; null if none did.")
    ]
    rematch: NextGame
    """The next game of the same people, or None."""
    shuffles: Annotated[tuple[Shuffle, ...], Meta(description="By deal that was shuffled; the last is for the next.")]


class Change(Struct, frozen=True):
    """A change of a game, as the bearer of the token may see it."""

    version: Annotated[Version, Meta(description="The version after the change.")]
    at: Annotated[Timestamp, Meta(description="The time of the change.")]
    expires_at: Expiry
    """When the game expires."""
    phase: Annotated[GamePhase, Meta(description="The phase after the change.")]
    dealer: Annotated[Seat, Meta(description="The dealer of this deal or, if none is being played, of the next.")]
    move_ends_at: MoveEnd
    """When the limit of a move ends; None without one."""
    take_back_asked: RequestedBack
    """The open request to take a card back, or None."""
    position: Annotated[Position | None, Meta(description="The position after the change; null before the first deal.")]
    events: Annotated[tuple[Event, ...], Meta(description="What happened, in order.")]
    shuffles: Annotated[
        tuple[Shuffle, ...],
        Meta(
            description="The shuffles that are new or have changed: with a deal its own and the next, with its end its "
            "own with the proof."
        ),
    ]
