"""The operations of the API, each declared beside the bodies that it takes and gives, and the pages."""

from typing import Final

from service.api import batches, problems, rulesets, suggestions
from service.api.live import acts, changes, events, games, seats
from service.api.questions import LOOKED_UP, QUESTIONS
from service.http.operation import Operation

OPERATIONS: Final[tuple[Operation, ...]] = (
    *QUESTIONS,
    *LOOKED_UP,
    batches.answer_batch,
    *suggestions.HANDLERS,
    *games.HANDLERS,
    *acts.HANDLERS,
    *seats.HANDLERS,
    *changes.HANDLERS,
    *events.HANDLERS,
    *rulesets.HANDLERS,
    *problems.HANDLERS,
)
"""Every operation: routes, the document, the labels of metrics and batches are made from these."""
