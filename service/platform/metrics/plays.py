"""Metrics of the game: cards judged, tricks, deals, games and honours, counted from the answers."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, get_args

from service.game.cards import NUMBER, Card, mask_of
from service.game.rules import game, score
from service.game.rules.judgment import Reason
from service.game.rules.record import Record
from service.game.rulesets import RULESETS, Rules, Seat, Side, Table
from service.platform.metrics.families import DEALS, GAMES_FINISHED, HONOURS, PLAYS, TENS_CAUGHT, TRICKS
from service.schemas.adjudication import Adjudication
from service.schemas.events import CardPlayed, DealScored, Event, GameWon, Revoked, TrickTaken
from service.schemas.verdict import Verdict

HOUSE: Final = "house"
"""The common label of all house rules."""
REASONS: Final[tuple[Reason, ...]] = get_args(get_args(Reason)[0])
HOWS: Final[tuple[game.How, ...]] = get_args(get_args(game.How)[0])

_PLAYS: Final = {reason: PLAYS.labels(reason or "legal") for reason in (None, *REASONS)}
_GAMES: Final = {how: GAMES_FINISHED.labels(how) for how in HOWS}
_HONOURS: Final = {honour: HONOURS.labels(honour) for honour in score.HONOUR_NAMES}


class _Series:
    """The series of a ruleset."""

    def __init__(self, ruleset: str) -> None:
        self.tricks = TRICKS.labels(ruleset)
        self.deals = DEALS.labels(ruleset)
        self.tens_caught = TENS_CAUGHT.labels(ruleset)


_BY_RULESET: Final = {ruleset: _Series(ruleset) for ruleset in (*RULESETS, HOUSE)}


def _series_of(rules: Rules) -> _Series:
    return _BY_RULESET[rules if isinstance(rules, str) else HOUSE]


def count_verdict(verdict: Verdict) -> None:
    """Count a card that was judged."""
    _PLAYS[verdict.reason].inc()


def count_events(rules: Rules, table: Table, trump: int, events: Sequence[Event]) -> None:
    """Count the events of a played card, in a deal with these trumps."""
    series, legal = _series_of(rules), 0
    for event in events:
        if isinstance(event, CardPlayed):
            legal += 1
        elif isinstance(event, TrickTaken):
            cards = [NUMBER[code] for code in event.cards]
            _count_trick(series, table, trump, cards, event.leader, event.side)
        elif isinstance(event, Revoked):
            count_verdict(event.verdict)
            legal -= 1  # the event of the card came before it
        elif isinstance(event, DealScored):
            series.deals.inc()
        elif isinstance(event, GameWon):
            _GAMES[event.won_by.how].inc()
    _PLAYS[None].inc(legal)


def _count_trick(series: _Series, table: Table, trump: int, cards: Sequence[Card], leader: Seat, taker: Side) -> None:
    """Count a trick and its honours; and its ten as caught if another side played it."""
    series.tricks.inc()
    for honour in score.honours_among(mask_of(tuple(cards)), trump, table):
        _HONOURS[honour].inc()
    ten = score.ten_of(trump, table)
    if ten in cards:
        player = (leader + cards.index(ten)) % table.players
        series.tens_caught.inc(table.side_of[player] != taker)


def count_adjudication(record: Record, answer: Adjudication) -> None:
    """Count every judged play of a record, and the ended deals and games."""
    for deal in answer.deals:
        for reason, times in Counter([verdict.reason for verdict in deal.verdicts]).items():
            _PLAYS[reason].inc(times)
        _series_of(record.rules).deals.inc(deal.phase != "playing")
    if answer.won_by is not None:
        _GAMES[answer.won_by.how].inc()
