"""Every type of an answer and every writer of one, by one name."""

from service.wire.adjudication import AdjudicatedDeal, Adjudication, Irregularity, write_adjudication
from service.wire.events import (
    CardPlayed,
    CardsDealt,
    ComputerLeft,
    ComputerSeated,
    DealScored,
    EntropyAdded,
    Event,
    GameWon,
    HandPlayedOut,
    Resigned,
    Revoked,
    TimeRanOut,
    TokenRenewed,
    TrickTaken,
    WonBy,
    write_events,
    write_won_by,
)
from service.wire.faults import Error, StateError, pointer
from service.wire.position import Position, write_position
from service.wire.scalars import Cards, Points, PointsBySide, SideIndex
from service.wire.scores import Scores, SideScore, write_scores
from service.wire.verdict import Rule, RuleField, Verdict, write_rule, write_verdict, write_verdicts

__all__ = [
    "AdjudicatedDeal",
    "Adjudication",
    "CardPlayed",
    "Cards",
    "CardsDealt",
    "ComputerLeft",
    "ComputerSeated",
    "DealScored",
    "EntropyAdded",
    "Error",
    "Event",
    "GameWon",
    "HandPlayedOut",
    "Irregularity",
    "Points",
    "PointsBySide",
    "Position",
    "Resigned",
    "Revoked",
    "Rule",
    "RuleField",
    "Scores",
    "SideIndex",
    "SideScore",
    "StateError",
    "TimeRanOut",
    "TokenRenewed",
    "TrickTaken",
    "Verdict",
    "WonBy",
    "pointer",
    "write_adjudication",
    "write_events",
    "write_position",
    "write_rule",
    "write_scores",
    "write_verdict",
    "write_verdicts",
    "write_won_by",
]
