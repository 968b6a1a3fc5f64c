"""Events: the things that happened in a game, as a union with the tag `type`."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from service.game.cards import CardCode, Code, card_code
from service.game.rules import game, play, revoke, score
from service.game.rulesets import MAX_DEALS, RevokePenalty, Ruleset, Seat
from service.game.state import State
from service.schemas.scalars import Cards, DealPoints, PlayerLevel, Points, PointsBySide, ShownGameId, SideIndex
from service.schemas.verdict import Rule, RuleField, Verdict, write_rule, write_verdict

_FIELD_OF: Final[dict[game.How, RuleField]] = {"revoke": "revoke", "last_deal": "deals", "tie_broken": "ties"}
_LIMIT: Final = f"No source ends a game by its deals: {MAX_DEALS} are this project's limit, and the highest score wins."


class WonBy(Struct, frozen=True, gc=False):
    """How a game was won."""

    how: Annotated[game.How, Meta(description="The way in which the game was won.")]
    item: Annotated[score.Item | None, Meta(description="The item of the counting order that decided; or null.")]
    rule: Annotated[
        Rule | None, Meta(description="The rule by which it was won, and its source; null for a resignation.")
    ]


class CardPlayed(Struct, frozen=True, gc=False, tag_field="type", tag="card_played"):
    """A card was played."""

    seat: Annotated[Seat, Meta(description="The seat that played.")]
    card: Annotated[Code, Meta(description="The card that it played.")]


class TimeRanOut(Struct, frozen=True, gc=False, tag_field="type", tag="time_ran_out"):
    """A seat's time to move is over: the computer plays its next card, and takes the seat after three in a row."""

    seat: Annotated[Seat, Meta(description="The seat.")]


class TrickTaken(Struct, frozen=True, gc=False, tag_field="type", tag="trick_taken"):
    """A trick is complete and taken; `honours` is their points."""

    seat: Annotated[Seat, Meta(description="The seat that took the trick, and leads to the next.")]
    side: Annotated[SideIndex, Meta(description="The side of that seat.")]
    leader: Annotated[Seat, Meta(description="The seat that led to it.")]
    cards: Annotated[Cards, Meta(description="In the order played.")]
    honours: Annotated[Points, Meta(description="The points of the honours in it.")]


class HandPlayedOut(Struct, frozen=True, gc=False, tag_field="type", tag="hand_played_out"):
    """Every seat has played all cards of its hand `hand` of `of`; the next hand is in `position`."""

    hand: Annotated[int, Meta(ge=1, description="The number of the hand that is played out, from 1.")]
    of: Annotated[int, Meta(ge=1, description="The number of hands that each seat has in a deal.")]


class Revoked(Struct, frozen=True, gc=False, tag_field="type", tag="revoked"):
    """A revoke stands and ends the deal; `penalty` says what it costs."""

    seat: Annotated[Seat, Meta(description="The seat that revoked.")]
    side: Annotated[SideIndex, Meta(description="The side of that seat.")]
    penalty: Annotated[RevokePenalty, Meta(description="The penalty for it.")]
    verdict: Annotated[Verdict, Meta(description="The verdict on its card.")]


class Resigned(Struct, frozen=True, gc=False, tag_field="type", tag="resigned"):
    """A seat resigned, or the host for it: its side loses the game, and every other side wins."""

    seat: Annotated[Seat, Meta(description="The seat that resigned.")]
    side: Annotated[SideIndex, Meta(description="The side of that seat.")]


class CardsDealt(Struct, frozen=True, gc=False, tag_field="type", tag="cards_dealt"):
    """The cards were dealt; your hand is in `position`, the commitment to the next shuffle in `shuffles`."""

    dealer: Annotated[Seat, Meta(description="The dealer, who need not have asked for the deal.")]
    deal: Annotated[int, Meta(ge=1, description="The number of the deal, from 1.")]
    turn_up: Annotated[Code, Meta(description="The turn-up, whose suit is trump.")]


class EntropyAdded(Struct, frozen=True, gc=False, tag_field="type", tag="entropy_added"):
    """A seat added entropy to the next shuffle; the proof of that shuffle shows its text."""

    seat: Annotated[Seat, Meta(description="The seat that added.")]


class TokenRenewed(Struct, frozen=True, gc=False, tag_field="type", tag="token_renewed"):
    """A seat has a new token; the old one is void."""

    seat: Annotated[Seat, Meta(description="The seat.")]
    name: Annotated[str | None, Meta(description="The name of its player from now on, or null.")]


class ComputerSeated(Struct, frozen=True, gc=False, tag_field="type", tag="computer_seated"):
    """The computer plays a seat from now on."""

    seat: Annotated[Seat, Meta(description="The seat.")]
    level: Annotated[PlayerLevel, Meta(description="How well it plays.")]


class ComputerLeft(Struct, frozen=True, gc=False, tag_field="type", tag="computer_left"):
    """A person plays a seat again."""

    seat: Annotated[Seat, Meta(description="The seat.")]


class TakeBackRequest(Struct, frozen=True, gc=False):
    """The request of a seat to take back its last card."""

    seat: Annotated[Seat, Meta(description="The seat that asks.")]
    agreed: Annotated[tuple[Seat, ...], Meta(description="The other seats that agree so far, in order.")]


class TakeBackAsked(TakeBackRequest, frozen=True, gc=False, tag_field="type", tag="take_back_asked"):
    """A seat asks to take back its last card, or another seat agrees."""


class TakenBack(Struct, frozen=True, gc=False, tag_field="type", tag="taken_back"):
    """All agreed: the seat has its card again, and plays another or the same."""

    seat: Annotated[Seat, Meta(description="The seat.")]
    card: Annotated[Code, Meta(description="The card, which everybody has seen.")]


class RematchOpened(Struct, frozen=True, gc=False, tag_field="type", tag="rematch_opened"):
    """The next game is open; the tokens of this game work there too."""

    game: Annotated[ShownGameId, Meta(description="The id of the next game.")]


class DealScored(Struct, frozen=True, gc=False, tag_field="type", tag="deal_scored"):
    """The deal is over; `totals` are the scores of the next one, but see `ties` of the ruleset."""

    points: Annotated[tuple[DealPoints, ...], Meta(description="By side: the points of this deal.")]
    totals: Annotated[PointsBySide, Meta(description="By side: the game score after this deal.")]


class GameWon(Struct, frozen=True, gc=False, tag_field="type", tag="game_won"):
    """The game is won."""

    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game.")]
    won_by: Annotated[WonBy, Meta(description="How they have won it.")]


Event: TypeAlias = Annotated[
    CardsDealt
    | CardPlayed
    | TimeRanOut
    | TrickTaken
    | HandPlayedOut
    | Revoked
    | Resigned
    | DealScored
    | GameWon
    | EntropyAdded
    | TokenRenewed
    | ComputerSeated
    | ComputerLeft
    | TakeBackAsked
    | TakenBack
    | RematchOpened,
    Meta(title="GameEvent", description="Something that happened in a game."),
]


def write_won_by(ruleset: Ruleset, outcome: game.Won) -> WonBy:
    """Write how a game was won, with the rule and its source."""
    if outcome.how == "resignation":
        return WonBy(outcome.how, None, None)
    rule = write_rule(ruleset, _FIELD_OF.get(outcome.how, "winning"))
    if game.ends_at_limit(ruleset, outcome):
        rule = replace(rule, source="this project", says=_LIMIT, reading=True)
    return WonBy(outcome.how, outcome.item, rule)


def write_resignation(state: State, seat: Seat) -> tuple[Resigned, GameWon]:
    """Write that a seat resigned, and who has won by it."""
    side = state.table.side_of[seat]
    won = game.won_from(state.table, side, "resignation")
    return Resigned(seat, side), GameWon(won.winners, write_won_by(state.table.ruleset, won))


def write_events(before: State, played: play.Played) -> list[Event]:
    """Write what happened when a card was played, in the order in which it happened."""
    state = played.state
    events: list[Event] = [CardPlayed(played.seat, card_code(played.card))]
    if played.trick is not None:
        taken = played.trick
        cards: tuple[CardCode, ...] = tuple(card_code(card) for card in taken.cards)
        events.append(TrickTaken(taken.seat, taken.side, before.leader, cards, taken.honours))
    if played.hand_played_out:
        hands = state.table.hands
        left = len(before.later_hands[0]) if before.later_hands else 0
        events.append(HandPlayedOut(hands - left, hands))
    if played.revoked is not None:
        side = state.table.side_of[played.seat]
        events.append(Revoked(played.seat, side, revoke.penalty(state.table), write_verdict(before, played.revoked)))
    if played.phase != "playing":
        events.append(DealScored(score.points(state), score.totals(state)))
    if played.won is not None:
        events.append(GameWon(played.won.winners, write_won_by(state.table.ruleset, played.won)))
    return events
