"""The attacks on the load balancer: each is made from one address until a time, by HTTP/1 or HTTP/2."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

from h2.config import H2Configuration
from h2.connection import H2Connection

from tests.support.http.server import chunk, head

ATTACKER: Final = "127.0.0.3"
CONNECTIONS: Final = 1000
"""As many as the load balancer takes from one address."""
_CONNECTIONS_H2: Final = 400
_STREAMS: Final = 100
"""Requests on one connection of HTTP/2: as many as HAProxy allows by default."""
_BUFFERED: Final = 20_000
"""Bytes that are more than HAProxy waits for before it chooses a backend."""
_CHUNKED: Final = ("transfer-encoding", "chunked")
_BATCHES: Final = "/v1/batches"


class Target(NamedTuple):
    """What is attacked: the plain port and the one with TLS, and the path of a live game."""

    port: int
    tls_port: int
    game: str


Attack: TypeAlias = Callable[[Target, float], Coroutine[Any, Any, None]]


class Stream(NamedTuple):
    """A request of HTTP/2, what is sent of its body, and whether it ends with that."""

    method: str
    path: str
    body: bytes = b""
    ends: bool = True


async def _again(end: float, work: Callable[[], Awaitable[None]], connections: int) -> None:
    """Repeat some work on each of several connections until a time, even if it is refused."""

    async def repeat() -> None:
        while monotonic() < end:
            with suppress(OSError, asyncio.TimeoutError):
                async with asyncio.timeout(end - monotonic()):
                    await work()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(repeat() for _ in range(connections)))


def _hold(first: bytes, drip: bytes = b"", *, reads: bool = True) -> Attack:
    """Send the beginning of a request on each connection, then a little more of it each second."""

    async def attack(target: Target, end: float) -> None:
        sent = first.replace(b"{game}", target.game.encode())

        async def work() -> None:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", target.port, local_addr=(ATTACKER, 0), limit=1024
            )
            try:
                writer.write(sent)
                await asyncio.gather(_drop(reader) if reads else asyncio.sleep(end), _drip(writer, drip, end))
            finally:
                writer.transport.abort()

        await _again(end, work, CONNECTIONS)

    return attack


async def _drop(reader: asyncio.StreamReader) -> None:
    """Read all that comes, until the other side closes the connection."""
    while await reader.read(65536):
        pass
    raise ConnectionResetError


async def _drip(writer: asyncio.StreamWriter, drip: bytes, end: float) -> None:
    while monotonic() < end:
        await asyncio.sleep(1)
        writer.write(drip)
        await writer.drain()


def _hold_h2(stream: Stream, *, tls: bool) -> Attack:
    """Send many requests on each connection of HTTP/2 at once."""

    async def attack(target: Target, end: float) -> None:
        first = _write_h2(stream._replace(path=stream.path.replace("{game}", target.game)))

        async def work() -> None:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", target.tls_port if tls else target.port, ssl=_context() if tls else None,
                local_addr=(ATTACKER, 0),
            )  # fmt: skip
            try:
                writer.write(first)
                await _drop(reader)
            finally:
                writer.transport.abort()

        await _again(end, work, _CONNECTIONS_H2)

    return attack


def _write_h2(stream: Stream) -> bytes:
    """Write the bytes of a connection with many requests that are alike."""
    connection = H2Connection(H2Configuration(client_side=True))
    connection.initiate_connection()
    names = (":method", stream.method), (":path", stream.path), (":scheme", "https"), (":authority", "localhost")
    for number in range(1, 2 * _STREAMS, 2):
        fields = [*names, ("content-type", "application/json")]
        connection.send_headers(number, fields, end_stream=stream.ends and not stream.body)
        if stream.body:
            connection.send_data(number, stream.body, end_stream=stream.ends)
    return connection.data_to_send()


@cache
def _context() -> ssl.SSLContext:
    """Return a context of TLS that asks for HTTP/2 and believes every certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context


async def _nothing(_: Target, end: float) -> None:
    """Send nothing, to compare with."""
    await asyncio.sleep(end - monotonic())


BALANCER_ATTACKS: Final[dict[str, Attack]] = {
    "nothing": _nothing,
    "streams-with-body": _hold(head("{game}/events", _CHUNKED, method="GET") + chunk(b"x") + chunk(b"")),
    "slow-batches": _hold(head(_BATCHES, ("content-length", "500000")) + b" " * _BUFFERED, b" "),
    "slow-questions": _hold(head("/v1/verdicts", ("content-length", "60000")) + b" " * _BUFFERED, b" "),
    "slow-lookups": _hold(head("/v1/rulesets", _CHUNKED, method="GET") + chunk(b" " * _BUFFERED), chunk(b" ")),
    "slow-plays": _hold(head("{game}/plays", ("content-length", "60000")) + b" " * _BUFFERED, b" "),
    "unread": _hold(head("/openapi.json", method="GET"), reads=False),
    "h2-prior-knowledge": _hold_h2(Stream("POST", _BATCHES, b"x", ends=False), tls=False),
    "h2-prior-streams": _hold_h2(Stream("GET", "{game}/events", b"x"), tls=False),
    "h2-requests": _hold_h2(Stream("GET", "/v1/rulesets"), tls=True),
    "h2-bodies": _hold_h2(Stream("POST", _BATCHES, b"x", ends=False), tls=True),
    "h2-streams": _hold_h2(Stream("GET", "{game}/events"), tls=True),
    "h2-streams-with-body": _hold_h2(Stream("GET", "{game}/events", b"x"), tls=True),
}
