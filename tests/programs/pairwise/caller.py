"""A caller over HTTP who holds every answer to the settings of the row: its headers, its status, its encoding."""

import time
from secrets import token_hex
from typing import Any, Final

import httpx
import msgspec

from service.schemas.refusal import Refusal
from tests.programs.agreement.asking import Json, read_notation
from tests.programs.pairwise.deployment import ORIGIN, Deployment

FORWARDED: Final = ("203.0.113.7", "203.0.113.8")
"""The addresses that a proxy would name, of two callers."""
OWN: Final = ("127.0.0.1", "127.0.0.2")
"""The addresses from which they come without one."""
RECORD_TEXT: Final = "text/vnd.catch-the-ten.record"
_MEDIA: Final = {"JSON": "application/json", "MessagePack": "application/msgpack"}


class Caller:
    """One of two callers of a service, by number."""

    def __init__(self, deployment: Deployment, number: int = 0) -> None:
        self.deployment = deployment
        self.row = deployment.row
        self.number = number
        self.media = _MEDIA[self.row.encoding]
        self.traces = set[str]()
        self._http = httpx.Client(
            base_url=deployment.url, timeout=60, transport=httpx.HTTPTransport(local_address=OWN[number])
        )

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request of this caller, whichever client sends it."""
        key = self.deployment.keys[self.number]
        return {"Origin": ORIGIN, "X-Forwarded-For": FORWARDED[self.number], **({"X-API-Key": key} if key else {})}

    def ask(self, method: str, path: str, body: object = None, *, accept: str = "", **headers: str) -> httpx.Response:
        """Send a request in the encoding of the row, and hold the head of its answer to the settings.

        Shape: a text goes as a record; names of headers have underscores, and an empty one is not sent.
        """
        trace = token_hex(16)
        self.traces.add(trace)
        sent = httpx.Headers(self.headers)
        sent.update({"Accept": accept or self.media, "Traceparent": f"00-{trace}-{token_hex(8)}-01"})
        for name, value in headers.items():
            sent[name.replace("_", "-")] = value
            if not value:
                del sent[name.replace("_", "-")]
        raw = None
        if body is not None:
            raw = body.encode() if isinstance(body, str) else self._encode(body)
            sent["Content-Type"] = RECORD_TEXT if isinstance(body, str) else self.media
        answer = self._http.request(method, path, content=raw, headers=sent)
        self._check_head(answer)
        return answer

    def insist(self, method: str, path: str, body: object = None, **more: str) -> httpx.Response:
        """Send a request, again where the quota is used up, which it is only where it is tight."""
        while (answer := self.ask(method, path, body, **more)).status_code == 429:
            assert self.row.rate == "tight quota", answer.text
            time.sleep(int(answer.headers["retry-after"]))
        return answer

    def read(self, method: str, path: str, body: object = None, *, status: int = 200, **more: str) -> Any:
        """Send a request until it is answered, and return what the answer holds."""
        answer = self.insist(method, path, body, **more)
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
        assert answer.headers["content-type"] == self.media
        return decode(answer)

    def leave(self) -> None:
        """Close the connections."""
        self._http.close()

    def _encode(self, body: object) -> bytes:
        return msgspec.msgpack.encode(body) if self.row.encoding == "MessagePack" else msgspec.json.encode(body)

    def _check_head(self, answer: httpx.Response) -> None:
        """Hold the head of an answer to the settings: CORS, quota, and that nothing failed."""
        assert answer.status_code < 500, answer.text
        allowed = {"no origin": None, "one origin": ORIGIN, "any origin": "*"}[self.row.cors]
        assert answer.headers.get("access-control-allow-origin") == allowed, answer.headers
        assert ("origin" in answer.headers.get("vary", "").lower()) is (allowed == ORIGIN), answer.headers
        assert answer.headers["x-content-type-options"] == "nosniff"
        limited = self.row.rate != "no rate limit" and answer.request.url.path.startswith("/v1/")
        assert ("ratelimit" in answer.headers) is limited, answer.headers
        assert answer.status_code != 429 or answer.headers["retry-after"]


class Questioner:
    """Asks questions in the way of the row: alone or in batches, states in their form or as a line of notation."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._row = caller.row
        self._lines: dict[bytes, str] = {}
        self._sent_lines = 0

    def ask(self, kind: str, **body: Any) -> Json:
        """Ask a question of this kind; what is refused is raised as a Refusal."""
        if "state" in body:
            body["state"] = self._write(body["state"])
        answer = self._ask_batch(kind, body) if self._row.asking == "batch" else self._ask_alone(kind, body)
        position = answer.get("position", answer)
        has_state = "state" in position and "phase" in position
        line = read_notation(position)
        if has_state:
            assert (line is None) is (self._row.rules == "house rules"), line
        if line is not None:
            self._lines[msgspec.json.encode(position["state"])] = line
        return answer

    def check(self) -> None:
        """Hold that lines of notation were sent where the row says so, which only printed rules have."""
        assert (self._sent_lines > 0) is (self._row.form == "notation" and self._row.rules == "printed rules")

    def _write(self, state: Json) -> Json | str:
        line = self._lines.get(msgspec.json.encode(state)) if self._row.form == "notation" else None
        self._sent_lines += line is not None
        return state if line is None else line

    def _ask_alone(self, kind: str, body: Json) -> Json:
        answer = self._caller.insist("POST", "/v1/" + kind.replace("_", "-"), body)
        if answer.status_code == 200:
            return self._read(answer)
        raise _refusal(msgspec.json.decode(answer.content))

    def _ask_batch(self, kind: str, body: Json) -> Json:
        """Ask the question twice, with one between that is refused, which changes nothing for the others."""
        asked = {"kind": kind, **body}
        bad = {"kind": "verdicts", "state": "ctt1_no", "card": "6C"}
        answer = self._caller.insist("POST", "/v1/batches", {"questions": [asked, bad, asked]})
        one, refused, other = self._read(answer)["answers"]
        assert (refused["kind"], refused["answer"]) == ("verdicts", None), refused
        if one["problem"] is not None:
            assert one["problem"]["code"] == other["problem"]["code"]
            raise _refusal(one["problem"])
        assert one == other
        assert one["kind"] == kind
        found: Json = one["answer"]
        return found

    def _read(self, answer: httpx.Response) -> Json:
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == self._caller.media
        read: Json = decode(answer)
        return read


def decode(answer: httpx.Response) -> Any:
    """Return what an answer holds."""
    is_msgpack = answer.headers["content-type"] == _MEDIA["MessagePack"]
    return msgspec.msgpack.decode(answer.content) if is_msgpack else msgspec.json.decode(answer.content)


def read_code(answer: httpx.Response) -> str:
    """Return the code of a refusal, which is always JSON."""
    code: str = msgspec.json.decode(answer.content)["code"]
    return code


def _refusal(problem: Json) -> Refusal:
    return Refusal(problem["code"], problem["detail"], fact=problem.get("verdict"))
