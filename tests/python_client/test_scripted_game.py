"""A live game whose service answers as few do: late, not at all, or with another past."""

import httpx
import pytest
from catch_the_ten import NoAnswer, models
from catch_the_ten.problems import GameGone, UnknownToken

from tests.python_client.both import Connect
from tests.python_client.script import CHANGE, LIVE, POSITION, Script, event, live_game, refused, stream, trial


def test_changes_that_the_service_has_lost_give_way_to_the_whole_game(connect: Connect) -> None:
    streams = [
        event("game", LIVE | {"version": "3-aaaaaaaa"}) + event("change", CHANGE | {"version": "4-aaaaaaaa"}),
        event("game", LIVE | {"version": "2-bbbbbbbb"}),
        event("gone", {}),
    ]
    script = Script(live_game("3-aaaaaaaa"), trial(), *map(stream, streams), refused("game_gone", 410))
    game = connect(script).join(LIVE["id"])
    updates = game.changes()
    assert [next(updates).version for _ in range(3)] == ["3-aaaaaaaa", "4-aaaaaaaa", "2-bbbbbbbb"]
    assert game.latest.version == "2-bbbbbbbb"
    with pytest.raises(GameGone):
        next(updates)
    assert [request.headers.get("last-event-id") for request in script.asked][3:] == ["4-aaaaaaaa", "2-bbbbbbbb", None]


def test_an_event_that_is_not_known_yet_is_left_out(connect: Connect) -> None:
    events = [{"type": "thunder"}, {"type": "resigned", "seat": 1, "side": 1}]
    change = event("change", CHANGE | {"version": "4-aaaaaaaa", "events": events, "phase": "game_over"})
    first = event("game", LIVE | {"version": "3-aaaaaaaa"})
    script = Script(live_game("3-aaaaaaaa"), trial(), stream(first + change))
    _, update = connect(script).join(LIVE["id"]).changes()
    assert list(update.events) == [models.Resigned(seat=1, side=1)]


def present_in(game: models.LiveGame) -> list[int]:
    """Return the seats that a game shows as present."""
    return [seat.seat for seat in game.seats if seat.present]


def test_the_state_shows_who_is_present_and_no_update_comes_of_it(connect: Connect) -> None:
    first = event("game", LIVE | {"version": "3-aaaaaaaa"}) + event("presence", {"present": [1]})
    change = event("change", CHANGE | {"version": "4-aaaaaaaa"})
    over = event("change", CHANGE | {"version": "5-aaaaaaaa", "phase": "game_over"})
    script = Script(
        live_game("3-aaaaaaaa"), trial(), stream(first + change + event("presence", {"present": []}) + over)
    )
    game = connect(script).join(LIVE["id"])
    shown = [(update.version[0], present_in(update.game), present_in(game.state)) for update in game.changes()]
    assert shown == [("3", [0, 2], [0, 2]), ("4", [1], [1]), ("5", [], [])]


def test_a_call_leaves_the_presence_that_a_stream_has_shown_since_it_began(connect: Connect) -> None:
    first = event("game", LIVE | {"version": "3-aaaaaaaa"}) + event("presence", {"present": [1]})
    script = Script(
        live_game("3-aaaaaaaa"),
        trial(),
        stream(first + event("change", CHANGE | {"version": "4-aaaaaaaa"})),
        httpx.Response(200, json=CHANGE | {"version": "5-aaaaaaaa"}),
        live_game("6-aaaaaaaa"),
    )
    game = connect(script).join(LIVE["id"], "token")
    updates = game.changes()
    assert [next(updates).version[0] for _ in range(2)] == ["3", "4"]
    game.play("TH")
    assert (game.state.version[0], present_in(game.state)) == ("5", [1])
    assert present_in(game.see()) == [0, 2]


def test_what_got_no_answer_is_asked_again_where_it_was_asked_first(connect: Connect) -> None:
    played = CHANGE | {"version": "4-aaaaaaaa", "position": POSITION | {"turn": 1}}
    script = Script(
        live_game("3-aaaaaaaa"),
        httpx.ReadError("lost"),
        live_game("4-aaaaaaaa", position=POSITION | {"turn": 1}),
        httpx.Response(200, json=played, headers={"ETag": '"4-aaaaaaaa"'}),
    )
    game = connect(script, patience=0).join(LIVE["id"], "token")
    with pytest.raises(NoAnswer):
        game.play("TH")
    game.see()
    assert game.play("TH").version == "4-aaaaaaaa"
    assert [request.headers.get("if-match") for request in script.asked] == [None, '"3-aaaaaaaa"', None, '"3-aaaaaaaa"']


def test_the_same_card_in_a_later_deal_is_a_play_of_its_own(connect: Connect) -> None:
    script = Script(
        live_game("3-aaaaaaaa"),
        httpx.ReadError("lost"),
        live_game("40-aaaaaaaa"),
        httpx.Response(200, json=CHANGE | {"version": "41-aaaaaaaa"}),
    )
    game = connect(script, patience=0).join(LIVE["id"], "token")
    with pytest.raises(NoAnswer):
        game.play("TH")
    game.see()
    assert game.play("TH").version == "41-aaaaaaaa"
    assert script.asked[-1].headers["if-match"] == '"40-aaaaaaaa"'


def test_a_renewal_without_an_answer_is_asked_for_again_with_the_same_key(connect: Connect) -> None:
    renewed = CHANGE | {"version": "4-aaaaaaaa", "seat": 0, "token": "n" * 43}
    script = Script(
        live_game("3-aaaaaaaa"),
        httpx.ReadError("lost"),
        refused("unknown_token", 401),
        httpx.Response(200, json=renewed),
        trial(),
        stream(event("game", LIVE | {"version": "4-aaaaaaaa", "phase": "game_over"})),
    )
    game = connect(script, patience=0).join(LIVE["id"], "token")
    with pytest.raises(NoAnswer):
        game.renew_token()
    updates = game.changes()
    with pytest.raises(UnknownToken):  # of the renewal: who follows waits for its answer
        game.renew_token()
    assert game.renew_token() == "n" * 43
    assert [update.version for update in updates] == ["4-aaaaaaaa"]
    assert len({request.headers.get("idempotency-key") for request in script.asked[1:4]}) == 1
    assert script.asked[-1].headers["authorization"] == f"Bearer {'n' * 43}"


@pytest.mark.parametrize("level", [None, "easy"])
@pytest.mark.parametrize(("phase", "dealer"), [("playing", 0), ("to_deal", 0), ("deal_over", 1)])
def test_a_seat_is_to_play_and_to_deal_unless_the_computer_does(
    connect: Connect, phase: str, dealer: int, level: str | None
) -> None:
    position = POSITION | {"turn": 0 if phase == "playing" else None}
    seats = [LIVE["seats"][0] | {"computer": level}, *LIVE["seats"][1:]]
    shown = {"phase": phase, "dealer": dealer, "position": position, "seats": seats}
    game = connect(Script(live_game("3-aaaaaaaa", **shown))).join(LIVE["id"])
    assert game.is_my_turn is (phase == "playing" and level is None)
    assert game.is_my_deal is (phase == "to_deal" and level is None)


def test_what_is_neither_a_stream_nor_a_page_is_no_answer(connect: Connect) -> None:
    login = httpx.Response(200, text="<h1>Log in</h1>")
    script = Script(live_game("3-aaaaaaaa"), login, login)
    with pytest.raises(NoAnswer, match="cannot be read"):
        next(connect(script).join(LIVE["id"]).changes())
