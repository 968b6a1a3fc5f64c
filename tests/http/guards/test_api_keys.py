"""The keys of apps: off unless they are configured, known only by their hashes, read anew when their file changes."""

import logging
import os
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest
from litestar.types import ASGIApp

from service.api.operation_list import OPERATIONS
from service.app import create_app
from service.http.guards.api_keys import CHECK_SECONDS, ApiKeys, draw_key, parse_keys
from service.http.operation import Operation
from service.platform.settings import BadSettings, Settings
from tests.platform.metrics.readings import value
from tests.support.http.client import Answer, Request, ask, refused

KEY: Final = "catchten_" + "a" * 43
OTHER: Final = "catchten_" + "b" * 43
LINE: Final = f"arran:{sha256(KEY.encode()).hexdigest()}"
OTHER_LINE: Final = f"bute:{sha256(OTHER.encode()).hexdigest()}"
APP: Final = create_app(Settings(api_keys=f"{LINE}, {OTHER_LINE}"))
WITHOUT_KEYS: Final = create_app(Settings())
DRAWS: Final = (b'{"players":2}',)
GUARDED: Final = [op for op in OPERATIONS if op.guarded]
KEYED: Final = [op for op in GUARDED if not op.path.startswith("/v1/games/") and op.bearer != "in_body"]
ON_A_GAME: Final = [op for op in GUARDED if op not in KEYED]
OPEN: Final = [op for op in OPERATIONS if op not in GUARDED]


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def asked(op: Operation, *headers: tuple[str, str], app: ASGIApp = APP) -> Answer:
    """Ask for an operation, with an empty body."""
    path = op.path.format(ruleset_id="trebor", problem="not-found", game_id="x" * 22, seat=0, notation="x")
    return ask(Request(path, method=op.method.upper(), headers=headers), app)


def hashed(key: str) -> str:
    """Hash a key as it is configured."""
    return sha256(key.encode()).hexdigest()


@pytest.mark.parametrize("op", KEYED, ids=[op.operation_id for op in KEYED])
def test_a_question_or_a_game_to_open_asks_for_a_key(op: Operation) -> None:
    missing, wrong = asked(op), asked(op, ("x-api-key", KEY[:-1]))
    assert KEY not in refused(missing, "api_key_missing").detail
    assert KEY[:-1] not in refused(wrong, "unknown_api_key").detail
    for answer in (missing, wrong):
        assert answer.headers["www-authenticate"] == 'ApiKey header="X-API-Key"'
        assert answer.parts_read == 0
    for key in (KEY, OTHER):
        assert b"api_key" not in asked(op, ("x-api-key", key)).body


@pytest.mark.parametrize("op", ON_A_GAME, ids=[op.operation_id for op in ON_A_GAME])
def test_a_call_on_a_game_needs_no_key_but_may_have_one_that_is_known(op: Operation) -> None:
    for headers in ((), (("x-api-key", KEY),), (("authorization", "Bearer x"),)):
        assert b"api_key" not in asked(op, *headers).body
    refused(asked(op, ("x-api-key", KEY[:-1])), "unknown_api_key")


@pytest.mark.parametrize("op", OPEN, ids=[op.operation_id for op in OPEN])
def test_what_is_read_needs_no_key(op: Operation) -> None:
    assert asked(op).status == 200


@pytest.mark.parametrize("op", GUARDED, ids=[op.operation_id for op in GUARDED])
def test_without_keys_configured_none_is_asked_for(op: Operation) -> None:
    for headers in ((), (("x-api-key", "anything"),)):
        assert b"api_key" not in asked(op, *headers, app=WITHOUT_KEYS).body


@pytest.mark.parametrize("path", ["/v1/draws?x=1", "/v1/draws?//x"])
def test_no_way_of_writing_a_path_leads_round_the_guard(path: str) -> None:
    refused(ask(Request(path, DRAWS), APP), "api_key_missing")


@pytest.mark.parametrize("path", ["/v1/games/x/y/z", "/v1/games/x/nothing", "/v1/nothing"])
def test_a_path_that_is_none_is_not_found_without_a_key(path: str) -> None:
    refused(ask(Request(path), APP), "not_found")


@pytest.mark.parametrize(
    "headers",
    [
        [("x-api-key", "")],
        [("x-api-key", f" {KEY}")],
        [("x-api-key", KEY.upper())],
        [("x-api-key", hashed(KEY))],
        [("x-api-key", LINE)],
        [("x-api-key", "é" * 5000)],
        [("x-api-key", KEY), ("x-api-key", KEY)],
        [("x-api-key", KEY), ("x-api-key", OTHER)],
    ],
)
def test_what_is_no_key_is_refused(headers: list[tuple[str, str]]) -> None:
    refused(ask(Request("/v1/draws", DRAWS, headers=tuple(headers)), APP), "unknown_api_key")


@pytest.mark.parametrize("header", ["authorization", "api-key", "x-api-token"])
def test_a_key_in_another_header_is_none(header: str) -> None:
    refused(ask(Request("/v1/draws", DRAWS, headers=((header, f"Bearer {KEY}"),)), APP), "api_key_missing")


def test_a_key_is_long_and_drawn_anew_each_time_and_its_line_makes_it_known() -> None:
    drawn = [draw_key("arran") for _ in range(100)]
    assert len({key for key, _ in drawn}) == 100
    for key, line in drawn:
        assert key.startswith("catchten_")
        assert len(key) == 52
        assert ApiKeys(line, None).find(key.encode()) == "arran"


def test_every_hash_is_compared_in_constant_time_whichever_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(known: bytes, sent: bytes) -> bool:
        compared.append(known)
        return known == sent

    monkeypatch.setattr("service.http.guards.api_keys.hmac.compare_digest", compare)
    keys = ApiKeys(f"{LINE},{OTHER_LINE}", None)
    for key, name in ((KEY, "arran"), (OTHER, "bute"), ("none", None)):
        compared.clear()
        assert keys.find(key.encode()) == name
        assert len(compared) == 2


def test_lines_may_have_remarks_and_room_and_a_name_may_have_several_keys() -> None:
    text = f"# apps\n\n  a : {'0' * 64}  # the old one\na:{'F' * 64}\r\nb:{'1' * 64}, c.d-e_f:{'2' * 64},\n"
    assert [known.name for known in parse_keys(text)] == ["a", "a", "b", "c.d-e_f"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# none",
        "a",
        f"a:{'0' * 63}",
        f"a:{'g' * 64}",
        f":{'0' * 64}",
        f"a b:{'0' * 64}",
        f"a:{KEY}",
        f"é:{'0' * 64}",
    ],
)
def test_lines_that_cannot_be_read_are_refused_and_not_repeated(text: str, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text(text)
    for settings in (Settings(api_keys=text), Settings(api_keys_file=str(path))):
        with pytest.raises(BadSettings) as raised:
            create_app(settings)
        (fault,) = raised.value.faults
        assert fault.startswith("API_KEYS")
        assert KEY not in fault


@pytest.mark.parametrize("name", ["nothing", "."])
def test_a_file_that_cannot_be_read_stops_the_start(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"^API_KEYS_FILE="):
        create_app(Settings(api_keys_file=str(tmp_path / name)))


def replace(path: Path, text: str) -> None:
    """Put a new file in the place of the old, as it should be done."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)


def test_a_file_that_changes_is_read_anew_without_a_restart(tmp_path: Path) -> None:
    path, clock = tmp_path / "keys", Clock()
    path.write_text(LINE)
    keys = ApiKeys(f"given:{hashed('given')}", str(path), clock)
    assert (keys.find(KEY.encode()), keys.find(OTHER.encode()), keys.find(b"given")) == ("arran", None, "given")
    replace(path, f"{OTHER_LINE}\n")
    assert keys.find(OTHER.encode()) is None
    clock.now = CHECK_SECONDS
    assert (keys.find(KEY.encode()), keys.find(OTHER.encode()), keys.find(b"given")) == (None, "bute", "given")


def test_a_secret_that_kubernetes_mounts_is_read_anew_when_it_changes(tmp_path: Path) -> None:
    """The file is a link into a folder, itself a link, which is turned to a new folder."""
    clock = Clock()
    for folder, line in (("first", LINE), ("second", OTHER_LINE)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "api-keys").write_text(line)
    (tmp_path / "..data").symlink_to("first")
    (tmp_path / "api-keys").symlink_to("..data/api-keys")
    keys = ApiKeys(None, str(tmp_path / "api-keys"), clock)
    assert (keys.find(KEY.encode()), keys.find(OTHER.encode())) == ("arran", None)
    (tmp_path / "..new").symlink_to("second")
    (tmp_path / "..new").rename(tmp_path / "..data")
    clock.now = CHECK_SECONDS
    assert (keys.find(KEY.encode()), keys.find(OTHER.encode())) == (None, "bute")


@pytest.mark.parametrize("text", [None, "", "bute", f"bute:{KEY}", "\udcff"])
def test_a_file_that_has_become_bad_changes_nothing_and_is_logged_once(
    text: str | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, clock = tmp_path / "keys", Clock()
    path.write_text(LINE)
    keys = ApiKeys(None, str(path), clock)
    if text is None:
        path.unlink()
    else:
        path.write_bytes(os.fsencode(text))
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            clock.now += CHECK_SECONDS
            assert keys.find(KEY.encode()) == "arran"
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert str(path) in record.getMessage()
    assert KEY not in record.getMessage()
    assert value("catchten_api_keys_stale") == 1
    replace(path, OTHER_LINE)
    clock.now += CHECK_SECONDS
    assert keys.find(OTHER.encode()) == "bute"
    assert value("catchten_api_keys_stale") == 0


def test_a_file_that_can_be_read_again_is_read_though_it_has_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, clock = tmp_path / "keys", Clock()
    path.write_text(LINE)
    keys = ApiKeys(None, str(path), clock)
    replace(path, OTHER_LINE)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", deny)  # as root reads any file
        clock.now += CHECK_SECONDS
        assert keys.find(KEY.encode()) == "arran"
    clock.now += CHECK_SECONDS
    assert keys.find(KEY.encode()) is None
    assert keys.find(OTHER.encode()) == "bute"


def deny(path: Path) -> str:
    """Refuse to read a file."""
    raise PermissionError(path)
