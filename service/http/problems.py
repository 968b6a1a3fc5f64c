"""Problem documents (RFC 9457): the only place that makes an HTTP answer of a refusal, with its status and headers."""

from logging import getLogger
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec
from litestar.types import HTTPScope
from msgspec import UNSET, Struct, UnsetType

from service.http.context import Headers, context_of, log_names
from service.http.response import WholeResponse, write_etag
from service.wire.faults import Error
from service.wire.refusal import ProblemCode, Refusal
from service.wire.verdict import Verdict

PROBLEM_TYPE: Final = "application/problem+json"
PATH_AT_MOST: Final = 500
"""So many characters of a path are repeated; the caller may have sent any number."""
KEY_HEADER: Final = "X-API-Key"


class Kind(NamedTuple):
    """A kind of problem: its status, its title, and what its page says of the cause and the cure."""

    status: int
    title: str
    meaning: str


KINDS: Final[dict[ProblemCode, Kind]] = {
    "malformed_body": Kind(
        400,
        "The body cannot be read",
        "The body is not well-formed JSON or MessagePack, or is nested too deeply. Check how it is written and sent.",
    ),
    "invalid_body": Kind(
        400,
        "The body is not what the schema asks for",
        "The body was read, but a field is missing, unknown, of the wrong type or out of bounds. "
        "Each fault stands under `errors` with a JSON Pointer to its place. A number in quotes is not a number.",
    ),
    "malformed_request": Kind(
        400,
        "The request cannot be read",
        "Something in it besides the body is malformed, such as the header `Host`; the detail says what.",
    ),
    "not_found": Kind(404, "There is nothing here", "No resource has this path. The paths are listed at /docs."),
    "method_not_allowed": Kind(
        405, "That method is not for this resource", "The header `Allow` names the methods that are."
    ),
    "not_acceptable": Kind(
        406,
        "No representation fits the Accept header",
        "Answers can be had as application/json or application/msgpack.",
    ),
    "body_too_large": Kind(
        413, "The body is too large", "Send fewer or smaller questions at once; the detail names the limit in bytes."
    ),
    "body_too_slow": Kind(
        408, "The body comes too slowly", "Send the whole body at once; the detail names the limit in seconds."
    ),
    "unsupported_media_type": Kind(
        415,
        "The body is of an unknown media type",
        "Send `Content-Type: application/json` or `Content-Type: application/msgpack`.",
    ),
    "api_key_missing": Kind(
        401, "A key is needed", "This service answers only apps that it knows. Send your app's key in `X-API-Key`."
    ),
    "unknown_api_key": Kind(
        401, "No app has this key", "The key in `X-API-Key` is mistyped or withdrawn. Ask those who run the service."
    ),
    "too_many_requests": Kind(
        429,
        "The quota is spent",
        "Ask again after `Retry-After` seconds. The header `RateLimit-Policy` tells the quota, `RateLimit` what is "
        "left of it. A batch counts as many as its questions.",
    ),
    "deal_over": Kind(
        409,
        "The deal is over",
        "No card can be played to it. Ask /v1/deals for the next one, with this state as `after`; in "
        "a live game, deal it.",
    ),
    "game_over": Kind(409, "The game is over", "A side has won; no card can be played and no deal follows."),
    "deal_not_over": Kind(
        409, "The deal is still being played", "The next deal comes when every card of this one is played."
    ),
    "not_your_turn": Kind(409, "It is another seat's turn", "Only the seat named in the detail may play now."),
    "impossible_state": Kind(
        422,
        "The state cannot be",
        "No deal under these rules leads to this state. Every fault stands under `errors` with a JSON Pointer to its "
        "place. /v1/diagnoses gives the same list with status 200.",
    ),
    "impossible_request": Kind(
        422,
        "The fields do not go together",
        "The request is well-formed, but its fields contradict each other or the ruleset. "
        "Each fault stands under `errors`.",
    ),
    "impossible_ruleset": Kind(
        422,
        "The ruleset makes no sense",
        "The ruleset sent in place of an id contradicts itself. Every fault stands under `errors`.",
    ),
    "unknown_ruleset": Kind(422, "There is no such ruleset", "GET /v1/rulesets lists the rulesets and their ids."),
    "players_not_in_ruleset": Kind(
        422,
        "The ruleset is not for that number of players",
        "The source lays no table for so many players. The field `tables` of the ruleset lists those it knows.",
    ),
    "illegal_play": Kind(
        422,
        "The card may not be played",
        "The rules forbid the card. `verdict` names the rule, its source and the cards that would be accepted. "
        "Nothing was changed.",
    ),
    "hand_not_seen": Kind(
        422,
        "A hand is not seen",
        "The state gives the hand as a number of cards, and the answer turns on which they are. "
        "Ask with the hand's cards, or ask something that what is seen decides.",
    ),
    "no_revoke_penalty": Kind(
        422,
        "The ruleset knows no penalty for a revoke",
        "Only `on_revoke: refuse` fits this ruleset. A ruleset with a penalty has `revoke` set to one.",
    ),
    "token_missing": Kind(
        401, "A token is needed", "Send the token that the game's creation gave, as `Authorization: Bearer …`."
    ),
    "unknown_token": Kind(
        401,
        "The token is not one of this game",
        "Tokens are those of the answer to POST /v1/games, and are shown only there.",
    ),
    "wrong_token": Kind(
        403, "The token is not the one for this", "A card needs its seat's token, a deal the dealer's or the host's."
    ),
    "not_dealt": Kind(409, "No cards are dealt", "The dealer or the host deals first: POST …/deals."),
    "game_not_over": Kind(409, "The game is not over", "The record, with every hand, is shown once the game is over."),
    "entropy_given": Kind(
        409, "The seat has added to the next shuffle", "Each seat adds once before each deal; the first stands."
    ),
    "too_many_deals": Kind(
        409, "The game is too long", "It has had as many deals as a record may hold. Open another game."
    ),
    "stale_version": Kind(
        412,
        "The game has moved on",
        "If-Match names a version that is no longer the latest; `version` is. Look at the game again, then decide.",
    ),
    "version_needed": Kind(
        428,
        "The version seen is needed",
        "Send the version that you saw, as its ETag gave it, in If-Match, so that no play is made twice or on a "
        "position that was not seen.",
    ),
    "bad_idempotency_key": Kind(
        400, "The Idempotency-Key is of the wrong length", "Take a fresh random one, such as a UUID."
    ),
    "idempotency_key_reused": Kind(
        422, "The Idempotency-Key was used for another body", "Take a fresh key for a new game."
    ),
    "store_down": Kind(
        503,
        "The store of live games cannot be reached",
        "Ask again after `Retry-After` seconds, at the same version: what was done already is answered as it was then. "
        "Questions still answer.",
    ),
    "store_full": Kind(
        503, "The store of live games is full", "Nothing was changed. Ask again after `Retry-After` seconds."
    ),
    "too_many_streams": Kind(
        503, "Too many event streams are open", "Ask again after `Retry-After` seconds, or look at the game instead."
    ),
    "internal_error": Kind(
        500, "The service failed", "This is a fault of the service, not of the request. It has been logged."
    ),
}

_TOKEN: Final[Headers] = ((b"www-authenticate", b"Bearer"),)
_KEY: Final[Headers] = ((b"www-authenticate", f'ApiKey header="{KEY_HEADER}"'.encode()),)
_HEADERS: Final[dict[ProblemCode, Headers]] = {
    "token_missing": _TOKEN,
    "unknown_token": _TOKEN,
    "api_key_missing": _KEY,
    "unknown_api_key": _KEY,
    "body_too_slow": ((b"connection", b"close"),),
    "store_down": ((b"retry-after", b"1"),),
    "store_full": ((b"retry-after", b"60"),),
    "too_many_streams": ((b"retry-after", b"10"),),
}
"""The headers that problems bring along: how to be let in, that nobody waits for the rest of a body, when to return."""


class Problem(Struct, frozen=True, kw_only=True):
    """A problem document: what went wrong, where and why. `code` is stable, `title` and `detail` are for persons."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: ProblemCode
    errors: tuple[Error, ...] | UnsetType = UNSET
    verdict: Verdict | UnsetType = UNSET
    version: int | UnsetType = UNSET


_logger: Final = getLogger(__name__)


def problem_type(code: ProblemCode) -> str:
    """Return the page of a kind of problem, as a relative reference."""
    return "/problems/" + code.replace("_", "-")


def write_problem(refusal: Refusal, path: str) -> Problem:
    """Write a refusal as a problem document; `path` is that of the request."""
    kind = KINDS[refusal.code]
    return Problem(
        type=problem_type(refusal.code),
        title=kind.title,
        status=kind.status,
        detail=refusal.detail,
        instance=quote(path[:PATH_AT_MOST]),
        code=refusal.code,
        errors=refusal.errors or UNSET,
        verdict=refusal.verdict or UNSET,
        version=refusal.version or UNSET,
    )


def answer_refusal(refusal: Refusal, scope: HTTPScope, headers: Headers = ()) -> WholeResponse:
    """Make the response to a request that is refused; `headers` are those of the resource."""
    context = context_of(scope)
    context.problem = refusal.code
    context.answer = problem = write_problem(refusal, scope["path"])
    more = (*headers, *_HEADERS.get(refusal.code, ()))
    if refusal.version is not None:
        more = (*more, (b"etag", write_etag(refusal.version).encode()))
    return WholeResponse(problem.status, PROBLEM_TYPE.encode(), msgspec.json.encode(problem), more)


def answer_failure(exc: Exception, scope: HTTPScope) -> WholeResponse:
    """Make the response to a request on which the service failed: the caller learns nothing of it, the log all."""
    _logger.error("request failed", exc_info=exc, extra=log_names(scope))
    return answer_refusal(Refusal("internal_error", "The service failed; the fault has been logged."), scope)
