"""A live game as its bearers may see it: no hand but one's own in play, no secret before the deal is over."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from service.cards import mask_codes
from service.fairness.commitment import commit
from service.fairness.shuffle import draw
from service.games.log import CardPlayed, Dealt, Game, Opening, Step, dealer_next, report
from service.rules import game as winning
from service.rules import play
from service.rules.record import Proof
from service.rules.view import view
from service.rulesets import Rules, Seat, Sides
from service.wire.draw import DrawnCard, write_rounds
from service.wire.events import Event, Revoked, write_events
from service.wire.position import Position, write_position

GamePhase: TypeAlias = Literal["to_deal", "playing", "deal_over", "game_over"]
Version: TypeAlias = Annotated[
    int, Meta(title="Version", ge=1, description="The version of a game: 1 when it is opened, 1 more with each change.")
]
GameId: TypeAlias = Annotated[str, Meta(title="GameId", pattern="^[A-Za-z0-9_-]{22}$", description="The id of a game.")]


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
    position: Annotated[Position | None, Meta(description="null before the first deal.")]
    shuffles: Annotated[tuple[Shuffle, ...], Meta(description="By deal, the one to come last.")]


class Change(Struct, frozen=True):
    """What a change made of a game, as the bearer of the token may see it."""

    version: Version
    position: Position
    events: tuple[Event, ...]


class StreamedChange(Struct, frozen=True):
    """One message of the event stream: what happened at a version, and what the bearer sees after it."""

    version: Version
    phase: GamePhase
    position: Position | None
    events: tuple[Event, ...]
    shuffle: Annotated[
        Shuffle | UnsetType,
        Meta(description="At a deal, its commitment; when the deal is over, with what opens it."),
    ] = UNSET


def game_phase(game: Game) -> GamePhase:
    """Tell where a live game stands."""
    return "to_deal" if game.state is None else winning.phase(game.state, winning.won(game.state))


def view_game(game_id: str, game: Game, seat: Seat | None) -> LiveGame:
    """Show a game to a seat, or to those who have none."""
    opened, phase = game.opened, game_phase(game)
    rounds, _ = draw(game.table.players, opened.draw_seed)
    return LiveGame(
        id=game_id,
        version=game.version,
        rules=opened.rules,
        sides=opened.sides,
        on_revoke=opened.on_revoke,
        phase=phase,
        seat=seat,
        dealer=game.state.dealer if game.state is not None and phase == "playing" else dealer_next(game),
        draw=write_rounds(rounds),
        position=view_position(game, seat),
        shuffles=_shuffles(game, phase),
    )


def view_position(game: Game, seat: Seat | None) -> Position | None:
    """Show the position to a seat; None before the first deal."""
    return None if game.state is None else write_position(view(game.state, seat))


def _shuffles(game: Game, phase: GamePhase) -> tuple[Shuffle, ...]:
    done = len(game.openings) - (phase == "playing")
    past = tuple(
        Shuffle(at + 1, commit(opening.secret), write_proof(opening) if at < done else None)
        for at, opening in enumerate(game.openings)
    )
    return (*past, Shuffle(len(past) + 1, commit(game.secret), None))


def write_proof(opening: Opening) -> Proof:
    """Write what opens a commitment."""
    return Proof(commit(opening.secret), opening.secret, opening.entropy, mask_codes(opening.strip), opening.threes)


def view_events(step: Step, seat: Seat | None) -> tuple[Event, ...]:
    """Show what happened at a step; the cards that a seat could have played in place of a revoke are its own."""
    played = report(step)
    if step.before is None or played is None:
        return ()
    return tuple([_redacted(event, seat) for event in write_events(step.before, played)])


def _redacted(event: Event, seat: Seat | None) -> Event:
    if isinstance(event, Revoked) and event.seat != seat:
        return structs.replace(event, verdict=structs.replace(event.verdict, legal_cards=None))
    return event


def view_change(step: Step, seat: Seat | None) -> Change:
    """Show a change to the one who made it.

    Errors: total once there is a deal.
    """
    if step.game.state is None:
        raise AssertionError
    position = write_position(view(step.game.state, seat))
    return Change(step.game.version, position, view_events(step, seat))


def view_streamed(step: Step, seat: Seat | None) -> StreamedChange:
    """Show a step to one who watches."""
    game, phase = step.game, game_phase(step.game)
    # The commitment comes with the deal, what opens it with the card that ends the deal.
    tells = isinstance(step.entry, Dealt) or (isinstance(step.entry, CardPlayed) and phase != "playing")
    shuffle = _shuffles(game, phase)[-2] if tells else UNSET
    return StreamedChange(game.version, phase, view_position(game, seat), view_events(step, seat), shuffle)
