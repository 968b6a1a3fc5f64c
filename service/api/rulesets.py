"""The rulesets as data: GET /v1/rulesets and /v1/rulesets/{id}."""

from typing import Final

import msgspec
from litestar import Request, Response
from litestar.datastructures import State as AppState
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.api.bodies import RulesetList
from service.http.caching import Representation, answer_cached, represent, show
from service.rulesets import RULESETS


def _json(content: object) -> Representation:
    return represent(msgspec.json.encode(content), "application/json")


_ALL: Final = _json(RulesetList(tuple(RULESETS.values())))
_ONE: Final = {name: _json(ruleset) for name, ruleset in RULESETS.items()}


@show("/v1/rulesets")
def rulesets(request: Request[None, None, AppState]) -> Response[bytes]:
    """List all rulesets."""
    return answer_cached(request, _ALL)


@show("/v1/rulesets/{ruleset_id:str}")
def ruleset(request: Request[None, None, AppState], ruleset_id: FromPath[str]) -> Response[bytes]:
    """Show one ruleset."""
    if ruleset_id not in _ONE:
        raise NotFoundException(f"There is no ruleset {ruleset_id[:40]!r}; there are {', '.join(_ONE)}.")
    return answer_cached(request, _ONE[ruleset_id])


HANDLERS: Final = (rulesets, ruleset)
