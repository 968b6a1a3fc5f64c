"""Random ends of deals with hidden hands, so small that every filling can be listed; some of them cannot be."""

from random import Random
from typing import Final, NamedTuple

from tests.programs.agreement.expected import PACK
from tests.programs.agreement.games import HOUSE_RULES, published
from tests.reference import engine
from tests.reference.engine import Rules, State
from tests.reference.fillings import cards_not_in_sight, hand_at, hidden_places

MAX_FILLINGS: Final = 700
SHAPES: Final = (
    *((2, 1, 18), (2, 1, 17), (2, 3, 6), (2, 9, 2), (3, 1, 12), (3, 1, 11), (3, 2, 6), (3, 4, 3), (3, 6, 2)),
    *((4, 1, 9), (4, 1, 8), (4, 3, 3), (4, 4, 2), (5, 1, 7), (6, 1, 6), (6, 2, 3), (6, 3, 2), (7, 1, 5)),
    *((8, 1, 4), (8, 2, 2), (8, 4, 1)),
)
"""Tables that use most of the pack: players, hands and cards in each."""
LOW: Final = [card for card in PACK if card[0] in "6789"]


class Deal(NamedTuple):
    """The cards of a deal by chance: those taken, those of each hand, and the turn-up."""

    turn_up: str
    taken: list[str]
    hands: list[list[list[str]]]


def any_ending(chance: Random) -> State:
    """Return the end of a deal, or the start of one with small hands, in which one to three hands are hidden."""
    while True:
        state = _hide(_any_state(chance), chance)
        if hidden_places(state) and fillings_about(state) <= MAX_FILLINGS:
            return state


def _any_state(chance: Random) -> State:
    players, hands, cards = chance.choice(SHAPES)
    rules = rules_of_shape(players, hands, cards, chance)
    done = chance.choice((0, hands - 1, hands - 1, chance.randrange(hands)))
    left = chance.choice([left for left in range(1, cards + 1) if left <= 3 or left == cards <= 6])
    dealer = chance.randrange(players)
    deal = _deal(rules, (players, hands, cards), (done, left), dealer, chance)
    taken: list[list[str]] = [[] for _ in range(players)]
    for trick in range(0, len(deal.taken), players):
        chance.choice(taken).extend(deal.taken[trick : trick + players])
    winners = [seat for seat, pile in enumerate(taken) if pile] or [(dealer + 1) % players]
    state = {
        "rules": rules,
        "sides": [[seat] for seat in range(players)],
        "dealer": dealer,
        "deal": 1,
        "scores": [0] * players,
        "turn_up": deal.turn_up,
        "hands": [hands_of_seat[0] for hands_of_seat in deal.hands],
        "later_hands": [hands_of_seat[1:] for hands_of_seat in deal.hands] if done < hands - 1 else [],
        "leader": chance.choice(winners),
        "trick": [],
        "taken": taken,
        "revoked": None,
    }
    return _lay_trick(state, chance)


def rules_of_shape(players: int, hands: int, cards: int, chance: Random) -> Rules:
    """Rules in which every field that binds the play is picked by chance, with a strip perhaps."""
    spare = 36 - players * hands * cards
    low = chance.sample(LOW, 8)
    strip = low[: chance.randint(0, min(spare, 4))]
    choice = low[: chance.randint(len(strip), min(8, len(strip) + 3))] if strip and chance.random() < 0.6 else []
    table = {
        "players": players,
        "hands": hands,
        "cards": cards,
        "strip": strip,
        "strip_choice": choice,
        "sides": [players],
    }
    fields = {name: chance.choice(kinds) for name, kinds in HOUSE_RULES.items()}
    fields["winning"] = "highest_score"
    return published("denexa", id="house", description="", sources={}, tables=[table], **fields)


def _deal(rules: Rules, shape: tuple[int, int, int], course: tuple[int, int], dealer: int, chance: Random) -> Deal:
    """Deal the cards as they lie when some hands are done and some cards of the next are left, as `course` says."""
    players, hands, cards = shape
    done, left = course
    (table,) = rules["tables"]
    strip = chance.sample(table["strip_choice"] or table["strip"], len(table["strip"]))
    weights = {suit: chance.choice((1, 1, 1, 4)) for suit in engine.SUITS}
    # The suits of great weight come last, so that few suits are left and they crowd.
    order = sorted((card for card in PACK if card not in strip), key=lambda card: chance.random() * weights[card[1]])
    dealt = order[36 - len(strip) - players * hands * cards :]
    gone = players * (done * cards + cards - left)
    taken, rest = dealt[:gone], dealt[gone:]
    chance.shuffle(rest)
    sizes = [left] + [cards] * (hands - done - 1)
    made = [[[rest.pop() for _ in range(size)] for size in sizes] for _ in range(players)]
    turn_ups = made[dealer][-1] + (taken if done == hands - 1 and cards > left and chance.random() < 0.3 else [])
    return Deal(chance.choice(turn_ups), taken, made)


def _lay_trick(state: State, chance: Random) -> State:
    """Lay some cards to the trick, most of them by the rules; the last is a revoke perhaps."""
    players = len(state["hands"])
    ends_by_revoke = state["rules"]["revoke"] != "not_allowed" and chance.random() < 0.4
    slips = chance.choice((0.2, 0.2, 0.9))
    for _ in range(chance.randint(0, players - 1)):
        seat = (state["leader"] + len(state["trick"])) % players
        legal = engine.legal_cards(state)
        illegal = [card for card in state["hands"][seat] if card not in legal]
        wrong = illegal and chance.random() < slips
        card = chance.choice(illegal if wrong else legal)
        state["hands"][seat].remove(card)
        state["trick"].append(card)
        if ends_by_revoke and chance.random() < (0.6 if wrong else 0.03):
            return {**state, "revoked": seat}
    return state


def _hide(state: State, chance: Random) -> State:
    """Hide one to three hands, the hand of the seat to play more often than others."""
    places = [
        (seat, at)
        for seat in range(len(state["hands"]))
        for at in range(1 + (len(state["later_hands"][seat]) if state["later_hands"] else 0))
    ]
    # Of hands that have played to the trick more is known: so they are hidden more often.
    played = [((state["leader"] + at) % len(state["hands"]), 0) for at in range(len(state["trick"]))]
    chosen = set(chance.choices(played if played and chance.random() < 0.6 else places, k=chance.randint(1, 4)))
    while len(chosen) > 2:
        chosen.pop()
    if chance.random() < 0.5:
        chosen.add(((state["leader"] + len(state["trick"])) % len(state["hands"]), 0))
    return {
        **state,
        "hands": [len(hand) if (seat, 0) in chosen else hand for seat, hand in enumerate(state["hands"])],
        "later_hands": [
            [len(hand) if (seat, at) in chosen else hand for at, hand in enumerate(hands, 1)]
            for seat, hands in enumerate(state["later_hands"])
        ],
    }


def fillings_about(state: State) -> int:
    """Return how many fillings there are at most."""
    count, cards = 1, len(cards_not_in_sight(state))
    for place in hidden_places(state):
        size = hand_at(state, place)
        assert isinstance(size, int)
        for taken in range(size):
            count = count * (cards - taken) // (taken + 1)
        cards -= size
    return count
