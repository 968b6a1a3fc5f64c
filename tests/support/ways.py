"""One question asked in several ways, which all have to give the same answer or the same problem."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from service.api.question_list import LOOKED_UP
from tests.support.http.client import JSON, Answer, Request
from tests.support.http.hostile import HEAVY, broken_tree
from tests.support.http.samples import PATHS
from tests.support.http.sound import KINDS, Body, sound_body
from tests.support.http.tools import write_message

Json: TypeAlias = dict[str, Any]
Send: TypeAlias = Callable[[Request], Answer]
BATCH: Final = "/questions/0"
BY_URL: Final = frozenset(
    kind for kind, path in PATHS.items() if any(op.path.startswith(f"{path}/") for op in LOOKED_UP)
)
"""The kinds of questions that a GET asks by a notation, too."""

DRAWN: Final = frozenset({"deals", "draws"})
"""The kinds of questions whose answers are drawn anew each time, unless they name a seed."""


class AskedQuestion(NamedTuple):
    """A question of a kind."""

    kind: str
    body: Body


class Outcome(NamedTuple):
    """The status of an answer, and the answer or the problem, which has the id of no request."""

    status: int
    answer: Json


def draw_questions(send: Send, seed: str, number: int) -> Iterator[AskedQuestion]:
    """Draw questions by a seed: sound ones, some about a notation, and some that are broken inside their fields."""
    chance = Random(seed)
    for _ in range(number):
        kind = chance.choice([kind for kind in KINDS if kind not in HEAVY])
        body = _draw_body(send, kind, chance)
        names, broken = [*body], deepcopy(body)
        if chance.random() < 0.3:
            broken_tree(broken, chance, 1)
        is_alike = [*broken] == names and (kind not in DRAWN or isinstance(broken.get("seed"), str))
        yield AskedQuestion(kind, broken if is_alike else body)


def _draw_body(send: Send, kind: str, chance: Random) -> Body:
    """Draw a sound body, whose answer is the same each time."""
    body = sound_body(kind, chance)
    if kind in DRAWN:
        return {"seed": "s", **body}
    if kind in BY_URL and "state" in body and chance.random() < 0.8:
        asked = AskedQuestion("positions", body)
        return {"state": by_post(send, asked).answer.get("notation") or body["state"]}
    return body


def read_outcome(status: int, body: bytes) -> Outcome:
    """Read an answer or a problem."""
    answer: Json = msgspec.json.decode(body)
    answer.pop("instance", None)
    return Outcome(status, answer)


def by_post(send: Send, asked: AskedQuestion) -> Outcome:
    """Ask by POST."""
    return _ask(send, "POST", asked)


def by_query(send: Send, asked: AskedQuestion) -> Outcome:
    """Ask by QUERY."""
    return _ask(send, "QUERY", asked)


def _ask(send: Send, method: str, asked: AskedQuestion) -> Outcome:
    body = msgspec.json.encode(asked.body)
    answer = send(Request(PATHS[asked.kind], (body,), method, (("content-type", JSON),)))
    return read_outcome(answer.status, answer.body)


def by_url(send: Send, asked: AskedQuestion) -> Outcome | None:
    """Ask by GET, where the notation is no `state`. Return None for a question that is not about a notation."""
    notation = asked.body.get("state")
    if asked.kind not in BY_URL or not isinstance(notation, str) or not notation.startswith("ctt1_"):
        return None
    answer = send(Request(f"{PATHS[asked.kind]}/{notation}", method="GET"))
    return read_outcome(answer.status, answer.body.replace(b'"pointer":"/notation"', b'"pointer":"/state"'))


def in_batch(send: Send, asked: AskedQuestion) -> Outcome:
    """Ask in a batch. The pointers of a problem begin at the batch."""
    batch = {"questions": [{"kind": asked.kind, **asked.body}]}
    answer = send(Request(PATHS["batches"], (msgspec.json.encode(batch),), headers=(("content-type", JSON),)))
    (item,) = msgspec.json.decode(answer.body)["answers"]
    told = item.get("answer") or item["problem"]
    for error in told.get("errors", ()):
        error["pointer"] = error["pointer"].removeprefix(BATCH)
    return read_outcome(item["status"], msgspec.json.encode(told))


def by_tool(send: Send, asked: AskedQuestion) -> Outcome:
    """Ask by a call of a tool."""
    answer = send(write_message("tools/call", {"name": asked.kind, "arguments": asked.body}))
    result = msgspec.json.decode(answer.body)["result"]
    told = result["structuredContent"]
    return read_outcome(told["status"] if result["isError"] else 200, msgspec.json.encode(told))


WAYS: Final[dict[str, Callable[[Send, AskedQuestion], Outcome | None]]] = {
    "POST": by_post,
    "QUERY": by_query,
    "GET": by_url,
    "batch": in_batch,
    "MCP": by_tool,
}
"""The ways over HTTP; those who have no packages of ours have these alone."""
