"""An offer of an upgrade is ignored: the request is answered with its body, which is never read as a request.

Nor does a trailer leave a connection on which nothing that follows is answered.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import pytest

from service.app import create_app
from service.platform.settings import Settings
from service.server.bounds import MAX_HEAD_BYTES, MAX_PIECES
from tests.support.http.exchange import exchange
from tests.support.http.server import chunk, head

H2C: Final = (("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAEAAEAA"))
WEBSOCKET: Final = (("upgrade", "WebSocket"), ("connection", "keep-alive, upgrade"))
GET: Final = head("/get", *H2C, method="GET")
PLAIN: Final = head("/plain", ("content-length", "1")) + b"."
SMUGGLED: Final = head("/smuggled", method="GET") * 2
IN_CHUNKS: Final = chunk(SMUGGLED[:7]) + chunk(SMUGGLED[7:]) + chunk(b"")


async def echo(scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer with the request."""
    message, body = await receive(), b""
    while message["more_body"]:
        body += message["body"]
        message = await receive()
    text = asked(scope["method"], scope["path"], body + message["body"])
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(text))]})
    await send({"type": "http.response.body", "body": text})


async def refuse(_: object, __: object, send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer before the body has come."""
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def asked(method: str, path: str, body: bytes) -> bytes:
    """Write a request as it is answered."""
    return f"{method} {path} ".encode() + body


def answers(*texts: bytes) -> bytes:
    """Write the answers with these texts."""
    return b"".join(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(text), text) for text in texts)


def every_cut(raw: bytes) -> Iterator[tuple[bytes, ...]]:
    """Cut it in two in every way, and into bytes."""
    yield from ((raw[:cut], raw[cut:]) for cut in range(len(raw)))
    yield tuple(bytes([byte]) for byte in raw)


@pytest.mark.parametrize(
    ("fields", "body", "read"),
    [
        ((*H2C, ("content-length", str(len(SMUGGLED)))), SMUGGLED, SMUGGLED),
        ((*WEBSOCKET, ("content-length", str(len(SMUGGLED)))), SMUGGLED, SMUGGLED),
        ((("transfer-encoding", "chunked"), ("x-empty", ""), *H2C), IN_CHUNKS, SMUGGLED),
        ((*H2C, *WEBSOCKET, ("content-length", "0")), b"", b""),
    ],
    ids=["length", "websocket", "chunks", "several offers and no body"],
)
def test_an_offer_is_ignored_however_the_request_is_cut(
    fields: tuple[tuple[str, str], ...], body: bytes, read: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    raw = GET + head("/post", *fields) + body + PLAIN + GET
    get = asked("GET", "/get", b"")
    expected = answers(get, asked("POST", "/post", read), asked("POST", "/plain", b"."), get)

    async def exchange_all() -> None:
        for pieces in every_cut(raw):
            assert await exchange(echo, *pieces) == (expected, False)

    asyncio.run(exchange_all())
    assert not caplog.records


def test_a_request_that_offers_an_upgrade_may_close_the_connection() -> None:
    offer = (("Connection", "close, Upgrade"), ("Upgrade", "h2c"), ("content-length", str(len(SMUGGLED))))
    expected = answers(asked("POST", "/post", SMUGGLED)).replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1)

    async def exchange_all() -> None:
        for pieces in every_cut(head("/post", *offer) + SMUGGLED):
            assert await exchange(echo, *pieces) == (expected, True)

    asyncio.run(exchange_all())


@pytest.mark.parametrize("raw", [head("a:443", method="CONNECT"), head("/", *H2C, method="CONNECT")])
def test_connect_is_refused_and_what_follows_is_not_read(raw: bytes, caplog: pytest.LogCaptureFixture) -> None:
    written, closed = asyncio.run(exchange(echo, raw + GET))
    assert written.startswith(b"HTTP/1.1 400 ")
    assert written.count(b"HTTP/1.1") == 1
    assert closed
    assert not caplog.records


@pytest.mark.parametrize(
    "pieces",
    [
        (head("/", *H2C, ("transfer-encoding", "chunked")), chunk(b" ") * (MAX_PIECES + 1)),
        (head("/", *H2C, ("x-long", "a" * MAX_HEAD_BYTES))[:-1], b"\n"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",),
    ],
    ids=["pieces", "head", "HTTP/2"],
)
def test_an_offer_widens_no_bound(pieces: tuple[bytes, ...]) -> None:
    written, closed = asyncio.run(exchange(echo, *pieces))
    assert closed
    assert b" 200 " not in written


@pytest.mark.parametrize("app", [echo, refuse, create_app(Settings())], ids=["echo", "refuse", "plain"])
@pytest.mark.parametrize(
    ("trailers", "closes"),
    [
        (b"Connection: close\r\n", True),
        (b"Connection: keep-alive, Close\r\nUpgrade: h2c\r\n", True),
        (b"Connection: keep-alive\r\n", False),
        (b"Connection: Upgrade\r\nUpgrade: h2c\r\n", False),
        (b"Transfer-Encoding: gzip\r\n", True),
        (b"Content-Length: 5\r\n", True),
    ],
)
def test_behind_a_trailer_a_request_is_answered_or_the_connection_closed(
    app: Any, trailers: bytes, *, closes: bool
) -> None:
    raw = head("/v1/draws", ("transfer-encoding", "chunked")) + chunk(b"{}") + b"0\r\n" + trailers + b"\r\n"

    async def exchange_all() -> None:
        for pieces in every_cut(raw):
            written, closed = await exchange(app, *pieces, GET)
            assert closed is closes
            assert closed or written.count(b"HTTP/1.1") == 2

    asyncio.run(exchange_all())
