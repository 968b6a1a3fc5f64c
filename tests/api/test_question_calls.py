"""A question: its body is decoded once, and its answer encoded once."""

import asyncio
from typing import Any

import msgspec
import pytest

from service.api.batches.batch import PATH
from tests.support.call_counts import Calls
from tests.support.http.client import JSON, MSGPACK, Answer, Request, send_request, the_app
from tests.support.http.samples import BODIES, EVERY, PATHS

KINDS = sorted(set(PATHS) - {"batches"})
ILLEGAL = BODIES["next_states"] | {"cards": ["AS"]}


def _counted(path: str, body: Any, media: str = JSON) -> tuple[Answer, Calls]:
    encode = msgspec.json.encode if media == JSON else msgspec.msgpack.encode
    request = Request(path, (encode(body),), headers=(("content-type", media),))
    app, calls = the_app(), Calls()

    async def ask() -> Answer | None:
        with calls.counted():
            return await send_request(request, app)

    answer = asyncio.run(ask())
    assert answer is not None
    return answer, calls


@pytest.mark.parametrize("media", [JSON, MSGPACK])
@pytest.mark.parametrize("kind", KINDS)
def test_a_body_is_decoded_once_and_its_answer_encoded_once(kind: str, media: str) -> None:
    answer, calls = _counted(PATHS[kind], EVERY[kind], media)
    assert answer.status == 200
    assert (calls.decodes, calls.encodes, calls.others) == (1, 1, [])


def test_an_illegal_play_is_decoded_once_and_encoded_once() -> None:
    answer, calls = _counted(PATHS["next_states"], ILLEGAL)
    assert answer.status == 422
    assert (calls.decodes, calls.encodes, calls.others) == (1, 1, [])


@pytest.mark.parametrize("kind", ["diagnoses", "next_states", "positions"])
def test_a_batch_is_decoded_as_a_whole_and_not_item_by_item(kind: str) -> None:
    questions = [{"kind": kind, **BODIES[kind]}] * 200
    answer, calls = _counted(PATH, {"questions": questions})
    assert answer.status == 200
    assert (calls.decodes, calls.others) == (1, [])
    # Items may be encoded one by one: that is how a big batch lets others have their turn.
    assert calls.encodes <= 2 * len(questions)


def test_the_calls_that_are_counted_are_those_that_are_made() -> None:
    calls = Calls()
    with calls.counted():
        decoded = msgspec.json.Decoder().decode(b"[1]")
        msgspec.json.Encoder().encode(msgspec.convert(decoded, list[int]))
    assert (calls.decodes, calls.encodes, calls.others) == (1, 1, ["convert"])
