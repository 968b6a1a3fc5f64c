"""Every question of the API, once: the routes, the OpenAPI document and the batches are made from this table."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from service import wire
from service.api import bodies, questions
from service.http.problems import ProblemCode
from service.rules import record

READING: Final[tuple[ProblemCode, ...]] = (
    "malformed_body",
    "invalid_body",
    "not_acceptable",
    "body_too_large",
    "body_too_slow",
    "unsupported_media_type",
)
_RULES: Final[tuple[ProblemCode, ...]] = ("unknown_ruleset", "impossible_ruleset", "players_not_in_ruleset")
_STATE: Final[tuple[ProblemCode, ...]] = (*READING, *_RULES, "impossible_state")


class Question(NamedTuple):
    """A question: its kind in a batch, its path under /v1, what it asks, what answers it, and how it may be refused."""

    kind: str
    body: Any
    ask: Callable[[Any], object]
    answer: Any
    summary: str
    description: str
    problems: tuple[ProblemCode, ...]

    @property
    def path(self) -> str:
        """The path of the question."""
        return "/v1/" + self.kind.replace("_", "-")


QUESTIONS: Final = (
    Question(
        "deals",
        bodies.DealQuestion,
        questions.deals,
        bodies.Deal,
        "Deal the cards",
        "Deals a first deal (`rules`, `dealer`, and `players` or `sides`), or the next one (`after`). "
        "The same `seed` gives the same cards on every machine; `pack` gives their exact order instead. "
        "Where only `players` is given, they sit as the source seats them.",
        (*_STATE, "impossible_request", "deal_not_over", "game_over", "too_many_deals"),
    ),
    Question(
        "positions",
        bodies.StateQuestion,
        questions.positions,
        wire.Position,
        "Tell everything that follows from a state",
        "Phase, turn, legal cards, who holds the trick, points, totals and winners, in one call.",
        _STATE,
    ),
    Question(
        "legal_moves",
        bodies.StateQuestion,
        questions.legal_moves,
        bodies.LegalMoves,
        "List the legal cards, with a verdict on every card of the hand",
        "When the deal is over nobody is to play: `turn` is null and both lists are empty.",
        (*_STATE, "hand_not_seen"),
    ),
    Question(
        "verdicts",
        bodies.VerdictQuestion,
        questions.verdicts,
        wire.Verdict,
        "Judge a card without playing it",
        "The dry run: 200 for a legal and for an illegal card alike. With `seat`, another seat's turn is refused.",
        (*_STATE, "hand_not_seen", "deal_over", "game_over", "not_your_turn"),
    ),
    Question(
        "trick_winners",
        bodies.TrickWinnerQuestion,
        questions.trick_winners,
        bodies.TrickWinner,
        "Tell who wins a trick",
        "Of a `state`, its current trick; or of a bare `trick`. Exactly one of the two.",
        (*_STATE, "impossible_request"),
    ),
    Question(
        "next_states",
        bodies.NextStateQuestion,
        questions.next_states,
        bodies.NextState,
        "Play cards",
        "Plays one or more cards in order, each for the seat whose turn it is. The first card that is refused refuses "
        "them all, with its verdict. `on_revoke: penalise` lets an illegal card stand and ends the deal or the game.",
        (*_STATE, "hand_not_seen", "deal_over", "game_over", "illegal_play", "no_revoke_penalty"),
    ),
    Question(
        "scores",
        bodies.StateQuestion,
        questions.scores,
        wire.Scores,
        "Count the deal, item by item",
        "By side: each item of the counting order, points and total; who has won, and by which rule.",
        _STATE,
    ),
    Question(
        "diagnoses",
        bodies.StateQuestion,
        questions.diagnoses,
        bodies.Diagnosis,
        "List every fault of a state",
        "Always 200 for a well-formed state. Every other question refuses an impossible state with this list.",
        READING,
    ),
    Question(
        "views",
        bodies.ViewQuestion,
        questions.views,
        bodies.View,
        "Hide what a seat may not see",
        "The seat's own hand in play stays; other hands and all later hands become numbers. null: a spectator.",
        (*_STATE, "impossible_request"),
    ),
    Question(
        "adjudications",
        record.Record,
        questions.adjudications,
        wire.Adjudication,
        "Adjudicate a whole game",
        "A verdict on every play, the first irregularity, the scores after each deal, and the winners. A card that was "
        "let stand against the rules is judged as what it is and the record read on as it was played.",
        (*_STATE, "no_revoke_penalty"),
    ),
    Question(
        "draws",
        bodies.DrawQuestion,
        questions.draws,
        bodies.Draw,
        "Draw cards for the first deal",
        "The highest card deals, aces high; seats that tie for it draw again.",
        READING,
    ),
)
