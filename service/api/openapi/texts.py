"""The texts of the OpenAPI document, and the parts that its operations share."""

from pathlib import Path
from typing import Any, Final

from service.http.operation import Tag
from service.schemas.revision import REVISION

TITLE: Final = "Catch the Ten"
SUMMARY: Final = "The rules of Catch the Ten (Scotch Whist) and of its family of card games, over HTTP."
DESCRIPTION: Final = (Path(__file__).parent / "description.md").read_text(encoding="utf-8")

TAGS: Final[dict[Tag, str]] = {
    "Questions": "Answered from the request alone: nothing is stored. All can be repeated, alone or in a batch.",
    "Reasoning": "Questions that conclude and judge: what a seat can know and should play, if a claim holds, if a "
    "state can be, what a record is worth.",
    "Live games": "Games that the service keeps: each seat has a secret token, every change makes a new version.",
    "Seats": "Who plays the seats of a live game: their tokens, and the computer.",
    "Reference": "The rulesets, every field with its source, and the kinds of problems, as data.",
}
TAG_PARENTS: Final[dict[Tag, Tag]] = {"Reasoning": "Questions", "Seats": "Live games"}
"""The tags that are parts of others, which only OpenAPI 3.2 can say."""

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
        "example": "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0",
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
        "description": "The version after which changes are listed: the one that you saw last.",
        "schema": {"$ref": "#/components/schemas/GameVersion"},
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
        "description": "The version of the game that you saw, in quotes, as its ETag gave it.",
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
        "schema": {"$ref": "#/components/schemas/ComputerLevel"},
    },
    "seed": {
        "in": "query",
        "description": "From which the deals to try are drawn; if left out, always the same.",
        "schema": {"$ref": "#/components/schemas/Seed"},
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

_HEADERS: Final[dict[str, tuple[str | int, str]]] = {
    "Allow": ("POST", "The methods that the resource supports."),
    "Cache-Control": ("public, max-age=3600", "How long the answer may be cached."),
    "Connection": ("close", "The server closes the connection."),
    "ETag": (
        '"3-1f3a9c02"',
        (
            "Names this version of the answer; send it back as `If-None-Match`. Of a live game it is the `version`, in "
            "quotes, for every caller and in every format; send it back as `If-Match` with the next change."
        ),
    ),
    "Location": ("/v1/games/HybaVEduloQ2CRUKMB7JoQ", "The path of the new game."),
    "RateLimit": (
        '"default";r=0;t=60',
        (
            "What is left of the quota (`r`, requests), and the seconds until it is whole again (`t`). On every "
            "answer, if there is a quota."
        ),
    ),
    "RateLimit-Policy": (
        '"default";q=600;w=60',
        "The quota (`q`, requests) and its window (`w`, seconds). On every answer, if there is a quota.",
    ),
    "Retry-After": (1, "Seconds after which to ask again."),
    "WWW-Authenticate": ("Bearer", "How to send a token, or the key of an app."),
}
"""By name: an example and the description."""
HEADERS: Final[dict[str, dict[str, Any]]] = {
    name: {"description": text, "required": True, "schema": {"type": "string"}, "example": example}
    for name, (example, text) in _HEADERS.items()
}
HEADERS["Retry-After"]["schema"] = {"type": "integer", "minimum": 0}
REFUSAL_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    408: ("Connection",),
    412: ("ETag",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}
"""The headers of a problem, by its status."""
