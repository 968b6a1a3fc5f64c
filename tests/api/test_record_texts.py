"""A record can be sent as a text: it is adjudicated as its JSON is, and its faults have their line and column."""

import asyncio
import codecs
from itertools import islice
from random import Random
from typing import Any, Final

import msgspec
import pytest

from openapi.examples.questions import RECORD_TEXT
from service.game.notation.record import MEDIA_TYPE, format_record
from service.game.rules.record import Record
from service.live.store.memory import MemoryStore
from service.platform import time_slices
from tests.game.golden.playthrough import SETTINGS, Setting
from tests.game.notation.records import draw_records, golden_record
from tests.support.games.callers import Live
from tests.support.http.client import JSON, MSGPACK, Answer, Request, post, read_problem, send_request, the_app
from tests.support.http.samples import RECORD

PATH: Final = "/v1/adjudications"
TEXT: Final = ("content-type", MEDIA_TYPE)


def send(text: str, *headers: tuple[str, str]) -> Answer:
    return post(PATH, text.encode(), *(headers or (TEXT,)))


@pytest.mark.parametrize("setting", SETTINGS[::5], ids=lambda setting: setting.seed)
def test_a_text_is_adjudicated_as_the_record_that_it_stands_for(setting: Setting) -> None:
    record = golden_record(setting)
    told, expected = send(format_record(record)), post(PATH, msgspec.to_builtins(record))
    assert (told.status, told.media, told.body) == (200, JSON, expected.body)


def test_a_text_is_refused_as_the_record_that_it_stands_for() -> None:
    for record in islice(draw_records(3), 40):
        told, expected = send(format_record(record)), post(PATH, msgspec.to_builtins(record))
        assert told.status == expected.status
        if told.status != 200:
            one, other = read_problem(told), read_problem(expected)
            assert (one.code, one.detail) == (other.code, other.detail)
            for error in one.errors:
                assert error.line is not None


def test_the_answer_to_a_text_comes_in_the_format_that_is_wanted() -> None:
    assert send(RECORD_TEXT).media == JSON
    assert send(RECORD_TEXT, TEXT, ("accept", MSGPACK)).media == MSGPACK
    assert send(RECORD_TEXT, ("content-type", f"{MEDIA_TYPE}; charset=utf-8")).status == 200
    assert read_problem(send(RECORD_TEXT, TEXT, ("accept", MEDIA_TYPE))).code == "not_acceptable"


def test_the_record_of_a_live_game_comes_as_a_text_that_can_be_adjudicated() -> None:
    with asyncio.Runner() as runner:
        table = Live(runner, MemoryStore(100, 2**24)).open("trebor")
        table.play_game(Random(1))
        path = f"{table.path}/record"
        told, plain = (table.live.call("GET", path, headers=(("accept", media),)) for media in (MEDIA_TYPE, JSON))
    assert (told.status, told.headers["content-type"]) == (200, f"{MEDIA_TYPE}; charset=utf-8")
    assert told.body.decode() == format_record(plain.read(Record))
    assert send(told.body.decode()).body == post(PATH, plain.read(dict[str, Any])).body


def test_a_malformed_text_is_refused_with_line_and_column() -> None:
    problem = read_problem(send(RECORD_TEXT.replace("7s\n", "7x\n")))
    [error] = list(problem.errors)
    assert (problem.code, error.pointer, error.line, error.column) == ("malformed_notation", "", 8, 7)


def test_a_long_text_lets_other_requests_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**9))
    monkeypatch.setattr(time_slices, "perf_counter", lambda: next(clock) * time_slices.SLICE_SECONDS * 2)
    body = (RECORD_TEXT + "\n" * 3000 + "x").encode()

    async def turns() -> int:
        task = asyncio.create_task(send_request(Request(PATH, (body,), headers=(TEXT,)), the_app()))
        count = 0
        while not task.done():
            count += 1
            await asyncio.sleep(0)
        return count

    assert asyncio.run(turns()) > 3000


def test_an_impossible_record_is_refused_with_line_and_column() -> None:
    problem = read_problem(send(RECORD_TEXT.replace("K6sJ", "K6sA")))
    [error] = list(problem.errors)
    assert (problem.code, error.code) == ("impossible_state", "card_twice")
    assert (error.line, error.column) == (7, 2)
    assert error.pointer.startswith("/deals/0/")


def test_a_text_that_is_not_utf_8_is_refused() -> None:
    assert read_problem(post(PATH, b"\xff", TEXT)).code == "malformed_body"
    assert read_problem(send(RECORD_TEXT, ("content-type", f"{MEDIA_TYPE}; charset=latin-1"))).status == 415


def test_a_byte_order_mark_is_passed_over() -> None:
    marked = codecs.BOM_UTF8 + RECORD_TEXT.encode()
    assert post(PATH, marked, TEXT).body == send(RECORD_TEXT).body
    for path, body in ((PATH, RECORD), ("/v1/draws", {"players": 4, "seed": "x"})):
        assert post(path, codecs.BOM_UTF8 + msgspec.json.encode(body)).body == post(path, body).body


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_for_utf_16_the_answer_says_what_to_do(encoding: str) -> None:
    as_json = msgspec.json.encode(RECORD).decode()
    for text, header in ((RECORD_TEXT, TEXT), (as_json, ("content-type", JSON))):
        problem = read_problem(post(PATH, text.encode(encoding), header))
        assert (problem.code, problem.detail) == ("malformed_body", "The text is UTF-16: save it as UTF-8.")


def test_tags_that_no_rule_reads_change_no_answer() -> None:
    tagged = RECORD_TEXT.replace("[Sides", '[Event "Friday"]\n[Name0 "Ann"]\n[Sides')
    assert send(tagged).body == send(RECORD_TEXT).body
    tags = [{"name": "Event", "text": "Friday"}]
    assert post(PATH, {**RECORD, "tags": tags}).body == post(PATH, RECORD).body
    problem = read_problem(post(PATH, {**RECORD, "tags": [{"name": "Rules", "text": "trebor"}]}))
    assert [(error.pointer, error.code) for error in problem.errors] == [("/tags/0", "not_allowed_value")]


@pytest.mark.parametrize("path", ["/v1/positions", "/v1/batches", "/v1/games"])
def test_nothing_else_takes_a_record_as_text(path: str) -> None:
    problem = read_problem(post(path, RECORD_TEXT.encode(), TEXT))
    assert (problem.code, MEDIA_TYPE in problem.detail.partition("not ")[2]) == ("unsupported_media_type", False)
    assert MEDIA_TYPE in read_problem(post(PATH, b"", ("content-type", "text/plain"))).detail


def test_a_body_of_json_is_still_an_object() -> None:
    answer: dict[str, Any] = post(PATH, {}).read(dict[str, Any])
    assert answer["code"] == "invalid_body"
