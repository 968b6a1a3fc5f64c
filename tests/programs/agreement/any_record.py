"""Random records with hidden hands: plays by the rules and against them, revokes found, and plays that cannot be."""

from random import Random
from typing import Final, NamedTuple

from tests.programs.agreement.asking import Json
from tests.programs.agreement.endings import SHAPES, rules_of_shape
from tests.programs.agreement.expected import PACK
from tests.programs.agreement.games import any_rules
from tests.reference import engine
from tests.reference.engine import Rules

ARRANGEMENTS: Final = engine.arrangements()


class Hidden(NamedTuple):
    """A record with hidden hands, and by deal, if each play was legal by the hands dealt; [] if one was not held."""

    record: Json
    was_legal: list[list[bool]]


class _Course(NamedTuple):
    """How often a record departs from the rules, and how often its hands are hidden."""

    slips: float
    oddities: float
    hidden: float


def any_record(chance: Random) -> Hidden:
    """Return a record of one to three deals by printed rules, by house rules, or of small hands."""
    rules, sides = _any_game(chance)
    course = _Course(chance.choice((0, 0.05, 0.3, 0.9)), chance.choice((0, 0, 0.02)), chance.choice((0.3, 0.6, 1)))
    dealer, count = chance.randrange(sum(map(len, sides))), chance.choice((1, 1, 1, 2, 3))
    deals: list[Json] = []
    was_legal: list[list[bool]] = []
    for number in range(count):
        dealt, legal = _any_deal(rules, sides, dealer + number + (chance.random() < 0.05), course, chance)
        if number == count - 1 and chance.random() < 0.8:
            dealt["plays"] = dealt["plays"][: chance.randint(1, chance.choice((4, 12, 40)))]
        dealt["revokes_found"] = _any_found(dealt["plays"], legal, chance)
        deals.append(_hide(dealt, course.hidden, chance))
        was_legal.append(legal)
    penalised = _ruleset(rules)["revoke"] != "not_allowed" and chance.random() < 0.6
    on_revoke = "penalise" if penalised else "refuse"
    return Hidden({"rules": rules, "sides": sides, "deals": deals, "on_revoke": on_revoke}, was_legal)


def _any_game(chance: Random) -> tuple[str | Rules, list[list[int]]]:
    name, players, sides = chance.choice(ARRANGEMENTS)
    if chance.random() < 0.5:
        return name, sides
    if chance.random() < 0.5:
        return any_rules(name, players, chance), sides
    shape = chance.choice(SHAPES)
    return rules_of_shape(*shape, chance), [[seat] for seat in range(shape[0])]


def _ruleset(rules: str | Rules) -> Rules:
    return engine.RULESETS[rules] if isinstance(rules, str) else rules


def _any_deal(
    rules: str | Rules, sides: list[list[int]], dealer: int, course: _Course, chance: Random
) -> tuple[Json, list[bool]]:
    """Return a deal that was played to its end, or to a play that cannot be and some that were written after it."""
    players = sum(map(len, sides))
    order = _any_order(rules, players, chance)
    state = engine.deal(rules, sides, dealer % players, order, 1, [0] * len(sides))
    dealt = {field: state[field] for field in ("dealer", "turn_up", "hands", "later_hands")}
    plays: list[Json] = []
    was_legal: list[bool] = []
    while any(state["hands"]):
        if chance.random() < course.oddities:
            plays += [{"seat": chance.randrange(players), "card": chance.choice(PACK)} for _ in range(3)]
            return {**dealt, "plays": plays[:40]}, []
        seat = (state["leader"] + len(state["trick"])) % players
        legal = engine.legal_cards(state)
        illegal = [card for card in state["hands"][seat] if card not in legal]
        card = chance.choice(illegal if not legal or (illegal and chance.random() < course.slips) else legal)
        plays.append({"seat": seat, "card": card})
        was_legal.append(card in legal)
        state = engine.lay(state, card)
    return {**dealt, "plays": plays}, was_legal


def _any_order(rules: str | Rules, players: int, chance: Random) -> list[str]:
    """Return a pack in an order to deal it in, after the strip; the suits lie in few hands, perhaps."""
    table = next(table for table in _ruleset(rules)["tables"] if table["players"] == players)
    strip = chance.sample(table.get("strip_choice") or table["strip"], len(table["strip"]))
    weights = {suit: chance.choice((1, 1, 3)) for suit in engine.SUITS}
    order = sorted((card for card in PACK if card not in strip), key=lambda card: chance.random() * weights[card[1]])
    if chance.random() < 0.6:
        chance.shuffle(order)
        return order
    piles, cards = players * table["hands"], table["cards"]
    return [order[at % piles * cards + at // piles] for at in range(piles * cards)]


def _any_found(plays: list[Json], was_legal: list[bool], chance: Random) -> list[Json]:
    """Return some plays that are said to be revokes, most of them because they were, and when they were found."""
    slips = [at for at, legal in enumerate(was_legal[: len(plays)]) if not legal]
    found: list[Json] = []
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 4))):
        play = chance.choice(slips) if slips and chance.random() < 0.6 else chance.randrange(len(plays))
        found.append({"play_index": play, "after_index": chance.randint(play, min(play + 8, len(plays) - 1))})
    return found


def _hide(dealt: Json, share: float, chance: Random) -> Json:
    """Return a deal with about this share of its hands as numbers."""

    def hide(hand: list[str]) -> list[str] | int:
        return len(hand) if chance.random() < share else hand

    later = [[hide(hand) for hand in hands] for hands in dealt["later_hands"]]
    return {**dealt, "hands": [hide(hand) for hand in dealt["hands"]], "later_hands": later}


def spoil(record: Json, chance: Random) -> Json:
    """Return a record with something in one of its deals that is of another place, or cannot be."""
    deals = [dict(deal) for deal in record["deals"]]
    deal, other = chance.choice(deals), chance.choice(deals)
    hands, plays, cards = [*deal["hands"]], [*deal["plays"]], chance.sample(PACK, 9)
    hands[chance.randrange(len(hands))] = chance.choice((other["hands"][0], cards, chance.randrange(10)))
    plays[chance.randrange(len(plays))] = {"seat": chance.randrange(8), "card": cards[0]}
    spoiled = {
        "dealer": chance.randrange(8),
        "turn_up": cards[0],
        "hands": hands,
        "later_hands": chance.choice(([], [[cards]] * len(hands), [[9]] * len(hands), other["hands"])),
        "plays": chance.choice((plays, plays[::-1], plays + [plays[-1]] * 5, other["plays"])),
    }
    field = chance.choice(sorted(spoiled))
    deal[field] = spoiled[field]
    return {**record, "deals": deals, "on_revoke": chance.choice(("refuse", "penalise"))}
