"""The part of the corpus that is about live games."""

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from service.game.notation.record import MEDIA_TYPE
from tests.http.corpus import METHODS, Asked
from tests.support.games.callers import GAMES, Bearer, Headers, Table
from tests.support.http.client import JSON, MSGPACK, Request

KEY: Final = ("idempotency-key", "a-key-that-nobody-can-guess")


def _mutations(table: Table, path: str, body: bytes, headers: Headers) -> Iterator[Request]:
    """Make requests on a live game beside a sound one: each is refused, or changes nothing."""
    yield Request(path, (body,), "POST", headers[1:])  # without the token
    yield Request(path, (body,), "POST", (("authorization", "Bearer nobody"), *headers[1:]))
    yield Request(path, (body,), "POST", (("authorization", "Basic nobody"), *headers[1:]))
    for version in ("7", '"7"', '"999-00000000"', '"1-00000000"'):
        yield Request(path, (body,), "POST", (headers[0], ("if-match", version)))
    yield Request(path, (b"{",), "POST", headers)
    yield Request(path, (b'{"card": "1C", "x": 0}',), "POST", headers)
    yield Request(path, (body,), "POST", (*headers, ("accept", "text/html")))
    yield Request(path, (body,), "POST", (*headers, ("content-length", str(2**30))))
    yield Request(path, (body[:2],), "POST", headers, leaves=True)
    yield from (Request(path, (b"",), method, headers) for method in METHODS if method != "POST")
    yield from (Request(table.path + "x", (b"",), method, headers) for method in METHODS)
    yield from _looks(table)
    yield Request(table.path, (b"",), "DELETE", table.token(0))


def _looks(table: Table) -> Iterator[Request]:
    bearers: tuple[Bearer, ...] = ("host", None, 0, 1)
    for bearer in bearers:
        for accept in (JSON, MSGPACK, MEDIA_TYPE, "text/html"):
            for what in ("", "/record", "/changes", "/changes?after=1", "/changes?after=a&after=b"):
                yield Request(table.path + what, (b"",), "GET", (*table.token(bearer), ("accept", accept)))
        yield Request(table.path + "/events", (b"",), "GET", table.token(bearer), leaves=True)
    yield Request(table.path + "/events", (b"",), "GET", (("authorization", "Bearer no"),), leaves=True)
    seen = table.revision(table.number())
    yield Request(table.path, (b"",), "GET", (("if-none-match", f'W/"{seen}"'),))
    yield Request(table.path + f"/changes?after={seen}", (b"",), "GET")
    yield Request(table.path, (b" " * 10,), "GET", (("content-type", "text/plain"),))


def _by_seat(table: Table, *changes: tuple[str, str]) -> Iterator[Request]:
    """Make requests on the seats of a game, as callers who may make them and as others."""
    for seat in ("1", "7", "8", "x"):
        for method, what in changes:
            seen = table.headers("host", table.number())
            for headers in ((), table.token("host"), seen, (*table.token(2), seen[-1]), (*seen, KEY)):
                path, body = f"{table.path}/seats/{seat}/{what}", b'{"level":"easy"}' if method == "PUT" else b""
                yield Request(path, (body,), method, headers)


def _change_seats(table: Table) -> Iterator[Request]:
    """Make requests to change seats; only the last one changes them."""
    for body in (b'{"seats":[0,1]}', b'{"seats":[0,1,2,9]}', b'{"seats":[0,1,2,3]}'):
        yield Request(table.path + "/seatings", (body,), headers=table.headers("host", table.number()))


def _list_my_games(table: Table) -> Iterator[Request]:
    """Ask for this game as its host and without a token, and for a missing game."""
    token = table.opened.host_token
    games = [
        {"id": table.opened.id, "token": token},
        {"id": table.opened.id, "token": "x"},
        {"id": "g" * 22},
        {"id": "x"},
    ]
    for accept in (JSON, MSGPACK):
        yield Request("/v1/my-games", (msgspec.json.encode({"games": games}),), headers=(("accept", accept),))


def _refused_before_deal(table: Table) -> Iterator[Request]:
    """Make requests that are refused before the first deal, after a seat has added to its shuffle."""
    host, seat = (table.headers(bearer, table.number()) for bearer in ("host", 1))
    yield Request(table.path + "/entropy", (b'{"entropy":"more"}',), headers=seat)
    yield Request(table.path + "/plays", (b'{"card":"AS"}',), headers=seat)
    yield Request(table.path + "/rematches", (b"",), headers=host)
    yield Request(GAMES, (b'{"rules":"trebor","players":5}',), headers=(KEY,))
    yield Request(GAMES, (b'{"rules":"trebor","players":4}',), headers=((KEY[0], "short"),))


def _refused_in_play(table: Table) -> Iterator[Request]:
    """Make requests that are refused while a deal is played: by its state, or because the computer plays a seat."""
    host, turn = table.headers("host", table.number()), table.turn()
    others = table.headers((turn.seat + 1) % 4, table.number())
    for what in ("/deals", "/take-backs", "/rematches", "/seatings"):
        yield Request(table.path + what, (b"{}",), headers=host)
    yield Request(table.path + "/take-backs", (b"{}",), headers=others)
    yield Request(table.path + "/plays", (b'{"card":"AS"}',), headers=others)
    for card in ("AS", "6C"):
        yield Request(
            table.path + "/plays", (b'{"card":"%s"}' % card.encode(),), headers=table.headers(turn.seat, table.number())
        )


def play_game(rules: str, asked: Asked) -> None:
    """Play a part of a game, with every refusal at every change."""
    chance, body = Random(rules), msgspec.json.encode({"rules": rules, "players": 4})
    opened = asked.ask(Request(GAMES, (body,), headers=(KEY,)))
    asked.ask(Request(GAMES, (body,), headers=(KEY,)))
    assert opened is not None
    table = Table(asked.live, opened)

    def change(what: str, bearer: Bearer, content: dict[str, object]) -> None:
        path, raw = table.path + what, msgspec.json.encode(content)
        headers = table.headers(bearer, table.number())
        asked.ask_all(_mutations(table, path, raw, headers))
        for _ in range(2):  # the second time it has been done
            asked.ask(Request(path, (raw,), "POST", headers))

    asked.ask_all(_by_seat(table, ("PUT", "computer"), ("DELETE", "computer"), ("GET", "computer")))
    asked.ask_all(_change_seats(table))
    change("/entropy", 1, {"entropy": "dice"})
    asked.ask_all(_refused_before_deal(table))
    change("/deals", "host", {})
    asked.ask_all(_refused_in_play(table))
    for _ in range(8):
        turn = table.turn()
        change("/plays", turn.seat, {"card": chance.choice(turn.legal)})
    asked.ask_all(_list_my_games(table))
    asked.ask_all(_by_seat(table, ("POST", "tokens"), ("PUT", "tokens")))  # after which no token of the seat is known
    change("/resignations", 0, {})
    asked.ask_all(_after_the_end(table))


def _after_the_end(table: Table) -> Iterator[Request]:
    """Make requests on a finished game and on a deleted one."""
    for what, body, accept in (
        ("/plays", b'{"card":"AS"}', JSON),
        ("/rematches", b"", MSGPACK),
        ("/rematches", b"", JSON),
    ):
        headers = (*table.headers("host", table.number()), ("accept", accept))
        yield Request(table.path + what, (body,), headers=headers)
    yield Request(table.path, (b"",), "DELETE", table.token("host"))
    yield Request(table.path, (b"",), "GET")
    yield Request(table.path + "/events", (b"",), "GET", leaves=True)
