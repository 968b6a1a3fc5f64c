"""A live game over Redis: a look or a play is one round trip, and two for a play if the process has to read first."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from service.app import make_store
from service.live.store.protocol import Store
from service.platform.settings import Settings
from tests.support import redis_server
from tests.support.call_counts import Calls
from tests.support.games.callers import Live, Table, Turn
from tests.support.redis_relay import Relay


class Worker(NamedTuple):
    """A service process, as it were, with a relay of its own before the one Redis."""

    live: Live
    relay: Relay

    def trips_of(self, table: Table, turn: Turn, card: str) -> tuple[int, int]:
        """Play a card; return the status and the round trips."""
        before = self.relay.trips
        answer = table.over(self.live).play(turn.seat, card, turn.version)
        return answer.status, self.relay.trips - before


@pytest.fixture(scope="module")
def workers() -> Iterator[tuple[Worker, Worker]]:
    with redis_server.running() as port, asyncio.Runner() as runner:
        relays = Relay(port), Relay(port)
        # Not opened: without watchers, messages other than plays would only distort the count.
        stores = [_store(runner.run(relay.start())) for relay in relays]
        one, two = (Worker(Live(runner, store), relay) for store, relay in zip(stores, relays, strict=True))
        for store in stores:
            runner.run(store.ping())  # to connect takes round trips of its own
        yield one, two
        for store, relay in zip(stores, relays, strict=True):
            runner.run(store.close())
            runner.run(relay.stop())


def _store(port: int) -> Store:
    return make_store(Settings(redis_url=f"redis://127.0.0.1:{port}", store_timeout=60))


@pytest.fixture
def table(workers: tuple[Worker, Worker]) -> Table:
    """A game that has been dealt, in which both workers have played some cards."""
    table = workers[0].live.open()
    assert table.deal().status == 200
    for at in range(4):
        table.over(workers[at % 2].live).play_any(Random(at))
    return table


def test_a_play_on_a_version_that_the_worker_holds_is_one_round_trip(
    workers: tuple[Worker, Worker], table: Table
) -> None:
    one, _ = workers
    for _ in range(4):
        turn = table.turn()
        assert one.trips_of(table, turn, turn.legal[0]) == (200, 1)


@pytest.mark.parametrize("path", ["", "/changes"])
def test_a_look_at_a_game_and_at_who_is_present_is_one_round_trip(
    workers: tuple[Worker, Worker], table: Table, path: str
) -> None:
    one, _ = workers
    table.over(one.live).call(1, "GET", path)  # the look of a seat without a stream is noted now and then
    for bearer in (None, 1, "host"):
        before = one.relay.trips
        assert table.over(one.live).call(bearer, "GET", path).status == 200
        assert one.relay.trips - before == 1


def test_ten_games_of_a_player_are_one_round_trip(workers: tuple[Worker, Worker]) -> None:
    one, two = workers
    games = [{"id": one.live.open().opened.id} for _ in range(50)]
    for worker in (one, two):
        for asked, trips in ((10, 1), (50, 5)):
            before = worker.relay.trips
            assert worker.live.call("POST", "/v1/my-games", {"games": games[:asked]}).status == 200
            assert worker.relay.trips - before == trips


def test_a_play_on_a_version_that_the_worker_must_read_first_is_two_round_trips(
    workers: tuple[Worker, Worker], table: Table
) -> None:
    one, two = workers
    for at in range(6):
        turn = table.over((two, one)[at % 2].live).turn()
        assert (one, two)[at % 2].trips_of(table, turn, turn.legal[0]) == (200, 2)


def test_a_play_on_a_game_that_the_worker_has_not_seen_is_two_round_trips(workers: tuple[Worker, Worker]) -> None:
    one, two = workers
    table = one.live.open()
    assert table.deal().status == 200
    turn = table.turn()
    assert two.trips_of(table, turn, turn.legal[0]) == (200, 2)


def test_an_illegal_play_is_judged_anew_on_what_the_store_holds_in_one_round_trip(
    workers: tuple[Worker, Worker], table: Table
) -> None:
    one, _ = workers
    turn, card = table.turn_with_illegal_card(Random(1))
    assert one.trips_of(table, turn, card) == (422, 1)


def test_a_play_is_decoded_once_and_encoded_once_on_the_wire(workers: tuple[Worker, Worker], table: Table) -> None:
    turn, calls = table.turn(), Calls()
    with calls.counted():
        answer = table.play(turn.seat, turn.legal[0], turn.version)
    assert answer.status == 200
    assert calls.decodes == 1
    # One is the answer; the others are the entry for the log, and the one before it, by which the store is recognized.
    assert calls.encodes <= 3
    assert "convert" not in calls.others
