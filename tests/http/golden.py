"""The answers in answers.txt, for a person to review: python -m tests.http.golden writes them anew.

Requests of a corpus are kept if they show something new: an operation with a new method, status, problem or format.
Shown of these are the first answer of each operation, of each problem and in each format. The last block has a digest
of the others for each operation: `python -m tests.http.golden all` prints them, to be compared with those of another
commit. Tokens, seeds, nonces and the time are the same in every run, so that an answer is the same as well.
"""

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import SystemRandom
from typing import Final
from unittest.mock import patch

import msgspec

from service.api.operation_list import OPERATIONS
from service.live.store.memory import MemoryStore
from service.platform.settings import Settings
from tests.http.corpus import (
    HASHED_KEY,
    Asked,
    ask_examples,
    ask_notations,
    ask_record_texts,
    call_methods,
    provoke_problems,
    use_up_quotas,
)
from tests.http.game_corpus import play_game
from tests.support.games.callers import Live
from tests.support.http.client import MSGPACK, Answer, Request

ANSWERS: Final = Path(__file__).with_name("answers.txt")
SECTIONS: Final[tuple[Callable[[Asked], None], ...]] = (
    ask_examples,
    ask_record_texts,
    provoke_problems,
    ask_notations,
    call_methods,
    use_up_quotas,
    partial(play_game, "trebor"),
)
"""The requests by topic; each section is sent to its own service."""
SHOWN: Final = 1500
"""The characters of a body that are shown; the rest is hashed."""
_OF_A_MOMENT: Final = re.compile(r'(;t=|again in |"seconds":|retry-after: )\d+')
"""The seconds until a quota is there again."""
_ROUTES: Final = [(op, re.compile(re.sub(r"\{\w+\}", "[^/]+", op.path))) for op in OPERATIONS]


def _repeat(_: SystemRandom, size: int) -> bytes:
    return b"\x5e" * size


def ask_repeatably(ask: Callable[[Asked], None], settings: Settings | None = None) -> Asked:
    """Send requests to a new service whose answers are the same in every run."""
    with asyncio.Runner() as runner, patch.object(SystemRandom, "randbytes", _repeat):
        asked = Asked(Live(runner, MemoryStore(1000, 2**24), settings, lambda: 1_700_000_000_000))
        ask(asked)
    return asked


def write_answers(others: dict[str, list[str]]) -> Iterator[str]:
    """Write the answers for review, and put the others that show something new under their operation."""
    seen, reviewed = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for ask in SECTIONS:
        limited = Settings(api_keys=HASHED_KEY, rate_limit="12/hour") if ask is use_up_quotas else None
        for request, answer in ask_repeatably(ask, limited).pairs:
            shown, to_review = {*_list_shown(request, answer)}, {*_list_to_review(request, answer)}
            written = "" if shown <= seen else _OF_A_MOMENT.sub(r"\1…", write_answer(request, answer))
            if written and not to_review <= reviewed:
                yield written
                reviewed |= to_review
            elif written:
                others.setdefault(operation_of(request), []).append(written)
            seen |= shown


def write_all() -> Iterator[str]:
    """Write the answers for review, and a block with a digest of the others for each operation."""
    others = dict[str, list[str]]()
    yield from write_answers(others)
    yield "\n".join(
        f"{name}: {len(written)} more, SHA-256 {sha256(msgspec.json.encode(written)).hexdigest()[:16]}"
        for name, written in others.items()
    )


def read_answers() -> list[str]:
    """Return the answers that are kept, and after them the digests of the others."""
    return ANSWERS.read_text().removesuffix("\n").split("\n\n")


def operation_of(request: Request) -> str:
    """Return the operation that a request asks for, by its id, or the path of some that it asks by another method."""
    path = request.path.partition("?")[0]
    found = [op for op, pattern in _ROUTES if pattern.fullmatch(path)]
    methods = {"QUERY": "POST", "HEAD": "GET"}
    asked = [op for op in found if op.method == methods.get(request.method, request.method)]
    return next((op.operation_id for op in asked), found[0].path if found else "another path")


def _list_shown(request: Request, answer: Answer | None) -> Iterator[tuple[str, ...]]:
    """List what an answer is an example of."""
    name = operation_of(request)
    if answer is None:
        yield name, "no answer"
        return
    code = re.search(rb'"code":"(\w+)"', answer.body) if answer.status >= 400 else None
    yield name, str(answer.status), code[1].decode() if code else ""
    if answer.status < 400:
        yield name, request.method, answer.headers.get("content-type", "")
        yield name, request.method, dict(request.headers).get("content-type", "")


def _list_to_review(request: Request, answer: Answer | None) -> Iterator[tuple[str, ...]]:
    """List what a person reviews an answer as an example of."""
    if answer is None:
        yield ("no answer",)
        return
    code = re.search(rb'"code":"(\w+)"', answer.body) if answer.status >= 400 else None
    yield ("problem", code[1].decode()) if code else ("status", str(answer.status))
    if answer.status < 400:
        yield ("operation", operation_of(request)) if answer.status != 204 else ("method", request.method)
        yield "accepted", dict(request.headers).get("content-type", "")
        yield "sent", answer.headers.get("content-type", "")


def write_answer(request: Request, answer: Answer | None) -> str:
    """Write a request and its answer, each as a line, its headers and its body."""
    sent = _show(b"".join(request.parts), request.headers)
    lines = [f"{request.method} {request.path}", *(f"{name}: {value}" for name, value in request.headers), *sent]
    lines += ["(the client leaves)"] * request.leaves
    if answer is None:
        return "\n".join([*lines, "→ no answer"])
    usual = {"content-length": str(len(answer.body)), "x-request-id": "the-same"}
    headers = [f"{name}: {value}" for name, value in answer.headers.items() if usual.get(name) != value]
    return "\n".join([*lines, f"→ {answer.status}", *headers, *_show(answer.body, tuple(answer.headers.items()))])


def _show(body: bytes, headers: tuple[tuple[str, str], ...]) -> list[str]:
    """Show a body in one line: MessagePack as JSON if equal, other bytes as escapes."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = repr(body)
    if ("content-type", MSGPACK) in headers:
        decoded = msgspec.msgpack.decode(body)
        if msgspec.msgpack.encode(decoded) == body:
            text = f"MessagePack {msgspec.json.encode(decoded).decode()}"
    text = text.replace("\n", "⏎")
    hashed = f" … {len(body)} bytes, SHA-256 {sha256(body).hexdigest()[:16]}" if len(text) > SHOWN else ""
    return [text[:SHOWN] + hashed] if text else []


if __name__ == "__main__":
    if sys.argv[1:] == ["all"]:
        unshown = dict[str, list[str]]()
        print("\n\n".join([*write_answers(unshown), *(each for written in unshown.values() for each in written)]))
    else:
        ANSWERS.write_text("\n\n".join(write_all()) + "\n")
        print(len(read_answers()) - 1, "answers in", ANSWERS)
