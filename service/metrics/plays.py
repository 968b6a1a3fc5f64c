"""Cards judged and what came of them, counted where it happens."""

from collections import Counter
from typing import Final, get_args

from service.cards import Mask, cards_of, mask_of
from service.metrics.families import DEALS, GAMES, HONOURS, PLAYS, TENS_CAUGHT, TRICKS
from service.rules import follow, game, play, score
from service.rules.adjudication import Adjudication, DealResult
from service.rulesets import RULESETS, Rules, Side
from service.state import State

HOUSE: Final = "house"
"""The ruleset of all house rules, whatever they are called."""
REASONS: Final[tuple[follow.Reason, ...]] = get_args(get_args(follow.Reason)[0])
HOWS: Final[tuple[game.How, ...]] = get_args(game.How)


class _Series:
    """The series of a ruleset."""

    def __init__(self, ruleset: str) -> None:
        self.plays = {reason: PLAYS.labels(ruleset, reason or "legal") for reason in (None, *REASONS)}
        self.tricks = TRICKS.labels(ruleset)
        self.deals = DEALS.labels(ruleset)
        self.games = {how: GAMES.labels(ruleset, how) for how in HOWS}
        self.tens_caught = TENS_CAUGHT.labels(ruleset)
        self.honours = {honour: HONOURS.labels(ruleset, honour) for honour in score.HONOUR_NAMES}


_BY_RULESET: Final = {ruleset: _Series(ruleset) for ruleset in (*RULESETS, HOUSE)}


def _series(rules: Rules) -> _Series:
    return _BY_RULESET[rules if isinstance(rules, str) else HOUSE]


def judged(rules: Rules, reason: follow.Reason | None) -> None:
    """Count a card that was judged; `reason` is None for a legal one."""
    _series(rules).plays[reason].late += 1


def played(before: State, done: play.Played) -> None:
    """Count a card that was played, and the trick, the deal and the game that it ended."""
    series = _series(before.table.rules)
    series.plays[done.revoked.reason if done.revoked else None].late += 1
    if done.trick is not None:
        series.tricks.late += 1
        if done.trick.honours:
            _honours(series, done.state, mask_of(done.trick.cards))
            series.tens_caught.late += _caught(before, done.trick)
    if done.phase != "playing":
        series.deals.late += 1
    if done.won is not None:
        series.games[done.won.how].late += 1


def _honours(series: _Series, state: State, cards: Mask) -> None:
    for honour in score.honours_among(cards, state):
        series.honours[honour].late += 1


def _caught(before: State, trick: play.Trick) -> bool:
    """Tell whether a trick holds a ten of the other side's: whoever played it was dealt it."""
    ten = score.ten_of(before)
    if ten not in trick.cards:
        return False
    seat = (before.leader + trick.cards.index(ten)) % before.table.players
    return before.table.side_of[seat] != trick.side


def adjudicated(rules: Rules, record: Adjudication) -> None:
    """Count every play of a record that could be judged, and what came of them."""
    series = _series(rules)
    for deal in record.deals:
        for reason, times in Counter([verdict.reason for _, verdict in deal.verdicts]).items():
            series.plays[reason].late += times
        taken = sum(deal.state.taken)
        series.tricks.late += taken.bit_count() // deal.state.table.players
        _honours(series, deal.state, taken)
        series.tens_caught.late += _caught_in(deal)
        series.deals.late += deal.phase != "playing"
    if record.won is not None:
        series.games[record.won.how].late += 1


def _caught_in(deal: DealResult) -> bool:
    """Tell whether the ten was taken by a side that was not dealt it."""
    ten = 1 << score.ten_of(deal.state)
    takers = [side for side, taken in enumerate(deal.state.taken) if taken & ten]
    return bool(takers) and takers[0] != _dealt_to(deal.verdicts[0][0], ten)


def _dealt_to(dealt: State, card: Mask) -> Side:
    """Tell the side that was dealt a card; a record shows every hand."""
    for seat, hand in enumerate(dealt.hands):
        later = dealt.later_hands[seat] if dealt.later_hands else ()
        if any(cards & card for cards in (hand, *later)):
            return dealt.table.side_of[seat]
    raise AssertionError(cards_of(card))
