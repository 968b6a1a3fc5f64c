"""Half of a character in a text, as of an emoji that was cut: told with its place, and of a batch no other question."""

import json
from typing import Any, Final

import pytest

from service.http.surrogates import DETAIL, mark_halves
from service.schemas.faults import Error
from tests.support.games.callers import GAMES, Live
from tests.support.http.client import post, refused

HALVES: Final = (r"\ud83d", r"a\uDE00", r"\ud83dx", r"\ud83d\u0041", r"\ud83d\ud83d\ude00", r"\\\ud83d", r"\ud83d ")
WHOLE: Final = (r"\ud83d\ude00", r"\\ud83d", r"\u00e9", "é", r"\\\\ud83d")
DRAW: Final = '{"kind":"draws","players":2,"seed":"bute"}'


@pytest.mark.parametrize("half", HALVES)
def test_a_name_that_was_cut_inside_an_emoji_has_a_pointer_and_a_sentence(live: Live, half: str) -> None:
    body = '{"rules":"trebor","players":2,"seats":[{"name":"Ann"},{"name":"' + half + '"}]}'
    problem = refused(live.call("POST", GAMES, body.encode()), "invalid_body")
    assert problem.errors == (Error("/seats/1/name", "wrong_pattern", DETAIL),)
    assert problem.detail == DETAIL


def test_half_a_character_in_the_name_of_a_field_leads_to_its_object() -> None:
    problem = refused(post("/v1/draws", rb'{"players":{"\ud83d":1}}'), "invalid_body")
    assert problem.errors == (Error("/players", "wrong_pattern", DETAIL),)


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("more", [0, 40])
def test_half_a_character_refuses_one_question_of_a_batch(half: str, more: int) -> None:
    cut = '{"kind":"draws","players":2,"seed":"' + half + '"}'
    padding = [json.dumps({"kind": "scores", "seed": "é" * 2000})] * more
    body = f'{{"questions":[{",".join([DRAW, cut, DRAW, *padding])}]}}'.encode()
    answers = post("/v1/batches", body).read(dict[str, list[dict[str, Any]]])["answers"]
    assert [answer["status"] for answer in answers[:3]] == [200, 400, 200]
    assert answers[0]["answer"] == answers[2]["answer"]
    (error,) = answers[1]["problem"]["errors"]
    assert (error["pointer"], error["detail"]) == ("/questions/1/seed", DETAIL)


@pytest.mark.parametrize("text", WHOLE)
def test_whole_characters_and_escaped_backslashes_stay(text: str) -> None:
    raw = f'{{"a":"{text}"}}'.encode()
    assert mark_halves(raw) == raw


def test_what_is_malformed_otherwise_stays_malformed() -> None:
    for raw in (rb'{"players":"\ud83d"', rb'{"players":"\ud83"}', b'{"players":"\xff"}', b"[" * 5000 + rb'"\ud83d"'):
        refused(post("/v1/draws", raw), "malformed_body")
