"""The resources: every operation of the API, declared beside the bodies that it takes and gives."""

from typing import Final

from litestar.handlers import HTTPRouteHandler

from service.api import batches, pages, rulesets, suggestions, system
from service.api.live import changes, events, games, resignations, seats
from service.api.questions import LOOKED_UP, QUESTIONS

OPERATIONS: Final[tuple[HTTPRouteHandler, ...]] = (
    *QUESTIONS,
    *LOOKED_UP,
    batches.answer_batch,
    *suggestions.HANDLERS,
    *games.HANDLERS,
    *resignations.HANDLERS,
    *seats.HANDLERS,
    *changes.HANDLERS,
    *events.HANDLERS,
    *rulesets.HANDLERS,
    *system.HANDLERS,
    system.metrics,
    *pages.HANDLERS,
)
"""Every route handler: the routes, the document, the labels of metrics and the fast lane are made from these."""
