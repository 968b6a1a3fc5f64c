"""All operations of the API; each is declared beside its request and response bodies."""

from typing import Final

from service.api.batches import batch
from service.api.games import acts, apps, changes, events, games, my_games, seats
from service.api.question_list import LOOKED_UP, QUESTIONS
from service.api.reasoning import suggestions
from service.api.reference import problems, rulesets
from service.http.operation import Operation

OPERATIONS: Final[tuple[Operation, ...]] = (
    *QUESTIONS,
    *LOOKED_UP,
    batch.answer_batch,
    *suggestions.HANDLERS,
    *games.HANDLERS,
    *apps.HANDLERS,
    *my_games.HANDLERS,
    *acts.HANDLERS,
    *seats.HANDLERS,
    *changes.HANDLERS,
    *events.HANDLERS,
    *rulesets.HANDLERS,
    *problems.HANDLERS,
)
"""All operations: routes, the document, metric labels and batches come from these."""
