"""An ended request leaves nothing for the garbage collector, which runs late: bodies would pile up until then.

An exception kept by a frame of its own traceback is a cycle, with everything that the frame holds.
"""

import asyncio
import gc
from collections.abc import Iterable, Iterator
from random import Random
from types import FrameType
from typing import Any, Final, TypeAlias

import msgspec
import pytest

from openapi.examples.games import LIVE_EXAMPLES
from openapi.examples.questions import REFUSED_REQUESTS
from service.api.operation_list import OPERATIONS
from service.http.body import LIGHT_BYTES
from service.http.decoding import MAX_SEARCHED_BYTES
from service.http.guards.api_keys import draw_key
from service.http.operation import Operation
from service.live.store.memory import MemoryStore
from service.platform.settings import Settings
from tests.support.effort import choose_effort
from tests.support.games.callers import GAMES, Live, Table
from tests.support.http.client import JSON, LIMIT, MSGPACK, Request, send_request
from tests.support.http.hostile import hostile_request
from tests.support.http.pointers import Json, get, places, put
from tests.support.http.samples import EVERY, EVERY_PATH, STATE
from tests.support.http.sound import plain

Headers: TypeAlias = tuple[tuple[str, str], ...]

KEY, KEYS = draw_key("an-app")
GUARDS: Final[dict[str, tuple[Settings, Headers]]] = {
    "none": (Settings(), ()),
    "key and quota": (Settings(api_keys=KEYS, rate_limit="999999/second"), (("x-api-key", KEY),)),
    "no key": (Settings(api_keys=KEYS, rate_limit="999999/second"), ()),
    "unknown key": (Settings(api_keys=KEYS), (("x-api-key", KEY[:-1]),)),
    "spent quota": (Settings(rate_limit="1/day"), ()),
}
BODIES: Final = choose_effort(daily=200, nightly=800)
WITH_BODY: Final = tuple(op for op in OPERATIONS if op.body is not None)
SUGGESTION: Final = {"state": STATE, "level": "easy"}
NUMBERS: Final = {"card": 1.0, "x": [1e9] * 1000}
RAW: Final[dict[str, bytes]] = {
    "nothing": b"",
    "null": b"null",
    "an array": b"[1.0]",
    "not UTF-8": b'{"\xff": 1}',
    "floats and a fault": msgspec.json.encode(NUMBERS),
    "a heavy body of floats": msgspec.json.encode(NUMBERS) + b" " * LIGHT_BYTES,
    "more than is searched": msgspec.json.encode(NUMBERS) + b" " * MAX_SEARCHED_BYTES,
    "malformed after a fault": b'{"x": 1.0, "y": ',
    "deep": b"[" * 10_000,
    "deep after a fault": b'{"x": 1.0, "y": ' + b"[" * 900 + b"3.0" + b"]" * 900 + b"}",
    "too large": b" " * (LIMIT + 1),
}
STRANGE: Final[dict[str, bytes]] = {
    "malformed": b"\xc1",
    "floats and a fault": msgspec.msgpack.encode(NUMBERS),
    "a key that is a list": b"\x81\x91\x01\x01",
    "not UTF-8": b"\x81\xa1\xff\x01",
    "deep": b"\x91" * 10_000,
}
HEADERS: Final[dict[str, Headers]] = {
    "unsupported media type": (("content-type", "text/plain"),),
    "not acceptable": (("accept", "text/html"),),
    "a long content length": (("content-length", "1" * 20),),
}


def left_by(live: Live, requests: Iterable[tuple[str, Request]]) -> dict[str, list[str]]:
    """Return what each request left to the garbage collector, by its name: of frames their functions, else types."""
    asked = [*requests]
    for _, request in asked:  # what is made once and kept
        live.run(send_request(request, live.app))
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        return {name: found for name, request in asked if (found := _left_by(live, request))}
    finally:
        gc.enable()
        gc.unfreeze()


def _left_by(live: Live, request: Request) -> list[str]:
    live.run(send_request(request, live.app))
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    found = sorted({_name(one) for one in gc.garbage})
    gc.garbage.clear()
    gc.collect()
    return found


def _name(one: object) -> str:
    return one.f_code.co_qualname if isinstance(one, FrameType) else type(one).__name__


@pytest.fixture
def live() -> Iterator[Live]:
    """The service in its own event loop, apart from other tests."""
    with asyncio.Runner() as runner:
        yield Live(runner, MemoryStore(1000, 2**24))


@pytest.mark.parametrize("guard", GUARDS)
def test_bodies_of_every_operation_leave_no_garbage(guard: str, live: Live) -> None:
    settings, headers = GUARDS[guard]
    guarded = Live(live.runner, live.store, settings)
    requests = [asked for op in WITH_BODY for asked in _requests(op, live.open(), headers)]
    # The other guards refuse before a body is read, or are not there: a share of the bodies is enough for them.
    assert left_by(guarded, requests if guard == "key and quota" else requests[::8]) == {}


def test_hostile_bodies_leave_no_garbage(live: Live) -> None:
    chance, kinds = Random(7), tuple(EVERY_PATH)
    assert left_by(live, ((str(at), hostile_request(chance, kinds)) for at in range(BODIES))) == {}


def test_refused_questions_leave_no_garbage(live: Live) -> None:
    def requests() -> Iterator[tuple[str, Request]]:
        for code, asked in REFUSED_REQUESTS.items():
            raw = asked.body if isinstance(asked.body, bytes) else msgspec.json.encode(asked.body)
            headers = tuple((name.decode(), value.decode()) for name, value in asked.headers)
            yield code, Request(EVERY_PATH[asked.operation], (raw,), asked.method, headers)
        for seat, card in ((0, "6C"), (1, "6C"), (0, "QH")):
            body = {**SUGGESTION, "plays": [{"seat": seat, "card": card}]}
            yield f"{seat} {card}", Request(EVERY_PATH["suggestions"], (msgspec.json.encode(body),))
        items = [
            {"kind": "verdicts", **NUMBERS},
            {"kind": "x"},
            1.0,
            {**EVERY["verdicts"], "kind": "verdicts", "seat": 3},
        ]
        for questions in ([*items], [*items] * 20, [], [1.0] * 1001):
            raw = msgspec.json.encode({"questions": questions})
            yield f"batch of {len(questions)}", Request(EVERY_PATH["batches"], (raw,))

    assert left_by(live, requests()) == {}


def test_refused_changes_of_live_games_leave_no_garbage(live: Live) -> None:
    table = live.open()
    turn, illegal = table.turn_with_illegal_card(Random(1))
    play, token, seen = f"{table.path}/plays", table.token(turn.seat), table.headers(turn.seat, turn.version)

    def requests() -> Iterator[tuple[str, Request]]:
        card, other = {"card": turn.legal[0]}, {"card": illegal}
        yield "illegal", _post(play, other, seen)
        yield "not your turn", _post(play, card, table.headers(turn.other, turn.version))
        yield "stale", _post(play, other, table.headers(turn.seat, turn.version - 1))
        yield "no version", _post(play, card, token)
        yield "bad version", _post(play, card, (*token, ("if-match", "7")))
        yield "no token", _post(play, card, seen[1:])
        yield "unknown token", _post(play, card, (("authorization", "Bearer nobody"), *seen[1:]))
        yield "host", _post(play, card, table.headers("host", turn.version))
        yield "malformed id", _post(f"{GAMES}/x/plays", card, seen)
        yield "unknown game", _post(f"{GAMES}/{'a' * 22}/plays", card, seen)
        yield "deal not over", _post(f"{table.path}/deals", {}, table.headers("host", turn.version))
        yield "entropy", _post(f"{table.path}/entropy", {"entropy": "dice"}, token)
        yield "no such seat", _post(f"{table.path}/resignations", {"seat": 7}, table.token("host"))
        yield "not its seat", _post(f"{table.path}/resignations", {"seat": turn.other}, token)
        yield "no version to resign at", _post(f"{table.path}/resignations", {}, token)
        yield "unknown ruleset", _post(GAMES, {"rules": "bridge", "players": 4}, ())
        yield "bad key", _post(GAMES, {"rules": "trebor", "players": 4}, (("idempotency-key", "short"),))

    assert left_by(live, requests()) == {}


def _post(path: str, body: dict[str, Any], headers: Headers) -> Request:
    return Request(path, (msgspec.json.encode(body),), headers=headers)


def _requests(op: Operation, table: Table, headers: Headers) -> Iterator[tuple[str, Request]]:
    """Make requests with bodies of every kind, sound and bad, each with its name."""
    body = (
        SUGGESTION
        if op.operation_id == "suggestions"
        else EVERY[op.operation_id]
        if op.operation_id in EVERY
        else _live_body(op.operation_id)
    )
    path, own = op.path.format(game_id=table.path.removeprefix(f"{GAMES}/"), seat=1), (*headers, *table.token("host"))
    raw = msgspec.json.encode(body)

    def ask(what: str, raw: bytes, *more: tuple[str, str]) -> tuple[str, Request]:
        return f"{op.operation_id}: {what}", Request(path, (raw,), op.method, (*own, *more))

    yield from (ask(what, bad) for what, bad in RAW.items())
    yield from (ask(f"MessagePack, {what}", bad, ("content-type", MSGPACK)) for what, bad in STRANGE.items())
    yield from (ask(what, raw, *more) for what, more in HEADERS.items())
    yield ask("cut off", raw[:-1])
    yield ask("unknown field", msgspec.json.encode({**body, "x": 1}))
    for media, encode in ((JSON, msgspec.json.encode), (MSGPACK, msgspec.msgpack.encode)):
        yield ask(f"floats, {media}", encode(_with_floats(body)), ("content-type", media))
        yield ask(
            f"floats and an unknown field, {media}", encode({**_with_floats(body), "x": 1}), ("content-type", media)
        )
        yield ask(f"sound, {media}", encode(body), ("content-type", media))
    yield f"{op.operation_id}: left", Request(path, (raw[:5],), op.method, own, leaves=True)


def _live_body(name: str) -> dict[str, Any]:
    example: Any = LIVE_EXAMPLES[name][0].body
    return {**example}


def _with_floats(body: dict[str, Any]) -> dict[str, Json]:
    changed: Any = plain(body)
    for place in places(changed):
        if type(get(place)) is int:
            put(place, float(str(get(place))))
    return {**changed}
