"""Hypothesis strategies: every arrangement of the rulesets and made-up ones, and deals played at random by the rules.

Shape: a strategy for states draws sound states only, made by `deal` and `play`; hidden in one are the hands that a
view hides, or any choice of hands.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias, TypeVar

from hypothesis import strategies as st
from msgspec.structs import replace

from service.game.cards import CODES, FULL_PACK, CardCode, Mask, cards_of, mask_of, strip_pack
from service.game.rules import admission, game, play, verdicts, view
from service.game.rules.deal import deal
from service.game.rulesets import (
    RULESETS,
    Fine,
    Honours,
    RevokePenalty,
    Rules,
    Ruleset,
    Seat,
    Sides,
    Table,
    TableRule,
    arrange,
    make_table,
)
from service.game.state import Hand, State, hand_size, to_claim

Item = TypeVar("Item")
Arrangement: TypeAlias = tuple[Rules, Sides]

ARRANGEMENTS: Final[tuple[Arrangement, ...]] = tuple(
    (ruleset.id, arrange(rule.players, sides))
    for ruleset in RULESETS.values()
    for rule in ruleset.tables
    for sides in rule.sides
)
"""Every ruleset with every number of players and every way to seat them."""

_LOW_CARDS: Final[tuple[CardCode, ...]] = tuple(code for code in CODES if code[0] in "6789")


PENALTIES: Final[tuple[RevokePenalty, ...]] = (
    "not_allowed",
    "loss_of_game",
    "loss_of_deal",
    Fine(10, "nobody"),
    Fine(15, "others"),
)


def chances() -> st.SearchStrategy[Random]:
    """Draw a source of random numbers: quicker than strategies, for values that need not shrink piece by piece."""
    return st.integers(0, 2**32 - 1).map(Random)


def _table_rule(players: int, chance: Random) -> TableRule:
    hands = chance.randint(1, 3)
    cards = chance.randint(1, min(18, 36 // (players * hands)))
    spare = min(4, 36 - players * hands * cards)
    low = chance.sample(_LOW_CARDS, 8)
    strip = tuple(low[: chance.randint(0, spare)])
    choice = tuple(low[: chance.randint(len(strip), 8)]) if strip and chance.random() < 0.5 else ()
    counts = [count for count in range(2, players + 1) if players % count == 0]
    return TableRule(players, hands, cards, tuple(chance.sample(counts, chance.randint(1, len(counts)))), strip, choice)


@st.composite
def house_rulesets(draw: st.DrawFn) -> Ruleset:
    """Make up a sound ruleset, with one table or two."""
    chance = draw(chances())
    players = chance.sample(range(2, 9), chance.randint(1, 2))
    return Ruleset(
        id="house",
        name="House rules",
        tables=tuple(_table_rule(count, chance) for count in players),
        trump_rank=draw(st.sampled_from(("jack_high", "ace_high"))),
        three_at_a_time=draw(st.booleans()),
        first_dealer="anyone",
        opening_lead=draw(st.sampled_from(("any_card", "no_trump"))),
        void=draw(st.sampled_from(("any_card", "trump_if_able"))),
        revoke=draw(st.sampled_from(PENALTIES)),
        card_points=draw(st.sampled_from(("above_share", "tricks", "none"))),
        honours=draw(st.sampled_from((Honours(), Honours(jack=20, ten=15, queen=0)))),
        ten=draw(st.sampled_from(("trumps", "diamonds"))),
        target=draw(st.sampled_from((41, 41, 20, 100))),
        winning=draw(st.sampled_from(("counting_order", "highest_score", "at_once"))),
        deals=draw(st.sampled_from((None, None, 1, 2, 4))),
        ties=draw(st.sampled_from(("shared", "play_on"))),
    )


@st.composite
def _house_arrangements(draw: st.DrawFn) -> Arrangement:
    ruleset = draw(house_rulesets())
    rule = draw(st.sampled_from(ruleset.tables))
    return ruleset, arrange(rule.players, draw(st.sampled_from(rule.sides)))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Lay a ruleset, printed or made up, for seats whose sides are named in any order."""
    rules, sides = draw(st.sampled_from(ARRANGEMENTS) | _house_arrangements())
    chance = draw(chances())
    return make_table(rules, _shuffled([_shuffled(side, chance) for side in sides], chance))


def _shuffled(items: Sequence[Item], chance: Random) -> tuple[Item, ...]:
    return tuple(chance.sample(items, len(items)))


def deal_at_random(table: Table, chance: Random, dealer: Seat, number: int, scores: tuple[int, ...]) -> State:
    """Deal at random, now and then in packets of three if the ruleset allows it."""
    order = list(cards_of(strip_pack(chance.choice(table.strips))))
    chance.shuffle(order)
    threes = table.ruleset.three_at_a_time and chance.random() < 0.5
    return deal(table, order, dealer, number, scores, threes=threes)


def deal_again(state: State, chance: Random) -> State:
    """Deal the next deal at random, after one that is over."""
    return deal_at_random(state.table, chance, game.next_dealer(state), state.deal + 1, game.next_scores(state))


def phase(state: State) -> game.Phase:
    """Return the phase of the game."""
    return game.phase(state, game.won(state))


def legal(state: State) -> Mask:
    """Return the legal cards of a hand that is seen."""
    cards = verdicts.legal_cards(state)
    assert cards is not None
    return cards


def play_at_random(state: State, chance: Random, revokes: float = 0.0) -> State:
    """Play any legal card; now and then revoke instead, if the ruleset names a penalty for it."""
    cards = legal(state)
    others = state.hands[state.seat_to_play] & ~cards
    if others and state.table.ruleset.revoke != "not_allowed" and chance.random() < revokes:
        return play.play(state, chance.choice(cards_of(others)), "penalise").state
    return play.play(state, chance.choice(cards_of(cards))).state


@st.composite
def states(draw: st.DrawFn, laid: st.SearchStrategy[Table] | None = None, *, playing: bool = False) -> State:
    """Play a random number of legal cards, in a first deal or a later one, on into the deals that follow.

    With `playing`, a card can be played; without, the deal or the game may be over, by a revoke perhaps.
    """
    table = draw(laid if laid is not None else tables())
    plays = draw(st.integers(0, table.players * table.tricks + 40))
    chance = draw(chances())
    dealer = chance.randrange(table.players)
    number = chance.randint(1, min(3, table.ruleset.deals or 3))
    most = chance.choice((0, 15, table.ruleset.target - 1))
    scores = tuple(chance.randint(0, most) for _ in table.sides)
    if table.ruleset.ties == "play_on" and number > 1 and chance.random() < 0.2:
        scores = (most + 5,) * len(scores)
    state = deal_at_random(table, chance, dealer, number, scores)
    for _ in range(plays):
        if not playing and phase(state) == "deal_over" and chance.random() < 0.5:
            break
        after = _go_on(state, chance, 0.0 if playing else 0.02)
        if after is None or (playing and phase(after) == "game_over"):
            break
        state = after
    return deal_again(state, chance) if playing and phase(state) == "deal_over" else state


def _go_on(state: State, chance: Random, revokes: float) -> State | None:
    now = phase(state)
    if now == "playing":
        return play_at_random(state, chance, revokes)
    return deal_again(state, chance) if now == "deal_over" else None


@st.composite
def views(draw: st.DrawFn, *, playing: bool = False) -> tuple[State, Seat | None, State]:
    """Draw a state, a seat (None: a spectator), and the view that it has of the state."""
    state = draw(states(playing=playing))
    seat = draw(st.none() | st.integers(0, state.table.players - 1))
    return state, seat, view.view(state, seat)


@st.composite
def half_hidden(draw: st.DrawFn) -> tuple[State, State]:
    """Draw a state in play, and the same with any choice of its hands hidden."""
    state = draw(states(playing=True))
    chance = draw(chances())
    share = draw(st.sampled_from((0.3, 0.7, 1.0)))

    def hide(hand: Hand) -> Hand:
        return -hand_size(hand) if chance.random() < share else hand

    later = tuple(tuple(hide(hand) for hand in hands) for hands in state.later_hands)
    return state, replace(state, hands=tuple(hide(hand) for hand in state.hands), later_hands=later)


@st.composite
def look_alikes(draw: st.DrawFn) -> tuple[State, State, Seat | None]:
    """Draw two states that look the same to a seat or a spectator: the cards that it does not see are shuffled."""
    state, seat, seen = draw(views())
    chance = draw(chances())
    for _ in range(30):
        other = fill(seen, chance)
        if not admission.faults(to_claim(other)):
            return state, other, seat
    return state, state, seat


def fill(seen: State, chance: Random) -> State:
    """Fill the hidden hands at random, so that the counts fit and the turn-up lies in the dealer's last hand."""
    hidden = FULL_PACK & ~visible_cards(seen)
    turn_up = hidden & 1 << seen.turn_up
    strip = chance.choice([strip for strip in seen.table.strips if not strip & ~(hidden & ~turn_up)])
    cards = list(cards_of(hidden & ~turn_up & ~strip))
    chance.shuffle(cards)
    last = len(seen.later_hands[seen.dealer]) if seen.later_hands else 0

    def hand(hand: Hand, *, with_turn_up: bool) -> Hand:
        if hand >= 0:
            return hand
        kept = turn_up if with_turn_up else 0
        return kept | mask_of(tuple(cards.pop() for _ in range(hand_size(hand) - kept.bit_count())))

    hands = [
        [hand(held, with_turn_up=(seat, place) == (seen.dealer, last)) for place, held in enumerate(hands)]
        for seat, hands in enumerate(hands_of_seats(seen))
    ]
    later = tuple(tuple(hands_of_seat[1:]) for hands_of_seat in hands) if seen.later_hands else ()
    return replace(seen, hands=tuple(hands_of_seat[0] for hands_of_seat in hands), later_hands=later)


def hands_of_seats(state: State) -> list[tuple[Hand, ...]]:
    """List the hands of every seat, the one in play first."""
    later = state.later_hands or ((),) * state.table.players
    return [(hand, *hands) for hand, hands in zip(state.hands, later, strict=True)]


def piles(state: State) -> list[Mask]:
    """List the cards in sight, pile by pile: the hands shown, the trick, the tricks taken by each side."""
    shown = [hand for hands in hands_of_seats(state) for hand in hands if hand > 0]
    return [*shown, mask_of(state.trick), *state.taken]


def visible_cards(state: State) -> Mask:
    """Return all cards in sight."""
    cards = 0
    for pile in piles(state):
        cards |= pile
    return cards
