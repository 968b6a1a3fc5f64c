"""The kinds of problems: for each code the status, the title, and the text of its page under /problems."""

from typing import Final, NamedTuple

from service.wire.refusal import ProblemCode


class Kind(NamedTuple):
    """A kind of problem: its status, its title, and the text of its page, with the cause and the remedy."""

    status: int
    title: str
    meaning: str


KINDS: Final[dict[ProblemCode, Kind]] = {
    "malformed_body": Kind(
        400,
        "The body cannot be read",
        "The body is not well-formed JSON or MessagePack, or it is nested too deeply. Check how it is written, and "
        "that `Content-Type` names its format.",
    ),
    "invalid_body": Kind(
        400,
        "The body does not match the schema",
        "The body can be read, but a field is missing, unknown, of the wrong type or out of bounds. `errors` lists "
        "the faults, each with a JSON Pointer to its place: at most 100, and only the first if the body is larger than "
        "64 KiB. A number in quotes is not a number.",
    ),
    "malformed_request": Kind(
        400,
        "The request cannot be read",
        "Something other than the body is malformed, such as the header `Host`; `detail` says what.",
    ),
    "invalid_query": Kind(
        400,
        "The query does not match the document",
        "A parameter of the URL is unknown, or has a value that it cannot have. `errors` lists the faults, each with "
        "the parameter in its pointer.",
    ),
    "not_found": Kind(
        404,
        "Nothing was found here",
        "No resource has this path. It may be mistyped, or name a game that was deleted or has expired. /docs lists "
        "the paths.",
    ),
    "method_not_allowed": Kind(
        405,
        "The resource does not support this method",
        "The header `Allow` lists the methods that it supports.",
    ),
    "not_acceptable": Kind(
        406,
        "No format fits the Accept header",
        "Answers are available as `application/json` or `application/msgpack`.",
    ),
    "body_too_large": Kind(
        413,
        "The body is too large",
        "Send fewer or smaller questions at once. `detail` gives the limit in bytes.",
    ),
    "body_too_slow": Kind(
        408,
        "The body arrived too slowly",
        "Send the whole body at once. `detail` gives the limit in seconds.",
    ),
    "answer_too_large": Kind(
        413,
        "The answer would be too long",
        "The answers to the questions before it fill the batch. Send this one and those after it again, in another "
        "batch.",
    ),
    "unsupported_media_type": Kind(
        415,
        "The media type of the body is not supported",
        "Send `Content-Type: application/json` or `Content-Type: application/msgpack`. The only charset is UTF-8.",
    ),
    "api_key_missing": Kind(
        401,
        "An API key is needed",
        "This service answers only apps that it knows. Send your app's key in the header `X-API-Key`. Only calls on a "
        "game that is open need none.",
    ),
    "unknown_api_key": Kind(
        401,
        "The API key is not known",
        "The key in the header `X-API-Key` is mistyped, or was withdrawn. Ask the operator of the service.",
    ),
    "too_many_requests": Kind(
        429,
        "The quota is used up",
        "Ask again after `Retry-After` seconds. The header `RateLimit-Policy` gives the quota, `RateLimit` what is "
        "left of it. A batch counts as many requests as it has questions; a suggestion one, and one more for every "
        "1,000 `nodes`.",
    ),
    "deal_over": Kind(
        409,
        "The deal is over",
        "No more cards can be played. For the next deal, send this state to /v1/deals as `after`; in a live game, "
        "POST …/deals.",
    ),
    "game_over": Kind(
        409,
        "The game is over",
        "A side has won, so no card can be played and no deal follows.",
    ),
    "deal_not_over": Kind(
        409,
        "The deal is not over",
        "The next deal can be dealt once this one is over.",
    ),
    "not_your_turn": Kind(
        409,
        "It is another seat's turn",
        "Only the seat that `detail` names may play now.",
    ),
    "malformed_notation": Kind(
        422,
        "The notation cannot be read",
        "A text in place of a state is no notation of a position, or a text sent as a record is none: the error says "
        "at which column, or line and column, and what was expected there. A state has one notation only: the ranks of "
        "a suit stand from high to low, the suits in the order s h d c, and no number begins with 0. docs/notation.md "
        "has the grammars.",
    ),
    "impossible_state": Kind(
        422,
        "The state is impossible",
        "Under these rules no deal leads to this state. `errors` lists the faults found, at most 100, each with a JSON "
        "Pointer to its place; /v1/diagnoses gives the same list with status 200. Where a size is wrong, what builds "
        "on the sizes is examined only once they are right: the turn-up, the current trick, a revoke, and whether "
        "the game was over already; and whether the hidden hands can be filled only if nothing else is wrong. Never "
        "examined are how the earlier tricks were played, and whether so many points can be made in so many deals.",
    ),
    "impossible_request": Kind(
        422,
        "A field is missing, or fields do not go together",
        "The request matches the schema, but its fields contradict each other or the ruleset, or one that is needed "
        "is missing. `errors` lists the faults.",
    ),
    "impossible_ruleset": Kind(
        422,
        "The ruleset contradicts itself",
        "The request has a whole ruleset in place of an id, and its fields contradict each other. `errors` lists the "
        "faults.",
    ),
    "unknown_ruleset": Kind(
        422,
        "There is no such ruleset",
        "GET /v1/rulesets lists the rulesets with their ids.",
    ),
    "players_not_in_ruleset": Kind(
        422,
        "The ruleset is not for this number of players",
        "The ruleset has no table for so many players. Its field `tables` lists those that it has.",
    ),
    "illegal_play": Kind(
        422,
        "The card may not be played",
        "The rules forbid this card. `verdict` names the rule, its source and the cards that may be played instead. "
        "Nothing was changed.",
    ),
    "hand_not_seen": Kind(
        422,
        "The answer depends on a hidden hand",
        "The state gives this hand as a number of cards, and the answer depends on which they are: there are two ways "
        "to fill the hidden hands that fit all that is in sight, and their answers differ. In sight are the sizes of "
        "the hands, the strip, the turn-up and what the current trick shows of each seat; not how earlier tricks were "
        "played. Send the cards of the hand, or ask a question that the cards in sight decide.",
    ),
    "no_revoke_penalty": Kind(
        422,
        "The ruleset has no penalty for a revoke",
        "Under this ruleset the only possible value is `on_revoke: refuse`. A ruleset with a penalty names it in its "
        "field `revoke`.",
    ),
    "token_missing": Kind(
        401,
        "A token is needed",
        "Send a token of the game, as the answer to POST /v1/games gave it: `Authorization: Bearer …`.",
    ),
    "unknown_token": Kind(
        401,
        "The token is not one of this game",
        "The tokens of a game are in the answer to POST /v1/games, and are shown only there. That of a seat is void "
        "once it is renewed.",
    ),
    "wrong_token": Kind(
        403,
        "The token does not allow this",
        "To play a card or add entropy takes the token of the seat; to deal, that of the dealer or the host; to "
        "resign, renew a token or let the computer play, that of the seat or the host; to delete the game, that of "
        "the host.",
    ),
    "not_dealt": Kind(
        409,
        "No cards have been dealt",
        "The dealer or the host has to deal first: POST …/deals.",
    ),
    "entropy_given": Kind(
        409,
        "The seat has already added to the next shuffle",
        "Each seat can add once before each deal; what it added first stands.",
    ),
    "computer_plays": Kind(
        409,
        "The computer plays this seat",
        "Take the seat back first: DELETE …/seats/{seat}/computer, with its token or the host's.",
    ),
    "too_many_deals": Kind(
        409,
        "The game has too many deals",
        "A game has as many deals as a record can hold at most, and this one has had them; `detail` gives their "
        "number. Start a new game.",
    ),
    "too_many_changes": Kind(
        409,
        "The game has changed too often",
        "After 5,000 changes, more than any game has, tokens and computers of its seats change only once a minute. The "
        "game can be played on.",
    ),
    "stale_version": Kind(
        412,
        "The game has moved on",
        "`If-Match` names a version that is no longer the latest, or that the store has lost, as can happen when a "
        "server of the store fails. `version` and `ETag` give the latest. Read the game again, then decide.",
    ),
    "version_needed": Kind(
        428,
        "The version that you saw is needed",
        "Send the version that you saw in `If-Match`, as its `ETag` gave it, so that no card is played twice, or on a "
        "position that you have not seen.",
    ),
    "bad_version": Kind(
        400,
        "If-Match is not a version",
        'Send one version of the game as its `ETag` gave it, such as `"7-1f3a9c02"`, quotes included. The number alone '
        "is not enough: the rest tells apart what can be two versions of the same number, once the store has lost one.",
    ),
    "bad_idempotency_key": Kind(
        400,
        "The Idempotency-Key has the wrong length",
        "Send a new random key, such as a UUID. `detail` gives the limits.",
    ),
    "idempotency_key_reused": Kind(
        422,
        "The Idempotency-Key was used with another body",
        "Send a new key for a new game.",
    ),
    "store_down": Kind(
        503,
        "The store of live games cannot be reached",
        "Ask again after `Retry-After` seconds, at the same version: if the change was made after all, the answer is "
        "the one that you missed. Questions are still answered.",
    ),
    "store_full": Kind(
        503,
        "The store of live games is full",
        "Nothing was changed. Ask again after `Retry-After` seconds.",
    ),
    "too_many_streams": Kind(
        503,
        "Too many event streams are open",
        "Ask again after `Retry-After` seconds, or read the game instead.",
    ),
    "too_busy": Kind(
        503,
        "Too much is under way",
        "The service does as much of this as it can at once. Ask again after `Retry-After` seconds.",
    ),
    "suggestions_off": Kind(
        404,
        "This service makes no suggestions",
        "Its operator has turned them off. All other questions are answered.",
    ),
    "too_many_suggestions": Kind(
        503,
        "Too many suggestions are asked for",
        "As many are being thought out, and as many wait, as this process takes, or you have half of those places. Ask "
        "again after `Retry-After` seconds; an easier `level` is answered sooner.",
    ),
    "internal_error": Kind(
        500,
        "The service failed",
        "The fault is in the service, not in the request, and has been logged. If you report it, give the "
        "`X-Request-ID` of the answer.",
    ),
}


def problem_type(code: ProblemCode) -> str:
    """Return the page of a kind of problem, as a relative reference."""
    return "/problems/" + code.replace("_", "-")
