"""Every operation of the API, once: the OpenAPI document is made from this table, and the metrics know its routes."""

from typing import Any, Final

from msgspec import structs

from service.api import batches, bodies
from service.api.operations import QUESTIONS, READING, Question
from service.http.problems import ProblemCode
from service.openapi.live_catalog import GAMES
from service.openapi.operation import HTML, JSON, MSGPACK, TEXT, Operation
from service.rulesets import Ruleset

_GUARD: Final[tuple[ProblemCode, ...]] = ("api_key_missing", "unknown_api_key", "too_many_requests")


def _question(question: Question) -> Operation:
    return Operation(
        name=question.kind,
        method="post",
        path=question.path,
        tag="Questions",
        summary=question.summary,
        description=question.description,
        body=question.body,
        answer=question.answer,
        media=(JSON, MSGPACK),
        problems=question.problems,
    )


_BATCH: Final = Operation(
    name="batches",
    method="post",
    path=batches.PATH,
    tag="Questions",
    summary="Ask many questions at once",
    description="Up to 1,000 questions, each tagged with its kind. The answers stand in the same order, each with the "
    "status it would have had alone; a question that is refused spoils no other. Always 207 for a "
    "batch that can be read.",
    status=207,
    body=batches.Batch,
    answer=batches.BatchAnswer,
    media=(JSON, MSGPACK),
    problems=READING,
)

_GETS: Final = (
    Operation(
        name="list_rulesets",
        method="get",
        path="/v1/rulesets",
        tag="Rulesets",
        summary="List the rulesets",
        description="Every ruleset as data, each field with its source.",
        answer=bodies.RulesetList,
        cached=True,
    ),
    Operation(
        name="get_ruleset",
        method="get",
        path="/v1/rulesets/{ruleset_id}",
        tag="Rulesets",
        summary="Show one ruleset",
        description="One ruleset as data. Changed as you like, it can be sent wherever a request has "
        "`rules`: house rules.",
        answer=Ruleset,
        cached=True,
        problems=("not_found",),
    ),
    Operation(
        name="livez",
        method="get",
        path="/livez",
        tag="System",
        summary="Tell that the process is alive",
        description="Asks nothing of anything else. When it fails, restart the process.",
        media=(TEXT,),
    ),
    Operation(
        name="readyz",
        method="get",
        path="/readyz",
        tag="System",
        summary="Tell that requests may come",
        description="Not while the process stops, and not while the store of live games cannot be reached. Questions "
        "are answered even then: with `?exclude=store` a balancer goes on sending them. `?verbose` lists each check "
        "with its state; where one fails, they are listed in any case.",
        media=(TEXT,),
        accepts=("verbose", "exclude"),
        also={503: "Requests had better go elsewhere: each check with its state."},
    ),
    Operation(
        name="metrics",
        method="get",
        path="/metrics",
        tag="System",
        summary="Show the metrics",
        description="In the text format of Prometheus. deploy/METRICS.md lists them. Where the operator gives "
        "them a port of their own, they are there and not here.",
        media=(TEXT,),
    ),
    Operation(
        name="openapi",
        method="get",
        path="/openapi.json",
        tag="System",
        summary="Show this document",
        description="The OpenAPI 3.1 document from which clients can be generated.",
        answer=dict[str, Any],
        cached=True,
    ),
    Operation(
        name="front_page",
        method="get",
        path="/",
        tag="Pages",
        summary="Say what this is and where to go",
        description="A page for people.",
        media=(HTML,),
    ),
    Operation(
        name="docs",
        method="get",
        path="/docs",
        tag="Pages",
        summary="Browse and try this document",
        description="Swagger UI, served wholly by this service: it needs no other network.",
        media=(HTML,),
    ),
    Operation(
        name="list_problems",
        method="get",
        path="/problems",
        tag="Pages",
        summary="List the kinds of problems",
        description="Each with its code, status and title, and a link to its page.",
        media=(HTML,),
    ),
    Operation(
        name="get_problem",
        method="get",
        path="/problems/{problem}",
        tag="Pages",
        summary="Explain a kind of problem",
        description="The page that the `type` of a problem document points to: the cause and the cure.",
        media=(HTML,),
        problems=("not_found",),
    ),
)


def _guarded(op: Operation) -> Operation:
    """Add what the guard may refuse before the handler is asked."""
    return structs.replace(op, guarded=True, problems=(*op.problems, *_GUARD))


def _by_framework(op: Operation) -> Operation:
    """Add what the framework may refuse before the handler is asked."""
    return structs.replace(op, problems=("malformed_request", *op.problems))


OPERATIONS: Final = (
    *(_guarded(_question(question)) for question in QUESTIONS),
    _guarded(_BATCH),
    *map(_guarded, GAMES),
    *(_by_framework(op) for op in _GETS),
)
