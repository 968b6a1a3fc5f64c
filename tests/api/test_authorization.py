"""Authorization: a live game lets in by its id, a token and a method, as long as it is there."""

import asyncio
from typing import Final, Literal, TypeAlias

import pytest

from service.schemas.ids import GameId
from service.schemas.refusal import ProblemCode
from tests.support.games.callers import GAMES, Bearer, Live
from tests.support.http.client import refused

CALLS: Final = (("GET", ""), ("GET", "/record"), ("GET", "/events"), ("GET", "/changes"), ("DELETE", ""))
CHANGES: Final[tuple[tuple[str, object], ...]] = (
    ("/entropy", {"entropy": "x"}),
    ("/deals", {}),
    ("/seatings", {}),
    ("/plays", {"card": "6C"}),
    ("/resignations", {}),
    ("/seats/0/tokens", None),
)


def test_what_is_no_game_is_not_found(live: Live) -> None:
    for game in ("A" * 22, "A" * 21, "%00", "key:" + "0" * 64, "ü", "{game_id}", "*"):
        headers = (("authorization", "Bearer " + "A" * 43), ("if-match", '"1-00000000"'))
        for method, what in CALLS:
            refused(live.call(method, f"{GAMES}/{game}{what}", headers=headers), "no_such_game")
        for what, body in CHANGES:
            refused(live.call("POST", f"{GAMES}/{game}{what}", body, headers), "no_such_game")
    for path in ("A" * 9000, "../games/x"):
        refused(live.call("GET", f"{GAMES}/{path}"), "not_found")


def test_a_token_that_is_nobodys_is_refused_everywhere(live: Live) -> None:
    table, other = live.open(), live.open()
    wrong = ("Bearer", "Bearer ", "Basic abc", "Bearer ÿ", "Bearer " + "A" * 43, other.token(0)[0][1], "")
    for value in wrong:
        headers = (("authorization", value), ("if-match", '"1-00000000"'))
        for method, what in CALLS:
            answer = live.call(method, table.path + what, headers=headers)
            refused(answer, "unknown_token")
            assert answer.headers["www-authenticate"] == "Bearer"
        for what, body in CHANGES:
            refused(live.call("POST", table.path + what, body, headers), "unknown_token")


def test_two_tokens_at_once_are_nobodys(live: Live) -> None:
    table = live.open()
    refused(live.call("GET", table.path, headers=(*table.token(0), *table.token(1))), "unknown_token")


def test_a_change_needs_a_token(live: Live) -> None:
    table = live.open()
    for what, body in CHANGES:
        refused(table.call(None, "POST", what, body, 1), "token_missing")
    refused(table.call(None, "DELETE"), "token_missing")


def test_a_change_needs_the_right_token(live: Live) -> None:
    table = live.open()
    dealer = table.see().dealer
    refused(table.deal((dealer + 1) % 4), "wrong_token")
    refused(table.play("host", "6C", 1), "wrong_token")
    refused(table.stir("host", "x"), "wrong_token")
    refused(table.call(dealer, "DELETE"), "wrong_token")
    assert table.deal(dealer).status == 200


Expected: TypeAlias = "ProblemCode | Literal[200, 201, 204]"
OWN: Final = 2
OTHER: Final = 3
ACTS: Final[tuple[tuple[str, str, object, tuple[Expected, Expected, Expected, Expected]], ...]] = (
    ("POST", "/entropy", {"entropy": "x"}, (200, 200, "wrong_token", "token_missing")),
    ("POST", "/seatings", {}, ("wrong_token", "wrong_token", 200, "token_missing")),
    ("POST", "/deals", {}, (200, "wrong_token", 200, "token_missing")),
    ("POST", "/seats/2/tokens", {}, (200, "wrong_token", 200, "token_missing")),
    ("PUT", "/seats/2/computer", {"level": "medium"}, (200, "not_away", 200, "token_missing")),
    ("DELETE", "/seats/2/computer", None, (200, "wrong_token", 200, "token_missing")),
    ("POST", "/resignations", {"seat": 2}, (200, "wrong_token", 200, "token_missing")),
    ("POST", "/rematches", None, (201, 201, 201, "token_missing")),
    ("DELETE", "", None, ("wrong_token", "wrong_token", 204, "token_missing")),
)
"""Each act on the seat OWN, and what comes of it for that seat, another seat, the host and a spectator."""


@pytest.mark.parametrize(("method", "what", "body", "expected"), ACTS, ids=[f"{way} {path}" for way, path, *_ in ACTS])
@pytest.mark.parametrize("at", range(4), ids=["own seat", "other seat", "host", "spectator"])
def test_each_act_is_for_those_who_may_make_it_and_for_nobody_else(
    live: Live, method: str, what: str, body: object, expected: tuple[Expected, ...], at: int
) -> None:
    table = live.open("trebor", first_dealer=OWN, seats=[{"name": name} for name in ("Ann", "Bob", "Cho")] + [{}])
    bearers: tuple[Bearer, ...] = (OWN, OTHER, "host", None)
    if what in {"/resignations", "/rematches"}:
        assert table.deal().status == 200
    if what == "/rematches":
        assert table.resign(0).status == 200
    answer = table.call(bearers[at], method, what, body, table.last_seen)
    wanted = expected[at]
    if isinstance(wanted, int):
        assert answer.status == wanted, answer
    else:
        refused(answer, wanted)


def test_a_deleted_game_is_gone(live: Live) -> None:
    table = live.open()
    table.deal()
    answer = table.call("host", "DELETE")
    assert (answer.status, answer.body) == (204, b"")
    for method, what in CALLS:
        refused(table.call("host", method, what), "game_gone")
    for what, body in CHANGES:
        refused(table.call(0, "POST", what, body, 2), "game_gone")


def test_a_game_without_a_change_is_forgotten_after_its_time(live: Live) -> None:
    table, kept = live.open(ttl=60), live.open(ttl=3600)
    forget_in_time(live, table.opened.id)
    refused(table.call(0, "GET"), "game_gone")
    refused(table.play(0, "6C", 1), "game_gone")
    assert kept.phase() == "to_deal"


def forget_in_time(live: Live, game: GameId) -> None:
    """Let a game expire: tell the store that it has a second left."""
    (opening,) = live.run(live.store.load(game)).entries
    live.run(live.store.append(game, 1, b"late", 1, opening))
    live.run(asyncio.sleep(1.1))
