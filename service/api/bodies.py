"""The questions and their answers, as they go over the wire."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service import wire
from service.cards import Code, Suit
from service.rules import play
from service.rulesets import Players, Rules, Ruleset, Seat, Sides
from service.state import Claim, Seed

Trick: TypeAlias = Annotated[tuple[Code, ...], Meta(min_length=1, max_length=8)]


class StateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A question about a state."""

    state: Claim


class DealQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What to deal: a first deal (`rules`, `players` or `sides`, `dealer`), or the next one (`after`)."""

    rules: Annotated[Rules | None, Meta(title="Rules", description="A ruleset's id, or a whole ruleset.")] = None
    players: Players | None = None
    sides: Sides | None = None
    dealer: Seat | None = None
    after: Annotated[Claim | None, Meta(description="A state whose deal is over.")] = None
    seed: Annotated[Seed | None, Meta(description="Left out, one is drawn from a secure source.")] = None
    pack: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=36)] | None,
        Meta(description="The exact order of the pack after the strip, the first card dealt first; excludes `seed`."),
    ] = None
    strip: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=16)] | None,
        Meta(description="The cards to strip, where the ruleset lets the caller choose."),
    ] = None
    three_at_a_time: bool = False


class VerdictQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """May this card be played? With `seat`, by that seat."""

    state: Claim
    card: Code
    seat: Seat | None = None


class BareTrick(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A trick with no state around it."""

    trump: Suit
    leader: Seat
    players: Players
    cards: Annotated[Trick, Meta(description="In order from the leader.")]
    rules: Annotated[
        Rules | None,
        Meta(title="Rules", description="Whose ranking and honours; left out: the jack of trumps high."),
    ] = None


class TrickWinnerQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Who wins this trick? Exactly one of `state` and `trick`."""

    state: Claim | None = None
    trick: BareTrick | None = None


class NextStateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What becomes of the state when these cards are played, in order?"""

    state: Claim
    cards: Annotated[tuple[Code, ...], Meta(min_length=1, max_length=36)]
    on_revoke: Annotated[
        play.OnRevoke, Meta(description="Whether an illegal card is refused, or stands and is penalised.")
    ] = "refuse"


class ViewQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What may this seat see? null: a spectator."""

    state: Claim
    seat: Seat | None


class DrawQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Who deals first?"""

    players: Players
    seed: Annotated[Seed | None, Meta(description="Left out, one is drawn from a secure source.")] = None


class Deal(Struct, frozen=True, gc=False):
    """A new deal, and the seed that repeats it; null where the order of the pack was given."""

    position: wire.Position
    seed: Seed | None


class LegalMoves(Struct, frozen=True, gc=False):
    """Whose turn it is, what may be played, and a verdict on every card of the hand."""

    turn: Annotated[Seat | None, Meta(description="The seat to play; null when none is.")]
    legal_cards: wire.Cards
    verdicts: tuple[wire.Verdict, ...]


class TrickWinner(Struct, frozen=True, gc=False):
    """Who holds a trick, or has won it if it is complete; all null before the lead."""

    seat: Seat | None
    side: Annotated[wire.SideIndex | None, Meta(description="null for a bare trick, which has no sides.")]
    card: Code | None
    honours: Annotated[wire.Points, Meta(description="The honours in the trick, in points.")]
    complete: bool


class NextState(Struct, frozen=True, gc=False):
    """What became of the state, and what happened on the way."""

    position: wire.Position
    events: tuple[wire.Event, ...]


class Diagnosis(Struct, frozen=True, gc=False):
    """Every fault of a state; none for one that can be."""

    possible: bool
    faults: tuple[wire.StateError, ...]


class View(Struct, frozen=True, gc=False):
    """The state as a seat may see it."""

    state: Claim


class DrawnCard(Struct, frozen=True, gc=False):
    """A card drawn by a seat."""

    seat: Seat
    card: Code


class Draw(Struct, frozen=True, gc=False):
    """The cards drawn, round by round: all seats first, then those that tied; and who deals."""

    dealer: Seat
    rounds: tuple[tuple[DrawnCard, ...], ...]
    seed: Seed


class RulesetList(Struct, frozen=True, gc=False):
    """All rulesets, as data."""

    rulesets: tuple[Ruleset, ...]
