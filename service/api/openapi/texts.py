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


def _parameter(place: str, schema: str | dict[str, Any], description: str, example: str | int = "") -> dict[str, Any]:
    """Describe a parameter; `schema` may be the name of one."""
    found = {"$ref": f"#/components/schemas/{schema}"} if isinstance(schema, str) else schema
    return {"in": place, "description": description, "schema": found} | ({"example": example} if example else {})


_TEXT: Final = {"type": "string"}
PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "ruleset_id": _parameter("path", "PrintedRulesetId", "The id of a printed ruleset.", "trebor"),
    "notation": _parameter(
        "path",
        "Notation",
        "A position in one line, as it stands in `notation` of every position.",
        "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0",
    ),
    "game_id": _parameter("path", "GameId", "The id of a game.", "HybaVEduloQ2CRUKMB7JoQ"),
    "seat": _parameter("path", "Seat", "The number of a seat.", 2),
    "after": _parameter(
        "query",
        "GameVersion",
        "The version after which changes are listed: the one that you saw last.",
        "3-1f3a9c02",
    ),
    "Idempotency-Key": _parameter(
        "header",
        {**_TEXT, "minLength": 16, "maxLength": 256},
        "A random text of your own, such as a UUID: with the same one the request can be repeated for a day, and is "
        "done once. It counts for your app alone or, without the API key of one, for your address.",
    ),
    "If-Match": _parameter(
        "header",
        {**_TEXT, "pattern": f'^(W/)?"{REVISION}"$'},
        "The version of the game that you saw, in quotes, as its ETag gave it.",
        '"3-1f3a9c02"',
    ),
    "If-None-Match": _parameter(
        "header",
        _TEXT,
        "The ETag of the answer that you have; 304, without a body, if it is still current.",
    ),
    "level": _parameter("query", "ComputerLevel", "How far to think; if left out, `medium`."),
    "seed": _parameter("query", "Seed", "From which the deals to try are drawn; if left out, always the same."),
    "Last-Event-ID": _parameter(
        "header",
        _TEXT,
        "The id of the last event that you have seen; the stream goes on after it. With any other text, or with the id "
        "of a version that the store has lost, it begins with the whole game.",
        "3-1f3a9c02",
    ),
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
            "What is left of the quota (`r`, requests), and the seconds until it is whole again (`t`). Sent if there "
            "is a quota, and the request counts."
        ),
    ),
    "RateLimit-Policy": (
        '"default";q=600;w=60',
        "The quota (`q`, requests) and its window (`w`, seconds). Sent with `RateLimit`.",
    ),
    "Retry-After": (1, "Seconds after which to ask again."),
    "WWW-Authenticate": ("Bearer", "How to send a token, or the key of an app."),
    "X-Request-ID": (
        "0862cfc7-96d2-4a9f-ad6a-b4db967513b4",
        "The id of the request.",
    ),
}
"""By name: an example and the description."""
HEADERS: Final[dict[str, dict[str, Any]]] = {
    name: {
        "description": text,
        "required": not name.startswith("RateLimit"),
        "schema": {"type": "string"},
        "example": example,
    }
    for name, (example, text) in _HEADERS.items()
}
HEADERS["Retry-After"]["schema"] = {"type": "integer", "minimum": 0}
QUOTA_HEADERS: Final = ("RateLimit", "RateLimit-Policy")
REFUSAL_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    408: ("Connection",),
    412: ("ETag",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
"""The headers of a problem, by its status."""
