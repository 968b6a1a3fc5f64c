"""Problem documents (RFC 9457): the only place that knows status codes and what each problem means."""

from typing import Final, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from msgspec import UNSET, Struct, UnsetType

from service.faults import FAULTS_AT_MOST, Fault, FaultCode
from service.metrics.families import REFUSALS
from service.wire import Error, Verdict, pointer

ProblemCode: TypeAlias = Literal[
    "malformed_body",
    "invalid_body",
    "malformed_request",
    "not_found",
    "method_not_allowed",
    "not_acceptable",
    "body_too_large",
    "body_too_slow",
    "unsupported_media_type",
    "api_key_missing",
    "unknown_api_key",
    "too_many_requests",
    "deal_over",
    "game_over",
    "deal_not_over",
    "not_your_turn",
    "impossible_state",
    "impossible_request",
    "impossible_ruleset",
    "unknown_ruleset",
    "players_not_in_ruleset",
    "illegal_play",
    "hand_not_seen",
    "no_revoke_penalty",
    "token_missing",
    "unknown_token",
    "wrong_token",
    "not_dealt",
    "game_not_over",
    "entropy_given",
    "too_many_deals",
    "stale_version",
    "version_needed",
    "bad_idempotency_key",
    "idempotency_key_reused",
    "store_down",
    "store_full",
    "too_many_streams",
    "internal_error",
]


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

_REFUSED: Final = {code: REFUSALS.labels(code) for code in KINDS}
PATH_AT_MOST: Final = 500
"""So many characters of a path are repeated; the caller may have sent any number."""
_PROBLEM_OF: Final[dict[FaultCode, ProblemCode]] = {
    "unknown_ruleset": "unknown_ruleset",
    "ruleset_table_twice": "impossible_ruleset",
    "ruleset_too_many_cards": "impossible_ruleset",
    "ruleset_uneven_sides": "impossible_ruleset",
    "ruleset_sides_twice": "impossible_ruleset",
    "ruleset_strips_honour": "impossible_ruleset",
    "ruleset_strip_twice": "impossible_ruleset",
    "ruleset_strip_choice": "impossible_ruleset",
    "players_not_in_ruleset": "players_not_in_ruleset",
    "fields_missing": "impossible_request",
    "fields_contradict": "impossible_request",
    "strip_not_in_ruleset": "impossible_request",
    "three_at_a_time_not_in_ruleset": "impossible_request",
    "pack_not_the_pack": "impossible_request",
}


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


class Refusal(Exception):
    """A request that is refused: the kind of problem and what is particular to this one.

    Shape: `steps` of each error start at the request.
    """

    def __init__(
        self,
        code: ProblemCode,
        detail: str,
        errors: tuple[Error, ...] = (),
        verdict: Verdict | None = None,
        version: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code: ProblemCode = code
        self.detail = detail
        self.errors = errors
        self.verdict = verdict
        self.version = version


def problem_type(code: ProblemCode) -> str:
    """Tell the page of a kind of problem, as a relative reference."""
    return "/problems/" + code.replace("_", "-")


def write_problem(refusal: Refusal, path: str) -> Problem:
    """Write a refusal as a problem document, and count it; `path` is that of the request."""
    kind = KINDS[refusal.code]
    _REFUSED[refusal.code].count()
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


def refuse_faults(faults: tuple[Fault, ...], *prefix: str) -> Refusal:
    """Make one refusal of all faults found; the prefix leads from the request to what was examined."""
    code = _PROBLEM_OF.get(faults[0].code, "impossible_state")
    errors = tuple(Error(pointer(*prefix, *fault.path), fault.code, fault.detail) for fault in faults)
    return Refusal(code, sum_up(errors), errors)


def sum_up(errors: tuple[Error, ...]) -> str:
    """Say the first fault, and how many there are."""
    if len(errors) == 1:
        return errors[0].detail
    count = f"{len(errors)} or more" if len(errors) == FAULTS_AT_MOST else str(len(errors))
    return f"{errors[0].detail} In all, {count} faults were found."
