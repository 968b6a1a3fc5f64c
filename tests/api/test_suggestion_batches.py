"""Suggestions in a batch: each is the one that it is alone, charged before it starts, and holds nobody up."""

import asyncio
from random import Random
from typing import Any, Final

import msgspec
import pytest

from service.api.batches.batch import PATH
from service.api.batches.items import Batch, decode_batch, price_batch
from service.api.reasoning.thinking import NODES_PER_REQUEST
from service.app import create_app
from service.game.generators import run_to_end
from service.platform import time_slices
from service.platform.settings import Settings
from service.players.player import EFFORTS, MAX_NODES, Level
from tests.platform.metrics.readings import value
from tests.support.http.client import JSON, MSGPACK, Answer, Request, ask, post, send_request, the_app
from tests.support.http.samples import BODIES, STATE, Body
from tests.support.http.sound import sound_body
from tests.support.patience import WAIT

ALONE: Final[Body] = {"state": STATE, "level": "easy", "seed": "s"}
ASKED: Final[Body] = {"kind": "suggestions", **ALONE}
LIGHT: Final[Body] = {"kind": "draws", **BODIES["draws"]}


def batch_of(*questions: object) -> bytes:
    return msgspec.json.encode({"questions": questions})


def decoded(*questions: object) -> Batch:
    return run_to_end(decode_batch(batch_of(*questions), "json"))


@pytest.mark.parametrize("media", [JSON, MSGPACK])
@pytest.mark.parametrize("level", EFFORTS)
def test_a_suggestion_in_a_batch_is_the_one_that_it_is_alone(level: str, media: str) -> None:
    alone = post("/v1/suggestions", {**ALONE, "level": level}, ("content-type", media)).read(dict[str, Any])
    batch = post(PATH, {"questions": [LIGHT, {**ASKED, "level": level}, LIGHT]}, ("content-type", media)).read(
        dict[str, Any]
    )
    assert [item["kind"] for item in batch["answers"]] == ["draws", "suggestions", "draws"]
    assert batch["answers"][1] == {"kind": "suggestions", "status": 200, "answer": alone, "problem": None}


def test_a_suggestion_that_is_refused_spoils_no_other_question() -> None:
    unseen = {**ASKED, "state": {**STATE, "hands": [9, 9, 9, 9]}}
    told = post(PATH, {"questions": [unseen, ASKED]}).read(dict[str, Any])["answers"]
    assert [item["status"] for item in told] == [422, 200]
    assert told[0]["problem"]["errors"][0]["pointer"] == "/questions/0/state/hands/0"


def test_where_suggestions_are_off_one_in_a_batch_is_refused() -> None:
    app = create_app(Settings(max_suggestions=0))
    told = ask(Request(PATH, (batch_of(ASKED, LIGHT),)), app).read(dict[str, Any])["answers"]
    assert [item["status"] for item in told] == [403, 200]
    assert told[0]["problem"]["code"] == "suggestions_off"


@pytest.mark.parametrize("level", EFFORTS)
def test_a_batch_is_charged_for_its_suggestions_before_they_are_thought_out(level: Level) -> None:
    most = MAX_NODES[level] // NODES_PER_REQUEST
    asked = {**ASKED, "level": level}
    assert price_batch(decoded(asked, LIGHT, asked)) == 2 + 2 * most
    assert price_batch(decoded(asked, {"kind": "no such kind"})) == 1 + most


def test_a_suggestion_of_the_wrong_shape_is_charged_as_the_most_that_one_can_take() -> None:
    assert price_batch(decoded({**ASKED, "seed": 1})) == MAX_NODES["hard"] // NODES_PER_REQUEST


def test_no_suggestion_takes_more_than_it_is_charged_for(chance: Random) -> None:
    for _ in range(60):
        body = sound_body("suggestions", chance)
        answer = post("/v1/suggestions", body)
        if answer.status == 200:
            assert answer.read(dict[str, Any])["nodes"] <= MAX_NODES["easy"]


def asked_by(client: str, path: str, raw: bytes, app: Any) -> "asyncio.Task[Answer | None]":
    return asyncio.create_task(send_request(Request(path, (raw,), client=client), app))


def test_suggestions_alone_and_in_batches_of_several_callers_wait_for_each_other_and_are_all_answered() -> None:
    app = create_app(Settings(max_suggestions=4))

    async def ask_at_once() -> list[int]:
        alone = msgspec.json.encode(ALONE)
        asked = [
            task
            for client in ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4")
            for task in (
                asked_by(client, PATH, batch_of(ASKED, LIGHT, ASKED), app),
                asked_by(client, "/v1/suggestions", alone, app),
                asked_by(client, PATH, batch_of({"kind": "claims", **BODIES["claims"], "tricks": 1}), app),
            )
        ]
        async with asyncio.timeout(WAIT):
            answers = await asyncio.gather(*asked)
        return [answer.status for answer in answers if answer is not None]

    assert asyncio.run(ask_at_once()) == [200] * 12
    assert value("catchten_thinking") == 0


def test_other_requests_have_their_turn_while_a_suggestion_of_a_batch_is_thought_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter(range(10**9))
    monkeypatch.setattr(time_slices, "perf_counter", lambda: next(clock) * time_slices.SLICE_SECONDS * 2)

    async def count_turns() -> int:
        task, turns = asked_by("192.0.2.1", PATH, batch_of({**ASKED, "level": "hard"}), the_app()), 0
        while not task.done():
            turns += 1
            await asyncio.sleep(0)
        return turns

    assert asyncio.run(count_turns()) >= 15


def test_a_batch_that_is_given_up_leaves_its_places() -> None:
    app = create_app(Settings(max_suggestions=1))

    async def give_up() -> int:
        for _ in range(9):
            task = asked_by("192.0.2.1", PATH, batch_of({**ASKED, "level": "hard"}), app)
            await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.wait([task])
        async with asyncio.timeout(WAIT):
            answer = await asked_by("192.0.2.1", PATH, batch_of(ASKED), app)
        assert answer is not None
        return answer.status

    assert asyncio.run(give_up()) == 200
