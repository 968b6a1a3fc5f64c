"""The verification of a record, and of a draw for seats: each follows from a secret and the seats' entropy.

A record alone can only agree with itself: its author could have written all of it afterwards. A player's note from
before a deal cannot be changed any more.
"""

from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import Code, card_code, parse_mask, strip_pack
from service.game.fairness.commitment import commit, draw_seed_from, seats_seed_from, seed_from
from service.game.fairness.shuffle import draw, draw_seats, shuffle
from service.game.rules.deal import deal
from service.game.rules.record import Commitment, EntropyBySeat, Proof, Record, RecordedDeal
from service.game.rules.setup import may_deal_threes, may_strip
from service.game.rulesets import Seat, Sides, Table, make_table
from service.game.state import HandClaim, Seed, State, to_claim


class Expectations(NamedTuple):
    """The players' notes from before the deals: commitments, and the entropy that they added.

    Shape: each note names its deal by its number in the game, as `shuffles` and the events of a live game do.
    """

    commitments: tuple[tuple[int, str], ...]
    entropy: tuple[tuple[int, Seat, str], ...]


DrawnCards: TypeAlias = tuple[tuple[tuple[Seat, Code], ...], ...]
"""The cards of a draw, round by round, each with the seat that drew it."""


class SeatsProof(Struct, frozen=True, gc=False):
    """The proof of a draw for seats, which follows from a commitment made before it."""

    commitment: Annotated[Commitment, Meta(description="The commitment to the shuffle that this draw replaced.")]
    secret: Annotated[Seed, Meta(description="Its secret, which shuffles nothing.")]
    entropy: Annotated[
        EntropyBySeat,
        Meta(description="By seat before the change: the entropy that it had added to that shuffle; empty for none."),
    ]


class SeatsDraw(NamedTuple):
    """A draw for seats as a game shows it."""

    sides: Sides
    """The seats of each side."""
    rounds: DrawnCards
    """The cards drawn, round by round."""
    seats: tuple[Seat, ...]
    """By seat: where its player sat before."""
    proof: SeatsProof


NO_EXPECTATIONS: Final = Expectations((), ())


def verify(record: Record, expected: Expectations = NO_EXPECTATIONS) -> dict[int, tuple[str, ...]]:
    """Return by deal number everything that does not follow from the proof, or differs from a note.

    Errors: Impossible, for rules that do not fit the sides; ValueError, for a note on a deal that the record lacks.
    """
    table, deals = make_table(record.rules, record.sides), dict(enumerate(record.deals, start=record.deal))
    for number, *_ in (*expected.commitments, *expected.entropy):
        if number not in deals:
            raise ValueError(f"there is no deal {number} in it")
    return {
        number: (*_verify(table, dealt), *_list_differences(number, dealt.proof, expected))
        for number, dealt in deals.items()
    }


def verify_seats(shown: SeatsDraw, deal: int, expected: Expectations = NO_EXPECTATIONS) -> tuple[str, ...]:
    """Return all that does not follow from the proof of a draw for seats, or differs from a note.

    Shape: `deal` is the number of the game's first deal, whose shuffle the draw took the place of.
    Errors: ValueError for a note on another deal.
    """
    for number, *_ in (*expected.commitments, *expected.entropy):
        if number != deal:
            raise ValueError(f"the draw for seats is before deal {deal}, not before deal {number}")
    return (*_verify_seats(shown), *_list_differences(deal, shown.proof, expected))


def _verify_seats(shown: SeatsDraw) -> Iterator[str]:
    proof, players = shown.proof, sum(map(len, shown.sides))
    if commit(proof.secret) != proof.commitment:
        yield "the commitment does not match the secret"
    if len(proof.entropy) != players:
        yield f"the entropy is of {len(proof.entropy)} seats, not of {players}"
    rounds, seats = draw_seats(shown.sides, seats_seed_from(proof.secret, proof.entropy))
    if shown.rounds != tuple(tuple((seat, card_code(card)) for seat, card in cards.items()) for cards in rounds):
        yield "other cards were drawn"
    if shown.seats != seats:
        yield f"the players sit as {list(shown.seats)}, and the cards seat them as {list(seats)}"


def _list_differences(number: int, proof: Proof | SeatsProof | None, expected: Expectations) -> Iterator[str]:
    if proof is None:
        return
    if any(at == number and noted != proof.commitment for at, noted in expected.commitments):
        yield "the commitment is not the one that was noted"
    for at, seat, text in expected.entropy:
        if at == number and proof.entropy[seat : seat + 1] != (text,):
            yield f"what seat {seat} added is not what was noted"


def _verify(table: Table, dealt: RecordedDeal) -> Iterator[str]:
    proof = dealt.proof
    if proof is None:
        yield "there is no proof"
        return
    if commit(proof.secret) != proof.commitment:
        yield "the commitment does not match the secret"
    impossible = list(_impossible(table, dealt, proof))
    yield from impossible or _differences(_deal_again(table, dealt, proof), dealt)


def _impossible(table: Table, dealt: RecordedDeal, proof: Proof) -> Iterator[str]:
    """Find faults of a proof that could not be dealt at this table at all."""
    if dealt.dealer >= table.players:
        yield f"there is no seat {dealt.dealer} to deal"
    if len(proof.entropy) != table.players:
        yield f"the entropy is of {len(proof.entropy)} seats, not of {table.players}"
    if not may_strip(table, proof.strip):
        yield f"the ruleset does not strip {' '.join(proof.strip) or 'nothing'}"
    if proof.three_at_a_time and not may_deal_threes(table):
        yield "the ruleset does not deal three cards at a time"
    _, drawn = draw(table.players, draw_seed_from(proof.secret))
    if proof.dealer_drawn and dealt.dealer != drawn:
        yield f"seat {dealt.dealer} dealt, and seat {drawn} was drawn"


def _deal_again(table: Table, dealt: RecordedDeal, proof: Proof) -> State:
    order = shuffle(strip_pack(parse_mask(proof.strip)), seed_from(proof.secret, proof.entropy))
    return deal(table, order, dealt.dealer, 1, (0,) * len(table.sides), threes=proof.three_at_a_time)


def _fits(shown: HandClaim, dealt: HandClaim) -> bool:
    """Return True if a hand is the one that was dealt or, if it is a number, has as many cards."""
    if isinstance(shown, int) or isinstance(dealt, int):
        return shown == (dealt if isinstance(dealt, int) else len(dealt))
    return sorted(shown) == sorted(dealt)


def _differences(state: State, dealt: RecordedDeal) -> Iterator[str]:
    if dealt.turn_up != card_code(state.turn_up):
        yield f"the turn-up is {dealt.turn_up}, not {card_code(state.turn_up)}"
    later = dealt.later_hands or ((),) * len(dealt.hands)
    if not len(dealt.hands) == len(later) == state.table.players:
        yield f"the hands are not those of {state.table.players} seats"
        return
    again = to_claim(state)
    later_again = again.later_hands or ((),) * state.table.players
    for seat, hand in enumerate(dealt.hands):
        shown, expected = (hand, *later[seat]), (again.hands[seat], *later_again[seat])
        if len(shown) != len(expected) or not all(map(_fits, shown, expected)):
            yield f"the cards of seat {seat} are not those dealt to it"
