"""The endpoint of every question: methods, formats, limits, and what becomes of a client that leaves."""

from typing import Final

import pytest

from service.http.operation import RECORD_BYTES
from service.platform.settings import Settings
from tests.support.http.client import JSON, LIMIT, MSGPACK, Request, ask, call, post, refused
from tests.support.http.samples import EVERY, PATHS

KINDS = sorted(PATHS)
DRAWS = PATHS["draws"]
PLAYERS = b'{"players":4,"seed":"one"}'


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_is_answered_in_json_and_messagepack_alike(kind: str) -> None:
    as_json = post(PATHS[kind], EVERY[kind], ("content-type", JSON))
    as_msgpack = post(PATHS[kind], EVERY[kind], ("content-type", MSGPACK))
    assert as_json.status == as_msgpack.status == 200
    assert as_msgpack.media == MSGPACK
    assert as_json.read(dict[str, object]) == as_msgpack.read(dict[str, object])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW"])
def test_a_question_is_asked_with_post_and_query_alone(kind: str, method: str) -> None:
    answer = ask(Request(PATHS[kind], (PLAYERS,), method))
    refused(answer, "method_not_allowed")
    assert answer.headers["allow"] == "OPTIONS, POST, QUERY"
    assert answer.parts_read == 0


LIMITS: Final = dict.fromkeys(KINDS, LIMIT) | {
    "adjudications": RECORD_BYTES,
    "analyses": RECORD_BYTES,
    "batches": Settings().max_body_bytes,
}
"""Bytes of the longest body, by kind of question."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_that_is_too_long_is_refused_by_its_announced_length_before_any_of_it_is_read(kind: str) -> None:
    limit = LIMITS[kind]
    answer = ask(Request(PATHS[kind], (b"",), headers=(("content-length", str(limit + 1)),)))
    assert str(limit) in refused(answer, "body_too_large").detail
    assert answer.parts_read == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_that_turns_out_too_long_is_read_no_further(kind: str) -> None:
    half = b" " * (LIMITS[kind] // 2)
    answer = ask(Request(PATHS[kind], (half, half, b" ", b" ", PLAYERS)))
    refused(answer, "body_too_large")
    assert answer.parts_read == 3


def test_a_body_of_just_the_greatest_length_is_read() -> None:
    body = PLAYERS + b" " * (LIMIT - len(PLAYERS))
    assert ask(Request(DRAWS, (body,), headers=(("content-length", str(LIMIT)),))).status == 200


@pytest.mark.parametrize("length", ["", "abc", "-1", "1_000", "0x10", "0" * 40 + "26", "²"])
def test_a_length_that_is_no_length_or_a_small_one_does_no_harm(length: str) -> None:
    assert ask(Request(DRAWS, (PLAYERS,), headers=(("content-length", length),))).status == 200


@pytest.mark.parametrize("length", ["9" * 20, "9" * 10_000, "0" + str(LIMIT + 1), f" {LIMIT + 1} "])
def test_a_length_of_any_size_is_understood(length: str) -> None:
    refused(ask(Request(DRAWS, (PLAYERS,), headers=(("content-length", length),))), "body_too_large")


def test_a_body_may_come_in_many_parts() -> None:
    parts = tuple(PLAYERS[at : at + 1] for at in range(len(PLAYERS)))
    assert ask(Request(DRAWS, (b"", *parts, b""))).status == 200


def test_of_two_fields_of_one_name_the_last_counts() -> None:
    assert post(DRAWS, b'{"players":9,"players":2,"seed":"a","seed":"b"}').status == 400
    last = post(DRAWS, b'{"players":3,"players":2,"seed":"a","seed":"b"}')
    assert last.body == post(DRAWS, b'{"players":2,"seed":"b"}').body


@pytest.mark.parametrize("parts", [(b"",), (PLAYERS,), (PLAYERS[:5], b"")])
def test_nothing_is_answered_to_a_client_that_leaves_before_its_body_is_read(parts: tuple[bytes, ...]) -> None:
    assert call(Request(DRAWS, parts, leaves=True)) is None


@pytest.mark.parametrize(
    "path",
    [
        "/v1/draws?pretty=1&players=9",
        "/v1/draws?",
        "/v1/draws?%ff",
    ],
)
def test_query_strings_change_nothing(path: str) -> None:
    assert ask(Request(path, (PLAYERS,))).body == post(DRAWS, PLAYERS).body


@pytest.mark.parametrize(
    "path",
    [
        "/v1/Draws",
        "/v1/draws/x",
        "/v1/draws;x",
        "/v1/draws\n",
        "/v1/draws ",
        "/v1/dr\0aws",
        "/v1/../v1/draws",
        "/v1/./draws",
        "/v1/d\ufffdraws",
        "/" + "x" * 100_000,
        "/v1/draws/" + "é" * 10_000,
        "*",
        "/v1",
        "/v2/draws",
    ],
)
def test_no_other_path_leads_to_a_question(path: str) -> None:
    refused(ask(Request(path, (PLAYERS,))), "not_found")


@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        (b"", "empty"),
        (b"{", "truncated"),
        (b"\xef\xbb\xbf{", "truncated"),
        (b"{} {}", "trailing"),
        (b'{"players": NaN}', "malformed"),
        (b'{"seed": "\xff"}', "utf-8"),
        (b'{"x":' + b"[" * 50_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_is_refused_with_the_reason(raw: bytes, detail: str) -> None:
    problem = refused(post(DRAWS, raw), "malformed_body")
    assert detail in problem.detail
    assert problem.errors == ()


@pytest.mark.parametrize("raw", [b"", b"\x81", b"\xc1", b"\x81\xa7players\x04\x00", b"\x81\xa1x" * 20_000])
def test_what_is_no_messagepack_is_refused(raw: bytes) -> None:
    refused(post(DRAWS, raw, ("content-type", MSGPACK)), "malformed_body")


def test_a_refusal_is_json_to_a_caller_who_asks_for_messagepack_too() -> None:
    answer = post(DRAWS, {"players": 1}, ("content-type", MSGPACK), ("accept", MSGPACK))
    refused(answer, "invalid_body")
