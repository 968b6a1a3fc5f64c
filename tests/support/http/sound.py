"""Sound bodies by chance: states and records of games played at random, under every ruleset and house rules."""

from copy import deepcopy
from functools import cache
from itertools import chain
from random import Random
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from service.game.cards import CODES, cards_of
from service.game.rules import play, view
from service.game.rulesets import RULESETS, Fine, Honours, Rules, make_table
from service.game.state import Claim, State, hand_size, to_claim
from tests.support.http.pointers import Json
from tests.support.questions import QUESTIONS
from tests.support.strategies import ARRANGEMENTS, deal_at_random, legal, phase, play_at_random

Body: TypeAlias = dict[str, Json]

KINDS: Final = tuple(question.kind for question in QUESTIONS)


def plain(value: object) -> Json:
    """Make a value of what JSON is made of, shared with nothing."""
    made: Json = msgspec.json.decode(msgspec.json.encode(value))
    return made


def sound_body(kind: str, chance: Random) -> Body:
    """Make a sound body for a kind of question; it may be refused by the rules."""
    state, seat = plain(to_claim(chance.choice(_states()))), chance.randrange(8)
    cards: list[Json] = [*chance.sample(CODES, chance.randint(1, 4))]
    bodies: dict[str, Body] = {
        "verdicts": chance.choice(
            (
                {"state": state, "card": cards[0], "seat": chance.choice((seat, None))},
                {**_bare(chance), "card": cards[0]},
            )
        ),
        "legal_moves": chance.choice(({"state": state}, _bare(chance))),
        "trick_winners": {"trick": {"trump": chance.choice("CDHS"), "leader": seat, "players": 8, "cards": cards}},
        "next_states": {
            "state": state,
            "cards": cards,
            "on_revoke": chance.choice(("refuse", "penalise")),
            "unseen": chance.choice(("refuse", "as_held")),
        },
        "knowledge": {"state": state, "seat": chance.choice((seat, None))},
        "claims": {"state": state, "seat": seat, chance.choice(("tricks", "points")): chance.randint(1, 9)},
        "views": {"state": state, "seat": chance.choice((seat, None))},
        "draws": {"players": chance.randint(2, 8), "seed": "s"},
    }
    if kind == "suggestions":
        return _suggestion(chance, state)
    if kind == "deals":
        return chance.choice((_first_deal(chance), {"after": state}))
    if kind == "analyses":
        return _analysis(chance)
    if kind == "adjudications":
        body: Body = deepcopy(chance.choice(_records()))  # a caller may break it
        return body
    return bodies.get(kind, {"state": state})


def _bare(chance: Random) -> Body:
    """Make a bare hand."""
    cards, led = chance.sample(CODES, chance.randint(2, 9)), chance.randint(0, 1)
    players: Json = chance.choice((None, 4, 5))
    rules = plain(chance.choice([*RULESETS, own("trebor")]))
    trump = chance.choice("CDHS")
    return {"rules": rules, "players": players, "trump": trump, "trick": [*cards[:led]], "hand": [*cards[led:]]}


def _analysis(chance: Random) -> Body:
    """Ask about the last tricks of a deal, seldom about a record: that takes long."""
    if chance.random() < 0.05:
        return {"record": deepcopy(chance.choice(_records())), "deal_index": 0}
    late = [state for state in _states() if sum(map(hand_size, chain(state.hands, *state.later_hands))) <= 12]
    return {"state": plain(to_claim(chance.choice(late)))}


def _suggestion(chance: Random, state: Json) -> Body:
    """Ask for a suggestion, half of the time for a deal whose plays are known."""
    body: Body = {"state": state, "level": "easy", "seed": "s"}
    if chance.random() < 0.5:
        table = make_table(*chance.choice(ARRANGEMENTS))
        dealt = deal_at_random(table, chance, 0, 1, (0,) * len(table.sides))
        now, plays = _play(dealt, chance, 0.9)
        body |= {"state": plain(to_claim(now)), "plays": plays}
    return body


def _play(state: State, chance: Random, go_on: float) -> tuple[State, list[Json]]:
    """Play legal cards until the deal is over, or chance ends it; return the plays, too."""
    plays = list[Json]()
    while phase(state) == "playing" and chance.random() < go_on:
        card = chance.choice(cards_of(legal(state)))
        plays.append({"seat": state.seat_to_play, "card": CODES[card]})
        state = play.play(state, card).state
    return state, plays


def _first_deal(chance: Random) -> Body:
    rules = plain(chance.choice([*RULESETS, own("trebor")]))
    body: Body = {"rules": rules, "dealer": chance.randrange(4), "players": chance.randint(2, 8)}
    if chance.random() < 0.3:
        body |= {"dealer": None, "scores": [*chance.choices(range(50), k=4)]}
    if chance.random() < 0.3:
        body["pack"] = [*chance.sample(CODES, 36)]
    if chance.random() < 0.2:
        body |= {"strip": ["6S"], "three_at_a_time": True}
    return body


@cache
def _states() -> tuple[State, ...]:
    chance = Random(1)
    return tuple(_random_state(chance) for _ in range(300))


def _random_state(chance: Random) -> State:
    rules, sides = chance.choice(ARRANGEMENTS)
    table = make_table(own(rules) if chance.random() < 0.25 else rules, sides)
    state = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    for _ in range(chance.choice((0, 1, 2, 5, 12, 30, 40))):
        if phase(state) != "playing":
            break
        state = play_at_random(state, chance, 0.02)
    return view.view(state, chance.choice((0, 1, None))) if chance.random() < 0.3 else state


def own(rules: Rules) -> Rules:
    """Take a printed ruleset as house rules, with another end of the game and another penalty."""
    changes = {"target": 30, "deals": 3, "ties": "play_on", "revoke": Fine(10, "others"), "honours": Honours(ten=15)}
    return replace(RULESETS[str(rules)], id="house", **changes)


@cache
def _records() -> tuple[Body, ...]:
    chance = Random(2)
    return tuple(_random_record(chance) for _ in range(20))


def _random_record(chance: Random) -> Body:
    rules, sides = chance.choice(ARRANGEMENTS)
    table = make_table(rules, sides)
    dealer = chance.randrange(table.players)
    state = deal_at_random(table, chance, dealer, 1, (0,) * len(table.sides))
    dealt = to_claim(state)
    _, plays = _play(state, chance, 0.97)
    first: Body = {"dealer": dealer, "turn_up": dealt.turn_up, "hands": plain(dealt.hands), "plays": plays}
    if dealt.later_hands:
        first["later_hands"] = plain(dealt.later_hands)
    if plays and chance.random() < 0.5:
        first["hands"] = [len(hand) if chance.random() < 0.5 else hand for hand in plain_hands(dealt)]
        first["revokes_found"] = [{"play_index": chance.randrange(len(plays)), "after_index": len(plays) - 1}]
    record: Body = {"rules": plain(rules), "sides": plain(sides), "deals": [first]}
    if chance.random() < 0.5:
        record |= {"deal": 3, "scores": [chance.randrange(41) for _ in sides], "resigned": dealer}
    return record


def plain_hands(dealt: Claim) -> list[list[Json]]:
    """List the hands of a deal that shows them."""
    return [[*hand] for hand in dealt.hands if not isinstance(hand, int)]
