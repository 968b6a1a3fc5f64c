"""The search for plays and a filling that refute a claim.

A claim is a game of two. The claimer sees its hand and the cards in sight. Everybody else, partners included, is the
opponent, who also chooses the hidden cards during the play: a hidden hand plays any card that it may hold and may
legally play in some possible filling. The claim holds if the claimer has an answer to every such play.
"""

from itertools import combinations
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from service.game.cards import BITS, Card, cards_of, mask_of
from service.game.generators import Sliced
from service.game.rules.deal import play_unchecked
from service.game.rules.unseen import UNCONSTRAINED, Constraint, HiddenCards, find_hidden, is_feasible, show_lacking
from service.game.rulesets import Seat
from service.game.state import State, hand_size, side_of
from service.players.claims.goal import Goal
from service.players.claims.line import Line, Shown, fill_hands
from service.players.claims.options import count_sure_tricks, hidden_plays, own_cards
from service.players.ending import OutOfNodes
from service.players.order import order

MAX_NODES: Final = 30_000
"""The cards that the search for one claim may play: 1.3 seconds of CPU compiled, 2.6 without."""
_PIECE: Final = 10
"""Cards that the search plays between two yields: a part of a millisecond."""


class ClaimResult(NamedTuple):
    """The result of a search for a refutation; if there is one, the deal with all hands shown, and the plays in it.

    Unit: `nodes` are the cards that the search played.
    """

    outcome: Literal["holds", "refuted", "undecided"]
    deal: State | None
    plays: tuple[tuple[Seat, Card], ...]
    nodes: int


def judge_claim(known: HiddenCards, seat: Seat, tricks: int | None, points: int | None) -> Sliced[ClaimResult]:
    """Judge the claim of a seat to a number of tricks or points or, with neither, to every trick; yield now and then.

    The same arguments give the same result everywhere.
    Shape: the deal is in play and seen by the seat, and what is known allows a filling.
    """
    state = known.state
    search = _Search(seat, Goal(state, side_of(state, seat), tricks, points))
    try:
        line = yield from search.refute(state, known.shown)
    except OutOfNodes:
        return ClaimResult("undecided", None, (), search.nodes)
    if line is None:
        return ClaimResult("holds", None, (), search.nodes)
    deal = yield from fill_hands(known, seat, line)
    return ClaimResult("refuted", deal, line.plays, search.nodes)


class _Search:
    def __init__(self, seat: Seat, goal: Goal) -> None:
        self.nodes = 0
        self._seat = seat
        self._goal = goal
        self._order = order(goal.start.table.ruleset, goal.start.trump)
        self._found: dict[tuple[object, ...], Line | None] = {}  # no more than nodes

    def refute(self, state: State, shown: Shown) -> Sliced[Line | None]:
        """Return a line that refutes the claim. Return None if it holds.

        Errors: OutOfNodes.
        """
        if state.trick:
            return (yield from self._try_cards(state, find_hidden(state, shown)))
        if (reached := self._goal.is_reached(state)) is not None:
            return None if reached else Line((), ())
        if state.hands[self._seat] < 0:
            return (yield from self._take_up(state))
        known = find_hidden(state, shown)
        key = self._key(known)
        if key not in self._found:
            self._found[key] = None if self._is_guaranteed(known) else (yield from self._try_cards(state, known))
        return self._found[key]

    def _try_cards(self, state: State, known: HiddenCards) -> Sliced[Line | None]:
        """Return the line that refutes the claim the latest if the claimer is to play, else the first one found."""
        seat, longest = state.seat_to_play, Line((), ())
        if seat != self._seat:
            for play in hidden_plays(state, known, self._order, state.hands[self._seat]):
                line = yield from self._play(state, show_lacking(known.shown, seat, play.lacks), play.card)
                if line is not None:
                    return line
            return None
        for card in own_cards(state, known, self._order):
            line = yield from self._play(state, known.shown, card)
            if line is None:
                return None
            longest = max(longest, line, key=lambda line: len(line.plays))
        return longest

    def _play(self, state: State, shown: Shown, card: Card) -> Sliced[Line | None]:
        yield from self._count_node()
        after = play_unchecked(state, card)
        line = yield from self.refute(after, shown if after.later_hands == state.later_hands else {})
        return line and Line(((state.seat_to_play, card), *line.plays), line.next_hands)

    def _take_up(self, state: State) -> Sliced[Line | None]:
        """Return a line that refutes the claim with some next hand of the claimer, the weakest first."""
        known, rank = find_hidden(state, {}), self._order.rank
        certain = known.turn_up if known.last == (self._seat, 0) else 0
        cards = sorted(cards_of(known.cards), key=lambda card: rank(BITS[card]))
        for others in combinations(cards, hand_size(state.hands[self._seat]) - certain.bit_count()):
            yield from self._count_node()
            hand = certain | mask_of(others)
            if is_feasible(known, (self._seat, 0), Constraint(has=hand)):
                seen = tuple([hand if at == self._seat else other for at, other in enumerate(state.hands)])
                line = yield from self.refute(replace(state, hands=seen), {})
                if line is not None:
                    return Line(line.plays, (hand, *line.next_hands))
        return None

    def _count_node(self) -> Sliced[None]:
        if self.nodes == MAX_NODES:
            raise OutOfNodes
        self.nodes += 1
        if not self.nodes % _PIECE:
            yield

    def _is_guaranteed(self, known: HiddenCards) -> bool:
        state, hidden = known.state, known.cards | known.turn_up
        if state.leader != self._seat:
            return False
        return self._goal.is_guaranteed(state, count_sure_tricks(state, hidden, self._order), hidden)

    def _key(self, known: HiddenCards) -> tuple[object, ...]:
        """Return everything that the rest of the deal depends on."""
        state, hidden = known.state, known.cards | known.turn_up
        lacked = [known.shown.get((seat, 0), UNCONSTRAINED).lacks & hidden for seat in range(state.table.players)]
        return (state.leader, *state.hands, hidden, *lacked, *self._goal.score_key(state))
