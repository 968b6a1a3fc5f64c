"""Before the deal: who deals, from which scores, which cards are stripped and in which order the pack lies.

Source: all (the deal passes to the left, the strip); lots-of-kids (a strip of the dealer's choice); trebor
(three cards at a time).
"""

from msgspec import Struct

from service.game.cards import FULL_PACK, NUMBER, Card, CardCode, Mask, mask_codes, parse_mask
from service.game.faults import Fault, Impossible, NoNextDeal
from service.game.rules import game, visibility
from service.game.rulesets import Seat, Table
from service.game.state import State


class Setup(Struct, frozen=True, gc=False):
    """A deal that may be dealt now."""

    table: Table
    """The table at which it is dealt."""
    dealer: Seat
    """The seat that deals."""
    deal: int
    """The number of the deal, 1 for the first of a game."""
    scores: tuple[int, ...]
    """By side: the game score before the deal, in points."""
    strip: Mask
    """The cards that are stripped, unless the dealer may choose and chooses others."""


def set_up_first_deal(table: Table, dealer: Seat, scores: tuple[int, ...] | None = None) -> Setup:
    """Set up the first deal of a game, from these scores or from 0.

    Errors: Impossible, paths `dealer` and `scores`, for a seat that the table lacks, or impossible scores.
    """
    if dealer >= table.players:
        detail = f"There is no seat {dealer} among {table.players} players."
        raise Impossible((Fault("seat_out_of_range", ("dealer",), detail),))
    scores = (0,) * len(table.sides) if scores is None else scores
    if faults := game.score_faults(table, 1, scores):
        raise Impossible(faults)
    return Setup(table, dealer, 1, scores, table.strips[0])


def set_up_next_deal(state: State) -> Setup:
    """Set up the deal that follows one that is over.

    Errors: NoNextDeal.
    """
    require_next_deal(state)
    strip = _strip_of(state)
    return Setup(state.table, game.next_dealer(state), state.deal + 1, game.next_scores(state), strip)


def require_next_deal(state: State) -> None:
    """Refuse a next deal while the deal is still being played, and after the game.

    Errors: NoNextDeal.
    """
    phase = game.phase(state, game.won(state))
    if phase == "playing":
        raise NoNextDeal("deal_not_over", "The deal is still being played.")
    if phase == "game_over":
        raise NoNextDeal("game_over", "The game is over.")


def _strip_of(state: State) -> Mask:
    """Return the stripped cards of a deal, or the usual ones if the cards in sight leave them open."""
    return visibility.possible_strips(state.table, visibility.visible_cards(state) | 1 << state.turn_up)[0]


def may_strip(table: Table, codes: tuple[CardCode, ...]) -> bool:
    """Return True if the ruleset allows these cards, each named once, to be stripped."""
    strip = parse_mask(codes)
    return strip in table.strips and strip.bit_count() == len(codes)


def choose_strip(table: Table, usual: Mask, codes: tuple[CardCode, ...] | None) -> Mask:
    """Return the cards that the dealer names to be stripped, or the usual ones if it names none.

    Errors: Impossible, path `strip`, for cards that the ruleset does not allow to be stripped.
    """
    if codes is None:
        return usual
    if not may_strip(table, codes):
        allowed = "; ".join(" ".join(mask_codes(strip)) or "nothing" for strip in table.strips)
        detail = f"{table.ruleset.id} lets {table.players} players strip: {allowed}."
        raise Impossible((Fault("strip_not_in_ruleset", ("strip",), detail),))
    return parse_mask(codes)


def parse_pack(table: Table, codes: tuple[CardCode, ...]) -> tuple[Card, ...]:
    """Read the order of a whole pack, stripped already.

    Shape: the first card is dealt first.
    Errors: Impossible, path `pack`, unless each card of the pack is there exactly once.
    """
    cards = parse_mask(codes)
    if cards.bit_count() != len(codes) or FULL_PACK & ~cards not in table.strips:
        size = 36 - table.strips[0].bit_count()
        detail = f"The pack of {table.ruleset.id} for {table.players} players is {size} cards, each exactly once."
        raise Impossible((Fault("pack_not_the_pack", ("pack",), detail),))
    return tuple([NUMBER[code] for code in codes])


def may_deal_threes(table: Table) -> bool:
    """Return True if the ruleset allows cards to be dealt three at a time. Source: trebor."""
    return table.ruleset.three_at_a_time


def require_threes(table: Table) -> None:
    """Refuse to deal three cards at a time if the ruleset does not allow it.

    Errors: Impossible, path `three_at_a_time`.
    """
    if not may_deal_threes(table):
        detail = f"{table.ruleset.id} deals cards one at a time."
        raise Impossible((Fault("three_at_a_time_not_in_ruleset", ("three_at_a_time",), detail),))
