"""A whole game written out as text. All chance comes from the service's own shuffle, so it never changes by itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from service.game.cards import SUITS, Card, card_code, strip_pack
from service.game.fairness.shuffle import draw, shuffle
from service.game.rules import deal, game, play, score, verdicts
from service.game.rulesets import (
    RULESETS,
    Fine,
    Honours,
    Rules,
    Ruleset,
    Seat,
    Sources,
    Table,
    cite,
    make_table,
    usual_sides,
)
from service.game.state import State, hand_codes

FOLDER: Final = Path(__file__).parent
SUIT_NAMES: Final[dict[str, str]] = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
HOW: Final = {
    "at_once": "at once",
    "counting_order": "in the counting order",
    "highest_score": "with the highest score",
    "last_deal": "after the last deal",
    "tie_broken": "in another deal after a tie",
}


def _house(base: str, name: str, **changes: object) -> Ruleset:
    ruleset: Ruleset = replace(RULESETS[base], id=name, name="House rules", **changes)
    return ruleset


class Setting(NamedTuple):
    """A ruleset and a number of players; with slips, a seat now and then plays what it may not."""

    ruleset: Ruleset
    players: int
    slips: bool = False

    @property
    def rules(self) -> Rules:
        """The ruleset, by its id if it is a printed one."""
        return self.ruleset.id if self.ruleset.id in RULESETS else self.ruleset

    @property
    def seed(self) -> str:
        """The seed of the whole game, which is also the name of its file."""
        return f"{self.ruleset.id}-{self.players}"

    @property
    def path(self) -> Path:
        """The file of the game."""
        return FOLDER / f"{self.seed}.txt"


PRINTED: Final = [Setting(ruleset, rule.players) for ruleset in RULESETS.values() for rule in ruleset.tables]
HOUSE: Final = [
    Setting(_house("denexa", "house-deals", deals=3, ties="play_on", target=1000, honours=Honours(ten=5, jack=5)), 3),
    Setting(_house("french-whist", "house-honours", card_points="none", deals=4, honours=Honours(ten=15)), 8),
    Setting(_house("lots-of-kids", "house-fine", revoke=Fine(10, "others"), target=61), 6, slips=True),
]
SETTINGS: Final = PRINTED + HOUSE


def shape_of(setting: Setting) -> tuple[str, int, bool, bool, bool]:
    """Return the ruleset and the shape of a deal: hands of a seat, a stripped pack, a choice of strips, partners."""
    table = make_table(setting.rules, usual_sides(setting.rules, setting.players))
    (rule,) = (rule for rule in setting.ruleset.tables if rule.players == setting.players)
    return setting.ruleset.id, rule.hands, bool(rule.strip), len(table.strips) > 1, len(table.sides) < setting.players


REVIEWED: Final = [*{shape_of(setting): setting for setting in reversed(SETTINGS)}.values()][::-1]
"""The games that are written out: of each ruleset and shape of a deal the one with the fewest players."""


def write_game(setting: Setting) -> str:
    """Play a game and write it out."""
    return "\n".join(_lines(setting)) + "\n"


def _lines(setting: Setting) -> Iterator[str]:
    table = make_table(setting.rules, usual_sides(setting.rules, setting.players))
    rounds, dealer = draw(setting.players, setting.seed)
    yield f"{table.ruleset.name}, a whole game of {setting.players}"
    yield ""
    yield f"rules   {setting.ruleset.id}"
    yield from _changes(setting.ruleset)
    yield "sides   " + ", ".join(f"side {side}: {_seats(seats)}" for side, seats in enumerate(table.sides))
    yield f"seed    {setting.seed}"
    for drawn in rounds:
        yield "drawn   " + ", ".join(f"seat {seat} {card_code(card)}" for seat, card in drawn.items())
    state = open_deal(table, setting, dealer, 1, (0,) * len(table.sides))
    while True:
        yield ""
        yield from _head(state)
        played = None
        while played is None or played.phase == "playing":
            played = play.play(state, choose_card(setting, state), "penalise" if setting.slips else "refuse")
            yield from _trick(state, played)
            state = played.state
        yield from _count(state)
        if played.won is not None:
            yield ""
            yield _end(played.won, state)
            return
        state = open_deal(table, setting, game.next_dealer(state), state.deal + 1, game.next_scores(state))


def _changes(ruleset: Ruleset) -> Iterator[str]:
    """The fields of house rules that say something else than the source that they are cited for."""
    for name in Sources.__struct_fields__:
        if ruleset.id not in RULESETS and cite(ruleset, name) != getattr(ruleset.sources, name):
            yield f"        {name}: {getattr(ruleset, name)}"


def _seats(seats: tuple[Seat, ...]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + " ".join(map(str, seats))


def open_deal(table: Table, setting: Setting, dealer: Seat, number: int, scores: tuple[int, ...]) -> State:
    order = shuffle(strip_pack(table.strips[0]), f"{setting.seed}-{number}")
    return deal.deal(table, order, dealer, number, scores, threes=_threes(table, number))


def _threes(table: Table, number: int) -> bool:
    """Every second deal goes three at a time where the ruleset lets it."""
    return table.ruleset.three_at_a_time and number % 2 == 0


def choose_card(setting: Setting, state: State) -> Card:
    """The first of the legal cards when they are shuffled, with a seed of this very place in the game."""
    place = sum(taken.bit_count() for taken in state.taken) + len(state.trick)
    slips = setting.slips and place > 15 + state.deal
    cards = state.hands[state.seat_to_play] if slips else verdicts.legal_cards(state)
    return shuffle(cards or 0, f"{setting.seed}-{state.deal}-{place}")[0]


def _head(state: State) -> Iterator[str]:
    turn_up = card_code(state.turn_up)
    how = "three at a time" if _threes(state.table, state.deal) else "one at a time"
    trumps = SUIT_NAMES[turn_up[1]]
    yield f"DEAL {state.deal}: seat {state.dealer} deals {how} and turns up {turn_up}; {trumps} are trumps"
    later = state.later_hands or ((),) * state.table.players
    for seat, hand in enumerate(state.hands):
        yield f"  seat {seat}   " + " | ".join(" ".join(hand_codes(state, cards)) for cards in (hand, *later[seat]))


def _trick(before: State, played: play.Played) -> Iterator[str]:
    """The line of a trick once it is full, and what else happened with it."""
    if played.revoked is not None:
        led, card, reason = " ".join(map(card_code, before.trick)), card_code(played.card), played.revoked.reason
        yield f"      seat {before.leader} leads  {led}  seat {played.seat} revokes with {card}: {reason}"
    if played.trick is None:
        return
    number = sum(taken.bit_count() for taken in played.state.taken) // played.state.table.players
    cards = " ".join(card_code(card) for card in played.trick.cards)
    honours = f", honours {played.trick.honours}" if played.trick.honours else ""
    yield f"  {number:2}. seat {before.leader} leads  {cards}  seat {played.trick.seat} takes it{honours}"
    if played.hand_played_out and played.phase == "playing":
        yield "      the next hands are taken up"


def _count(state: State) -> Iterator[str]:
    """The score of the deal: each side's items, points and total."""
    totals = score.totals(state)
    for side, (tally, points) in enumerate(zip(score.deal_scores(state), score.points(state), strict=True)):
        items = [f"{name.replace('_', ' ')} {made}" for name, made in tally._asdict().items() if made]
        yield f"  side {side}   {state.scores[side]} + {points} = {totals[side]}   {', '.join(items)}".rstrip()


def _end(won: game.Won, state: State) -> str:
    item = f", at the item {won.item.replace('_', ' ')}" if won.item else ""
    left = state.table.tricks - sum(taken.bit_count() for taken in state.taken) // state.table.players
    rest = f"; tricks not played: {left}" if left else ""
    sides = " and ".join(f"side {side}" for side in won.winners)
    return f"WON by {sides} {HOW[won.how]}{item}{rest}"
