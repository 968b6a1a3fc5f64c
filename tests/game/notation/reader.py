"""A reader of notations, written from docs/notation.md alone: it knows no code of the service, only JSON states."""

import json
from typing import Any, Final

_HEAD: Final = ("catch_the_ten", "rules", "sides", "on_revoke", "deal", "scores", "resigned")
_DEAL: Final = ("dealer", "turn_up", "hands", "later_hands", "revokes_found", "proof", "start", "ended_by")
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


def read_record(text: str) -> Json:
    """Read a text that fits the grammar as a record in JSON, without the fields that it leaves out."""
    record: Json = {"deals": []}
    fields = record
    for line in text.split("\n"):
        if line.startswith("["):
            name, _, value = line[1:].rpartition("]")[0].partition(" ")
            field = "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)[1:]
            if field == "dealer":
                fields = dict[str, Any](plays=[])
                record["deals"].append(fields)
            known = {*_HEAD, *_DEAL}
            if field in known:
                fields |= _field(field, json.loads(value))
            else:
                fields.setdefault("tags", []).append({"name": name, "text": json.loads(value)})
        elif line and line[0] != ";":
            fields["plays"] += _plays(line.partition(";")[0].split(), sum(map(len, record["sides"])))
    assert record.pop("catch_the_ten") == 1
    return record


def _field(name: str, value: Any) -> Json:
    if name == "turn_up":
        return {name: _cards_in_order(value)[0]}
    if name != "hands" or not isinstance(value, str):
        return {name: value}
    by_seat = [[_dealt(hand) for hand in hands.split("-")] for hands in value.split()]
    later = [hands[1:] for hands in by_seat]
    return {"hands": [hands[0] for hands in by_seat], **({"later_hands": later} if any(later) else {})}


def _dealt(text: str) -> list[str] | int:
    return int(text) if text.isdigit() and text != "0" else _cards_in_order(text)


def _plays(words: list[str], players: int) -> list[Json]:
    plays: list[Json] = []
    seat = -1
    for word in words:
        if word.endswith(":"):
            seat = int(word[:-1])
        else:
            plays.append({"seat": seat, "card": _cards_in_order(word)[0]})
            seat = (seat + 1) % players
    return plays
