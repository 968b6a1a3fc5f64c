"""An operator counts, lists, shows and ends live games by a command, as only redis-cli could."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from service.app import make_store
from service.live.entries import FORMAT
from service.live.repository import NO_SUCH_GAME
from service.live.store.redis.store import SCANNED
from service.live.tokens import hash_game
from service.platform.settings import Settings
from service.server import cli
from tests.support import redis_server
from tests.support.games.callers import Live, Table
from tests.support.redis_groups import cluster


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with redis_server.running() as port:
        named = f"redis://127.0.0.1:{port}"
        monkeypatch.setenv("REDIS_URL", named)
        yield named


@pytest.fixture
def live(url: str, runner: asyncio.Runner) -> Iterator[Live]:
    store = make_store(Settings(redis_url=url, store_timeout=60))
    yield Live(runner, store)
    runner.run(store.close())


def opened_by(live: Live, client: str) -> Table:
    live.client = client
    return live.open("denexa", 2)


def test_games_are_counted_and_listed_by_caller(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = opened_by(live, "192.0.2.1"), opened_by(live, "192.0.2.2")
    first.deal()
    opened_by(live, "192.0.2.1")
    assert cli.main(["games", "count"]) == 0
    counted = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [(games, caller) for games, _, caller in counted] == [
        ("games", "caller"),
        ("2", "address/192.0.2.1"),
        ("1", "address/192.0.2.2"),
        ("3", "all"),
    ]
    assert cli.main(["games", "list"]) == 0
    listed = {line.split("\t")[0]: line.split("\t")[3:] for line in capsys.readouterr().out.splitlines()}
    assert len(listed) == 1 + 3
    changes, size, rules, caller = listed[first.opened.id]
    assert (changes, rules, caller) == ("1", "denexa", "address/192.0.2.1")
    assert 300 < int(size) < 3000
    assert cli.main(["games", "list", "--caller", "address/192.0.2.2"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(f"{second.opened.id}\t")


def test_one_game_or_all_of_a_caller_are_ended_and_no_other(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    mine = [opened_by(live, "192.0.2.1") for _ in range(3)]
    other = opened_by(live, "192.0.2.2")
    assert cli.main(["games", "end", mine[0].opened.id]) == 0
    assert capsys.readouterr().out == f"{mine[0].opened.id}\n"
    assert [live.call("GET", table.path).status for table in (*mine, other)] == [410, 200, 200, 200]
    assert cli.main(["games", "end", "--caller", "address/192.0.2.1"]) == 0
    assert [live.call("GET", table.path).status for table in (*mine, other)] == [410, 410, 410, 200]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nosuch"], "There is no game nosuch: it may be mistyped, have ended, or have expired."),
        (["--caller", "key/nosuch"], "The caller key/nosuch has no games."),
    ],
)
def test_what_there_is_not_cannot_be_ended(
    live: Live, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    table = opened_by(live, "192.0.2.1")
    assert cli.main(["games", "end", *words]) == 1
    assert capsys.readouterr() == ("", f"{said}\n")
    assert live.call("GET", table.path).status == 200
    assert cli.main(["games", "end", table.opened.id]) == 0
    assert cli.main(["games", "end", table.opened.id]) == 1


def test_a_game_is_shown_as_a_spectator_sees_it(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    table = opened_by(live, "192.0.2.1")
    table.deal()
    assert cli.main(["games", "show", table.opened.id]) == 0
    hashed, caller, shown = capsys.readouterr().out.split("\n", 2)
    assert hashed == f"hash\t{hash_game(table.opened.id)}"
    assert caller == "caller\taddress/192.0.2.1"
    assert msgspec.json.decode(shown) == msgspec.json.decode(table.call(None, "GET").body)
    assert cli.main(["games", "show", "a" * 22]) == 1
    assert capsys.readouterr().err == f"{NO_SUCH_GAME}\n"


def test_what_another_version_has_stored_is_left_out_and_named(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    mine, newer = opened_by(live, "192.0.2.1"), opened_by(live, "192.0.2.1")
    opening = live.run(live.store.load(newer.opened.id)).entries[0]
    entry = bytes(12) + bytes([FORMAT + 1])
    assert live.run(live.store.append(newer.opened.id, 1, entry, 600, opening))
    for action in (["count"], ["list"], ["end", "--caller", "address/192.0.2.1"]):
        assert cli.main(["games", *action]) == 0
        said = capsys.readouterr()
        assert newer.opened.id not in said.out
        assert said.err.startswith(
            f"left out, as another version has stored it: {newer.opened.id}: format {FORMAT + 1}"
        )
    assert cli.main(["games", "show", newer.opened.id]) == 1
    assert "Another version" in capsys.readouterr().err
    assert (live.call("GET", mine.path).status, live.call("GET", newer.path).status) == (410, 503)
    assert cli.main(["games", "end", newer.opened.id]) == 0
    assert live.call("GET", newer.path).status == 410


def test_every_game_of_a_cluster_is_found_however_many_there_are(
    tmp_path: Path, runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with cluster(tmp_path, replicas=0) as nodes:
        monkeypatch.setenv("REDIS_URL", nodes.url)
        store = make_store(Settings(redis_url=nodes.url, store_timeout=60))
        live = Live(runner, store)
        opened = {opened_by(live, "192.0.2.1").opened.id for _ in range(SCANNED + 50)}
        runner.run(store.close())
        assert cli.main(["games", "list"]) == 0
    assert {line.split("\t")[0] for line in capsys.readouterr().out.splitlines()[1:]} == opened


def test_without_redis_there_is_nothing_to_see_from_outside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    assert cli.main(["games", "count"]) == 2
    assert capsys.readouterr().err.startswith("REDIS_URL: is not set")


def test_a_redis_that_does_not_answer_is_named_as_the_cause(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1")
    assert cli.main(["games", "count"]) == 1
    assert "Redis does not answer" in capsys.readouterr().err
