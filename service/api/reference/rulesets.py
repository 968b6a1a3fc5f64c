"""The rulesets as data: GET /v1/rulesets and /v1/rulesets/{id}."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from service.game.rulesets import RULESETS, Ruleset
from service.http.operation import RECEIVE_PROBLEMS, Operation, reference
from service.schemas.refusal import Refusal


class RulesetList(Struct, frozen=True, gc=False):
    """All rulesets, as data."""

    rulesets: Annotated[tuple[Ruleset, ...], Meta(description="The rulesets.")]


_ALL: Final = RulesetList(tuple(RULESETS.values()))


@reference(
    "/v1/rulesets",
    operation_id="list_rulesets",
    summary="List the rulesets",
    description="Every ruleset as data, each field with its source.",
    response_description="All rulesets; the example has the first.",
    problems=RECEIVE_PROBLEMS,
)
def list_rulesets() -> RulesetList:
    """List all rulesets."""
    return _ALL


@reference(
    "/v1/rulesets/{ruleset_id}",
    operation_id="get_ruleset",
    summary="Show one ruleset",
    description="One ruleset as data. For house rules, change it and send it wherever a request has `rules`.",
    response_description="The ruleset.",
    problems=(*RECEIVE_PROBLEMS, "not_found"),
)
def get_ruleset(ruleset_id: str) -> Ruleset:
    """Show one ruleset."""
    ruleset = RULESETS.get(ruleset_id)
    if ruleset is None:
        raise Refusal("not_found", f"There is no ruleset {ruleset_id[:40]!r}; there are {', '.join(RULESETS)}.")
    return ruleset


HANDLERS: Final[tuple[Operation, ...]] = (list_rulesets, get_ruleset)
