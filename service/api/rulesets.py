"""The rulesets as data: GET /v1/rulesets and /v1/rulesets/{id}."""

from hashlib import sha256
from typing import Final

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State as AppState
from litestar.exceptions import NotFoundException

from service.api.bodies import RulesetList
from service.rulesets import RULESETS

_CACHE: Final = "public, max-age=3600"


def _representation(content: object) -> tuple[bytes, str]:
    body = msgspec.json.encode(content)
    return body, f'"{sha256(body).hexdigest()[:32]}"'


_ALL: Final = _representation(RulesetList(tuple(RULESETS.values())))
_ONE: Final = {name: _representation(ruleset) for name, ruleset in RULESETS.items()}


def _answer(request: Request[None, None, AppState], representation: tuple[bytes, str]) -> Response[bytes]:
    body, etag = representation
    headers = {"etag": etag, "cache-control": _CACHE}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if etag in known or "*" in known:
        return Response(b"", status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


@get("/v1/rulesets", sync_to_thread=False)
def rulesets(request: Request[None, None, AppState]) -> Response[bytes]:
    """List all rulesets."""
    return _answer(request, _ALL)


@get("/v1/rulesets/{ruleset_id:str}", sync_to_thread=False)
def ruleset(request: Request[None, None, AppState], ruleset_id: str) -> Response[bytes]:
    """Show one ruleset."""
    if ruleset_id not in _ONE:
        raise NotFoundException(f"There is no ruleset {ruleset_id!r}; there are {', '.join(_ONE)}.")
    return _answer(request, _ONE[ruleset_id])
