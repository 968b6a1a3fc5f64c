"""A live game as one object: what is seen, what is changed, and what is followed."""

from typing import Any, Final

import httpx
import msgspec
import pytest
from catch_the_ten import NoAnswer, cards, models
from catch_the_ten.problems import GameOver, IllegalPlay, NotFound, StaleVersion, TokenMissing, UnknownToken
from msgspec.structs import replace

from tests.clients.examples import list_answers
from tests.python_client.both import Connect
from tests.python_client.flaky import Faults, FlakyProxy
from tests.python_client.playing import open_game
from tests.python_client.test_retries import Script, refused
from tests.support.http.client import post
from tests.support.http.samples import STATE
from tests.support.http.server import Server

POSITION: Final[dict[str, Any]] = msgspec.json.decode(post("/v1/positions", {"state": STATE}).body) | {
    "turn": 0,
    "legal_cards": ["TH"],
}
LIVE: Final[dict[str, Any]] = {
    **next(answer for name, answer in list_answers() if name == "LiveGame"),
    "phase": "playing",
    "position": POSITION,
    "seat": 0,
}
CHANGE: Final[dict[str, Any]] = {
    "at": LIVE["changed_at"],
    "dealer": 3,
    "phase": "playing",
    "position": POSITION,
    "events": [],
    "shuffles": [],
}


def live_game(revision: str, version: int, **more: Any) -> httpx.Response:
    """The whole game, as the service shows it."""
    return httpx.Response(200, json=LIVE | {"version": version} | more, headers={"ETag": f'"{revision}"'})


def event(name: str, revision: str, content: object) -> bytes:
    """A message of the event stream."""
    return f"event: {name}\nid: {revision}\ndata: {msgspec.json.encode(content).decode()}\n\n".encode()


def stream(messages: bytes) -> httpx.Response:
    """An event stream that ends after some messages."""
    return httpx.Response(200, content=b"retry: 1\n\n" + messages, headers={"Content-Type": "text/event-stream"})


@pytest.fixture
def table(client: Any) -> list[Any]:
    """The seats of a game for four, and then its host."""
    opened = open_game(client, 1)
    return [client.join(opened.id, token) for token in (*opened.tokens, opened.host_token)]


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
    assert table[-1].deal().version == 6


def test_a_play_on_a_position_that_is_gone_is_refused_and_shows_the_new_one(table: list[Any]) -> None:
    turn = table[-1].deal().position.turn
    seat = table[turn]
    before = seat.see()
    table[-1].resign((turn + 1) % 4)
    with pytest.raises(StaleVersion) as stale:
        seat.play(before.position.legal_cards[0])
    assert stale.value.version == seat.latest.version == 3
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
    with pytest.raises(NotFound):
        next(updates)


def test_who_stops_following_can_begin_again(table: list[Any]) -> None:
    host = table[-1]
    updates = host.changes()
    next(updates)
    updates.close()
    host.deal()
    update = next(host.changes())
    assert (update.whole, update.phase) == (True, "playing")


def test_a_stream_that_falls_silent_is_resumed(
    connect: Connect, served: Server, table: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("sync", "async"):
        monkeypatch.setattr(f"catch_the_ten._{kind}.transport.SILENCE", 0.4)
    with FlakyProxy(served.port, Faults(silent=3)) as proxy:
        updates = connect(proxy.url).join(table[0].id).changes()
        assert next(updates).version == 1
        proxy.wait_for("silent streams")
        table[-1].deal()
        assert next(updates).version == 2


def test_changes_that_the_service_has_lost_give_way_to_the_whole_game(connect: Connect) -> None:
    streams = [
        event("game", "3-aaaaaaaa", LIVE | {"version": 3}) + event("change", "4-aaaaaaaa", CHANGE | {"version": 4}),
        event("game", "2-bbbbbbbb", LIVE | {"version": 2}),
        event("gone", "", {}),
    ]
    script = Script(
        live_game("3-aaaaaaaa", 3), *map(stream, streams), live_game("2-bbbbbbbb", 2), *[refused("not_found", 404)] * 2
    )
    game = connect(script).join(LIVE["id"])
    updates = game.changes()
    assert [next(updates).revision for _ in range(3)] == ["3-aaaaaaaa", "4-aaaaaaaa", "2-bbbbbbbb"]
    assert game.latest.revision == "2-bbbbbbbb"
    assert [request.headers.get("last-event-id") for request in script.asked] == [None, None, "4-aaaaaaaa"]


def test_an_event_that_is_not_known_yet_is_left_out(connect: Connect) -> None:
    events = [{"type": "thunder"}, {"type": "resigned", "seat": 1, "side": 1}]
    change = event("change", "4-aaaaaaaa", CHANGE | {"version": 4, "events": events, "phase": "game_over"})
    script = Script(live_game("3-aaaaaaaa", 3), stream(event("game", "3-aaaaaaaa", LIVE | {"version": 3}) + change))
    _, update = connect(script).join(LIVE["id"]).changes()
    assert list(update.events) == [models.Resigned(seat=1, side=1)]


def test_what_got_no_answer_is_asked_again_where_it_was_asked_first(connect: Connect) -> None:
    played = CHANGE | {"version": 4, "position": POSITION | {"turn": 1}}
    script = Script(
        live_game("3-aaaaaaaa", 3),
        httpx.ReadError("lost"),
        live_game("4-aaaaaaaa", 4, position=POSITION | {"turn": 1}),
        httpx.Response(200, json=played, headers={"ETag": '"4-aaaaaaaa"'}),
    )
    game = connect(script, patience=0).join(LIVE["id"], "token")
    with pytest.raises(NoAnswer):
        game.play("TH")
    game.see()
    assert game.play("TH").version == 4
    assert [request.headers.get("if-match") for request in script.asked] == [None, '"3-aaaaaaaa"', None, '"3-aaaaaaaa"']


def test_the_same_card_in_a_later_deal_is_a_play_of_its_own(connect: Connect) -> None:
    script = Script(
        live_game("3-aaaaaaaa", 3),
        httpx.ReadError("lost"),
        live_game("40-aaaaaaaa", 40),
        httpx.Response(200, json=CHANGE | {"version": 41}, headers={"ETag": '"41-aaaaaaaa"'}),
    )
    game = connect(script, patience=0).join(LIVE["id"], "token")
    with pytest.raises(NoAnswer):
        game.play("TH")
    game.see()
    assert game.play("TH").version == 41
    assert script.asked[-1].headers["if-match"] == '"40-aaaaaaaa"'


def test_a_seat_whose_token_is_renewed_is_followed_with_the_new_one(table: list[Any]) -> None:
    seat, host = table[0], table[-1]
    updates = seat.changes()
    next(updates)
    old = seat.token
    assert seat.renew_token() == seat.token != old
    update = next(updates)
    assert (update.whole, update.version) == (True, 2)
    assert len(host.deal().position.state.hands) == 4
    assert len(next(updates).position.state.hands[0]) == 9
    assert [message.data.version for message in host.list_changes("1-00000000").messages] == [3]
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
    assert list(seat.seat_computer("easy").computers) == [None, None, "easy", None]
    assert next(updates).events == [models.ComputerSeated(seat=2, level="easy")]
    assert host.state == replace(seat.state, seat=None)
    assert list(host.take_seat_back(2).computers) == [None] * 4
    assert next(updates).events == [models.ComputerLeft(seat=2)]
    assert host.state == host.see()


def test_a_renewal_without_an_answer_is_asked_for_again_with_the_same_key(connect: Connect) -> None:
    renewed = {"version": 4, "seat": 0, "token": "n" * 43}
    script = Script(
        live_game("3-aaaaaaaa", 3),
        httpx.ReadError("lost"),
        refused("unknown_token", 401),
        httpx.Response(201, json=renewed),
        stream(event("game", "4-aaaaaaaa", LIVE | {"version": 4, "phase": "game_over"})),
    )
    game = connect(script, patience=0).join(LIVE["id"], "token")
    with pytest.raises(NoAnswer):
        game.renew_token()
    updates = game.changes()
    with pytest.raises(UnknownToken):  # of the renewal: who follows waits for its answer
        game.renew_token()
    assert game.renew_token() == "n" * 43
    assert [update.version for update in updates] == [4]
    assert len({request.headers.get("idempotency-key") for request in script.asked[1:4]}) == 1
    assert script.asked[-1].headers["authorization"] == f"Bearer {'n' * 43}"


def test_what_is_not_a_stream_is_no_answer(connect: Connect) -> None:
    script = Script(live_game("3-aaaaaaaa", 3), httpx.Response(200, text="<h1>Log in</h1>"))
    with pytest.raises(NoAnswer, match="does not stream"):
        next(connect(script).join(LIVE["id"]).changes())
