"""A large corpus of requests whose answers are kept: questions, keys, methods and paths."""

from collections.abc import Iterable
from hashlib import sha256
from itertools import islice
from typing import Final

import msgspec
from msgspec.structs import replace

from openapi.examples.questions import EXAMPLES, REFUSED_REQUESTS
from service.api import pages
from service.api.operation_list import OPERATIONS
from service.api.pages import probes as system
from service.game.notation.position import format_position
from service.game.notation.record import MEDIA_TYPE, format_record
from tests.game.golden.playthrough import SETTINGS
from tests.game.notation.positions import draw_states
from tests.game.notation.records import draw_records, golden_record
from tests.support.games.callers import NAMED, Headers, Live
from tests.support.http.client import JSON, MSGPACK, Answer, Request, send_request
from tests.support.http.samples import EVERY_PATH

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "BREW")
TEXT: Final = ("content-type", MEDIA_TYPE)
HASHED_KEY: Final = f"app:{sha256(b'the key').hexdigest()}"
_PAGES: Final = (*pages.HANDLERS, *system.HANDLERS)


class Asked:
    """The service, and each request that it was sent with its answer."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.pairs: list[tuple[Request, Answer | None]] = []

    def ask(self, request: Request) -> Answer | None:
        """Send a request, and note its answer."""
        named = replace(request, headers=(*request.headers, NAMED))
        answer = self.live.run(send_request(named, self.live.app))
        self.pairs.append((request, answer))
        return answer

    def ask_all(self, requests: Iterable[Request]) -> None:
        """Send requests, each made after the answer to the one before."""
        for request in requests:
            self.ask(request)


def ask_examples(asked: Asked) -> None:
    """Ask the examples of the document, in both formats, and by QUERY."""
    for kind, examples in EXAMPLES.items():
        asked.ask(
            Request(EVERY_PATH[kind], (msgspec.json.encode(examples[0].body),), "QUERY", (("content-type", JSON),))
        )
        for example in examples:
            for media in (JSON, MSGPACK):
                encode = msgspec.json.encode if media == JSON else msgspec.msgpack.encode
                for accept in (JSON, MSGPACK):
                    headers = (("content-type", media), ("accept", accept))
                    asked.ask(Request(EVERY_PATH[kind], (encode(example.body),), headers=headers))
        asked.ask(Request(EVERY_PATH[kind], (b'{"x":0}',), headers=(("content-type", JSON),)))


def ask_record_texts(asked: Asked) -> None:
    """Ask for adjudications of records as texts."""
    for record in (*map(golden_record, SETTINGS[::6]), *islice(draw_records(5), 20)):
        asked.ask(Request(EVERY_PATH["adjudications"], (format_record(record).encode(),), headers=(TEXT,)))


def provoke_problems(asked: Asked) -> None:
    """Provoke every problem of a question."""
    for provoked in REFUSED_REQUESTS.values():
        raw = provoked.body if isinstance(provoked.body, bytes) else msgspec.json.encode(provoked.body)
        headers = tuple((name.decode(), value.decode()) for name, value in provoked.headers)
        asked.ask(Request(EVERY_PATH[provoked.operation], (raw,), provoked.method, headers))


def ask_notations(asked: Asked) -> None:
    """Ask by notations in the path, sound and broken ones."""
    for path in [op.path for op in OPERATIONS if "{notation}" in op.path]:
        for state in islice(draw_states(8), 12):
            line = str(format_position(state))
            _ask_notation(asked, path, line)
            for method in METHODS:
                asked.ask(Request(path.format(notation=line), (b"{}",), method))
            for query in ("?level=easy", "?level=easy&seed=2", "?level=strong", "?x=1", "?" + "&" * 20):
                asked.ask(Request(path.format(notation=line) + query, (b"",), "GET"))


def _ask_notation(asked: Asked, path: str, line: str) -> None:
    for real in (line, line[:-3], line.replace("0", "é"), "%2e%2E", "a%2Fb", "a b", "", f"{line}/", f"{line}/more"):
        for accept in (JSON, MSGPACK, "text/html"):
            request = Request(path.format(notation=real), (b"",), "GET", (("accept", accept),))
            answer = asked.ask(request)
            etag = answer.headers.get("etag", "") if answer else ""
            asked.ask(replace(request, headers=(("if-none-match", etag), ("accept", accept))))


def call_methods(asked: Asked) -> None:
    """Call every path with every method, except what shows a page: its text changes more often than the service."""
    shown = dict.fromkeys(handler_path.replace(":str}", "}") for one in _PAGES for handler_path in one.paths)
    paths = dict.fromkeys([*shown, *[op.path for op in OPERATIONS]])
    for path in (*paths, "/", "/v1", "/v2/games", "/v1/games/x/plays/y", "/docs/nothing.js", "/table/nothing"):
        real = path.format(notation="x", game_id="g" * 22, seat="3", ruleset_id="none", problem="none", name="none")
        for method in METHODS:
            if method in {"GET", "HEAD"} and path in shown and path == real:
                asked.ask(Request(real + "/", (b"",), method, (("accept", "text/html"),)))
                continue
            for ending in ("", "/", "//", "?a=b"):
                asked.ask(Request(real + ending, (b"",), method))
    asked.ask(Request("/v1/rulesets/trebor", (b"",), "GET"))


def use_up_quotas(asked: Asked) -> None:
    """Call with and without keys, past the end of a quota that batches take more of."""
    keys: tuple[Headers, ...] = ((("x-api-key", "the key"),), (("x-api-key", "another"),), ())
    bodies = {"draws": {"players": 3, "seed": "s"}, "batches": {"questions": [{"kind": "draws", "players": 2}] * 4}}
    bodies["scores"] = {"state": "none"}
    for path in ("/v1/games", "/v1/finished-games"):
        asked.ask(Request(path, (b"",), "GET", keys[0]))
    for headers in (*keys, (*keys[0], *keys[1])):
        for kind, body in bodies.items():
            asked.ask(Request(EVERY_PATH[kind], (msgspec.json.encode(body),), headers=headers))
        asked.ask(Request("/v1/games/" + "g" * 22, (b"",), "GET", headers))
        asked.ask(Request("/v1/positions/x", (b"",), "GET", headers))
        asked.ask(Request("/v1/positions", (b"",), "OPTIONS", headers))
        asked.ask(Request("/v1/rulesets", (b"",), "PUT", headers))
    for _ in range(12):
        asked.ask(Request(EVERY_PATH["draws"], (msgspec.json.encode(bodies["draws"]),), headers=keys[0]))
