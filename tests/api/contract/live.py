"""The live games that the contract test has opened, and what makes a request to one of them sound."""

from random import Random
from typing import Any, Final
from urllib.parse import urlsplit
from zlib import crc32

import msgspec
import requests
from schemathesis import Case, Response
from schemathesis.generation.meta import TestPhase

from tests.support.patience import WAIT

_OPENED: Final[dict[str, dict[str, Any]]] = {}
_CHANCE: Final = Random(36)
_PLAYED: Final = 3
"""The games that are played, one of them to its end; playing every opened game would take too long."""
_APART: Final = ("/entropy", "/seatings", "/resignations", "/rematches", "/tokens", "/computer", "/v1/games/{game_id}")
"""Requests with these paths go to a game of their own: one not dealt, one to delete, one to resign."""

_OF_A_VERSION: Final = ("/deals", "/seatings", "/resignations", "/computer")
"""Requests with these paths name the version that was seen, and so do plays."""


def remember_game(response: Response | requests.Response) -> None:
    """Remember a game that was opened, its tokens and its address."""
    game = msgspec.json.decode(response.content)
    server = urlsplit(str(response.request.url))
    _OPENED[game["id"]] = {**game, "address": f"{server.scheme}://{server.netloc}/v1/games/{game['id']}"}


def forget_game(case: Case[Any]) -> None:
    """Forget a game that is gone: there is nothing more to learn of it."""
    _OPENED.pop(str(case.path_parameters.get("game_id")), None)


def remember_token(case: Case[Any], response: Response) -> None:
    """Remember the new token of a seat."""
    made = msgspec.json.decode(response.content)
    opened = _OPENED.get(str(case.path_parameters.get("game_id")))
    if opened is not None:
        opened["seats"][made["seat"]]["token"] = made["token"]


def remember_seats(case: Case[Any], response: Response) -> None:
    """Remember that each token moved along with its player."""
    opened = _OPENED.get(str(case.path_parameters.get("game_id")))
    if opened is not None:
        tokens = [seat["token"] for seat in opened["seats"]]
        for seat, before in zip(
            opened["seats"], msgspec.json.decode(response.content)["seating"]["seats"], strict=True
        ):
            seat["token"] = tokens[before]


def renew_key(case: Case[Any]) -> None:
    """Take a fresh Idempotency-Key: one that comes again is answered as at first, even when the game is gone by now."""
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"{_CHANCE.getrandbits(128):032x}"


def make_welcome(case: Case[Any]) -> None:
    """Let a request to a live game come from one who may make it; most of those that name no game get one."""
    chance = Random(crc32(f"{case.path} {case.body!r}".encode()))
    game = str(case.path_parameters.get("game_id"))
    if game not in _OPENED:
        if not _OPENED or chance.random() < 1 / 4:
            return
        game = _open() if case.path.endswith(_APART) else _CHANCE.choice(list(_OPENED)[:_PLAYED])
    if _comes_late(case.path, _OPENED[game]):
        game = _open()
    case.path_parameters["game_id"] = game
    opened = _OPENED[game]
    case.headers.pop("If-Match", None)
    if "seat" in case.path_parameters:
        case.path_parameters["seat"] = int(case.path_parameters["seat"]) % len(opened["seats"])
    if case.path.endswith("/plays"):
        _play(case, opened)
    elif case.path.endswith("/take-backs"):
        _take_back(case, opened)
    else:
        _bring_to(case.path, opened)
        by_seat = case.path.endswith(("/entropy", "/resignations"))
        _authorize(case, chance.choice(opened["seats"])["token"] if by_seat else opened["host_token"])
        if case.path.endswith(_OF_A_VERSION):
            case.headers["If-Match"] = _see(opened, {})["etag"]


def _comes_late(path: str, opened: dict[str, Any]) -> bool:
    """Return True if a game may have gone on past what a request is for."""
    return path.endswith("/take-backs") or (path.endswith(("/entropy", "/seatings")) and "state" in _see(opened, {}))


def _open() -> str:
    """Open another game for two, with take-backs; return its id."""
    games = next(iter(_OPENED.values()))["address"].rpartition("/")[0]
    opening: dict[str, Any] = {"rules": "denexa", "players": 2, "first_dealer": 0, "take_back": True}
    remember_game(requests.post(games, json=opening, timeout=WAIT))
    return list(_OPENED)[-1]


def is_linked(case: Case[Any]) -> bool:
    """Return True if a request is a step on a path along the links, where chance would lead astray."""
    return case.meta is not None and case.meta.phase.name is TestPhase.STATEFUL


def _play(case: Case[Any], opened: dict[str, Any]) -> None:
    """Play a card for the seat whose turn it is, mostly a legal one; a revoke may end the game."""
    turn = _see(opened, {}).get("turn") or 0
    _authorize(case, opened["seats"][turn]["token"])
    seen = _see(opened, {"Authorization": case.headers["Authorization"]})
    case.headers["If-Match"] = seen["etag"]
    if seen.get("legal_cards"):
        lawful = is_linked(case) or _CHANCE.random() < 3 / 4
        cards = seen["legal_cards"] if lawful else seen["state"]["hands"][seen["turn"]]
        case.body = {"card": cards[0] if is_linked(case) else _CHANCE.choice(cards)}


def _take_back(case: Case[Any], opened: dict[str, Any]) -> None:
    """Ask to take back the card that was just played, or agree to it unasked."""
    _deal(opened)
    turn = _see(opened, {}).get("turn") or 0
    token = {"Authorization": f"Bearer {opened['seats'][turn]['token']}"}
    seen = _see(opened, token)
    play: dict[str, Any] = {"card": (seen.get("legal_cards") or ["6S"])[0]}
    requests.post(f"{opened['address']}/plays", json=play, headers={**token, "If-Match": seen["etag"]}, timeout=WAIT)
    _authorize(case, _CHANCE.choice(opened["seats"])["token"])
    case.headers["If-Match"] = _see(opened, {})["etag"]


def _deal(opened: dict[str, Any]) -> None:
    """Deal, if nobody has dealt yet: before that nobody can resign."""
    host = {"Authorization": f"Bearer {opened['host_token']}", "If-Match": f'"{opened["version"]}"'}
    requests.post(f"{opened['address']}/deals", json={}, headers=host, timeout=WAIT)


def _bring_to(path: str, opened: dict[str, Any]) -> None:
    """Deal before a resignation, and resign before a next game is opened."""
    if path.endswith(("/resignations", "/rematches")):
        _deal(opened)
    if path.endswith("/rematches"):
        _resign(opened)


def _resign(opened: dict[str, Any]) -> None:
    """Resign for a seat, if nobody has resigned yet."""
    host = {"Authorization": f"Bearer {opened['host_token']}", "If-Match": _see(opened, {})["etag"]}
    requests.post(f"{opened['address']}/resignations", json={"seat": 0}, headers=host, timeout=WAIT)


def _see(opened: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
    """See the position of a game, with the ETag of the game."""
    response = requests.get(opened["address"], headers=headers, timeout=WAIT)
    return {**(response.json().get("position") or {}), "etag": response.headers.get("etag", '"1-00000000"')}


def _authorize(case: Case[Any], token: str) -> None:
    case.headers["Authorization"] = f"Bearer {token}"
    case._has_explicit_auth = True
