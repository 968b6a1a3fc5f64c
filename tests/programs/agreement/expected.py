"""The answers of the second engine about a state, in the form of the service's answers."""

from typing import Any, Final

from tests.reference import engine
from tests.reference.engine import State

PACK: Final = [rank + suit for suit in engine.SUITS for rank in engine.RANKS]
_PLACE: Final = {card: place for place, card in enumerate(PACK)}

Answer = dict[str, Any]


def in_pack_order(cards: list[str]) -> list[str]:
    """The same cards, clubs to spades, six to ace."""
    return sorted(cards, key=_PLACE.__getitem__)


def as_held(state: State, cards: list[str]) -> list[str]:
    """The same cards as a player holds them: trumps, then the other suits as they come around, each from the top."""
    trump = state["turn_up"][1]
    ranks = dict.fromkeys(engine.SUITS, engine.RANKS) | {trump: engine.trump_ranks(state)}
    suits = {"S": "SHCD", "H": "HCDS", "C": "CDSH", "D": "DSHC"}[trump]
    return sorted(cards, key=lambda card: (suits.index(card[1]), -ranks[card[1]].index(card[0])))


def tidy(state: State) -> State:
    """The same state, with the cards of every hand as a player holds them, and those of every side in pack order."""

    def held(hand: list[str] | int) -> list[str] | int:
        return hand if isinstance(hand, int) else as_held(state, hand)

    return {
        **state,
        "hands": [held(hand) for hand in state["hands"]],
        "later_hands": [[held(hand) for hand in later] for later in state["later_hands"]],
        "taken": [in_pack_order(cards) for cards in state["taken"]],
    }


def view(state: State, eyes: int | None) -> State:
    """The state as a seat or a spectator sees it: other hands and all later hands are numbers."""
    plain = tidy(state)
    return {
        **plain,
        "hands": [hand if seat == eyes or not hand else _size(hand) for seat, hand in enumerate(plain["hands"])],
        "later_hands": [[_size(hand) for hand in hands] for hands in plain["later_hands"]],
    }


def _size(hand: list[str] | int) -> int:
    return hand if isinstance(hand, int) else len(hand)


def position(state: State) -> Answer:
    """The answer of /v1/positions."""
    turn = engine.turn(state)
    return {
        "state": tidy(state),
        "phase": engine.phase(state),
        "turn": turn,
        "legal_cards": as_held(state, engine.legal_cards(state)),
        "trump": state["turn_up"][1],
        "trick_winner": engine.trick_winner(state),
        "points": engine.points(state),
        "totals": engine.totals(state),
        "winners": [] if turn is not None else engine.winners(state),
    }


def scores(state: State, at: Answer) -> list[Answer]:
    """The sides in the answer of /v1/scores."""
    return [
        {"side": side, "seats": seats, **made, "points": at["points"][side], "total": at["totals"][side]}
        for side, (seats, made) in enumerate(zip(state["sides"], engine.items(state), strict=True))
    ]


def reasons(state: State, at: Answer) -> dict[str, str | None]:
    """For every card of the hand in turn, the rule against it; the verdicts of /v1/legal-moves."""
    if at["turn"] is None:
        return {}
    hand, legal = state["hands"][at["turn"]], at["legal_cards"]
    return {card: None if card in legal else engine.verdict(state, card) for card in as_held(state, hand)}


def events(before: State, after: State, at: Answer, card: str, reason: str | None) -> list[Answer]:
    """The events in the answer of /v1/next-states, without the texts that the second engine does not write."""
    seat = (before["leader"] + len(before["trick"])) % len(before["hands"])
    found: list[Answer] = [{"type": "card_played", "seat": seat, "card": card}]
    if not after["trick"]:
        found += _gathered(before, after, card)
    if reason is not None:
        penalty = rules_of(after)["revoke"]
        found.append({"type": "revoked", "seat": seat, "side": _side(after, seat), "penalty": penalty, "why": reason})
    if at["phase"] != "playing":
        found.append({"type": "deal_scored", "points": at["points"], "totals": at["totals"]})
    if at["phase"] == "game_over":
        found.append({"type": "game_won", "winners": at["winners"], "how": engine.how_won(after)})
    return found


def _gathered(before: State, after: State, card: str) -> list[Answer]:
    seat = after["leader"]
    side = _side(after, seat)
    cards = [*before["trick"], card]
    honours = _honours(after, side) - _honours(before, side)
    found: list[Answer] = [
        {
            "type": "trick_taken",
            "seat": seat,
            "side": side,
            "leader": before["leader"],
            "cards": cards,
            "honours": honours,
        }
    ]
    if before["later_hands"] != after["later_hands"] or not any(after["hands"]):
        hands = _hands(after)
        left = len(before["later_hands"][0]) if before["later_hands"] else 0
        found.append({"type": "hand_played_out", "hand": hands - left, "of": hands})
    return found


def _honours(state: State, side: int) -> int:
    made = engine.items(state)[side]
    return sum(made.values()) - made["card_points"] - made["fine"]


def _side(state: State, seat: int) -> int:
    return next(number for number, seats in enumerate(state["sides"]) if seat in seats)


def rules_of(state: State) -> engine.Rules:
    rules: str | engine.Rules = state["rules"]
    return engine.RULESETS[rules] if isinstance(rules, str) else rules


def _hands(state: State) -> int:
    tables = rules_of(state)["tables"]
    found: int = next(table["hands"] for table in tables if table["players"] == len(state["hands"]))
    return found
