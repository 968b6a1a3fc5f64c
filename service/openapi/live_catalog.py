"""The operations on live games."""

from typing import Final

from service.api import game_bodies
from service.api.operations import READING
from service.http.game_endpoint import PATH
from service.http.problems import ProblemCode
from service.openapi.operation import JSON, MSGPACK, STREAM, Operation
from service.rules.record import Record

_GAME: Final = f"{PATH}/{{game_id}}"
_BOTH: Final = (JSON, MSGPACK)
_STORE: Final[tuple[ProblemCode, ...]] = ("store_down", "store_full")
_SEE: Final[tuple[ProblemCode, ...]] = (
    "not_acceptable",
    "body_too_large",
    "body_too_slow",
    "unsupported_media_type",
    "unknown_token",
    "not_found",
    "store_down",
)
_CHANGE: Final[tuple[ProblemCode, ...]] = (
    *READING,
    "token_missing",
    "unknown_token",
    "wrong_token",
    "not_found",
    "stale_version",
    "version_needed",
    *_STORE,
)

GAMES: Final = (
    Operation(
        name="open_game",
        method="post",
        path=PATH,
        tag="Live games",
        summary="Open a game",
        description="Seats the players and draws for the first deal. The answer has a secret token "
        "for each seat and one "
        "for the host, shown this once. With an `Idempotency-Key` the request may be repeated and is "
        "answered as at first.",
        status=201,
        body=game_bodies.NewGame,
        answer=game_bodies.OpenedGame,
        media=_BOTH,
        accepts=("Idempotency-Key",),
        sends=("Location", "ETag"),
        problems=(
            *READING,
            "bad_idempotency_key",
            "unknown_ruleset",
            "impossible_ruleset",
            "players_not_in_ruleset",
            "impossible_state",
            "impossible_request",
            "no_revoke_penalty",
            "idempotency_key_reused",
            *_STORE,
        ),
    ),
    Operation(
        name="get_game",
        method="get",
        path=_GAME,
        tag="Live games",
        summary="See a game",
        description="The game as the bearer of the token may see it; without a token, as a spectator may. "
        "Its version is its ETag. `shuffles` has the commitment to every shuffle, and for a deal "
        "that is over its proof.",
        answer=game_bodies.LiveGame,
        media=_BOTH,
        bearer="optional",
        cached=True,
        problems=_SEE,
    ),
    Operation(
        name="delete_game",
        method="delete",
        path=_GAME,
        tag="Live games",
        summary="Delete a game",
        description="Needs the host's token. Whoever follows its events is told that it is gone.",
        status=204,
        answer=None,
        bearer="required",
        problems=(*_SEE, "token_missing", "wrong_token"),
    ),
    Operation(
        name="add_entropy",
        method="post",
        path=f"{_GAME}/entropy",
        tag="Live games",
        summary="Add to the next shuffle",
        description="A seat adds a text of its own to what the next shuffle is made from, once for "
        "each deal, so that the "
        "service alone cannot choose the cards. Needs the seat's token.",
        body=game_bodies.NewEntropy,
        answer=game_bodies.EntropyAdded,
        media=_BOTH,
        bearer="required",
        accepts=("If-Match",),
        sends=("ETag",),
        problems=(*_CHANGE, "deal_not_over", "game_over", "too_many_deals", "entropy_given"),
    ),
    Operation(
        name="deal_next",
        method="post",
        path=f"{_GAME}/deals",
        tag="Live games",
        summary="Deal the next deal",
        description="Needs the token of the dealer or of the host. The answer shows the position as "
        "that bearer may see it.",
        status=201,
        body=game_bodies.NewDeal,
        answer=game_bodies.Change,
        media=_BOTH,
        bearer="required",
        accepts=("If-Match",),
        sends=("ETag",),
        problems=(*_CHANGE, "deal_not_over", "game_over", "too_many_deals", "impossible_request"),
    ),
    Operation(
        name="play_card",
        method="post",
        path=f"{_GAME}/plays",
        tag="Live games",
        summary="Play a card",
        description="Needs the seat's token and, in `If-Match`, the version that the player saw. The "
        "same play at the same "
        "version may be sent again and is answered as at first.",
        body=game_bodies.NewPlay,
        answer=game_bodies.Change,
        media=_BOTH,
        bearer="required",
        accepts=("If-Match",),
        sends=("ETag",),
        problems=(*_CHANGE, "not_dealt", "deal_over", "game_over", "not_your_turn", "illegal_play"),
    ),
    Operation(
        name="get_record",
        method="get",
        path=f"{_GAME}/record",
        tag="Live games",
        summary="Read the record of a game that is over",
        description="Every deal with its hands, its plays and the proof of its shuffle, in the form that "
        "`/v1/adjudications` takes.",
        answer=Record,
        media=_BOTH,
        bearer="optional",
        sends=("ETag",),
        problems=(*_SEE, "game_not_over"),
    ),
    Operation(
        name="follow_events",
        method="get",
        path=f"{_GAME}/events",
        tag="Live games",
        summary="Follow the events of a game",
        description="Server-sent events, as the bearer of the token may see them. First comes an event `game` with the "
        "whole game (`LiveGame`), unless `Last-Event-ID` names a version to go on from; then for each version an event "
        "`change` (`StreamedChange`), whose id is the version; and `gone` when the game is no more. "
        "A comment now and then shows that the stream is alive.",
        media=(STREAM,),
        bearer="optional",
        accepts=("Last-Event-ID",),
        problems=("unknown_token", "not_found", "store_down", "too_many_streams"),
    ),
)
