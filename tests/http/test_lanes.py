"""The law of the two lanes: the fast lane and the framework's answer every request with the same bytes."""

import asyncio
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from service.api.questions import deals, draws
from service.notation.position import format_position
from service.notation.record import MEDIA_TYPE, format_record
from service.openapi.document import OPERATIONS
from service.settings import Settings
from service.store.memory import MemoryStore
from service.wire.refusal import ProblemCode
from tests.document.examples.questions import EXAMPLES, REFUSED_REQUESTS
from tests.golden.playthrough import SETTINGS
from tests.notation.positions import draw_states
from tests.notation.records import draw_records, golden_record
from tests.support.games.callers import GAMES, NAMED, Bearer, Live, Table
from tests.support.http.client import JSON, MSGPACK, Answer, Request, send_request
from tests.support.http.hostile import hostile_request
from tests.support.http.samples import EVERY_PATH

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW")
TEXT: Final = ("content-type", MEDIA_TYPE)
KEY: Final = ("idempotency-key", "a-key-that-nobody-can-guess")


class Lanes(NamedTuple):
    """The service on its fast lane, and with every request left to the framework, over one store."""

    fast: Live
    framework: Live

    def ask(self, request: Request) -> Answer | None:
        """Send a request to both, one after the other, and return the answer on which they agree."""
        named = msgspec.structs.replace(request, headers=(*request.headers, NAMED))
        first, second = (live.run(send_request(named, live.app)) for live in self)
        assert (first is None) == (second is None), request
        if first is not None and second is not None:
            assert (first.status, first.headers, first.body) == (second.status, second.headers, second.body), request
        return first


@pytest.fixture(scope="module")
def lanes() -> Iterator[Lanes]:
    store = MemoryStore(1000, 2**24)
    with asyncio.Runner() as runner:
        yield Lanes(Live(runner, store), Live(runner, store, Settings(), fast=False))


@pytest.fixture(autouse=True)
def _the_same_seed_where_one_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (deals, draws):
        monkeypatch.setattr(module, "token_hex", _repeat)


def _repeat(size: int) -> str:
    return "5e" * size


def test_just_what_is_guarded_is_on_the_fast_lane(lanes: Lanes) -> None:
    handlers: list[Any] = [live.app.asgi_handler for live in lanes]
    fast, framework = (set(handler._app._endpoints) for handler in handlers)
    assert fast == {op.path for op in OPERATIONS if op.guarded}
    assert framework == set()


@pytest.mark.parametrize("kind", EXAMPLES)
@pytest.mark.parametrize("media", [JSON, MSGPACK])
def test_every_example_is_answered_alike(lanes: Lanes, kind: str, media: str) -> None:
    encode = msgspec.json.encode if media == JSON else msgspec.msgpack.encode
    for example in EXAMPLES[kind]:
        for accept in (JSON, MSGPACK):
            headers = (("content-type", media), ("accept", accept))
            assert lanes.ask(Request(EVERY_PATH[kind], (encode(example.body),), headers=headers)) is not None


def test_a_record_sent_as_a_text_is_answered_alike(lanes: Lanes) -> None:
    statuses = set[int]()
    for record in (*map(golden_record, SETTINGS[::6]), *islice(draw_records(5), 20)):
        answer = lanes.ask(Request(EVERY_PATH["adjudications"], (format_record(record).encode(),), headers=(TEXT,)))
        statuses.add(0 if answer is None else answer.status)
    assert statuses == {200, 422}


@pytest.mark.parametrize("code", REFUSED_REQUESTS)
def test_every_problem_is_answered_alike(lanes: Lanes, code: ProblemCode) -> None:
    provoked = REFUSED_REQUESTS[code]
    raw = provoked.body if isinstance(provoked.body, bytes) else msgspec.json.encode(provoked.body)
    headers = tuple((name.decode(), value.decode()) for name, value in provoked.headers)
    answer = lanes.ask(Request(EVERY_PATH[provoked.operation], (raw,), provoked.method, headers))
    assert answer is not None
    assert answer.read(dict[str, object])["code"] == code


@pytest.mark.parametrize("path", [op.path for op in OPERATIONS if "{notation}" in op.path])
def test_notations_in_the_path_are_answered_alike(lanes: Lanes, path: str) -> None:
    for state in islice(draw_states(8), 12):
        line = str(format_position(state))
        for real in (line, line[:-3], line.replace("0", "é"), "%2e%2E", "a%2Fb", "a b", "", f"{line}/", f"{line}/more"):
            for accept in (JSON, MSGPACK, "text/html"):
                request = Request(path.format(notation=real), (b"",), "GET", (("accept", accept),))
                first = lanes.ask(request)
                etag = first.headers.get("etag", "") if first else ""
                lanes.ask(msgspec.structs.replace(request, headers=(("if-none-match", etag), ("accept", accept))))
        for method in METHODS:
            lanes.ask(Request(path.format(notation=line), (b"{}",), method))


@pytest.mark.parametrize("seed", range(8))
def test_mutated_questions_are_answered_alike(lanes: Lanes, seed: int) -> None:
    chance = Random(seed)
    statuses = set[int]()
    for _ in range(250):
        request = hostile_request(chance)
        if chance.random() < 0.2:
            request = msgspec.structs.replace(request, method=chance.choice(METHODS), leaves=chance.random() < 0.2)
        answer = lanes.ask(request)
        statuses.add(0 if answer is None else answer.status)
    assert {200, 400, 422} <= statuses


def _mutations(table: Table, path: str, body: bytes, headers: tuple[tuple[str, str], ...]) -> Iterator[Request]:
    """Make requests on a live game beside a sound one: each is refused, or changes nothing."""
    yield Request(path, (body,), "POST", headers[1:])  # without the token
    yield Request(path, (body,), "POST", (("authorization", "Bearer nobody"), *headers[1:]))
    yield Request(path, (body,), "POST", (headers[0], ("if-match", "7")))
    yield Request(path, (body,), "POST", (headers[0], ("if-match", '"7"')))
    yield Request(path, (body,), "POST", (headers[0], ("if-match", '"999-00000000"')))
    yield Request(path, (body,), "POST", (headers[0], ("if-match", '"1-00000000"')))
    yield Request(path, (b"{",), "POST", headers)
    yield Request(path, (b'{"card": "1C", "x": 0}',), "POST", headers)
    yield Request(path, (body,), "POST", (*headers, ("accept", "text/html")))
    yield Request(path, (body,), "POST", (*headers, ("content-length", str(2**30))))
    yield Request(path, (body[:2],), "POST", headers, leaves=True)
    yield from (Request(path, (b"",), method, headers) for method in METHODS if method != "POST")
    yield from (Request(table.path + "x", (b"",), method, headers) for method in METHODS)
    bearers: tuple[Bearer, ...] = ("host", None, 0, 1)
    for bearer in bearers:
        for accept in (JSON, MSGPACK, MEDIA_TYPE, "text/html"):
            for what in ("", "/record"):
                yield Request(table.path + what, (b"",), "GET", (*table.token(bearer), ("accept", accept)))
    seen = table.revision(table.see().version)
    yield Request(table.path, (b"",), "GET", (("if-none-match", f'W/"{seen}"'),))
    yield Request(table.path, (b" " * 10,), "GET", (("content-type", "text/plain"),))
    yield Request(table.path, (b"",), "DELETE", table.token(0))


@pytest.mark.parametrize("rules", ["trebor", "lots-of-kids"])
def test_live_games_and_what_goes_wrong_with_them_are_answered_alike(lanes: Lanes, rules: str) -> None:
    chance, body = Random(rules), msgspec.json.encode({"rules": rules, "players": 4})
    opened = lanes.ask(Request(GAMES, (body,), headers=(KEY,))) if rules == "trebor" else None
    table = lanes.fast.open(rules) if opened is None else Table(lanes.fast, opened)

    def change(what: str, bearer: Bearer, content: dict[str, object]) -> None:
        path, raw = table.path + what, msgspec.json.encode(content)
        headers = table.headers(bearer, table.see().version)
        for mutated in _mutations(table, path, raw, headers):
            lanes.ask(mutated)
        # The lane that comes second is answered as the first was.
        answer = lanes.ask(Request(path, (raw,), "POST", headers))
        assert answer is not None
        assert answer.status in {200, 201}, answer

    change("/entropy", 1, {"entropy": "dice"})
    change("/deals", "host", {})
    for _ in range(8):
        turn = table.turn()
        change("/plays", turn.seat, {"card": chance.choice(turn.legal)})
    change("/resignations", 0, {})
    assert table.call("host", "DELETE").status == 204
    lanes.ask(Request(table.path, (b"",), "GET"))
