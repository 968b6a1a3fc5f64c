"""A reader of notations, written from docs/notation.md alone: it knows no code of the service, only JSON states."""

from typing import Any, Final

RANKS: Final = "6789TJQKA"
SUITS: Final = "cdhs"

Json = dict[str, Any]


def read_position(line: str) -> Json:
    """Read a line that fits the grammar as a state in JSON, each set of cards in the order of the pack."""
    fields = line.split("_")
    revoke = fields.pop() if fields[-1] == "revoke" else None
    _, rules, sides, deal, scores, dealt, hands, led, taken = fields
    by_seat = [hand.split("-") for hand in hands.split(".")]
    leader, trick = int(led[0]), _cards_in_order(led[2:])
    return {
        "rules": rules,
        "sides": [[int(seat) for seat in side] for side in sides.split(".")],
        "dealer": int(dealt[0]),
        "deal": int(deal),
        "scores": [int(score) for score in scores.split(".")],
        "turn_up": _cards_in_order(dealt[2:])[0],
        "hands": [_hand(of_seat[0]) for of_seat in by_seat],
        "later_hands": [[_hand(hand) for hand in of_seat[1:]] for of_seat in by_seat] if "-" in hands else [],
        "leader": leader,
        "trick": trick,
        "taken": [_cards(pile) for pile in taken.split(".")],
        "revoked": None if revoke is None else (leader + len(trick) - 1) % len(by_seat),
    }


def _hand(text: str) -> list[str] | int:
    if text == "0":
        return []
    return int(text) if text.isdigit() else _cards(text)


def _cards(text: str) -> list[str]:
    return (
        []
        if text == "0"
        else sorted(_cards_in_order(text), key=lambda card: (SUITS.index(card[1].lower()), RANKS.index(card[0])))
    )


def _cards_in_order(text: str) -> list[str]:
    """List cards: a suit follows the ranks that it belongs to."""
    found: list[str] = []
    ranks = ""
    for letter in text:
        if letter in SUITS:
            found += [rank + letter.upper() for rank in ranks]
            ranks = ""
        else:
            ranks += letter
    return found
