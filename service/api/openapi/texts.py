"""Texts of the OpenAPI document, and parts that operations share."""

from pathlib import Path
from typing import Any, Final

from service.http.operation import Tag

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
"""Tags below other tags; only OpenAPI 3.2 can express that."""

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
