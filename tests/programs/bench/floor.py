"""The floor: the same decoding, rules and encoding as a bare ASGI function, on uvicorn as it comes.

No framework, no routing but a look-up, no negotiation, no limits, no metrics, nothing caught but a refusal.
`python -m tests.programs.bench.floor` serves it; HOST and PORT come from the environment.
"""

import os
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol, get_args
from uuid import uuid4

import msgspec
import uvicorn
from litestar.types import Receive, Scope, Send

from service.api.batches import batch as batches
from service.api.batches import items as batch_questions
from service.http.problem_document import write_problem
from service.schemas.refusal import Refusal
from tests.support.questions import QUESTIONS


class _Way(NamedTuple):
    decode: Callable[[bytes], Any]
    ask: Callable[[Any], object]


class _Batch(Protocol):
    questions: tuple[object, ...]


_QUESTION_OF: Final = dict(zip(get_args(get_args(batch_questions.AnyItem)[0]), QUESTIONS, strict=False))


def _ask_all(batch: _Batch) -> object:
    return {"answers": [_answered(item) for item in batch.questions]}


def _answered(item: object) -> object:
    question = _QUESTION_OF[type(item)]
    return {"kind": question.kind, "status": 200, "answer": question.ask(item), "problem": None}


_WAYS: Final = {
    batches.PATH: _Way(msgspec.json.Decoder(batch_questions.Batch).decode, _ask_all),
    **{question.path: _Way(msgspec.json.Decoder(question.body).decode, question.ask) for question in QUESTIONS},
}
_encode: Final = msgspec.json.Encoder().encode


def answer(path: str, raw: bytes) -> tuple[int, bytes]:
    """Decode, ask and encode; return the status, too."""
    way = _WAYS[path]
    try:
        return 200, _encode(way.ask(way.decode(raw)))
    except Refusal as refusal:
        problem = write_problem(refusal, str(uuid4()))
        return problem.status, _encode(problem)


async def floor(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request."""
    message: Any = await receive()
    raw = message["body"]
    while message["more_body"]:
        message = await receive()
        raw += message["body"]
    status, body = answer(scope["path"], raw)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


if __name__ == "__main__":
    served: Any = floor
    uvicorn.run(served, host=os.environ["HOST"], port=int(os.environ["PORT"]), access_log=False, log_level="warning")
