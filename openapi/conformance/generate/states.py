"""The states of the cases: moments of the golden games, of every partnership, of house rules, and hidden in part."""

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from service.game.cards import SUIT_MASKS, cards_of
from service.game.rules import admission, play
from service.game.rules.view import view
from service.game.rulesets import RULESETS, Ruleset, Table, arrange, make_table
from service.game.state import Claim, State
from tests.game.golden.playthrough import SETTINGS, Setting
from tests.game.notation.positions import Deal, golden_deals, hide
from tests.programs.agreement.endings import any_ending
from tests.programs.agreement.games import any_rules
from tests.support.claims import claim, house
from tests.support.strategies import ARRANGEMENTS, deal_again, deal_at_random, legal, phase, play_at_random

HOUSE_GAMES: Final = 18
_ENDINGS: Final = 40
PLAYED_OFF: Final = "a tie that the next deal decides, in which no other side begins ahead"
_MOMENTS: Final = 2
"""States of a golden game."""


class Named(NamedTuple):
    """A state, and what it is."""

    says: str
    state: State


def list_states() -> list[Named]:
    """List all states of the cases."""
    return [
        *_of_golden_games(),
        *_of_partnerships(),
        *_of_duties(),
        *_of_last_deals(),
        *_of_seams(),
        *_of_house_rules(),
        *_of_endings(),
    ]


def _of_golden_games() -> Iterator[Named]:
    for setting in SETTINGS:
        deals = list(golden_deals(setting))
        for number, state in enumerate(_pick_moments(setting, deals)):
            name = f"{setting.ruleset.id}, {setting.players} players, deal {state.deal}"
            yield Named(name, state)
            if number % 2:
                yield from _seen_in_part(name, state, number)


def _pick_moments(setting: Setting, deals: list[Deal]) -> list[State]:
    """Pick states from all over a game: some of them at random, the end of a deal, and the end."""
    chance = Random(setting.seed)
    picked = [chance.choice(chance.choice(deals).states) for _ in range(_MOMENTS)]
    return [deals[0].states[0], *picked, deals[0].after, deals[-1].after]


def _seen_in_part(name: str, state: State, number: int) -> Iterator[Named]:
    """Hide what a seat, or in some states a spectator, does not see."""
    eyes = None if number == 3 else number % state.table.players
    yield Named(f"{name}, {'as a spectator sees it' if eyes is None else f'as seat {eyes} sees it'}", view(state, eyes))


def _of_partnerships() -> Iterator[Named]:
    for rules, sides in ARRANGEMENTS:
        chance = Random(f"{rules}-{sides}")
        seats = tuple(tuple(chance.sample(side, len(side))) for side in chance.sample(sides, len(sides)))
        yield Named(f"{rules}, {len(sides)} sides", _play_on(make_table(rules, seats), chance))


def _of_house_rules() -> Iterator[Named]:
    for number in range(HOUSE_GAMES):
        chance = Random(f"house-{number}")
        rules, sides = chance.choice(ARRANGEMENTS)
        players = sum(map(len, sides))
        ruleset = msgspec.convert(any_rules(str(rules), players, chance), Ruleset)
        state = _play_on(make_table(ruleset, sides), chance, 0.05)
        yield Named("house rules", state)
        if number % 3 == 0 and state.revoked is None:
            yield Named("house rules, some hands hidden", hide(state, chance))


def _of_endings() -> Iterator[Named]:
    """Pick ends of deals with hidden hands, few enough that all fillings can be listed."""
    for number in range(_ENDINGS):
        claim = msgspec.convert(any_ending(Random(f"ending-{number}")), Claim)
        if not admission.faults(claim):
            yield Named("an ending with hidden hands", admission.admit(claim))


def list_unfillable() -> Iterator[Claim]:
    """List ends of deals whose hidden hands cannot be filled."""
    for number in range(400):
        claim = msgspec.convert(any_ending(Random(f"unfillable-{number}")), Claim)
        if [fault.code for fault in admission.faults(claim)] == ["hands_cannot_be_filled"]:
            yield claim


def list_hidden_turns() -> Iterator[State]:
    """List a lead that may be no trump, and ends of deals, in which it is a hidden hand's turn."""
    yield admission.admit(claim("lots-of-kids", 6, hands=(6, "7H 8H 9H TH JH QH", 6, 6, 6, 6), turn_up="6H"))
    for number in range(300):
        ending = msgspec.convert(any_ending(Random(f"hidden-{number}")), Claim)
        if not admission.faults(ending):
            state = admission.admit(ending)
            if phase(state) == "playing" and state.hands[state.seat_to_play] < 0:
                yield state


def claim_void_revoke() -> Claim:
    """Describe a revoke by a hidden hand whose suit is all in sight: it was void, so it did not revoke."""
    sides = ((0, 2), (1, 3))
    return claim("trebor", sides, hands=(1,) * 4, turn_up="9H", trick="AD 6D TD 9H", tricks=[4, 3], revoked=3)


def claim_hidden_revoke() -> Claim:
    """Describe a discard by a hidden hand that must hold the suit led: every hidden card is of it."""
    return claim(hands=("JS", 1, 2, "KS 9H"), turn_up="9H", trick="AD QS", tricks=[7, 0, 0, 0], hidden="7D 8D TD")


def claim_played_on() -> Claim:
    """Describe a deal that went on after a side won a tie at once by a jack of one point, the least that wins."""
    rules = house(ties="play_on", honours=replace(RULESETS["trebor"].honours, jack=1))
    took, scores = ("JS", ""), (45, 45)
    return claim(
        rules, ((0, 2), (1, 3)), hands=(7,) * 4, turn_up="6S", tricks=[1, 1], took=took, scores=scores, leader=1
    )


def list_voids() -> Iterator[Named]:
    """List states in which a suit is lacking for a reason that games at random hardly come to."""
    opened = claim("lots-of-kids", 6, hands=("7H 8H 9H JH QH", 6, 6, 6, 6, 6), turn_up="6H", trick="TH")
    yield Named("eldest hand opened with a trump", view(admission.admit(opened), None))
    hands = ("JS", "TC", "7D TH", "KS 9H")
    bare = claim("take-ten", hands=hands, turn_up="9H", trick="AD QS", tricks=[7, 0, 0, 0])
    yield Named("a seat neither followed nor trumped", view(admission.admit(bare), None))


def _play_on(table: Table, chance: Random, revokes: float = 0.0) -> State:
    """Play at random for a while, or to the end."""
    number = chance.randint(1, min(2, table.ruleset.deals or 2))
    scores = tuple(chance.randrange(table.ruleset.target) if number > 1 else 0 for _ in table.sides)
    state = deal_at_random(table, chance, chance.randrange(table.players), number, scores)
    for _ in range(chance.randint(1, table.players * table.tricks)):
        if phase(state) == "deal_over" and state.revoked is None and chance.random() < 0.5:
            state = deal_again(state, chance)
        if phase(state) != "playing":
            break
        state = play_at_random(state, chance, revokes)
    return state


def _of_last_deals() -> Iterator[Named]:
    """Play the last deals of games with a limit of them to their ends."""
    for base, ties in (("denexa", "shared"), ("french-whist", "play_on"), ("gamerules", "play_on")):
        chance = Random(base)
        ruleset = replace(RULESETS[base], id="house", target=1000, deals=2, ties=ties)
        table = make_table(ruleset, arrange(4, 4))
        for number in (1, 2):
            state = deal_at_random(table, chance, chance.randrange(4), number, (5, 9, 2, 9))
            while phase(state) == "playing":
                state = play_at_random(state, chance)
            yield Named(f"house rules, the end of deal {number} of 2", state)


def _of_seams() -> Iterator[Named]:
    """Describe what games at random hardly come to: ties in the count, the last deal, a hand of trumps."""
    others = "TS AS KS QS"
    for says, deal, scores, tricks, took, changes in (
        ("the higher at a step wins", 2, (36, 38, 0, 0), [4, 3, 1, 1], ["", "JS", others, ""], {}),
        (
            "level at a step, the higher at the end wins",
            2,
            (34, 38, 0, 0),
            [4, 3, 1, 1],
            ["", "JS", others, ""],
            {},
        ),
        ("level to the end", 2, (34, 38, 0, 0), [4, 3, 1, 1], ["", "", others, "JS"], {}),
        ("a tie played off", 2, (41, 41, 52, 0), [3, 2, 2, 2], ["JS", "TS", "AS", "KS QS"], {"ties": "play_on"}),
        (
            "a tie played off, in which another side makes more",
            2,
            (41, 41, 40, 0),
            [3, 2, 2, 2],
            ["KS", "TS", "JS AS", "QS"],
            {"ties": "play_on"},
        ),
        (
            "a tie played off, which the highest of all sides wins",
            2,
            (41, 41, 40, 0),
            [3, 2, 2, 2],
            ["KS", "TS", "JS AS", "QS"],
            {"ties": "play_on", "winning": "highest_score"},
        ),
        (PLAYED_OFF, 2, (34, 38, 0, 33), [4, 3, 1, 1], ["", "", others, "JS"], {"ties": "play_on"}),
        ("a tie after deal 100", 100, (34, 38, 0, 33), [4, 3, 1, 1], ["", "", others, "JS"], {"ties": "play_on"}),
        ("deal 100", 100, (0, 0, 0, 0), [3, 2, 2, 2], ["JS", "TS", "AS", "KS QS"], {}),
    ):
        rules = house("denexa", **changes) if changes else "denexa"
        over = claim(rules, hands=("",) * 4, turn_up="6S", tricks=tricks, took=took, scores=scores)
        yield Named(says, admission.admit(replace(over, deal=deal)))
    trumps = claim("lots-of-kids", 6, hands=("7H 8H 9H TH JH QH", 6, 6, 6, 6, 6), turn_up="6H")
    yield Named("eldest hand has nothing but trumps", admission.admit(trumps))
    revoked = claim(
        house(revoke="loss_of_deal"),
        ((0, 2), (1, 3)),
        hands=("7D", "JD", "QD", "7C"),
        turn_up="6S",
        trick="AC 6C TC 9S",
        tricks=[4, 3],
        took=["JS", "TS"],
        revoked=3,
    )
    yield Named("a side that made points revoked", admission.admit(revoked))
    eight = house(tables=(replace(RULESETS["trebor"].tables[1], cards=8),))
    above = claim(eight, 3, hands=("KH AH", "KD AD", "KC 6S"), turn_up="6S", tricks=[3, 3, 0])
    yield Named("one card above the share", admission.admit(above))
    chance, table = Random("tie"), make_table(house(ties="play_on"), arrange(4, 2))
    yield Named("a tie that is played off at once", deal_at_random(table, chance, 0, 2, (45, 45)))
    chance, table = Random("six"), make_table("lots-of-kids", arrange(5, 5))
    state = deal_at_random(table, chance, 0, 1, (0,) * 5)
    while phase(state) == "playing":
        state = play_at_random(state, chance)
    yield Named("another six was stripped", state)


def _of_duties() -> Iterator[Named]:
    """Find states in which each duty binds: to follow suit, to trump, not to lead a trump, and revokes of them."""
    for rules, players, penalty in (
        ("denexa", 4, "loss_of_deal"),
        ("take-ten", 3, "loss_of_game"),
        ("lots-of-kids", 5, {"fine": 12, "to": "others"}),
        ("take-ten", 5, {"fine": 30, "to": "nobody"}),
        ("trebor", 6, "loss_of_game"),
    ):
        base = RULESETS[rules]
        ruleset = (
            base
            if rules == "trebor"
            else msgspec.convert(
                {**msgspec.to_builtins(base), "id": "house", "sources": {}, "description": "", "revoke": penalty},
                Ruleset,
            )
        )
        table, chance = (
            make_table(ruleset.id if rules == "trebor" else ruleset, arrange(players, players)),
            Random(rules),
        )
        for _ in range(4):
            bound = _find_bound(table, chance)
            wrong = chance.choice(cards_of(bound.state.hands[bound.state.seat_to_play] & ~legal(bound.state)))
            yield bound
            yield Named(f"{rules}, after a revoke", play.play(bound.state, wrong, "penalise").state)


def _find_bound(table: Table, chance: Random) -> Named:
    """Play at random until a seat may not play all of its cards, and its suits are mixed."""
    while True:
        state = _play_on(table, chance)
        if phase(state) == "playing":
            hand = state.hands[state.seat_to_play]
            mixed = sum(bool(hand & suit) for suit in SUIT_MASKS) > 1
            if mixed and hand & ~legal(state):
                return Named(f"{table.ruleset.id}, a seat that may not play all of its cards", state)
