"""The same questions in frameworks, as their documentation has it: the same rules, schema and answers.

Both handle a question in the event loop, as their documentation advises for short work.
"""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Final

import msgspec
from litestar import Litestar, post
from litestar.logging import LoggingConfig
from litestar.middleware.logging import LoggingMiddlewareConfig
from litestar.params import JSONBody
from litestar.plugins.prometheus import PrometheusConfig, PrometheusController
from litestar.types import ASGIApp
from msgspec import Struct

from service.game.rulesets import Ruleset
from service.game.state import Claim
from tests.programs.bench.pydantic_models import Models
from tests.support import questions

LEGAL_MOVES: Final = "/v1/legal-moves"
NEXT_STATES: Final = "/v1/next-states"


@post(LEGAL_MOVES, status_code=200, sync_to_thread=False)
def _legal_moves(data: JSONBody[questions.HandQuestion]) -> questions.LegalMoves:
    return questions.legal_moves(data)


@post(NEXT_STATES, status_code=200, sync_to_thread=False)
def _next_states(data: JSONBody[questions.NextStateQuestion]) -> questions.NextState:
    return questions.next_states(data)


def make_litestar() -> ASGIApp:
    """Make the application of Litestar with its own reading, writing and document, its metrics and its log."""
    log = LoggingMiddlewareConfig(request_log_fields=("method", "path"), response_log_fields=["status_code"])
    return Litestar(
        [_legal_moves, _next_states, PrometheusController],
        middleware=[PrometheusConfig().middleware, log.middleware],
        logging_config=LoggingConfig(root={"level": "INFO", "handlers": ["queue_listener"]}),
    )


def make_fastapi() -> ASGIApp:
    """Make the application of FastAPI, with models of pydantic for what is read and what is sent."""
    app: Any = import_module("fastapi").FastAPI()
    read, sent = Models(strict=True), Models(strict=False)

    def add(path: str, body: type[Struct], answer: type[Struct], ask: Callable[[Any], object]) -> None:
        handle = _handler(read.of(body), ask)
        app.add_api_route(path, handle, methods=["POST"], response_model=sent.of(answer))

    add(LEGAL_MOVES, questions.HandQuestion, questions.LegalMoves, _ask_legal_moves)
    add(NEXT_STATES, questions.NextStateQuestion, questions.NextState, _ask_next_states)
    made: ASGIApp = app
    return made


def _handler(model: Any, ask: Callable[[Any], object]) -> Callable[[Any], Awaitable[object]]:
    async def handle(question: Any) -> object:
        return ask(question)

    handle.__annotations__["question"] = model
    return handle


def _ask_legal_moves(question: Any) -> object:
    return questions.legal_moves(questions.HandQuestion(state=_claim(question.state)))


def _ask_next_states(question: Any) -> object:
    asked = questions.NextStateQuestion(_claim(question.state), tuple(question.cards), question.on_revoke)
    return questions.next_states(asked)


def _claim(state: Any) -> Claim:
    """Write a model as what the rules take; it was checked already."""
    return Claim(
        state.rules if isinstance(state.rules, str) else msgspec.convert(state.rules.model_dump(), Ruleset),
        tuple(map(tuple, state.sides)),
        state.dealer,
        state.deal,
        tuple(state.scores),
        state.turn_up,
        tuple(map(_hand, state.hands)),
        tuple([tuple(map(_hand, later)) for later in state.later_hands]),
        state.leader,
        tuple(state.trick),
        tuple(map(tuple, state.taken)),
        state.revoked,
    )


def _hand(hand: Any) -> Any:
    return hand if isinstance(hand, int) else tuple(hand)
