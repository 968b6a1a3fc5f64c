"""A live game as one object: reading, changing and following it."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import httpx
import pytest
from catch_the_ten import cards, models
from catch_the_ten.problems import (
    GameGone,
    GameNotOver,
    GameOver,
    IllegalPlay,
    StaleVersion,
    TokenMissing,
    UnknownToken,
)
from catch_the_ten.sight import number_of
from msgspec.structs import replace

from tests.python_client.both import Connect
from tests.python_client.flaky import Faults, FlakyProxy
from tests.python_client.playing import open_game
from tests.support.http.server import Server


@pytest.fixture
def table(client: Any) -> list[Any]:
    """The seats of a game for four, and then its host."""
    opened = open_game(client, 1)
    return [client.join(opened.id, token) for token in (*(seat.token for seat in opened.seats), opened.host_token)]


def test_a_seat_sees_its_own_cards_and_plays_them_in_turn(table: list[Any]) -> None:
    host = table[-1]
    turn = host.deal().position.turn
    seat = table[turn]
    seat.see()
    assert seat.is_my_turn
    assert [hand for hand in seat.position.state.hands if isinstance(hand, list)] == [list(seat.legal_cards)]
    card = seat.legal_cards[0]
    update = seat.play(card)
    assert update.events[0] == models.CardPlayed(seat=turn, card=card)
    assert (seat.latest, seat.phase, seat.is_my_turn, seat.legal_cards) == (update, "playing", False, ())
    assert host.seat is None
    assert host.legal_cards == ()


def test_a_card_that_may_not_be_played_is_refused_and_may_be_followed_by_another(table: list[Any]) -> None:
    seat = table[table[-1].deal().position.turn]
    seat.see()
    with pytest.raises(IllegalPlay):
        seat.play(next(card for card in cards.PACK if card not in seat.legal_cards))
    assert seat.play(seat.legal_cards[0]).phase == "playing"


def test_a_change_that_leaves_the_position_as_it_was_hinders_no_other(table: list[Any]) -> None:
    for at, seat in enumerate(table[:4]):
        seat.add_entropy(f"from-seat-{at}")
    assert number_of(table[-1].deal().version) == 6


def test_players_change_seats_and_each_keeps_the_token(table: list[Any]) -> None:
    host = table[-1]
    assert host.change_seats([2, 0, 3, 1]).seating.first_seats == [2, 0, 3, 1]
    assert [seat.see().seat for seat in table[:4]] == [1, 3, 0, 2]
    drawn = host.change_seats()
    assert len(drawn.seating.rounds[0]) == 4
    assert drawn.seating.proof is not None
    assert [drawn.seating.first_seats[seat.see().seat] for seat in table[:4]] == [0, 1, 2, 3]


def test_a_change_of_seats_that_comes_after_another_is_refused_and_shows_that(table: list[Any], client: Any) -> None:
    host = table[-1]
    late = client.join(host.id, host.token)
    host.change_seats([1, 0, 2, 3])
    with pytest.raises(StaleVersion):
        late.change_seats([2, 1, 0, 3])
    assert late.state.seating.seats == [1, 0, 2, 3]
    late.change_seats([1, 0, 2, 3])
    assert host.see().seating.first_seats == [0, 1, 2, 3]


def test_who_follows_the_game_is_shown_the_new_seat(table: list[Any]) -> None:
    updates = table[0].changes()
    assert next(updates).game.seat == 0
    table[-1].change_seats([1, 0, 2, 3])
    update = next(updates)
    assert (update.whole, update.game.seat, table[0].seat) == (True, 1, 1)


def test_a_game_from_a_position_goes_on_from_there(client: Any) -> None:
    position = client.deals(rules="french-whist", players=3, seed="arran").position
    opened = client.open_game(rules="french-whist", state=position.state)
    seats = [client.join(opened.id, seat.token) for seat in opened.seats]
    host = client.join(opened.id, opened.host_token)
    assert host.state.from_position
    while (turn := host.see().position.turn) is not None:
        seats[turn].see()
        seats[turn].play(seats[turn].legal_cards[0])
    host.deal()
    assert [shuffle.deal for shuffle in host.state.shuffles] == [2, 3]
    assert host.state == host.see()
    assert host.get_record().deals[0].proof is None


def test_a_play_on_a_position_that_is_gone_is_refused_and_shows_the_new_one(table: list[Any]) -> None:
    turn = table[-1].deal().position.turn
    seat = table[turn]
    before = seat.see()
    table[-1].resign((turn + 1) % 4)
    with pytest.raises(StaleVersion) as stale:
        seat.play(before.position.legal_cards[0])
    assert (stale.value.version, number_of(stale.value.version)) == (seat.latest.version, 3)
    assert seat.phase == "game_over"


def test_a_spectator_may_look_and_no_more(client: Any, table: list[Any]) -> None:
    spectator = client.join(table[0].id)
    table[-1].deal()
    assert spectator.see().position.state.hands == [9, 9, 9, 9]
    with pytest.raises(TokenMissing):
        spectator.deal()


def test_following_ends_with_the_game(table: list[Any]) -> None:
    host = table[-1]
    host.deal()
    updates = host.changes()
    assert next(updates).whole
    table[1].see()
    table[1].resign()
    last = next(updates)
    assert [type(event) for event in last.events] == [models.Resigned, models.GameWon]
    assert list(updates) == []
    with pytest.raises(GameOver):
        host.deal()
    assert host.get_record().resigned == 1


def test_following_a_game_that_is_deleted_fails(table: list[Any]) -> None:
    updates = table[0].changes()
    next(updates)
    table[-1].delete()
    with pytest.raises(GameGone):
        next(updates)


def test_who_stops_following_can_begin_again(table: list[Any]) -> None:
    host = table[-1]
    updates = host.changes()
    next(updates)
    updates.close()
    host.deal()
    update = next(host.changes())
    assert (update.whole, update.phase) == (True, "playing")


def test_a_stream_that_falls_silent_is_resumed(connect: Connect, served: Server, table: list[Any]) -> None:
    with FlakyProxy(served.port, Faults(silent=3)) as proxy:
        updates = connect(proxy.url, silence=0.4).join(table[0].id).changes()
        assert number_of(next(updates).version) == 1
        proxy.wait_for("silent streams")
        table[-1].deal()
        assert number_of(next(updates).version) == 2


def test_a_seat_whose_token_is_renewed_is_followed_with_the_new_one(table: list[Any]) -> None:
    seat, host = table[0], table[-1]
    updates = seat.changes()
    next(updates)
    old = seat.token
    assert seat.renew_token() == seat.token != old
    update = next(updates)
    assert (update.whole, number_of(update.version)) == (True, 2)
    assert len(host.deal().position.state.hands) == 4
    assert len(next(updates).position.state.hands[0]) == 9
    assert [number_of(message.id) for message in host.list_changes("1-00000000").messages] == [3]
    assert [type(message) for message in host.list_changes().messages] == [models.GameMessage]


def test_a_seat_whose_token_the_host_has_renewed_has_lost_it(client: Any, table: list[Any]) -> None:
    seat, host = table[0], table[-1]
    updates = seat.changes()
    next(updates)
    token = host.renew_token(0)
    with pytest.raises(UnknownToken):
        next(updates)
    assert client.join(seat.id, token).seat == 0


def test_the_computer_plays_a_seat_until_it_is_taken_back(table: list[Any]) -> None:
    host, seat = table[-1], table[2]
    updates = host.changes()
    next(updates)
    assert [one.computer for one in seat.seat_computer("easy").game.seats] == [None, None, "easy", None]
    assert next(updates).events == [models.ComputerSeated(seat=2, level="easy")]
    assert host.state == replace(seat.state, seat=None, role="host")
    assert [one.computer for one in host.take_seat_back(2).game.seats] == [None] * 4
    assert next(updates).events == [models.ComputerLeft(seat=2)]
    assert host.take_seat_back(2).events == []
    assert host.state == host.see()


def test_the_host_opens_one_next_game_to_which_everybody_comes(client: Any, table: list[Any]) -> None:
    host, seat = table[-1], table[2]
    host.deal()
    with pytest.raises(GameNotOver):
        host.open_rematch()
    table[0].see()
    table[0].resign()
    after = host.open_rematch()
    assert seat.state.rematch is None
    found = [one.await_rematch() for one in (seat, client.join(host.id, table[1].token), client.join(host.id))]
    assert [(one.id, one.seat) for one in found] == [(after.id, 2), (after.id, 1), (after.id, None)]
    assert host.open_rematch().id == after.id != host.id
    assert after.deal().phase == "playing"


def test_a_next_game_that_is_gone_is_not_the_one_that_is_waited_for(table: list[Any], url: str) -> None:
    host, seat = table[-1], table[2]
    host.deal()
    host.see()
    host.resign(0)
    host.open_rematch().delete()

    def open_another() -> Any:
        sleep(0.3)
        path = f"{url}/v1/games/{host.id}/rematches"
        return httpx.post(path, headers={"Authorization": f"Bearer {host.token}"}).json()["id"]

    with ThreadPoolExecutor() as pool:
        opened = pool.submit(open_another)
        found = seat.await_rematch()
    assert (found.id, found.seat) == (opened.result(), 2)
