"""The reasons for and against each card of a suggestion: only facts from the rules or the search."""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta

from service.game.cards import BITS, FULL_PACK, Card, Mask, cards_of, mask_of
from service.game.rules import knowledge, trick
from service.game.rules.unseen import find_hidden
from service.game.rules.visibility import visible_cards
from service.game.rulesets import Seat
from service.game.state import State
from service.players.player import Option, RankedOptions

ReasonCode: TypeAlias = Annotated[
    Literal[
        "only_card",
        "all_alike",
        "wins_game",
        "loses_game",
        "takes_trick",
        "gives_partner",
        "loses_trick",
        "may_take_trick",
        "keeps_honour",
        "catches_honour",
        "best",
        "as_good",
        "behind",
    ],
    Meta(title="SuggestionReason", description="The stable code of a reason for or against a card."),
]


class Reason(NamedTuple):
    """A reason for or against a card."""

    code: ReasonCode
    """The kind of the reason."""
    cards: tuple[Card, ...] = ()
    """The honours in question."""
    times: int = 0
    """The number of fillings in which it holds."""
    before: int = 0
    """For a kept honour: the number of fillings if it is played now."""
    other: Option | None = None
    """The card that it is compared with; None if with none."""
    seat: Seat | None = None
    """The seat that takes the trick, or has the honour `out`; None if neither."""
    out: Card | None = None
    """The best honour in a hand that would have taken the trick; None for none."""


def explain(state: State, found: RankedOptions) -> tuple[tuple[Reason, ...], ...]:
    """Return the reasons for each option of a suggestion, those of most weight first.

    Shape: the state is the view of the seat to play.
    """
    explaining = _Explaining(state, found)
    return tuple([tuple(explaining.reasons(option)) for option in found.options])


class _Explaining:
    def __init__(self, state: State, found: RankedOptions) -> None:
        self._state = state
        self._found = found
        self._seat = state.seat_to_play
        self._side_of = state.table.side_of
        self._values = _values(state)
        self._hidden = FULL_PACK & ~visible_cards(state)
        self._by_card = {option.card: option for option in found.options}

    def reasons(self, option: Option) -> Iterator[Reason]:
        """Find the reasons for and against a card."""
        if wins := self._times(option.wins):
            yield Reason("wins_game", times=wins)
        if losses := self._times(option.losses):
            yield Reason("loses_game", times=losses)
        yield from self._about_trick(option)
        yield from self._about_honours(option)
        yield self._compared(option)

    def _times(self, part: float) -> int:
        return round(part * self._found.fillings)

    def _about_trick(self, option: Option) -> Iterator[Reason]:
        """Tell who takes the trick: for certain if no hidden card matters, else as the search found."""
        state, table = self._state, self._state.table
        cards = (*state.trick, option.card)
        seat = trick.winner(cards, state.trump, state.leader, table.players, table.ruleset)
        honours = self._honours(mask_of(cards))
        if len(cards) < table.players and any(self._takes(cards, card) for card in cards_of(self._hidden)):
            yield Reason("may_take_trick", honours, self._times(option.trick))
        elif seat == self._seat:
            yield self._write_taken(cards, honours)
        elif self._side_of[seat or 0] != self._side_of[self._seat]:
            yield Reason("loses_trick", honours, seat=seat)
        elif option.card in self._values:
            yield Reason("gives_partner", (option.card,), seat=seat)

    def _takes(self, cards: tuple[Card, ...], card: Card) -> bool:
        state = self._state
        return trick.best(mask_of((*cards, card)), cards[0], state.trump, state.table.ruleset) == card

    def _write_taken(self, cards: tuple[Card, ...], honours: tuple[Card, ...]) -> Reason:
        """Tell that the trick is taken, and name the best honour in a hand that would have taken it."""
        above = [card for card in self._honours(self._hidden) if honours and self._takes(cards, card)]
        for out in above[:1]:
            seat = self._find(out)
            if seat is not None or self._all_in_hands():
                return Reason("takes_trick", honours, seat=seat, out=out)
        return Reason("takes_trick", honours)

    def _find(self, card: Card) -> Seat | None:
        """Return the seat in whose hand in play a hidden card surely is. Return None if that is not known."""
        for hand in knowledge.infer_hands(find_hidden(self._state), self._seat):
            if hand.place[1] == 0 and any(card == held for held, _ in hand.must_hold):
                return hand.place[0]
        return None

    def _all_in_hands(self) -> bool:
        """Return True if every hidden card that was dealt is in a hand in play, and all but the strip were dealt."""
        table = self._state.table
        return self._state.in_last_hands and not table.undealt and len(table.strips) == 1

    def _honours(self, cards: Mask) -> tuple[Card, ...]:
        """List the honours among some cards, from most points to least."""
        return tuple(
            sorted((card for card in self._values if BITS[card] & cards), key=lambda card: -self._values[card])
        )

    def _about_honours(self, option: Option) -> Iterator[Reason]:
        """Tell which honours of the hand a card keeps, and how often its side takes a hidden one, the ten first."""
        taken = dict(option.honours)
        for card in self._honours(self._state.hands[self._seat]):
            other = self._by_card.get(card)
            if other is None or other is option:
                continue
            times, before = self._times(taken[card]), self._times(dict(other.honours)[card])
            if times > before:
                yield Reason("keeps_honour", (card,), times, before)
        for card in [card for card in self._values if BITS[card] & self._hidden][:1]:
            if times := self._times(taken[card]):
                yield Reason("catches_honour", (card,), times)

    def _compared(self, option: Option) -> Reason:
        """Compare a card with the best one, or the best one with the next that is not as good."""
        best, *others = self._found.options
        worse = next((other for other in others if not _alike(other, best)), None)
        if worse is None:
            return Reason("all_alike" if others else "only_card")
        if option is best:
            return Reason("best", other=worse)
        return Reason("as_good" if _alike(option, best) else "behind", other=best)


def _values(state: State) -> dict[Card, int]:
    """Return the honours that score, with their points: the ten, then ace, king, queen and jack."""
    worth = state.table.honours[state.trump]
    return {cards_of(mask)[0]: value for mask, value in worth.by_card if value}


def _alike(one: Option, other: Option) -> bool:
    """Return True if two cards lead to the same in every figure."""
    return one[1:] == other[1:]
