"""A live game to open."""

from typing import Annotated

from msgspec import Meta, Struct

from service.game.rules import play
from service.game.rulesets import Players, Rules, Seat, Sides
from service.game.state import StartingScores
from service.schemas.described_state import StateOrNotation
from service.schemas.scalars import MoveSeconds, PlayerLevel, PlayerName


class NewSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a game to open."""

    name: Annotated[PlayerName | None, Meta(description="The name of its player, which is only shown.")] = None
    computer: Annotated[
        PlayerLevel | None, Meta(description="How well the computer is to play it; null for a person.")
    ] = None


class NewGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game to open: `rules`, and exactly one of `players`, `sides` and `state`."""

    rules: Annotated[Rules, Meta(title="Rules", description="A ruleset's id, or a whole ruleset (house rules).")]
    players: Annotated[
        Players | None,
        Meta(description="The number of players, who are seated as the source seats them; in place of `sides`."),
    ] = None
    sides: Annotated[Sides | None, Meta(description="The seats of each side; in place of `players`.")] = None
    first_dealer: Annotated[
        Seat | None, Meta(description="The dealer of the first deal; if left out, cards are drawn for it.")
    ] = None
    scores: Annotated[
        StartingScores | None, Meta(description="By side: the scores with which the game begins; 0 if left out.")
    ] = None
    seats: Annotated[
        Annotated[tuple[NewSeat, ...], Meta(min_length=2, max_length=8)] | None,
        Meta(description="Every seat, in order; persons without names if left out. One seat at least is a person's."),
    ] = None
    on_revoke: Annotated[
        play.OnRevoke,
        Meta(description="Refuse a revoke, or let it stand and penalise it."),
    ] = "refuse"
    move_seconds: Annotated[
        MoveSeconds | None,
        Meta(
            description="The seconds that a seat has to play or to deal, by the clock of the store; null for no limit. "
            "When they are over, the computer makes the move, and after three cards of a seat in a row it plays the "
            "seat until that is taken back."
        ),
    ] = None
    take_back: Annotated[
        bool, Meta(description="True to let a seat take back its last card, if all other seats of people agree.")
    ] = False
    state: Annotated[
        StateOrNotation | None,
        Meta(
            description="A deal in play, with all hands shown and the same `rules`, from which the game goes on; in "
            "place of `players`, `sides`, `first_dealer` and `scores`. No shuffle proves it. If a card of it was "
            "played already, the record of the game begins with the deal after it."
        ),
    ] = None
    ttl: Annotated[
        int,
        Meta(
            ge=60,
            le=30 * 24 * 3600,
            description="Seconds without a change after which the game expires, capped by the operator (a day by "
            "default). Before the first deal it expires at most 600 seconds after its last change and after the last "
            "event stream of a seat was closed, unless a seat is taken: its token was renewed.",
        ),
    ] = 24 * 3600
