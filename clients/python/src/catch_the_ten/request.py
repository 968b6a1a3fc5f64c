"""Requests, and the reading of answers, without sending."""

from collections.abc import Mapping, Sequence
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar, cast, get_args
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec

from catch_the_ten.models import BatchOutcome, GameEvent, Problem
from catch_the_ten.problems import KINDS
from catch_the_ten.refusal import NoAnswer, Refusal

Content = TypeVar("Content")

_JSON: Final = "application/json"
_RECORD: Final = "text/vnd.catch-the-ten.record"
_PROBLEM: Final = "application/problem+json"
HEAVY: Final = (
    "/v1/adjudications",
    "/v1/analyses",
    "/v1/batches",
    "/v1/claims",
    "/v1/finished-games",
    "/v1/knowledge",
    "/v1/suggestions",
)
"""Prefixes of paths with slow answers: a retry meanwhile would double the load."""
_MAKING: Final = Lock()
"""Held while a type is decoded for the first time: if two threads do that at once, msgspec 0.22 crashes the process."""
_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}
_UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The exceptions of decoding bytes that are no JSON, or not of the type."""
_EVENTS: Final = frozenset(str(kind.__struct_config__.tag) for kind in get_args(GameEvent))


class Request(NamedTuple):
    """A request. A text body is sent unchanged; with a `key` the request can be repeated and has its effect once."""

    method: str
    path: str
    body: object = None
    token: str = ""
    version: str = ""
    key: str = ""
    query: Mapping[str, object] = MappingProxyType({})
    accept: str = "application/json"
    last_seen: str = ""

    def write_headers(self) -> dict[str, str]:
        """Return the request's own headers."""
        headers = {
            "Accept": self.accept,
            "Content-Type": "" if self.body is None else _RECORD if self._is_tagged else _JSON,
            "Authorization": f"Bearer {self.token}" if self.token else "",
            "If-Match": f'"{self.version}"' if self.version else "",
            "Idempotency-Key": self.key,
            "Last-Event-ID": self.last_seen,
        }
        return {name: value for name, value in headers.items() if value}

    @property
    def _is_tagged(self) -> bool:
        """True for a record as a text of tags and plays: unlike JSON, it does not begin with a brace."""
        return isinstance(self.body, str) and not self.body.lstrip().startswith("{")

    def write_body(self) -> bytes:
        """Return the body."""
        if isinstance(self.body, str):
            return self.body.encode()
        return b"" if self.body is None else msgspec.json.encode(self.body)


def new_key() -> str:
    """Return a new Idempotency-Key."""
    return uuid4().hex


def path_of(game_id: str) -> str:
    """Return the path of a live game."""
    return f"/v1/games/{quote(game_id, safe='')}"


def without_none(**fields: object) -> dict[str, object]:
    """Return the given fields."""
    return {name: value for name, value in fields.items() if value is not None}


def read(response: httpx.Response, kind: type[Content]) -> Content:
    """Decode an answer.

    Errors: Refusal; NoAnswer, if it is not an answer of this service.
    """
    refuse(response)
    return decode(response.content or b"null", kind)


def refuse(response: httpx.Response) -> None:
    """Raise the problem in an unsuccessful answer, whose body has been read.

    Errors: Refusal; NoAnswer, if it is not an answer of this service.
    """
    if response.is_success:
        return
    after = response.headers.get("retry-after", "")
    seconds = float(after) if after.isdecimal() else 0.0
    status = response.status_code
    if response.headers.get("content-type", "").startswith(_PROBLEM):
        problem = decode(response.content, Problem, status, seconds)
        raise KINDS.get(problem.code, Refusal)(problem, seconds)
    raise NoAnswer(f"{response.url.host} answered with the status {status}.", status, seconds)


def decode(raw: bytes | str, kind: type[Content], status: int = 200, retry_after: float = 0) -> Content:
    """Decode JSON. Unknown events are left out.

    Errors: NoAnswer with the status of the answer, if it does not fit.
    """
    try:
        try:
            return _decoder_of(kind).decode(raw)
        except msgspec.ValidationError:
            return msgspec.convert(_drop_unknown_events(msgspec.json.decode(raw)), kind)
    except _UNREADABLE as exc:
        raise NoAnswer(f"The answer with the status {status} cannot be read: {exc}", status, retry_after) from exc


def _decoder_of(kind: type[Content]) -> msgspec.json.Decoder[Content]:
    with _MAKING:
        if kind not in _DECODERS:
            _DECODERS[kind] = msgspec.json.Decoder(kind)
        return _DECODERS[kind]


def _drop_unknown_events(node: Any) -> Any:
    if isinstance(node, list):
        return [_drop_unknown_events(inner) for inner in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    fields = cast("dict[str, Any]", node)
    kept = {name: _drop_unknown_events(inner) for name, inner in fields.items()}
    if isinstance(kept.get("events"), list):
        kept["events"] = [event for event in kept["events"] if not _is_new(event)]
    return kept


def _is_new(event: Any) -> bool:
    """Return True for an unknown event."""
    kind = cast("dict[str, Any]", event).get("type") if isinstance(event, dict) else None
    return isinstance(kind, str) and kind not in _EVENTS


MAX_BATCH: Final = 1000
"""The most questions in one batch."""


def whole_answers(answers: Sequence[BatchOutcome]) -> Sequence[BatchOutcome]:
    """Return the answers of a batch before it was full; an answer that is too long alone is kept."""
    for at, answer in enumerate(answers):
        if at and answer.problem and answer.problem.code == "answer_too_large":
            return answers[:at]
    return answers
