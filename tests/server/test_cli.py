"""The command line: its output and its exit codes."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import pytest

from service import __version__
from service.http.guards.api_keys import ApiKeys
from service.platform.build import BUILD
from service.platform.settings import write_table
from service.server import cli
from service.server import server as serving
from tests.support.http.samples import RECORD
from tests.support.http.server import ROOT, Line, Server, environment
from tests.support.http.server import serving as served
from tests.support.patience import WAIT


def command(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        cwd=ROOT,
        env=environment(changes),
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with served(MAX_BODY_BYTES="1024") as server:
        yield server


class Ended(NamedTuple):
    """The exit code of a command, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Start the service in this process under settings with which it cannot serve."""

    def serve_nothing(*_: object) -> None:
        pytest.fail("it serves")

    def start(**changes: str) -> Ended:
        for name, value in {"HOST": "127.0.0.1", "PORT": "0", **changes}.items():
            monkeypatch.setenv(name, value)
        code, said = cli.main(["serve"]), capsys.readouterr()
        return Ended(code, said.out, said.err)

    monkeypatch.setattr(serving._Server, "run", serve_nothing)
    return start


def test_a_served_service_says_where_to_ask_answers_and_ends_when_it_is_told_to() -> None:
    with served() as server, Line(server.port) as line:
        assert server.process.stdout is not None
        assert f"curl -sS http://127.0.0.1:{server.port}/v1/verdicts" in server.process.stdout.readline()
        assert line.ask("/livez", method="GET").body == b"ok\n"
        assert line.ask("/v1/draws", b'{"players":2}').status == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(WAIT) == 0


def test_every_answer_has_a_date_also_those_of_the_connection_itself(server: Server) -> None:
    for path, body, method in (
        ("/v1/draws", b'{"players":2}', "POST"),
        ("/v1/draws", b"{", "POST"),
        ("/livez", b"", "GET"),
        ("/v1/games/x", b"", "GET"),
        ("/nothing", b"", "GET"),
        ("x:443", b"", "CONNECT"),
    ):
        with Line(server.port) as line:
            answer = line.ask(path, body, method=method)
        told = parsedate_to_datetime(answer.headers["date"])
        assert abs((datetime.now(UTC) - told).total_seconds()) < WAIT, (path, answer)


def test_two_that_take_a_free_port_take_different_ones(server: Server) -> None:
    with served() as other:
        assert server.port != other.port
        for one in (server, other):
            with Line(one.port) as line:
                assert line.ask("/readyz", method="GET").status == 200


def test_the_settings_count(server: Server) -> None:
    with Line(server.port) as line:
        assert line.ask("/v1/draws", b" " * 1025).status == 413


@pytest.fixture
def free_port() -> int:
    with contextlib.closing(socket.socket()) as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port


@pytest.fixture
def busy_port() -> Generator[int]:
    with contextlib.closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_a_busy_port_is_named_and_the_code_is_2(start: Callable[..., Ended], busy_port: int) -> None:
    ended = start(PORT=str(busy_port))
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"HOST='127.0.0.1' PORT='{busy_port}': cannot listen there: ")
    assert "Address already in use" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stdout == ""


def test_one_port_for_the_api_and_the_metrics_is_named_and_the_code_is_2(free_port: int) -> None:
    ended = command("serve", PORT=str(free_port), METRICS_PORT=str(free_port))
    assert ended.returncode == 2
    said = f"METRICS_HOST='127.0.0.1' METRICS_PORT='{free_port}': cannot listen there: "
    assert ended.stderr.startswith(said)


@pytest.mark.parametrize("name", ["ssl_ca_certs", "ssl_certfile"])
def test_a_missing_certificate_is_named_and_the_code_is_2(start: Callable[..., Ended], name: str) -> None:
    ended = start(REDIS_URL=f"rediss://:hunter2@localhost:1/0?{name}=/nowhere/it.pem")
    assert ended.returncode == 2
    assert ended.stderr == f"REDIS_URL: {name}='/nowhere/it.pem': [Errno 2] No such file or directory\n"


def test_bad_settings_are_all_named_and_the_code_is_2(start: Callable[..., Ended]) -> None:
    ended = start(PORT="http", MAX_BODY_BYTES="0")
    assert ended.returncode == 2
    assert [line.partition("=")[0] for line in ended.stderr.splitlines()] == ["PORT", "MAX_BODY_BYTES"]
    assert ended.stdout == ""


UNREADABLE: Final = "redis://:hunter2@host:port/0"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"REDIS_URL": UNREADABLE}, ["REDIS_URL: names no Redis server"]),
        ({"REDIS_URL": "hunter2"}, ["REDIS_URL: must be "]),
        ({"REDIS_URL": "redis://u:hunter2/x@host:1/0"}, ["REDIS_URL: cannot be split: percent-encode the password"]),
        ({"REDIS_URL": "redis://:hunter2@host/games"}, ["REDIS_URL: names a database that is no number"]),
        ({"HOST": "no-such-host.invalid"}, ["HOST='no-such-host.invalid' PORT='0': cannot listen there: "]),
        ({"HOST": "192.0.2.1"}, ["HOST='192.0.2.1' PORT='0': cannot listen there: "]),
        ({"HOST": "." * 300}, ["HOST='..."]),
        ({"HOST": "192.0.2.1", "LOG_FORMAT": "xml", "LOG_LEVEL": "loud"}, ["LOG_LEVEL=", "LOG_FORMAT="]),
        ({"HOST": "192.0.2.1", "REDIS_URL": UNREADABLE}, ["REDIS_URL: names no Redis server"]),
    ],
    ids=str,
)
def test_what_is_only_seen_by_trying_is_named_once_the_rest_is_sound(
    start: Callable[..., Ended], changes: dict[str, str], named: list[str]
) -> None:
    ended = start(**changes)
    said = ended.stderr.splitlines()
    assert ended.returncode == 2
    assert len(said) == len(named)
    assert all(line.startswith(start) for line, start in zip(said, named, strict=True)), said
    assert "hunter2" not in ended.stderr
    assert ended.stdout == ""


def test_without_its_texts_the_service_does_not_start() -> None:
    ended = command("serve", PYTHONOPTIMIZE="2")
    assert ended.returncode == 2
    assert ended.stderr.startswith("PYTHONOPTIMIZE=2, or -OO: ")


def test_the_table_of_settings_is_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["settings"]) == 0
    assert capsys.readouterr().out == write_table()


@pytest.mark.parametrize("arguments", [(), ("cheat",), ("serve", "now"), ("--port", "80")])
def test_an_unknown_command_is_refused_with_the_known_ones(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert "usage: catch-the-ten" in said.err
    assert "serve" in said.err
    assert said.out == ""


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    commands = {"serve", "openapi", "settings", "api-key", "verify-deal", "adjudicate", "to-text", "to-json"}
    assert commands | {"--version"} <= set(capsys.readouterr().out.split())


def test_the_version_is_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"catch-the-ten {__version__} (unknown, {BUILD})\n"


def test_the_openapi_document_is_written_out(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.main(["openapi"]) == 0
    assert msgspec.json.decode(capfdbinary.readouterr().out)["openapi"].startswith("3.1")


def test_a_key_is_shown_once_with_the_line_that_makes_it_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["api-key", "arran"]) == 0
    key, line = [text.strip() for text in capsys.readouterr().out.splitlines() if text.startswith("  ")]
    assert ApiKeys(line, None).find(key.encode()) == "arran"
    assert key not in line


@pytest.mark.parametrize("name", ["", "a b", "a:b", "a,b", "é", "x" * 65])
def test_a_name_that_no_line_can_hold_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["api-key", name]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "letters" in said.err


def test_a_file_of_keys_that_cannot_be_read_is_named_and_the_code_is_2(
    start: Callable[..., Ended], tmp_path: Path
) -> None:
    ended = start(API_KEYS_FILE=str(tmp_path / "none"))
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.startswith("API_KEYS_FILE=")


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("127.0.0.1", 80, "http://127.0.0.1:80"),
        ("0.0.0.0", 8000, "http://localhost:8000"),
        ("::", 8000, "http://localhost:8000"),
        ("::1", 1, "http://[::1]:1"),
    ],
)
def test_an_address_is_one_that_can_be_called(host: str, port: int, address: str) -> None:
    assert serving.format_url(host, port) == address


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff", b"[" * 100_000])
def test_what_is_no_record_cannot_be_verified(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    if content is not None:
        path.write_bytes(content)
    assert cli.main(["verify-deal", str(path)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(str(path))
    assert len(said.err.splitlines()) == 1
    assert said.out == ""


def test_a_deal_without_a_proof_is_not_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(msgspec.json.encode(RECORD))
    assert cli.main(["verify-deal", str(path)]) == 1
    assert capsys.readouterr().out.startswith("deal 1: NOT proved")


def test_the_tests_leave_the_settings_of_their_environment_alone() -> None:
    assert not {"REDIS_URL", "MAX_BODY_BYTES"} & set(environment({}))
    assert "PATH" in os.environ


TEXT: Final = """\
[CatchTheTen 1]
[Rules "take-ten"]
[Sides [[0],[1]]]

[Dealer 1]
[TurnUp "8s"]
[Hands "K6sJ7hK76dQ86c AQJ87sAhQ8dATc"]
0: Ks 7s
"""


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_record_goes_from_text_to_json_and_back(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.main(["to-json", written(tmp_path / "game.txt", TEXT)]) == 0
    as_json = capfdbinary.readouterr().out.decode()
    assert msgspec.json.decode(as_json)["deals"][0]["turn_up"] == "8S"
    assert cli.main(["to-text", written(tmp_path / "game.json", as_json)]) == 0
    assert capfdbinary.readouterr().out.decode() == TEXT


def test_a_regular_record_is_adjudicated(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.main(["adjudicate", written(tmp_path / "game.txt", TEXT)]) == 0
    said = capfdbinary.readouterr()
    assert msgspec.json.decode(said.out)["deals"][0]["phase"] == "playing"
    assert said.err == b""


def test_an_irregularity_is_named_with_its_place(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = written(tmp_path / "game.txt", TEXT.replace("7s\n", "7s 8s\n"))
    assert cli.main(["adjudicate", path]) == 1
    assert capfdbinary.readouterr().err.decode().startswith(f"{path}:8:10: illegal_play: ")
    as_json = written(tmp_path / "game.json", msgspec.json.encode({**RECORD, "deals": _with_revoke()}).decode())
    assert cli.main(["adjudicate", as_json]) == 1
    assert capfdbinary.readouterr().err.decode().startswith(f"{as_json}:/deals/0/plays/0: out_of_turn: ")


@pytest.mark.parametrize("name", ["adjudicate", "to-json", "to-text", "verify-deal"])
def test_a_byte_order_mark_is_passed_over_and_utf_16_told_apart(
    name: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for text in (TEXT, msgspec.json.encode(RECORD).decode()):
        said = []
        for encoding in ("utf-8", "utf-8-sig"):
            (tmp_path / "game").write_text(text, encoding=encoding)
            said.append((cli.main([name, str(tmp_path / "game")]), capfdbinary.readouterr()))
        assert said[0] == said[1]
        assert said[0][0] == (name == "verify-deal")
        (tmp_path / "game").write_text(text, encoding="utf-16")
        assert cli.main([name, str(tmp_path / "game")]) == 2
        assert capfdbinary.readouterr().err.decode().endswith(": The text is UTF-16: save it as UTF-8\n")


def test_several_records_in_one_file_are_read_one_after_the_other(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.main(["to-json", written(tmp_path / "games.txt", TEXT + TEXT)]) == 0
    as_json = capfdbinary.readouterr().out.decode()
    assert cli.main(["to-text", written(tmp_path / "games.json", as_json)]) == 0
    assert capfdbinary.readouterr().out.decode() == TEXT + TEXT
    path = written(tmp_path / "games.txt", TEXT + TEXT.replace("7s\n", "7s 8s\n"))
    assert cli.main(["adjudicate", path]) == 1
    line = len(TEXT.splitlines()) + 8
    assert capfdbinary.readouterr().err.decode().startswith(f"{path}:{line}:10: illegal_play: ")


def _with_revoke() -> list[object]:
    return [{**RECORD["deals"][0], "plays": [{"seat": 3, "card": "6C"}]}]


def test_what_is_no_record_is_refused_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "game.txt", TEXT.replace("7s\n", "7x\n"))
    for name in ("adjudicate", "to-json", "verify-deal"):
        assert cli.main([name, path]) == 2
        assert capsys.readouterr().err.startswith(f"{path}:8:7: expected a card, as in Th")
    assert cli.main(["to-text", written(tmp_path / "game.json", "{}")]) == 2
    assert cli.main(["to-text", str(tmp_path / "none.txt")]) == 2
