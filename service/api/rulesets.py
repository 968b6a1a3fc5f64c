"""The rulesets as data: GET /v1/rulesets and /v1/rulesets/{id}."""

from typing import Annotated, Final

import msgspec
from litestar import Request, Response
from litestar.datastructures import State as AppState
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from msgspec import Meta, Struct

from service.http.caching import Representation, answer_cached, make_representation
from service.http.operation import MALFORMED, read
from service.rulesets import RULESETS, Ruleset


class RulesetList(Struct, frozen=True, gc=False):
    """All rulesets, as data."""

    rulesets: Annotated[tuple[Ruleset, ...], Meta(description="The rulesets.")]


def _json(content: object) -> Representation:
    return make_representation(msgspec.json.encode(content), "application/json")


_ALL: Final = _json(RulesetList(tuple(RULESETS.values())))
_ONE: Final = {name: _json(ruleset) for name, ruleset in RULESETS.items()}


@read(
    "/v1/rulesets",
    operation_id="list_rulesets",
    tag="Rulesets",
    summary="List the rulesets",
    description="Every ruleset as data, each field with its source.",
    response_description="All rulesets.",
    answer_type=RulesetList,
    cached=True,
    problems=MALFORMED,
)
def list_rulesets(request: Request[None, None, AppState]) -> Response[bytes]:
    """List all rulesets."""
    return answer_cached(request, _ALL)


@read(
    "/v1/rulesets/{ruleset_id}",
    operation_id="get_ruleset",
    tag="Rulesets",
    summary="Show one ruleset",
    description="One ruleset as data. For house rules, change it and send it wherever a request has `rules`.",
    response_description="The ruleset.",
    answer_type=Ruleset,
    cached=True,
    problems=(*MALFORMED, "not_found"),
)
def get_ruleset(request: Request[None, None, AppState], ruleset_id: FromPath[str]) -> Response[bytes]:
    """Show one ruleset."""
    if ruleset_id not in _ONE:
        raise NotFoundException(f"There is no ruleset {ruleset_id[:40]!r}; there are {', '.join(_ONE)}.")
    return answer_cached(request, _ONE[ruleset_id])


HANDLERS: Final = (list_rulesets, get_ruleset)
