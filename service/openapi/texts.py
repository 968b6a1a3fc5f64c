"""The texts of the OpenAPI document, and the parts that its operations share."""

from typing import Any, Final

from service.http.problem_kinds import KINDS
from service.openapi.examples import MID_TRICK_LINE
from service.openapi.operation import Tag
from service.revision import REVISION
from service.wire.refusal import ProblemCode

TITLE: Final = "Catch the Ten"
SUMMARY: Final = "The rules of Catch the Ten (Scotch Whist) and of its family of card games, over HTTP."
DESCRIPTION: Final = """\
Ask which cards may be played, who wins a trick, what a deal scores, or whether a state is possible. For people who
build games, bots, teaching tools or archives of played games, and want the rules from one place.

## How it works
- **Questions keep nothing.** A question has a `State` in it, and the answer follows from the request alone. The
  `state` of an answer can be sent back unchanged.
- **A state has only what cannot be derived from it.** Trump, turn, legal cards, points and winners are in the answers.
- **A state of a printed ruleset also has a notation**, a text of one line, which is taken wherever a state is. With it
  in the URL, as in `GET /v1/legal-moves/{notation}`, caches can keep the answers.
- **A hand is its cards or, if it is hidden, their number.** So you can ask on behalf of one seat. An answer is given
  wherever it is the same for every way to fill the hidden hands that fits all that is in sight: the sizes of the hands,
  the strip, the turn-up, and what the current trick shows of each seat. Elsewhere it is the problem `hand_not_seen`.
- **A hand comes as a player holds it**: trumps first, then the other suits as they follow in the circle of spades,
  hearts, clubs and diamonds, so that black and red alternate; in each suit from high to low as it ranks in the deal, so
  under most rulesets the jack of trumps stands first. Legal cards and verdicts come in the same order. In requests any
  order will do.
- **The sources disagree, so each is a ruleset**: `denexa`, `gamerules`, `lots-of-kids`, `take-ten`, `trebor`, and the
  related `french-whist`. In place of an id you can send a whole ruleset of your own.
- **A computer player says which card it would play, and why**: `/v1/suggestions`, from what the seat to play may know.
- **Every refusal explains itself**: a problem document (RFC 9457) with a stable `code`, a JSON Pointer to each fault,
  and for an illegal card the verdict with its rule and source.

## Formats
Requests and answers are JSON, or MessagePack with the same fields: `Content-Type` names the format of the request,
`Accept` that of the answer; without it, the answer has the format of the request. Problems are always JSON. Unknown
fields are refused. An integer is best written as 3; in a body, or a question of a batch, of at most 64 KiB it may be
3.0. If an object has two fields of one name, the last of them counts.

## Live games
The service can also keep a game. Opening one gives a secret token for each seat and one for the host, sent as
`Authorization: Bearer …`. Each change makes a new version, which the game's `ETag` names; a play names the version that
its player saw in `If-Match`. `"7-1f3a9c02"` is version 7, and a part of a hash of the change that made it: if the store
loses its latest changes, as can happen when one of its servers fails, the same number may come again, but not the hash.
So no card is played on a position that is gone, and an event stream shows the game anew. Before every deal the game
shows a commitment to its shuffle, and after the deal the proof that opens it. The seed of a deal is made from a secret
and from what the seats added. So no players can know or steer the cards, whatever they agree on, and the operator of
the service cannot steer them alone if a seat adds a text that nobody could know. Together with the last seat to add, or
where none adds, the operator could, and knows all cards. Note the commitment before the deal: without it a proof only
agrees with itself.

The computer can play seats of a game: `computers` names them when it is opened, and PUT
`/v1/games/{id}/seats/{seat}/computer` later. It knows what its seat may see, and nothing else: its card is the one that
`/v1/suggestions` gives for that view, the cards played, the level, and the version (`7-1f3a9c02`) as the seed. Where it
is the dealer it deals three seconds after the last change, so that others can look, add entropy, or deal as the host.

## Keys and quotas
The operator of a service may give keys to apps, sent as `X-API-Key`, and may limit the requests of each app or, without
a key, of each address. Calls on a game that is open need no key, so that players can call the service themselves. With
a limit, every answer to a question or a call on a live game gives the quota in `RateLimit-Policy`, and what is left of
it in `RateLimit`, but not one that caches may keep. A batch counts as many requests as it has questions; an event
stream counts once. A card that the computer plays in a live game counts like a suggestion, for the caller who made it
the computer's turn; once that quota is used up, the computer waits for it.

## Request ids
Every answer has an `X-Request-ID`: the one that you sent, or a new one. Give it when you ask about a request: it is in
the log of the service, with the trace id of your `traceparent`, if you sent one.

## Start
`POST /v1/deals` with `{"rules": "trebor", "players": 4, "dealer": 3}` deals. Send the `state` of its `position` to
`/v1/legal-moves`, and with a card to `/v1/next-states`.
"""

TAGS: Final[dict[Tag, str]] = {
    "Questions": "Answered from the request alone: nothing is stored. All can be repeated, alone or, but for "
    "suggestions, in a batch.",
    "Live games": "Games that the service keeps: each seat has a secret token, every change makes a new version.",
    "Rulesets": "The games of the family as data, every field with its source.",
    "Pages": "HTML pages for people.",
    "System": "For operators of the service.",
}

_PROBLEM_NAMES: Final = [code.replace("_", "-") for code in KINDS]
PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "ruleset_id": {
        "in": "path",
        "description": "The id of a printed ruleset.",
        "schema": {"$ref": "#/components/schemas/PrintedRulesetId"},
        "example": "trebor",
    },
    "notation": {
        "in": "path",
        "description": "A position in one line, as it stands in `notation` of every position.",
        "schema": {"$ref": "#/components/schemas/Notation"},
        "example": MID_TRICK_LINE,
    },
    "problem": {
        "in": "path",
        "description": "The code of a problem, with hyphens.",
        "schema": {"type": "string", "enum": _PROBLEM_NAMES},
        "example": "illegal-play",
    },
    "game_id": {
        "in": "path",
        "description": "The id of a game.",
        "schema": {"$ref": "#/components/schemas/GameId"},
        "example": "HybaVEduloQ2CRUKMB7JoQ",
    },
    "seat": {
        "in": "path",
        "description": "The number of a seat.",
        "schema": {"$ref": "#/components/schemas/Seat"},
        "example": 2,
    },
    "after": {
        "in": "query",
        "description": "The version after which changes are listed: the `id` of the last message that you saw, or "
        "the ETag without quotes. With any other text, the answer has the whole game.",
        "schema": {"type": "string"},
        "example": "3-1f3a9c02",
    },
    "Idempotency-Key": {
        "in": "header",
        "description": "A random text of your own, such as a UUID: with the same one the request can "
        "be repeated for a day, and is done once. It counts for your app alone or, without the API key of one, for "
        "your address.",
        "schema": {"type": "string", "minLength": 16, "maxLength": 256},
    },
    "If-Match": {
        "in": "header",
        "description": "The version of the game that you saw, as its ETag gave it; a number alone is refused.",
        "schema": {"type": "string", "pattern": f'^(W/)?"{REVISION}"$'},
        "example": '"3-1f3a9c02"',
    },
    "If-None-Match": {
        "in": "header",
        "description": "The ETag of the answer that you have; if it is still current, the answer is an empty 304.",
        "schema": {"type": "string"},
    },
    "level": {
        "in": "query",
        "description": "How far to think; if left out, `medium`.",
        "schema": {"$ref": "#/components/schemas/Level"},
    },
    "seed": {
        "in": "query",
        "description": "From which the deals to try are drawn; if left out, always the same.",
        "schema": {"$ref": "#/components/schemas/Seed"},
    },
    "verbose": {
        "in": "query",
        "description": "List each check with its state. Any value does, also an empty one.",
        "allowEmptyValue": True,
        "schema": {"type": "string"},
    },
    "exclude": {
        "in": "query",
        "description": "Checks to leave out.",
        "schema": {"type": "array", "items": {"type": "string", "enum": ["store"]}},
    },
    "Last-Event-ID": {
        "in": "header",
        "description": "The id of the last event that you have seen; the stream goes on after it. With any other text, "
        "or with the id of a version that the store has lost, it begins with the whole game.",
        "schema": {"type": "string"},
        "example": "3-1f3a9c02",
    },
}
SECURITY_SCHEMES: Final[dict[str, dict[str, Any]]] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A secret token of a live game, of a seat or of the host, from the answer that opened the game.",
    },
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "The key of an app. Needed only if the operator gives out keys.",
    },
}

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "Allow": {
        "description": "The methods that the resource supports.",
        "required": True,
        "schema": {"type": "string"},
        "example": "POST",
    },
    "Cache-Control": {
        "description": "How long the answer may be cached.",
        "required": True,
        "schema": {"type": "string"},
        "example": "public, max-age=3600",
    },
    "Connection": {
        "description": "The server closes the connection.",
        "required": True,
        "schema": {"type": "string"},
        "example": "close",
    },
    "ETag": {
        "description": "Names this version of the answer; send it back as `If-None-Match`. Of a live game it is the "
        "number of its version and a part of a hash; send it back as `If-Match` with the next change.",
        "required": True,
        "schema": {"type": "string"},
        "example": '"3-1f3a9c02"',
    },
    "Location": {
        "description": "The path of the new game.",
        "required": True,
        "schema": {"type": "string"},
        "example": "/v1/games/HybaVEduloQ2CRUKMB7JoQ",
    },
    "RateLimit": {
        "description": "What is left of the quota (`r`, requests), and the seconds until it is whole again (`t`). On "
        "every answer, if there is a quota.",
        "required": True,
        "schema": {"type": "string"},
        "example": '"default";r=0;t=60',
    },
    "RateLimit-Policy": {
        "description": "The quota (`q`, requests) and its window (`w`, seconds). On every answer, if there is a quota.",
        "required": True,
        "schema": {"type": "string"},
        "example": '"default";q=600;w=60',
    },
    "Retry-After": {
        "description": "Seconds after which to ask again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
        "example": 1,
    },
    "WWW-Authenticate": {
        "description": "How to send a token, or the key of an app.",
        "required": True,
        "schema": {"type": "string"},
        "example": "Bearer",
    },
}
REFUSAL_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    408: ("Connection",),
    412: ("ETag",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}
"""The headers of a problem, by its status."""

SHARED_RESPONSES: Final[dict[str, tuple[ProblemCode, ...]]] = {
    "BadRequest": ("malformed_body", "invalid_body"),
    "BadChange": ("malformed_body", "invalid_body", "bad_version"),
    "MalformedRequest": ("malformed_request",),
    "Unauthorized": ("token_missing", "unknown_token", "unknown_api_key"),
    "UnauthorizedToDelete": ("unknown_token", "token_missing", "unknown_api_key"),
    "UnauthorizedReader": ("unknown_token", "unknown_api_key"),
    "UnauthorizedApp": ("api_key_missing", "unknown_api_key"),
    "RequestTimeout": ("body_too_slow",),
    "TooManyRequests": ("too_many_requests",),
    "WrongToken": ("wrong_token",),
    "PreconditionFailed": ("stale_version",),
    "PreconditionRequired": ("version_needed",),
    "TooBusy": ("too_busy",),
    "StoreDown": ("too_busy", "store_down"),
    "StoreUnavailable": ("too_busy", "store_down", "store_full"),
    "NotFound": ("not_found",),
    "MethodNotAllowed": ("method_not_allowed",),
    "NotAcceptable": ("not_acceptable",),
    "ContentTooLarge": ("body_too_large",),
    "UnsupportedMediaType": ("unsupported_media_type",),
    "InternalError": ("internal_error",),
}
"""Responses that many operations share, by name: the codes that each may have."""
