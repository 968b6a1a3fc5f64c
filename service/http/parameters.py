"""The parameters of operations, declared once for routes, document, tools and requests."""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from service.game.level import Level
from service.game.rulesets import RulesetId
from service.game.rulesets import Seat as SeatNumber
from service.game.state import Seed as SeedText
from service.http.caching import CODINGS
from service.http.context import GAME
from service.schemas.finished_game import MAX_LISTED, FeedCursor, OpenPhase
from service.schemas.ids import GameId, Token
from service.schemas.refusal import Refusal
from service.schemas.revision import NO_REVISION, REVISION, Revision, Version, parse_revision
from service.schemas.scalars import ShownGameId

Place: TypeAlias = Literal["path", "query", "header"]

_ID: Final = re.compile("[A-Za-z0-9_-]{22}").fullmatch
"""The form of a game's id. Nothing else is looked up in the store, which also has other keys."""
_TAG: Final = f'(?:W/)?"{REVISION}(?:-(?:{"|".join(CODINGS)}))?"'
"""A revision as an entity tag. A compressing proxy makes it weak or, like Apache, appends the coding."""
_ETAG: Final = re.compile(_TAG).fullmatch


class Parameter(Struct, frozen=True, eq=False):
    """A parameter of operations."""

    name: str
    """Its name over HTTP."""
    place: Place
    """Its place over HTTP."""
    schema: str | dict[str, Any]
    """A schema, or the name of one in the document."""
    description: str
    """Its description for callers over HTTP."""
    example: str | int = ""
    """An example; empty for none."""
    field: str = ""
    """Its field in the request, and its name as a tool's argument; empty if no function takes it."""
    read: Callable[[str], Any] = str
    """Parses its text in the path or in the head. Errors: Refusal."""
    type: Any = None
    """Its type in a query and as a tool's argument; None if it is neither."""
    convert: Callable[[Any], Any] | None = None
    """Converts a value of this type to the field; None if the value is the field."""


def _read_game_id(text: str) -> GameId:
    if not _ID(text):
        raise Refusal("no_such_game", "No game has this id: an id has 22 letters, digits, hyphens and underscores.")
    return GameId(text)


def _read_seat(text: str) -> SeatNumber:
    if text not in _SEATS:
        raise Refusal("not_found", "No table has this seat.")
    return int(text)


_SEATS: Final = frozenset("01234567")


def _read_etag(text: str) -> Revision:
    """Parse an entity tag. Return NO_REVISION if it is not one revision."""
    found = _ETAG(text.strip())
    return Revision(int(found[1]), found[2]) if found else NO_REVISION


def _read_token(text: str) -> Token:
    """Parse a bearer token. Return "" if it is none."""
    scheme, _, token = text.partition(" ")
    return Token(token.strip() if scheme.lower() == "bearer" else "")


RULESET_ID: Final = Parameter(
    "ruleset_id", "path", "PrintedRulesetId", "The id of a printed ruleset.", "trebor", "ruleset_id", type=RulesetId
)
NOTATION: Final = Parameter(
    "notation",
    "path",
    "Notation",
    "A position in one line, as it stands in `notation` of every position.",
    "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0",
    "notation",
)
GAME_ID: Final = Parameter(
    GAME, "path", "GameId", "The id of a game.", "HybaVEduloQ2CRUKMB7JoQ", GAME, _read_game_id, ShownGameId
)
SEAT: Final = Parameter("seat", "path", "Seat", "The number of a seat.", 2, "seat", _read_seat, SeatNumber)
AFTER: Final = Parameter(
    "after",
    "query",
    "GameVersion",
    "The version after which changes are listed: the one that you saw last.",
    "3-1f3a9c02",
    "after",
    type=Annotated[Version, Meta(description="The version that you saw last.")],
    convert=parse_revision,
)
FEED_AFTER: Final = Parameter(
    "after",
    "query",
    "FeedCursor",
    "The place behind which the page begins: `next` of the page before; without it, the oldest game that is kept.",
    "57-1f3a9c02",
    "after",
    type=FeedCursor,
    convert=parse_revision,
)
LIST_AFTER: Final = Parameter(
    "after",
    "query",
    {"type": "integer", "minimum": 0},
    "The place behind which the page begins: `next` of the page before; without it, the oldest game.",
    field="after",
    type=Annotated[int, Meta(ge=0)],
)
LIMIT: Final = Parameter(
    "limit",
    "query",
    {"type": "integer", "minimum": 1, "maximum": MAX_LISTED},
    "The most games of a page; 20 if it is left out.",
    field="limit",
    type=Annotated[int, Meta(ge=1, le=MAX_LISTED)],
)
WAIT_SECONDS: Final = Parameter(
    "wait",
    "query",
    {"type": "integer", "minimum": 0, "maximum": 20},
    "Seconds to wait for a game if there is none yet; 0 if it is left out. Ask again at once after the answer.",
    field="wait",
    type=Annotated[int, Meta(ge=0, le=20)],
)
OPEN_PHASE: Final = Parameter(
    "phase",
    "query",
    {"type": "string", "enum": [*get_args(OpenPhase)]},
    "Lists only the games in this phase: a page may then be shorter than `limit`.",
    field="phase",
    type=OpenPhase,
)
LEVEL: Final = Parameter(
    "level", "query", "ComputerLevel", "How far to think; if left out, `medium`.", field="level", type=Level
)
SEED: Final = Parameter(
    "seed",
    "query",
    "Seed",
    "From which the deals to try are drawn; if left out, always the same.",
    field="seed",
    type=SeedText,
)
IDEMPOTENCY_KEY: Final = Parameter(
    "Idempotency-Key",
    "header",
    {"type": "string", "minLength": 16, "maxLength": 256},
    "A random text of your own, such as a UUID: with the same one the request can be repeated for a day, and is done "
    "once. It counts for your app alone or, without the API key of one, for your address.",
    field="idempotency_key",
    type=Annotated[
        str, Meta(description="A random text of 16 to 256 characters; with the same one the call can be repeated.")
    ],
)
IF_MATCH: Final = Parameter(
    "If-Match",
    "header",
    {"type": "string", "pattern": f"^{_TAG}$"},
    "The version of the game that you saw, in quotes, as its ETag gave it.",
    '"3-1f3a9c02"',
    "version",
    _read_etag,
    Annotated[Version, Meta(description="The version of the game that you saw.")],
    parse_revision,
)
IF_NONE_MATCH: Final = Parameter(
    "If-None-Match",
    "header",
    {"type": "string"},
    "The ETag of the answer that you have; 304, without a body, if it is still current.",
)
LAST_EVENT_ID: Final = Parameter(
    "Last-Event-ID",
    "header",
    {"type": "string"},
    "The id of the last event that you have seen; the stream goes on after it. With any other text, or with the id of "
    "a version that the store has lost, it begins with the whole game.",
    "3-1f3a9c02",
    "last_seen",
    parse_revision,
)
AUTHORIZATION: Final = Parameter(
    "Authorization",
    "header",
    {"type": "string"},
    "A token of the game. The document has it as a security scheme.",
    field="token",
    read=_read_token,
    type=Annotated[str, Meta(description="The secret token of a seat or of the host, from `open_game`.")],
)
IN_PATH: Final = {one.name: one for one in (RULESET_ID, NOTATION, GAME_ID, SEAT)}
"""The parameters of paths, by name."""
