"""Formats: Content-Type of a request, and Accept for its answer."""

import msgspec
import pytest

from service.http import negotiation
from tests.support.http.client import JSON, MSGPACK, Answer, Request, ask, post, refused

PATH = "/v1/draws"
BODY = {"players": 4, "seed": "one"}
NO_TYPE = (("content-type", ""),)
TEXT = (("content-type", "text/plain;charset=UTF-8"),)
"""The type that a browser gives to a text."""


def accepted(accept: str | None, content: str = JSON) -> Answer:
    """Ask in a format and accept another."""
    headers = [("content-type", content)] + ([] if accept is None else [("accept", accept)])
    return post(PATH, BODY, *headers)


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        " application/json ; charset=utf-8",
        'application/json; charset="UTF-8"',
        "application/json;charset=utf8",
        "application/json; profile=x",
        "application/json;",
    ],
)
def test_json_is_known_by_its_name_however_it_is_written(content_type: str) -> None:
    answer = post(PATH, BODY, ("content-type", content_type))
    assert (answer.status, answer.media) == (200, JSON)


def test_the_end_of_a_very_long_header_is_not_read() -> None:
    assert negotiation.weigh("a/b, " * 10 + "gzip", "gzip") == 1
    assert negotiation.weigh("a/b, " * 1000 + "gzip", "gzip") == 0


@pytest.mark.parametrize("method", ["POST", "QUERY"])
def test_a_body_without_a_content_type_is_refused(method: str) -> None:
    """A page of any origin can send one without being asked for leave, to a service in its visitor's network."""
    problem = refused(ask(Request(PATH, (msgspec.json.encode(BODY),), method, NO_TYPE)), "unsupported_media_type")
    assert "Content-Type" in problem.detail


@pytest.mark.parametrize("path", ["/v1/games", "/v1/batches", "/mcp"])
def test_nothing_is_opened_or_called_without_a_content_type(path: str) -> None:
    body = b'{"rules": "trebor", "players": 4}'
    assert [ask(Request(path, (body,), headers=headers)).status for headers in (NO_TYPE, TEXT)] == [415, 415]


def test_where_there_is_no_body_none_has_to_be_named() -> None:
    assert refused(post(PATH, b"", *NO_TYPE), "malformed_body").status == 400


@pytest.mark.parametrize(
    ("content_type", "named"),
    [
        ("text/plain", "text/plain"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("application/problem+json", "application/problem+json"),
        ("application/jsonx", "application/jsonx"),
        ("json", "json"),
        ("é/\xff", "é/\xff"),
        ("application/json; charset=latin-1", "latin-1"),
        ("application/json; charset=utf-16", "utf-16"),
        ("application/json; charset=", "charset"),
        ("x/" + "y" * 900, "x/yyy"),
        ("application/json;" + " " * 1000, "1000 bytes"),
    ],
)
def test_any_other_content_type_is_refused_and_named(content_type: str, named: str) -> None:
    problem = refused(post(PATH, BODY, ("content-type", content_type)), "unsupported_media_type")
    assert named in problem.detail
    assert len(problem.detail) < 200


def test_of_two_content_types_neither_counts() -> None:
    problem = refused(
        post(PATH, BODY, ("content-type", JSON), ("content-type", MSGPACK), ("accept", JSON)), "unsupported_media_type"
    )
    assert f"{JSON}, {MSGPACK}" in problem.detail


def test_two_headers_accept_are_one_list() -> None:
    assert post(PATH, BODY, ("accept", f"{JSON};q=0.5"), ("accept", MSGPACK)).media == MSGPACK


@pytest.mark.parametrize("content", [JSON, MSGPACK])
@pytest.mark.parametrize("accept", [None, "", " , ", "*/*", "application/*", "text/html, */*;q=0.1", "*/*;q=nonsense"])
def test_who_has_no_wish_is_answered_as_he_asked(accept: str | None, content: str) -> None:
    assert accepted(accept, content).media == content


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (MSGPACK, MSGPACK),
        (JSON, JSON),
        (f"text/html, {MSGPACK}", MSGPACK),
        (f"{MSGPACK}, {JSON}", JSON),
        (f"{MSGPACK};q=0.9, {JSON};q=0.8", MSGPACK),
        (f"{MSGPACK};q=0.8, {JSON};q=0.9", JSON),
        (f"{MSGPACK} ; q=1.0 , {JSON} ; q=0.999", MSGPACK),
        (f"{JSON};q=0, */*", MSGPACK),
        (f"{JSON};q=0.1, application/*;q=0.5", MSGPACK),
        (f"*/*;q=0.5, {MSGPACK};q=0.4", JSON),
        ("Application/MsgPack", MSGPACK),
        (f"{JSON}; charset=utf-8", JSON),
        (f"{JSON};version=1;q=0.2, {MSGPACK};q=0.1", JSON),
        (f"{MSGPACK};q=inf", MSGPACK),
        (f"{MSGPACK};q=nan", MSGPACK),
        (f"{MSGPACK};q=-1", MSGPACK),
        (f"{MSGPACK};q=1e999", MSGPACK),
    ],
)
def test_the_answer_is_in_the_format_most_wanted(accept: str, media: str) -> None:
    assert accepted(accept).media == media


@pytest.mark.parametrize(
    "accept",
    ["text/html", "image/*", "application/xml", f"{JSON};q=0", "*/*;q=0.000", "x", ";q=1", "*/json", "*" * 1001],
)
def test_what_cannot_be_had_is_refused(accept: str) -> None:
    refused(accepted(accept), "not_acceptable")


def test_several_accept_headers_are_one() -> None:
    headers = (("accept", "text/html"), ("accept", f"{JSON};q=0.5"), ("accept", MSGPACK))
    assert ask(Request(PATH, (b'{"players":4}',), headers=headers)).media == MSGPACK


def test_a_refusal_is_the_same_the_second_time() -> None:
    for refused_for in (("accept", "text/html"), ("content-type", "a/b")):
        headers = (refused_for, ("x-request-id", "the-same"))
        assert post(PATH, BODY, *headers).body == post(PATH, BODY, *headers).body


def test_no_long_header_is_remembered() -> None:
    before = negotiation._negotiate_cached.cache_info().currsize
    for at in range(20):
        accepted("*/*," * 250 + f"x/{at}")
    assert negotiation._negotiate_cached.cache_info().currsize == before


def test_what_is_remembered_of_headers_is_bounded() -> None:
    for at in range(300):
        accepted(f"{JSON}, x/{at}")
    info = negotiation._negotiate_cached.cache_info()
    assert info.maxsize is not None
    assert info.currsize <= info.maxsize


@pytest.mark.parametrize("encoding", ["gzip", "br", "x", "gzip, identity"])
def test_a_body_that_is_encoded_is_refused(encoding: str) -> None:
    problem = refused(post(PATH, BODY, ("content-encoding", encoding)), "unsupported_media_type")
    assert "Content-Encoding" in problem.detail


@pytest.mark.parametrize("encoding", ["identity", "Identity"])
def test_a_body_that_says_that_it_is_not_encoded_is_read(encoding: str) -> None:
    assert post(PATH, BODY, ("content-encoding", encoding)).status == 200
