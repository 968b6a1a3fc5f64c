"""A store that has lost its latest change, as when a replica takes over that did not have it yet."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest
import redis
from catch_the_ten import Client, models
from catch_the_ten.problems import StaleVersion
from catch_the_ten.sight import number_of

from tests.python_client.both import Connect
from tests.python_client.flaky import Faults, FlakyProxy
from tests.python_client.playing import check_game_with_a_loss, open_game
from tests.python_client.test_flaky import BY
from tests.support.http.server import serving
from tests.support.processes import Redis


@pytest.fixture(scope="module")
def stored(redis_url: str) -> Iterator[str]:
    """The address of a service whose games are in Redis."""
    with serving(REDIS_URL=redis_url, STORE_TIMEOUT="10", STREAM_HEARTBEAT="0.05") as server:
        yield f"http://127.0.0.1:{server.port}"


def lose_last_change(redis_url: str, game_id: str) -> None:
    with redis.Redis.from_url(redis_url) as store:
        assert store.rpop(f"catchten:{{{game_id}}}")


def test_a_play_that_was_lost_is_taken_back_and_another_one_made(connect: Connect, stored: str, redis_url: str) -> None:
    client = connect(stored)
    opened = open_game(client, 1)
    turn = client.join(opened.id, opened.host_token).deal().position.turn
    seat = client.join(opened.id, opened.seats[turn].token)
    first, second = seat.legal_cards[:2]
    updates = seat.changes()
    next(updates)
    lost = seat.play(first)
    assert next(updates) == lost
    lose_last_change(redis_url, opened.id)
    again = next(updates)
    assert (again.whole, number_of(again.version), seat.is_my_turn) == (True, number_of(lost.version) - 1, True)
    other = seat.play(second)
    assert next(updates).events == [models.CardPlayed(seat=turn, card=second)]
    assert number_of(other.version) == number_of(lost.version)
    assert other.version != lost.version


def test_a_play_on_a_past_that_was_lost_is_refused(connect: Connect, stored: str, redis_url: str) -> None:
    client = connect(stored)
    opened = open_game(client, 1)
    turn = client.join(opened.id, opened.host_token).deal().position.turn
    seats = [client.join(opened.id, token) for token in (seat.token for seat in opened.seats)]
    seats[turn].play(seats[turn].legal_cards[0])
    following = seats[(turn + 1) % 4]
    following.see()
    lose_last_change(redis_url, opened.id)
    with pytest.raises(StaleVersion):
        following.play(following.legal_cards[0])
    assert following.position.turn == turn


def fall_back(store: Redis, game: Client, game_id: str) -> None:
    """Keep a snapshot in the middle of a game, and after some more plays kill the store and start it from that."""
    await_version(game, game_id, 8)
    assert store.answers("SAVE") == b"+OK\r\n"
    await_version(game, game_id, number_of(game.join(game_id).state.version) + 6)
    store.kill()
    store.start()


def await_version(client: Client, game_id: str, number: int) -> None:
    while number_of((state := client.join(game_id).state).version) < number:
        assert state.phase != "game_over"
        sleep(0.02)


@pytest.mark.nightly  # the snapshot must come in the middle of a game that does not wait for it
@pytest.mark.parametrize(
    ("players", "faults"), [("threads", Faults()), ("tasks", Faults(held=1))], ids=["streams", "no streams"]
)
def test_a_game_goes_on_from_the_snapshot_from_which_its_store_was_started_again(
    players: str, faults: Faults, tmp_path: Path
) -> None:
    with Redis(tmp_path / "redis") as store, serving(REDIS_URL=store.url, STREAM_HEARTBEAT="0.05") as served:
        url = f"http://127.0.0.1:{served.port}"
        with Client(url) as client, FlakyProxy(served.port, faults) as proxy, ThreadPoolExecutor(1) as thread:
            opened = open_game(client, 1)
            fallen = thread.submit(fall_back, store, client, opened.id)
            seen = BY[players](proxy.url, opened, "seed", silence=1.0)
            fallen.result()
            assert check_game_with_a_loss(client.join(opened.id, opened.host_token), seen) >= 3
