"""Event streams: every change once and in order, as the bearer may see it, until the game or the client is gone."""

import asyncio
from itertools import pairwise
from random import Random

import pytest
from msgspec import structs

from service.live.store.memory import MemoryStore
from service.schemas.revision import Revision
from tests.support.games.callers import EVERYBODY, Bearer, Live, number_of
from tests.support.games.listeners import Follow, Listener, Waiting


def test_a_stream_begins_with_the_whole_game(live: Live, follow: Follow) -> None:
    table = live.open()
    table.deal()
    for bearer in (*table.seats, *EVERYBODY):
        stream = follow(table, bearer)
        (said,) = stream.hear(1)
        assert (stream.status, said.version, said.game) == (200, 2, table.see(bearer))
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "private, no-store"
        assert "content-length" not in stream.headers
        assert stream.text.startswith(b"retry: 1000\n\n")


def test_every_change_comes_once_and_in_order_to_every_bearer(live: Live, follow: Follow, chance: Random) -> None:
    table = live.open("denexa", 3)
    streams = [follow(table, bearer) for bearer in (*table.seats, *EVERYBODY)]
    for stream in streams:
        stream.hear(1)
    table.stir(0, "x")
    table.play_game(chance)
    version = table.number()
    for stream in streams:
        stream.hear_version(version)
        assert [said.version for said in stream.said] == list(range(1, version + 1))
        assert [said.event for said in stream.said] == ["game", *["change"] * (version - 1)]


def test_a_change_shows_what_its_version_shows_to_the_bearer(live: Live, follow: Follow, chance: Random) -> None:
    table = live.open("gamerules", 2)
    bearers: tuple[Bearer, ...] = (*table.seats, *EVERYBODY)
    streams: dict[Bearer, Listener] = {bearer: follow(table, bearer) for bearer in bearers}
    for stream in streams.values():
        stream.hear(1)
    table.deal()
    for _ in range(15):
        version = number_of(table.play_any(chance).version)
        for bearer, stream in streams.items():
            change = stream.hear_version(version)[-1].change
            seen = table.see(bearer)
            assert (change.version, change.phase, change.position) == (seen.version, seen.phase, seen.position)


def test_a_client_that_comes_back_gets_exactly_what_it_missed(live: Live, follow: Follow, chance: Random) -> None:
    table = live.open("french-whist", 3)  # no first deal of it can win: 36 at most
    table.deal()
    whole = follow(table, 1, seen=1)
    table.play_deal(chance)
    last = table.number()
    told = {said.version: said for said in whole.hear_version(last)}
    for seen in range(1, last):
        back = follow(table, 1, seen)
        assert back.hear(last - seen) == [told[version] for version in range(seen + 1, last + 1)]
        back.leave()
    up_to_date = follow(table, 1, last)
    assert table.deal().status == 200
    assert [said.version for said in up_to_date.hear(1)] == [last + 1]


@pytest.mark.parametrize("seen", [0, 99, "1", "1-00000000", "x", "-1", "1.0", "²", "9" * 5000, "", "1, 2", "1-"])
def test_who_claims_to_have_seen_what_cannot_be_gets_the_whole_game(live: Live, follow: Follow, seen: object) -> None:
    said = follow(live.open(), None, seen).hear(1)
    assert [(one.event, one.version) for one in said] == [("game", 1)]


def test_instances_over_one_store_tell_each_others_changes(
    live: Live, twin: Live, follow: Follow, chance: Random
) -> None:
    table = live.open("denexa", 2)
    there = table.over(twin)
    streams = [follow(table, 0), follow(there, 0), follow(there)]
    for stream in streams:
        stream.hear(1)
    table.deal()
    for at in range(20):
        (table, there)[at % 2].play_any(chance)
    for stream in streams:
        assert [said.version for said in stream.hear_version(22)] == list(range(1, 23))
    assert streams[0].said == streams[1].said


def test_a_client_that_moves_to_another_instance_goes_on_there(
    live: Live, twin: Live, follow: Follow, chance: Random
) -> None:
    table = live.open("denexa", 2)
    table.deal()
    first = follow(table)
    table.play_any(chance)
    seen = first.hear_version(3)[-1].id
    first.leave()
    table.play_any(chance)
    second = follow(table.over(twin), None, seen)
    table.play_any(chance)
    assert [said.version for said in second.hear_version(5)] == [4, 5]


def test_changes_made_while_a_stream_begins_are_not_lost(live: Live, follow: Follow, chance: Random) -> None:
    table = live.open("denexa", 2)
    table.deal()
    for _ in range(10):
        stream = follow(table)
        version = number_of(table.play_any(chance).version)
        told = [said.version or 0 for said in stream.hear_version(version)]
        assert all(after == before + 1 for before, after in pairwise(told))
        stream.leave()


def test_a_deal_comes_with_its_commitment_and_its_end_with_the_proof(
    live: Live, follow: Follow, chance: Random
) -> None:
    table = live.open()
    stream = follow(table)
    stream.hear(1)
    table.deal()
    table.play_deal(chance)
    said = [one.change for one in stream.hear_version(table.number())[1:]]
    told = [change.shuffles for change in said]
    first, following = table.see().shuffles
    assert told[0] == (structs.replace(first, proof=None), following)
    assert told[1:] == [()] * (len(said) - 2) + [(first,)]


def test_a_stream_ends_when_its_game_is_deleted(live: Live, twin: Live, follow: Follow) -> None:
    table = live.open()
    streams = [follow(table), follow(table.over(twin), 1)]
    for stream in streams:
        stream.hear(1)
    table.call("host", "DELETE")
    for stream in streams:
        assert [(said.event, said.version) for said in stream.end()] == [("game", 1), ("gone", None)]


def test_a_watcher_is_told_only_of_its_game(live: Live, chance: Random) -> None:
    watched, other = live.open(), live.open()
    watcher = Waiting()

    def told() -> Revision | None:
        return watcher.notified

    async def watch() -> None:
        live.store.watch(watched.opened.id, watcher)
        if not isinstance(live.store, MemoryStore):
            await watcher.until(lambda: watcher.resync)  # as when the subscription stands

    async def unwatch() -> None:
        live.store.unwatch(watched.opened.id, watcher)

    live.run(watch())
    other.deal()
    watched.deal()
    live.run(watcher.until(lambda: watcher.notified is not None))
    live.run(unwatch())
    assert told() == watched.revision(2)
    watched.play_any(chance)
    live.run(asyncio.sleep(0.05))
    assert told() == watched.revision(2)
