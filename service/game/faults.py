"""Every way to be wrong: faults of a ruleset, a state or a request, and the exceptions that refuse a play or a deal.

A fault is a value with a stable code: many may be found at once. An exception refuses one thing, for one reason.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

FaultCode: TypeAlias = Literal[
    "unknown_ruleset",
    "ruleset_table_twice",
    "ruleset_too_many_cards",
    "ruleset_uneven_sides",
    "ruleset_sides_twice",
    "ruleset_strips_honour",
    "ruleset_strip_twice",
    "ruleset_strip_choice",
    "ruleset_without_points",
    "ruleset_not_shown",
    "ruleset_printed_id",
    "players_not_in_ruleset",
    "seats_not_once_each",
    "partnership_not_in_ruleset",
    "seat_out_of_range",
    "wrong_number_of_seats",
    "wrong_number_of_sides",
    "card_twice",
    "card_not_in_pack",
    "game_already_won",
    "taken_not_whole_tricks",
    "too_many_taken",
    "trick_too_long",
    "wrong_hand_size",
    "wrong_number_of_later_hands",
    "leader_not_eldest",
    "leader_took_no_trick",
    "turn_up_misplaced",
    "illegal_card_in_trick",
    "hands_cannot_be_filled",
    "revoke_without_penalty",
    "revoke_not_last_card",
    "revoke_was_legal",
    "played_on_after_game",
    "missing_field",
    "fields_contradict",
    "strip_not_in_ruleset",
    "three_at_a_time_not_in_ruleset",
    "pack_not_the_pack",
    "name_not_shown",
    "revoke_found_nowhere",
    "plays_do_not_fit",
]

FAULTS: Final[dict[FaultCode, str]] = {
    "unknown_ruleset": "No ruleset has that id.",
    "ruleset_table_twice": "Two tables of the ruleset are for the same number of players.",
    "ruleset_too_many_cards": "The table deals more cards than the pack holds after the strip.",
    "ruleset_uneven_sides": "The seats do not divide into that many equal sides.",
    "ruleset_sides_twice": "The list names the same number of sides twice.",
    "ruleset_strips_honour": "An ace, king, queen, jack or ten is stripped, but may be an honour of a deal.",
    "ruleset_strip_twice": "The list names the same card twice.",
    "ruleset_strip_choice": "The cards of `strip` are not all among those of `strip_choice`, or there are none.",
    "ruleset_without_points": "Neither honours nor cards score, so no side can.",
    "ruleset_not_shown": "A text of the ruleset cannot be seen, or has characters that cannot.",
    "ruleset_printed_id": "The ruleset has the id of a printed one, but differs from it: give it an id of its own.",
    "players_not_in_ruleset": "The ruleset has no table for that number of players.",
    "seats_not_once_each": "The sides do not name every seat from 0 on exactly once.",
    "partnership_not_in_ruleset": "The ruleset does not seat partners in this way.",
    "seat_out_of_range": "There is no such seat at this table.",
    "wrong_number_of_seats": "The list needs one entry for each seat.",
    "wrong_number_of_sides": "The list needs one entry for each side.",
    "card_twice": "A card is in two places.",
    "card_not_in_pack": "A card is in play that is stripped from the pack at this table.",
    "game_already_won": "The game was over before this deal, so the deal was never dealt.",
    "taken_not_whole_tricks": "The cards taken by a side are not whole tricks.",
    "too_many_taken": "More tricks are taken than the deal has.",
    "trick_too_long": "The trick holds more cards than it can: a complete trick is taken at once.",
    "wrong_hand_size": "A hand does not hold as many cards as the tricks played leave it.",
    "wrong_number_of_later_hands": "A seat does not have as many later hands as the tricks played leave it.",
    "leader_not_eldest": "The first trick of a deal is led by eldest hand, the seat on the dealer's left.",
    "leader_took_no_trick": "The leader's side has taken no trick, so it cannot have won the last one.",
    "turn_up_misplaced": "The turn-up is not where it must be: in the dealer's last hand, or played from it.",
    "illegal_card_in_trick": "A card of the trick was not legal for the seat that played it.",
    "hands_cannot_be_filled": "No deal of the cards that are not in sight to the hidden hands fits all that is.",
    "revoke_without_penalty": "A revoke ends a deal only under a ruleset that has a penalty for it.",
    "revoke_not_last_card": "The seat that revoked is not the one that played the last card of the trick.",
    "revoke_was_legal": "The card said to be a revoke was legal.",
    "played_on_after_game": "A side has reached game, which ended the game at once, yet play went on.",
    "missing_field": "A field is needed that is not there; the pointer leads to the object that lacks it.",
    "fields_contradict": "Two fields contradict each other, or must not be sent together.",
    "strip_not_in_ruleset": "The ruleset does not allow these cards to be stripped.",
    "three_at_a_time_not_in_ruleset": "The ruleset does not deal three cards at a time.",
    "pack_not_the_pack": "The order of the pack does not name each card of the pack exactly once.",
    "name_not_shown": "A name cannot be seen, or is one that pages give to seats themselves, such as Seat 1 or You.",
    "revoke_found_nowhere": "A revoke is said to be found before it was made, or after the last play.",
    "plays_do_not_fit": "The plays of the deal so far do not lead to the state, or not all of them were legal.",
}

Path: TypeAlias = tuple[str | int, ...]
"""The field names and list indices that lead from the examined value to the part at fault."""


class Fault(Struct, frozen=True):
    """A fault and its place."""

    code: FaultCode
    path: Path
    detail: str


MAX_FAULTS: Final = 100
"""The most faults of a list, so that a hostile request cannot cause a huge answer."""


class Impossible(Exception):
    """A state, a ruleset or a request is impossible; `faults` lists all its faults."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults[:MAX_FAULTS]
        super().__init__("; ".join(fault.detail for fault in self.faults))


class HandNotSeen(Exception):
    """The answer depends on cards of a hand that is not seen."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"The answer depends on cards of seat {seat}, whose hand is not seen.")
        self.seat = seat


class MalformedNotation(Exception):
    """A text is no notation; `column` and, for several lines, `line` say where, counted from 1."""

    def __init__(self, expected: str, column: int, line: int | None = None) -> None:
        place = f"Column {column}" if line is None else f"Line {line}, column {column}"
        super().__init__(f"{place}: expected {expected}.")
        self.expected = expected
        self.column = column
        self.line = line


class NotPlaying(Exception):
    """A card was offered while no card can be played."""

    def __init__(self, phase: Literal["deal_over", "game_over"]) -> None:
        super().__init__("The deal is over." if phase == "deal_over" else "The game is over.")
        self.phase: Literal["deal_over", "game_over"] = phase


class NoNextDeal(Exception):
    """A next deal was requested where none can follow."""

    def __init__(self, code: Literal["deal_not_over", "game_over"], detail: str) -> None:
        super().__init__(detail)
        self.code: Literal["deal_not_over", "game_over"] = code


class NoRevokePenalty(Exception):
    """A revoke was to be penalised under a ruleset that names no penalty."""

    def __init__(self, ruleset: str) -> None:
        super().__init__(f"{ruleset} names no penalty for a revoke, so none can be applied.")
