"""Random requests in both ways, by the connection and through ASGI, with equal answers.

Most are complete plain questions; some have everything that may force the other way.
"""

import asyncio
import re
from collections import Counter
from hashlib import sha256
from random import Random
from typing import Any, Final

import msgspec

from service.app import create_app
from service.game.notation.record import MEDIA_TYPE
from service.http.response import WholeResponse
from service.platform.settings import Settings
from tests.platform.metrics.readings import changed, series
from tests.server.recorded_log import RecordedLog
from tests.support.http.client import JSON, MSGPACK
from tests.support.http.exchange import exchange
from tests.support.http.hostile import LIGHT, hostile_request
from tests.support.http.samples import EVERY_PATH
from tests.support.http.server import chunk
from tests.support.http.sound import sound_body
from tests.support.ways import DRAWN

KEY: Final = "a key of arran"
SETTINGS: Final = (
    Settings(),
    Settings(
        api_keys=f"arran:{sha256(KEY.encode()).hexdigest()}",
        rate_limit="999999/day",
        trusted_proxies="10.0.0.0/8",
        cors_origins="https://cards.example, http://localhost:5173",
    ),
    Settings(rate_limit="20/day", max_body_bytes=1024, cors_origins="*", trusted_proxies="127.0.0.1"),
)
_CHANGING: Final = re.compile(
    rb"(?<=;[rt]=)\d+|(?<=retry-after: )\d+|\d+ s\.|(?<=seconds\":)\d+"
    rb"|(?<=x-request-id: )[0-9a-f-]{36}|(?<=uuid:)[0-9a-f-]{36}"
)
"""Values that differ by time or chance: the rest of a quota, and random ids."""
_TIMED: Final = "store_calls_total consume ok"
"""How often the store is told of a quota depends on the time."""
_OFTEN: Final = 20
"""Once in so many requests a header is another one than usual."""
_FIELDS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "host": (("localhost",), (), ("a", "b"), ("a b",), ("",), ("cards.example:8080",)),
    "content-type": ((JSON,), (), ("text/plain",), (MEDIA_TYPE,), (f"{JSON}; charset=latin-1",), (JSON, JSON)),
    "accept": ((), ("*/*",), (MSGPACK,), ("text/html",), ("application/*;q=0.5, application/msgpack;q=0.4",)),
    "content-encoding": ((), ("identity",), ("gzip",)),
    "x-api-key": ((KEY,), (), ("another",), (KEY, KEY)),
    "origin": ((), ("https://cards.example",), ("https://evil.example",), ("",)),
    "x-forwarded-for": ((), ("192.0.2.7",), ("192.0.2.7, 10.0.0.3",), ("nonsense",), ("192.0.2.7:9", "[2001:db8::1]")),
    "x-forwarded-proto": ((), ("https",), ("gopher",), ("https, http",), ("http", "https")),
    "x-request-id": ((), ("mine",), ("no good",), ("3f1c6c1e-8a56-4c0b-a1f6-0d6c7a3d9b11",)),
    "traceparent": ((), (f"00-{'4b' * 16}-{'a7' * 8}-01",), ("nonsense",)),
    "connection": ((), ("close",), ("keep-alive",), ("Upgrade",)),
    "upgrade": ((), ("h2c",)),
    "expect": ((), ("100-continue",)),
    "if-none-match": ((), ("*",), ('"x"',)),
}  # fmt: skip


def draw_request(chance: Random) -> bytes:
    """Draw a whole request."""
    kind = chance.choice(LIGHT)
    if kind in DRAWN or chance.random() < 0.5:
        path, kept = EVERY_PATH[kind], {"seed": "s"} if kind in DRAWN else {}
        body, media = msgspec.json.encode({**sound_body(kind, chance), **kept}), JSON
    else:
        hostile = hostile_request(chance, (kind,))
        path, (body,), ((_, media),) = hostile.path, hostile.parts, hostile.headers
    fields = [(name, value) for name, ways in _FIELDS.items() for value in _choose(ways, chance)]
    sent = [(name, media if value == JSON else value) for name, value in fields]
    method = chance.choice(("POST", "POST", "POST", "QUERY", "GET")) if _is_rare(chance) else "POST"
    target = chance.choice((f"{path}?a", f"{path}/", f"{path[:4]}%76{path[5:]}", f"/{path}", path + "é"))
    version = "1.0" if _is_rare(chance) and _is_rare(chance) else "1.1"
    if _is_rare(chance):
        sent, body = [*sent, ("transfer-encoding", "chunked")], _cut_into_chunks(body, chance)
    elif body or chance.random() < 0.5:
        sent = [*sent, ("content-length", str(len(body)))]
    lines = [f"{method} {target if _is_rare(chance) else path} HTTP/{version}", *(f"{name}: {it}" for name, it in sent)]
    return "\r\n".join((*lines, "", "")).encode() + body


def _is_rare(chance: Random) -> bool:
    return chance.randrange(_OFTEN) == 0


def _choose(ways: tuple[tuple[str, ...], ...], chance: Random) -> tuple[str, ...]:
    return chance.choice(ways) if _is_rare(chance) else ways[0]


def _cut_into_chunks(body: bytes, chance: Random) -> bytes:
    at = chance.randint(0, len(body))
    return b"".join(chunk(part) for part in (body[:at], body[at:]) if part) + chunk(b"")


def draw_pieces(chance: Random) -> list[bytes]:
    """Draw what comes over a connection, in pieces: mostly a request in each, or several, or a part of one."""
    pieces = [draw_request(chance) for _ in range(chance.randint(1, 3))]
    if _is_rare(chance):
        pieces = [b"".join(pieces)]
    if _is_rare(chance):
        cut = chance.randrange(len(pieces[0]))
        pieces = [pieces[0][:cut], pieces[0][cut:], *pieces[1:]]
    return pieces


def note_answers(app: Any) -> list[bytes]:
    """Return the list to which an application adds each path that it answers at once."""
    answered: list[bytes] = []
    answer = app.answer

    def noting(asked: tuple[bytes, bytes], *sent: Any) -> WholeResponse | None:
        response: WholeResponse | None = answer(asked, *sent)
        answered.extend([asked[1]] if response else [])
        return response

    app.answer = noting
    return answered


class Way:
    """One of the ways: all answers, log lines and counts."""

    def __init__(self, settings: Settings, *, at_once: bool) -> None:
        self._log = RecordedLog()
        self._app = create_app(settings, observers=[self._log.add])
        self.at_once = note_answers(self._app)
        if not at_once:
            self._app.plain = {}
        self.answers: list[tuple[bytes, bool]] = []
        self.counted: dict[str, float] = {}

    async def ask(self, connections: list[list[bytes]]) -> None:
        """Ask all."""
        before = series()
        for at, pieces in enumerate(connections):
            written, closed = await exchange(self._app, *pieces, client=("127.0.0.1", "10.0.0.9", "192.0.2.1")[at % 3])
            self.answers.append((_CHANGING.sub(b"*", written), closed))
        self.counted = {name: grew for name, grew in changed(before).items() if name != _TIMED}

    @property
    def lines(self) -> list[Any]:
        """The lines of the log, without what differs."""
        mine = {"mine", "3f1c6c1e-8a56-4c0b-a1f6-0d6c7a3d9b11", "4b" * 16}
        return [
            (line.route, line.method, line.status, line.client, line.app, {line.request_id, line.trace_id} & mine)
            for line in self._log.lines
        ]


def compare_ways(seed: str, connections: int) -> tuple[Counter[int], int]:
    """Ask in both ways by a seed. Return how many answers there were by status, and how many were given at once."""
    statuses, given = Counter[int](), 0
    for number, settings in enumerate(SETTINGS):
        chance = Random(f"{seed} {number}")
        drawn = [draw_pieces(chance) for _ in range(connections)]
        ways = [Way(settings, at_once=at_once) for at_once in (True, False)]
        for way in ways:
            asyncio.run(way.ask(drawn))
        for pieces, one, other in zip(drawn, *(way.answers for way in ways), strict=True):
            assert one == other, pieces
        assert sorted(map(str, ways[0].lines)) == sorted(map(str, ways[1].lines))
        assert ways[0].counted == ways[1].counted, set(ways[0].counted.items()) ^ set(ways[1].counted.items())
        assert not ways[1].at_once
        given += len(ways[0].at_once)
        statuses.update(int(found) for answer, _ in ways[0].answers for found in re.findall(rb"HTTP/1.1 (\d+)", answer))
    return statuses, given
