"""The Model Context Protocol: its newest version and those before it, and what is refused with which code."""

import re
from typing import Any, Final

import msgspec
import pytest

from service import __version__
from service.api.mcp.endpoint import MAX_MESSAGE_BYTES, PATH
from service.api.mcp.protocol import LATEST, SUPPORTED, WITH_HANDSHAKE
from service.app import create_app
from service.game.rulesets import RULESETS, Ruleset
from service.http.operation import BODY_BYTES
from service.platform.settings import Settings
from tests.support.http.client import JSON, Answer, Request, ask, refused
from tests.support.http.server import ROOT
from tests.support.http.tools import Json, call_tool, read_result, with_headers, write_message

DRAW: Final = {"name": "draws", "arguments": {"players": 2, "seed": "s"}}
CALL: Final = write_message("tools/call", DRAW)
CAPABILITIES: Final = b'{"io.modelcontextprotocol/clientCapabilities"'
DEEP: Final = b'{"a":' * 50_000 + b"0" + b"}" * 50_003
PAGE: Final = "https://cards.example"


def error_of(answer: Answer) -> tuple[int, int, Any]:
    """Return the status, the code and the id of an error."""
    read = msgspec.json.decode(answer.body)
    assert set(read) == {"jsonrpc", "id", "error"}
    assert read["error"]["message"]
    return answer.status, read["error"]["code"], read["id"]


def test_a_client_discovers_the_versions_the_tools_and_how_to_use_them() -> None:
    found = read_result(ask(write_message("server/discover")))
    assert found["supportedVersions"] == list(SUPPORTED)
    assert found["capabilities"] == {"tools": {}, "resources": {}}
    assert "deals" in found["instructions"]
    assert found["resultType"] == "complete"
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["version"] == __version__
    assert (found["cacheScope"], found["ttlMs"] > 0) == ("public", True)


@pytest.mark.parametrize("version", WITH_HANDSHAKE)
def test_a_client_of_an_older_version_shakes_hands_and_calls_with_no_session(version: str) -> None:
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    answer = ask(with_headers(write_message("initialize", hello, version), mcp_protocol_version=None))
    assert "mcp-session-id" not in answer.headers
    begun = read_result(answer)
    assert (begun["protocolVersion"], begun["serverInfo"]["name"]) == (version, "catch-the-ten")
    assert begun["instructions"]
    noted = ask(write_message("notifications/initialized", version=version, known=None))
    assert (noted.status, noted.body) == (202, b"")
    assert read_result(ask(write_message("ping", version=version))) == {}
    assert read_result(ask(write_message("tools/list", version=version)))["tools"]
    old, new = [call_tool("draws", DRAW["arguments"], version=each) for each in (version, LATEST)]
    assert {"resultType", "_meta"} <= set(new) - set(old) <= {"resultType", "_meta", "structuredContent"}
    assert (old["isError"], old["content"][0]["text"]) == (
        False,
        msgspec.json.encode(new["structuredContent"]).decode(),
    )


def test_a_client_of_a_version_that_is_too_old_is_offered_another_one() -> None:
    hello = write_message("initialize", {"protocolVersion": "2024-11-05"}, "2024-11-05")
    assert read_result(ask(hello))["protocolVersion"] == WITH_HANDSHAKE[0]


def test_a_message_without_any_header_of_the_protocol_is_answered() -> None:
    body = msgspec.json.encode({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": DRAW})
    (content,) = read_result(ask(Request(PATH, (body,))))["content"]
    assert msgspec.json.decode(content["text"])["dealer"] in {0, 1}


@pytest.mark.parametrize("known", [0, -1, 2**53, "", "é", "a" * 200])
def test_the_id_of_a_message_comes_back(known: object) -> None:
    answer = ask(write_message("tools/call", DRAW, known=known))
    assert msgspec.json.decode(answer.body)["id"] == known


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"mcp_protocol_version": None}, 400, -32020),
        ({"mcp_protocol_version": "2025-11-25"}, 400, -32020),
        ({"mcp_method": None}, 400, -32020),
        ({"mcp_method": "tools/list"}, 400, -32020),
        ({"mcp_name": None}, 400, -32020),
        ({"mcp_name": "deals"}, 400, -32020),
        ({"mcp_name": "=?base64?ZGVhbHM=?="}, 400, -32020),
        ({"mcp_name": "=?base64?===?="}, 400, -32020),
        ({"content_type": "application/msgpack"}, 406, -32600),
        ({"content_type": "text/plain"}, 415, -32600),
        ({"content_encoding": "gzip"}, 415, -32600),
        ({"accept": "text/event-stream"}, 406, -32600),
        ({"origin": PAGE}, 403, -32600),
        ({"origin": "null"}, 403, -32600),
    ],
)
def test_a_message_whose_headers_do_not_fit_is_refused(changes: dict[str, str], status: int, code: int) -> None:
    assert error_of(ask(with_headers(CALL, **changes)))[:2] == (status, code)


def test_a_header_may_be_encoded() -> None:
    assert read_result(ask(with_headers(CALL, mcp_name="=?base64?ZHJhd3M=?=")))


def test_a_header_that_is_sent_twice_is_neither_of_its_values() -> None:
    twice = msgspec.structs.replace(CALL, headers=(*CALL.headers, ("mcp-name", "draws")))
    assert error_of(ask(twice)) == (400, -32020, 1)


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_a_page_on_the_loopback_may_call_if_host_is_the_same(host: str) -> None:
    assert read_result(ask(with_headers(CALL, origin=f"http://{host}", host=host)))
    assert error_of(ask(with_headers(CALL, origin="http://localhost:1", host=host)))[0] == 403


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8000"])
def test_a_name_that_its_owner_leads_to_the_service_makes_no_page_its_own(host: str) -> None:
    assert error_of(ask(with_headers(CALL, origin=f"http://{host}", host=host))) == (403, -32600, None)
    allowed = create_app(Settings(cors_origins=f"http://{host}"))
    assert read_result(ask(with_headers(CALL, origin=f"http://{host}", host=host), allowed))


def test_pages_of_allowed_origins_and_of_its_own_may_call() -> None:
    some = create_app(Settings(cors_origins=PAGE))
    assert read_result(ask(with_headers(CALL, origin=PAGE), some))
    assert read_result(ask(with_headers(CALL, origin="http://localhost")))
    assert error_of(ask(with_headers(CALL, origin="https://evil.example"), some)) == (403, -32600, None)
    assert read_result(ask(with_headers(CALL, origin="null"), create_app(Settings(cors_origins="*"))))


@pytest.mark.parametrize(
    ("body", "code", "known"),
    [
        (b"", -32700, None),
        (b"{", -32700, None),
        (b"\xff", -32700, None),
        (b"[" * 100_000, -32600, None),
        (b'{"a":' * 100_000, -32700, None),
        (b"null", -32600, None),
        (b"[]", -32600, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600, 1),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1),
        (b'{"jsonrpc":"2.0","id":"x","method":7}', -32600, "x"),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":[],"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":"' + b"x" * 1001 + b'","method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":' + CAPABILITIES + b":[]}}}", -32602, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":' + CAPABILITIES + b":" + DEEP, -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', -32602, 1),
    ],
)
def test_what_is_no_message_is_refused_with_its_problem(body: bytes, code: int, known: object) -> None:
    answer = ask(Request(PATH, (body,)))
    assert error_of(answer) == (400, code, known)
    problem = msgspec.json.decode(answer.body)["error"]["data"]
    assert problem["code"] in {"malformed_body", "invalid_body"}


def test_a_batch_is_told_why_it_is_refused() -> None:
    assert b"no batches any more" in ask(Request(PATH, (b"  []",))).body


def test_a_message_that_is_too_long_is_refused() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"' + b" " * MAX_MESSAGE_BYTES + b"}"
    assert error_of(ask(Request(PATH, (body,)))) == (413, -32600, None)


@pytest.mark.parametrize(
    ("method", "known", "status"),
    [("initialize", 1, 200), ("ping", 1, 200), ("tools/list", 1, 200), ("notifications/initialized", None, 202)],
)
def test_a_message_that_calls_no_tool_is_short(method: str, known: int | None, status: int) -> None:
    assert ask(write_message(method, {"x": "x" * (BODY_BYTES - 1000)}, known=known)).status == status
    assert error_of(ask(write_message(method, {"x": "x" * BODY_BYTES}, known=known))) == (413, -32600, known)


def test_a_call_may_be_long() -> None:
    assert read_result(ask(write_message("tools/call", {**DRAW, "x": "x" * BODY_BYTES})))["isError"] is False


@pytest.mark.parametrize(("version", "status"), [(LATEST, 404), *[(version, 200) for version in WITH_HANDSHAKE]])
def test_a_method_that_there_is_not_is_refused_as_each_version_can_read(version: str, status: int) -> None:
    assert error_of(ask(write_message("prompts/list", version=version))) == (status, -32601, 1)


@pytest.mark.parametrize(("version", "status"), [(LATEST, 400), *[(version, 200) for version in WITH_HANDSHAKE]])
def test_a_tool_that_there_is_not_is_refused_with_the_names_of_all(version: str, status: int) -> None:
    answer = ask(write_message("tools/call", {"name": "bid", "arguments": {}}, version))
    assert error_of(answer) == (status, -32602, 1)
    assert b"deals, positions" in answer.body


@pytest.mark.parametrize("version", ["2024-11-05", "2027-01-01", "x" * 1000])
def test_a_version_that_is_not_supported_is_refused_with_those_that_are(version: str) -> None:
    old = ask(write_message("tools/list", version=version))
    assert error_of(old) == (400, -32022, 1)
    assert msgspec.json.decode(old.body)["error"]["data"]["supported"] == list(SUPPORTED)
    told: Json = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
    new = with_headers(write_message("tools/list", {"_meta": told}, version), mcp_method="tools/list")
    assert error_of(ask(new)) == (400, -32022, 1)


def test_the_newest_version_tells_what_a_request_lacks() -> None:
    bare = Request(
        PATH, (b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}',), headers=(("mcp-protocol-version", LATEST),)
    )
    assert error_of(ask(bare)) == (400, -32602, 1)
    assert b"io.modelcontextprotocol/clientCapabilities" in ask(bare).body


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "QUERY", "HEAD"])
def test_no_other_method_leads_to_a_tool(method: str) -> None:
    answer = ask(Request(PATH, method=method))
    assert answer.status == 405
    assert answer.headers["allow"] == "OPTIONS, POST"
    if method != "HEAD":
        refused(answer, "method_not_allowed")


def test_the_rules_of_the_game_and_the_rulesets_are_resources() -> None:
    listed = read_result(ask(write_message("resources/list")))["resources"]
    assert [each["name"] for each in listed] == ["rules", *RULESETS]
    for each in listed:
        (held,) = read_result(ask(write_message("resources/read", {"uri": each["uri"]})))["contents"]
        assert (held["uri"], held["mimeType"]) == (each["uri"], each["mimeType"])
        if held["mimeType"] == JSON:
            assert msgspec.json.decode(held["text"], type=Ruleset) == RULESETS[each["name"]]
    rules = read_result(ask(write_message("resources/read", {"uri": listed[0]["uri"]})))["contents"][0]["text"]
    written = (ROOT / "docs/rules.md").read_text("utf-8")
    assert rules.splitlines()[0] == written.splitlines()[0]
    assert len(rules) > 0.95 * len(written)


def test_no_link_in_a_resource_leads_nowhere() -> None:
    (held,) = read_result(ask(write_message("resources/read", {"uri": "catch-the-ten://rules"})))["contents"]
    links = re.findall(r"\]\(([^)]*)\)", held["text"])
    assert "#the-count" in links
    assert [link for link in links if not link.startswith(("#", "https://"))] == []
    headings = {
        re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-")
        for line in held["text"].splitlines()
        if line[:1] == "#"
    }
    assert {link[1:] for link in links if link[0] == "#"} <= headings
    assert "and the conformance kit do." in held["text"]


@pytest.mark.parametrize("uri", ["", "catch-the-ten://rules/bridge", "file:///etc/passwd"])
def test_a_resource_that_is_none_is_refused(uri: str) -> None:
    assert error_of(ask(write_message("resources/read", {"uri": uri}))) == (400, -32602, 1)


def test_a_resource_is_named_in_the_header_as_in_the_body() -> None:
    asked = with_headers(
        write_message("resources/read", {"uri": "catch-the-ten://rules"}), mcp_name="catch-the-ten://x"
    )
    assert error_of(ask(asked)) == (400, -32020, 1)
