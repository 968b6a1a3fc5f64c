"""Answers as they go over the wire: the only place where numbers and masks become codes and words."""

from operator import add
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.cards import SUIT_OF, CardCode, Code, card_code, mask_codes
from service.faults import FaultCode
from service.rules import adjudication as adjudications
from service.rules import follow, game, play, revoke, score, trick
from service.rulesets import RevokePenalty, Ruleset, Seat, Side, Source
from service.state import Claim, State, describe

SideIndex: TypeAlias = Annotated[int, Meta(title="Side", ge=0, le=7, description="A side, by its place in `sides`.")]
Points: TypeAlias = Annotated[int, Meta(title="Points", ge=0, description="Points.")]
PointsBySide: TypeAlias = Annotated[tuple[Points, ...], Meta(description="By side, in points.")]
Cards: TypeAlias = Annotated[tuple[Code, ...], Meta(max_length=36)]
RuleField: TypeAlias = Literal["tables", "opening_lead", "following", "void", "revoke", "winning"]

_FIELD_OF: dict[follow.Reason, RuleField] = {
    "not_in_hand": "tables",
    "must_follow_suit": "following",
    "must_trump": "void",
    "no_trump_lead": "opening_lead",
}
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


class Rule(Struct, frozen=True, gc=False):
    """The rule that decided: a field of the ruleset, and its source."""

    ruleset: str
    field: RuleField
    source: Annotated[str, Meta(description="The source and its section.")]
    says: Annotated[str, Meta(description="What it says, in this service's words.")]
    reading: Annotated[bool, Meta(description="True where the source is silent and this project decides.")]


class Verdict(Struct, frozen=True, gc=False):
    """Whether a card may be played, and why not."""

    seat: Seat
    card: Code
    legal: bool
    reason: follow.Reason | None
    rule: Annotated[Rule | None, Meta(description="The rule that forbids the card; null for a legal card.")]
    detail: Annotated[str, Meta(description="The same for a person, with the facts used.")]
    legal_cards: Annotated[Cards | None, Meta(description="What would be accepted; null where the hand is not seen.")]


class Position(Struct, frozen=True, gc=False):
    """A state, and everything that follows from it."""

    state: Claim
    phase: game.Phase
    turn: Annotated[Seat | None, Meta(description="The seat to play; null when none is.")]
    legal_cards: Annotated[
        Cards | None, Meta(description="What it may play; null where its hand is not seen and nothing else tells.")
    ]
    trick_winner: Annotated[Seat | None, Meta(description="The seat that holds the current trick so far.")]
    points: Annotated[PointsBySide, Meta(description="By side: the points of this deal so far.")]
    totals: Annotated[PointsBySide, Meta(description="By side: the game score with the points of this deal.")]
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game; [] till then.")]


class WonBy(Struct, frozen=True, gc=False):
    """How a game was won."""

    how: game.How
    item: Annotated[score.Item | None, Meta(description="The item of the counting order that decided, if one did.")]
    rule: Rule


class CardPlayed(Struct, frozen=True, gc=False, tag_field="type", tag="card_played"):
    """A card was played."""

    seat: Seat
    card: Code


class TrickTaken(Struct, frozen=True, gc=False, tag_field="type", tag="trick_taken"):
    """A trick is full and taken; `honours` are its honours in points."""

    seat: Seat
    side: SideIndex
    cards: Annotated[Cards, Meta(description="In the order played.")]
    honours: Points


class HandPlayedOut(Struct, frozen=True, gc=False, tag_field="type", tag="hand_played_out"):
    """Every seat has played out its hand in play; `hand` counts from 1, `of` is how many a deal has."""

    hand: Annotated[int, Meta(ge=1)]
    of: Annotated[int, Meta(ge=1)]


class Revoked(Struct, frozen=True, gc=False, tag_field="type", tag="revoked"):
    """A revoke was let stand, and costs its side the game or the deal's points."""

    seat: Seat
    side: SideIndex
    penalty: RevokePenalty
    verdict: Verdict


class DealScored(Struct, frozen=True, gc=False, tag_field="type", tag="deal_scored"):
    """The deal is over; the next starts with `totals` as game scores."""

    points: PointsBySide
    totals: PointsBySide


class GameWon(Struct, frozen=True, gc=False, tag_field="type", tag="game_won"):
    """The game is won."""

    winners: tuple[SideIndex, ...]
    won_by: WonBy


Event: TypeAlias = CardPlayed | TrickTaken | HandPlayedOut | Revoked | DealScored | GameWon


class Error(Struct, frozen=True, gc=False):
    """One fault of a request, and where it is."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: Annotated[str, Meta(description="A stable code of the fault.")]
    detail: str


class StateError(Struct, frozen=True, gc=False):
    """One fault of a state, and where it is."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request.")]
    code: FaultCode
    detail: str


def pointer(*steps: str | int) -> str:
    """Write the steps to a part of a request as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def write_rule(ruleset: Ruleset, field: RuleField) -> Rule:
    """Write a rule with its source."""
    source: Source = getattr(ruleset.sources, field)
    return Rule(ruleset.id, field, source.where, source.says, source.reading)


def write_verdict(state: State, verdict: follow.Verdict) -> Verdict:
    """Write a verdict on a card in the state that it was judged in."""
    legal = verdict.legal_cards
    return _write_verdict(state, verdict, None if legal is None else mask_codes(legal))


def write_verdicts(state: State, verdicts: tuple[follow.Verdict, ...]) -> tuple[Verdict, ...]:
    """Write the verdicts on the cards of one hand: the same cards of it are legal in each."""
    legal = verdicts[0].legal_cards
    codes = None if legal is None else mask_codes(legal)
    return tuple([_write_verdict(state, verdict, codes) for verdict in verdicts])


def _write_verdict(state: State, verdict: follow.Verdict, legal: tuple[CardCode, ...] | None) -> Verdict:
    reason = verdict.reason
    return Verdict(
        verdict.seat,
        card_code(verdict.card),
        reason is None,
        reason,
        None if reason is None else write_rule(state.table.ruleset, _FIELD_OF[reason]),
        _detail(state, verdict),
        legal,
    )


def _detail(state: State, verdict: follow.Verdict) -> str:
    card, seat = card_code(verdict.card), verdict.seat
    if verdict.reason is None:
        return f"Seat {seat} may play {card}."
    if verdict.reason == "not_in_hand":
        return f"Seat {seat} does not hold {card}."
    trumps = _SUIT_NAMES[state.trump]
    if verdict.reason == "no_trump_lead":
        return f"Seat {seat} opens the deal and holds a plain suit, so it may not lead {card}: {trumps} are trumps."
    led = card_code(state.trick[0])
    suit = _SUIT_NAMES[SUIT_OF[state.trick[0]]]
    if verdict.reason == "must_follow_suit":
        return f"{led} was led and seat {seat} holds {suit}, so it may not play {card}."
    return f"{led} was led, seat {seat} is void in {suit} and holds {trumps}, so it must trump and may not play {card}."


def write_position(state: State) -> Position:
    """Write a state with everything that follows from it."""
    made = score.points(state)
    standing = tuple(map(add, state.scores, made))
    outcome = game.won(state, standing)
    phase = game.phase(state, outcome)
    playing = phase == "playing"
    legal = follow.legal_cards(state) if playing else 0
    return Position(
        describe(state),
        phase,
        state.seat_to_play if playing else None,
        None if legal is None else mask_codes(legal),
        trick.winner(state.trick, state.trump, state.leader, state.table.players, state.table.ruleset),
        made,
        standing,
        outcome.winners if outcome else (),
    )


def write_won_by(state: State, outcome: game.Won) -> WonBy:
    """Write how a game was won, with the rule and its source."""
    field: RuleField = "revoke" if outcome.how == "revoke" else "winning"
    return WonBy(outcome.how, outcome.item, write_rule(state.table.ruleset, field))


def write_events(before: State, played: play.Played) -> list[Event]:
    """Write what happened when a card was played, in the order in which it happened."""
    state = played.state
    events: list[Event] = [CardPlayed(played.seat, card_code(played.card))]
    if played.trick is not None:
        taken = played.trick
        cards: tuple[CardCode, ...] = tuple(card_code(card) for card in taken.cards)
        events.append(TrickTaken(taken.seat, taken.side, cards, taken.honours))
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
        events.append(GameWon(played.won.winners, write_won_by(state, played.won)))
    return events


class SideScore(Struct, frozen=True, gc=False):
    """What a side scores in the deal so far, item by item in the counting order, in points."""

    side: SideIndex
    seats: tuple[Seat, ...]
    ten: Points
    card_points: Annotated[Points, Meta(description="For cards above the share, or for tricks.")]
    ace: Points
    king: Points
    queen: Points
    jack: Points
    points: Annotated[Points, Meta(description="The sum of the items.")]
    total: Annotated[Points, Meta(description="The game score with these points.")]


class Scores(Struct, frozen=True, gc=False):
    """The score of a deal, by side, and who has won the game."""

    phase: game.Phase
    sides: tuple[SideScore, ...]
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game; [] till then.")]
    won_by: WonBy | None


def write_scores(state: State) -> Scores:
    """Write the score of a deal as far as it has gone."""
    outcome = game.won(state)
    sides = tuple(
        SideScore(side, state.table.sides[side], *tally, sum(tally), state.scores[side] + sum(tally))
        for side, tally in enumerate(score.tallies(state))
    )
    winners: tuple[Side, ...] = outcome.winners if outcome else ()
    won_by = write_won_by(state, outcome) if outcome else None
    return Scores(game.phase(state, outcome), sides, winners, won_by)


class Irregularity(Struct, frozen=True, gc=False):
    """Where a record first departs from the rules."""

    pointer: Annotated[str, Meta(description="JSON Pointer into the request, to the deal or the play.")]
    deal: Annotated[int, Meta(ge=0, description="The deal, counted from 0.")]
    play: Annotated[int | None, Meta(description="The play in it, counted from 0; null: the deal itself.")]
    code: adjudications.IrregularityCode
    detail: str
    verdict: Verdict | UnsetType = UNSET


class AdjudicatedDeal(Struct, frozen=True, gc=False):
    """A deal of a record: the verdict on each play in order, as far as they can be judged, and the score after it."""

    verdicts: tuple[Verdict, ...]
    phase: game.Phase
    points: PointsBySide
    totals: PointsBySide


class Adjudication(Struct, frozen=True, gc=False):
    """A whole record, adjudicated."""

    deals: tuple[AdjudicatedDeal, ...]
    irregularity: Irregularity | None
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game; [] if none.")]
    won_by: WonBy | None


def write_adjudication(adjudication: adjudications.Adjudication) -> Adjudication:
    """Write the adjudication of a record."""
    deals = tuple(
        AdjudicatedDeal(
            tuple(write_verdict(state, verdict) for state, verdict in result.verdicts),
            result.phase,
            result.points,
            result.totals,
        )
        for result in adjudication.deals
    )
    last, outcome = adjudication.deals[-1].state, adjudication.won
    return Adjudication(
        deals,
        _write_irregularity(adjudication),
        outcome.winners if outcome else (),
        write_won_by(last, outcome) if outcome else None,
    )


def _write_irregularity(adjudication: adjudications.Adjudication) -> Irregularity | None:
    found = adjudication.irregularity
    if found is None:
        return None
    path = ("deals", found.deal) if found.play is None else ("deals", found.deal, "plays", found.play)
    verdict: Verdict | UnsetType = UNSET
    if found.verdict is not None and found.play is not None:
        judged = adjudication.deals[found.deal].verdicts[found.play]
        verdict = write_verdict(*judged)
    return Irregularity(pointer(*path), found.deal, found.play, found.code, found.detail, verdict)
