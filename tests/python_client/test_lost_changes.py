"""A store that has lost its latest change, as when a replica takes over that did not have it yet."""

from collections.abc import Iterator

import pytest
import redis
from catch_the_ten import models
from catch_the_ten.problems import StaleVersion

from tests.python_client.both import Connect
from tests.python_client.playing import open_game
from tests.support.http.server import serving


@pytest.fixture(scope="module")
def stored(redis_url: str) -> Iterator[str]:
    """The address of a service whose games are in Redis."""
    with serving(REDIS_URL=redis_url, STREAM_HEARTBEAT="0.05") as server:
        yield f"http://127.0.0.1:{server.port}"


def lose_last_change(redis_url: str, game_id: str) -> None:
    with redis.Redis.from_url(redis_url) as store:
        assert store.rpop(f"catchten:{{{game_id}}}")


def test_a_play_that_was_lost_is_taken_back_and_another_one_made(connect: Connect, stored: str, redis_url: str) -> None:
    client = connect(stored)
    opened = open_game(client, 1)
    turn = client.join(opened.id, opened.host_token).deal().position.turn
    seat = client.join(opened.id, opened.tokens[turn])
    first, second = seat.legal_cards[:2]
    updates = seat.changes()
    next(updates)
    lost = seat.play(first)
    assert next(updates) == lost
    lose_last_change(redis_url, opened.id)
    again = next(updates)
    assert (again.whole, again.version, seat.is_my_turn) == (True, lost.version - 1, True)
    other = seat.play(second)
    assert (other.version, next(updates).events) == (lost.version, [models.CardPlayed(seat=turn, card=second)])
    assert other.revision != lost.revision


def test_a_play_on_a_past_that_was_lost_is_refused(connect: Connect, stored: str, redis_url: str) -> None:
    client = connect(stored)
    opened = open_game(client, 1)
    turn = client.join(opened.id, opened.host_token).deal().position.turn
    seats = [client.join(opened.id, token) for token in opened.tokens]
    seats[turn].play(seats[turn].legal_cards[0])
    following = seats[(turn + 1) % 4]
    following.see()
    lose_last_change(redis_url, opened.id)
    with pytest.raises(StaleVersion):
        following.play(following.legal_cards[0])
    assert following.position.turn == turn
