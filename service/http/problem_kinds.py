"""The kinds of problems: for each code the status, the title, and the extra field and headers.

Their pages, with cause and remedy, are in `service/api/reference/problems.md`.
"""

from typing import Final, NamedTuple

from service.http.context import Headers
from service.schemas.refusal import ProblemCode

KEY_HEADER: Final = "X-API-Key"


class Kind(NamedTuple):
    """A kind of problem: its status, its title, the field that only it has, and its headers."""

    status: int
    title: str
    field: str | None = None
    headers: Headers = ()


def _retry_after(seconds: int) -> Headers:
    return ((b"retry-after", b"%d" % seconds),)


_BEARER: Final[Headers] = ((b"www-authenticate", b"Bearer"),)
_API_KEY: Final[Headers] = ((b"www-authenticate", f'ApiKey header="{KEY_HEADER}"'.encode()),)
_CLOSE: Final[Headers] = ((b"connection", b"close"),)

PROBLEM_KINDS: Final[dict[ProblemCode, Kind]] = {
    "malformed_body": Kind(400, "The body cannot be read"),
    "invalid_body": Kind(400, "The body does not match the schema"),
    "malformed_request": Kind(400, "The request cannot be read"),
    "invalid_query": Kind(400, "The query does not match the document"),
    "not_found": Kind(404, "Nothing was found here"),
    "no_such_game": Kind(404, "There is no such game"),
    "game_gone": Kind(410, "The game is gone"),
    "method_not_allowed": Kind(405, "The resource does not support this method"),
    "not_acceptable": Kind(406, "No format fits the Accept header"),
    "body_too_large": Kind(413, "The body is too large"),
    "body_too_slow": Kind(408, "The body arrived too slowly", headers=_CLOSE),
    "answer_too_large": Kind(507, "The answer would be too long"),
    "unsupported_media_type": Kind(415, "The media type of the body is not supported"),
    "api_key_missing": Kind(401, "An API key is needed", headers=_API_KEY),
    "unknown_api_key": Kind(401, "The API key is not known", headers=_API_KEY),
    "too_many_requests": Kind(429, "The quota is used up", field="seconds"),
    "share_used_up": Kind(429, "You have your share of what runs out", headers=_retry_after(5)),
    "deal_over": Kind(409, "The deal is over"),
    "game_over": Kind(409, "The game is over"),
    "deal_not_over": Kind(409, "The deal is not over"),
    "game_not_over": Kind(409, "The game is not over"),
    "not_your_turn": Kind(409, "It is another seat's turn", field="turn"),
    "malformed_notation": Kind(422, "The notation cannot be read"),
    "impossible_state": Kind(422, "The state is impossible"),
    "impossible_request": Kind(422, "Fields of the request do not go together"),
    "impossible_ruleset": Kind(422, "The ruleset contradicts itself"),
    "unknown_ruleset": Kind(422, "There is no such ruleset"),
    "players_not_in_ruleset": Kind(422, "The ruleset is not for this number of players"),
    "illegal_play": Kind(422, "The card may not be played", field="verdict"),
    "hand_not_seen": Kind(422, "The answer depends on a hidden hand"),
    "no_revoke_penalty": Kind(422, "The ruleset has no penalty for a revoke"),
    "token_missing": Kind(401, "A token is needed", headers=_BEARER),
    "unknown_token": Kind(401, "The token is not one of this game", headers=_BEARER),
    "wrong_token": Kind(403, "The token does not allow this"),
    "not_dealt": Kind(409, "No cards have been dealt"),
    "entropy_given": Kind(409, "The seat has already added to the next shuffle"),
    "computer_plays": Kind(409, "The computer plays this seat"),
    "already_dealt": Kind(409, "Cards are dealt already"),
    "not_away": Kind(409, "The seat is not away"),
    "cannot_take_back": Kind(409, "No card can be taken back"),
    "too_many_changes": Kind(409, "The game has changed too often"),
    "stale_version": Kind(412, "The game has moved on", field="version"),
    "version_needed": Kind(428, "The version that you saw is needed"),
    "bad_version": Kind(400, "If-Match is not a version"),
    "bad_idempotency_key": Kind(400, "The Idempotency-Key has the wrong length"),
    "idempotency_key_reused": Kind(422, "The Idempotency-Key was used with another body"),
    "store_down": Kind(503, "The store of live games cannot be reached", headers=_retry_after(1)),
    "store_full": Kind(503, "The store of live games is full", headers=_retry_after(60)),
    "too_many_streams": Kind(503, "Too many event streams are open", headers=_retry_after(10)),
    "too_busy": Kind(503, "Too much is under way", headers=_retry_after(1)),
    "stopping": Kind(503, "The replica is stopping", headers=_retry_after(1)),
    "no_apps": Kind(403, "This service knows no apps"),
    "suggestions_off": Kind(403, "This service makes no suggestions"),
    "too_many_suggestions": Kind(503, "Too many suggestions are asked for", headers=_retry_after(5)),
    "no_answer": Kind(504, "No answer in time"),
    "internal_error": Kind(500, "The service failed"),
}


def problem_type(code: ProblemCode) -> str:
    """Return the page of a kind of problem, as a relative reference."""
    return "/problems/" + code.replace("_", "-")
