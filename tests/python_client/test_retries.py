"""Calls that fail in passing are made again, alike, and for no longer than the caller has patience."""

from typing import Any, Final

import httpx
import pytest
from catch_the_ten import NoAnswer, Refusal
from catch_the_ten.problems import TooManyRequests

from tests.python_client.both import Connect
from tests.python_client.script import Script, refused

PERSON = {"name": None, "computer": None, "present": False}
SEATS = [{"seat": seat, "side": seat, **PERSON, "token": "t" * 43} for seat in range(2)]
OPENED = {"id": "i" * 22, "version": "1-aaaaaaaa", "seats": SEATS, "host_token": "h" * 43}


def test_the_same_request_is_sent_again_until_it_is_answered(connect: Connect) -> None:
    lost = (httpx.ConnectError("no"), httpx.ReadTimeout("no"), httpx.RemoteProtocolError("no"))
    script = Script(*lost, httpx.Response(502), refused("store_down", 503), httpx.Response(201, json=OPENED))
    assert connect(script).open_game(rules="trebor", players=2).id == OPENED["id"]
    assert len({(request.headers["idempotency-key"], request.content) for request in script.asked}) == 1
    assert len(script.asked) == 6


def test_two_calls_have_two_keys(connect: Connect) -> None:
    script = Script(*[httpx.Response(201, json=OPENED)] * 2)
    client = connect(script)
    for _ in range(2):
        client.open_game(rules="trebor", players=2)
    assert len({request.headers["idempotency-key"] for request in script.asked}) == 2


def test_a_call_waits_as_long_as_the_service_asks(connect: Connect, monkeypatch: Any) -> None:
    waits: list[float] = []
    monkeypatch.setattr("tenacity.nap.time", type("Time", (), {"sleep": staticmethod(waits.append)}))
    script = Script(refused("too_many_requests", 429, after="1", seconds=1), httpx.Response(200, json={"rulesets": []}))
    assert connect(script).list_rulesets().rulesets == []
    assert all(1 <= wait <= 1.1 for wait in waits)


def test_a_wait_longer_than_the_patience_fails_at_once(connect: Connect) -> None:
    script = Script(refused("too_many_requests", 429, after="3600", seconds=3600))
    with pytest.raises(TooManyRequests) as failed:
        connect(script).list_rulesets()
    assert (failed.value.seconds, failed.value.retry_after, failed.value.passes) == (3600, 3600, True)


def test_without_patience_a_call_is_made_once(connect: Connect) -> None:
    script = Script(httpx.ConnectError("no route"))
    with pytest.raises(NoAnswer, match="no route"):
        connect(script, patience=0).list_rulesets()


@pytest.mark.parametrize("status", [400, 404, 409, 500])
def test_what_does_not_pass_is_not_asked_again(connect: Connect, status: int) -> None:
    with pytest.raises(Refusal) as failed:
        connect(Script(refused("internal_error", status))).list_rulesets()
    assert not failed.value.passes


def test_a_code_that_is_not_known_yet_is_a_refusal_all_the_same(connect: Connect) -> None:
    with pytest.raises(Refusal) as failed:
        connect(Script(refused("not_yet_known", 409))).list_rulesets()
    assert type(failed.value) is Refusal
    assert (failed.value.code, failed.value.text) == ("not_yet_known", "Why.")


UNREADABLE: Final = {
    "no facts": b'{"type":"","title":"","status":503,"detail":"","instance":"","code":"too_busy","errors":[]}',
    "no object": b"[]",
    "other events": b'{"events":[1,{"type":[]}]}',
    "cut off": b'{"type":"/problems/too-',
    "no text": b'{"type":"\xff"}',
    "too deep": b"[" * 100_000,
    "empty": b"",
}


def unreadable(body: bytes, status: int, after: str = "") -> httpx.Response:
    headers = {"Content-Type": "application/problem+json", "Retry-After": after}
    return httpx.Response(status, headers=headers, content=body)


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_problem_that_cannot_be_read_is_retried_like_one_that_can(connect: Connect, body: bytes, status: int) -> None:
    script = Script(unreadable(body, status), httpx.Response(200, json={"rulesets": []}))
    assert connect(script).list_rulesets().rulesets == []


@pytest.mark.parametrize("status", [400, 500, 503])
def test_a_problem_that_cannot_be_read_keeps_its_status_and_its_wait(connect: Connect, status: int) -> None:
    with pytest.raises(NoAnswer, match=f"status {status} cannot be read") as failed:
        connect(Script(unreadable(b"{}", status, after="7")), patience=0).list_rulesets()
    assert (failed.value.passes, failed.value.retry_after) == (status == 503, 7)


@pytest.mark.parametrize(
    "answer",
    [
        (404, "<h1>Another server</h1>"),
        (200, "<h1>Log in</h1>"),
        (200, '{"rulesets": 7}'),
        (200, '{"events": [7]}'),
        (302, ""),
    ],
)
def test_an_answer_that_is_not_of_the_service_is_no_answer(connect: Connect, answer: tuple[int, str]) -> None:
    status, text = answer
    with pytest.raises(NoAnswer) as failed:
        connect(Script(httpx.Response(status, text=text))).list_rulesets()
    assert not failed.value.passes


def test_a_fact_that_a_problem_lacks_is_no_answer(connect: Connect) -> None:
    with pytest.raises(TooManyRequests) as failed:
        connect(Script(refused("too_many_requests", 429)), patience=0).list_rulesets()
    with pytest.raises(NoAnswer, match="lacks"):
        assert failed.value.seconds


def test_a_key_is_sent_with_every_call(connect: Connect) -> None:
    script = Script(httpx.Response(200, json={"rulesets": []}))
    connect(script, key="of the app").list_rulesets()
    assert script.asked[0].headers["x-api-key"] == "of the app"


@pytest.mark.parametrize(("patience", "wait"), [(0.0, 10.0), (45.0, 45.0)])
def test_a_heavy_question_waits_for_its_answer_in_place_of_being_asked_again(
    connect: Connect, patience: float, wait: float
) -> None:
    script = Script(refused("internal_error", 500), httpx.Response(200, json={"rulesets": []}))
    client = connect(script, patience=patience)
    with pytest.raises(Refusal):
        client.suggestions("ctt1_line", level="hard")
    client.list_rulesets()
    heavy, light = (request.extensions["timeout"]["read"] for request in script.asked)
    assert (heavy, light) == (wait, 5)


@pytest.mark.parametrize(
    ("text", "media"),
    [(' {"rules": "trebor"}', "application/json"), ('[Rules "trebor"]', "text/vnd.catch-the-ten.record")],
)
def test_a_record_is_sent_as_a_text_in_json_or_of_tags(connect: Connect, text: str, media: str) -> None:
    script = Script(refused("internal_error", 500))
    with pytest.raises(Refusal):
        connect(script).adjudications(record=text)
    assert (script.asked[0].headers["content-type"], script.asked[0].content.decode()) == (media, text)
