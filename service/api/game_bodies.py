"""What goes over the wire of live games."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service import wire
from service.api.bodies import DrawnCard
from service.cards import Code
from service.rules import play
from service.rules.record import Proof
from service.rulesets import Players, Rules, Seat, Sides
from service.state import Seed

GamePhase: TypeAlias = Literal["to_deal", "playing", "deal_over", "game_over"]
Token: TypeAlias = Annotated[
    str,
    Meta(
        title="Token",
        pattern="^[A-Za-z0-9_-]{43}$",
        description="A secret of 256 bits, sent as `Authorization: Bearer …`; shown once and kept only as a hash.",
    ),
]
Version: TypeAlias = Annotated[
    int, Meta(title="Version", ge=1, description="The version of a game: 1 when it is opened, 1 more with each change.")
]
GameId: TypeAlias = Annotated[str, Meta(title="GameId", pattern="^[A-Za-z0-9_-]{22}$", description="The id of a game.")]


class NewGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game to open: `rules`, and exactly one of `players` and `sides`."""

    rules: Annotated[Rules, Meta(title="Rules", description="A ruleset's id, or a whole ruleset (house rules).")]
    players: Players | None = None
    sides: Sides | None = None
    on_revoke: Annotated[
        play.OnRevoke, Meta(description="Whether an illegal card is refused, or stands and is penalised.")
    ] = "refuse"
    ttl: Annotated[
        int,
        Meta(ge=60, le=30 * 24 * 3600, description="Seconds without a change after which the game is forgotten."),
    ] = 24 * 3600


class NewPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """A card to play."""

    card: Code


class NewDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """How to deal the next deal."""

    strip: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=16)] | None,
        Meta(description="The cards to strip, where the ruleset lets the dealer choose."),
    ] = None
    three_at_a_time: bool = False


class NewEntropy(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat adds to the next shuffle, in place of what it added before."""

    entropy: Seed


class OpenedGame(Struct, frozen=True):
    """A game that was opened, and the secrets of its seats and its host, shown this once."""

    id: GameId
    version: Version
    tokens: Annotated[tuple[Token, ...], Meta(description="By seat: what its player plays with.")]
    host_token: Annotated[Token, Meta(description="What the game is dealt and deleted with.")]


class Shuffle(Struct, frozen=True):
    """The shuffle of one deal: what was committed to before it, and what opens that once the deal is over."""

    deal: Annotated[int, Meta(ge=1)]
    commitment: str
    proof: Annotated[Proof | None, Meta(description="null until the deal is over.")]


class LiveGame(Struct, frozen=True):
    """A live game, as the bearer of the token may see it."""

    id: GameId
    version: Version
    rules: Rules
    sides: Sides
    on_revoke: play.OnRevoke
    phase: GamePhase
    seat: Annotated[Seat | None, Meta(description="The bearer's seat; null for the host and for spectators.")]
    dealer: Annotated[Seat, Meta(description="Who deals this deal, or the next one where none is in play.")]
    draw: Annotated[
        tuple[tuple[DrawnCard, ...], ...], Meta(description="The cards drawn for the first deal, round by round.")
    ]
    position: Annotated[wire.Position | None, Meta(description="null before the first deal.")]
    shuffles: Annotated[tuple[Shuffle, ...], Meta(description="By deal, the one to come last.")]


class Change(Struct, frozen=True):
    """What a change made of a game, as the bearer of the token may see it."""

    version: Version
    position: wire.Position
    events: tuple[wire.Event, ...]


class EntropyAdded(Struct, frozen=True):
    """The version of the game after a seat has added to its next shuffle."""

    version: Version


class StreamedChange(Struct, frozen=True):
    """One message of the event stream: what happened at a version, and what the bearer sees after it."""

    version: Version
    phase: GamePhase
    position: wire.Position | None
    events: tuple[wire.Event, ...]
    shuffle: Annotated[
        Shuffle | UnsetType,
        Meta(description="At a deal, its commitment; when the deal is over, with what opens it."),
    ] = UNSET
