"""Every type of an answer and every writer of one, by one name."""

# Other modules take all names from here.
# mypy: implicit-reexport
# ruff: noqa: F401

from service.api.questions.scores import Scores, SideScore, write_scores
from service.schemas.adjudication import AdjudicatedDeal, Adjudication, Irregularity, write_adjudication
from service.schemas.events import (
    CardPlayed,
    CardsDealt,
    ComputerLeft,
    ComputerSeated,
    DealScored,
    EntropyAdded,
    Event,
    GameWon,
    HandPlayedOut,
    RematchOpened,
    Resigned,
    Revoked,
    TakeBackAsked,
    TakenBack,
    TimeRanOut,
    TokenRenewed,
    TrickTaken,
    WonBy,
    write_events,
    write_won_by,
)
from service.schemas.faults import Error, StateError, pointer
from service.schemas.position import Position, write_position
from service.schemas.scalars import Cards, Points, PointsBySide, SideIndex
from service.schemas.verdict import Rule, RuleField, Verdict, write_rule, write_verdict, write_verdicts
