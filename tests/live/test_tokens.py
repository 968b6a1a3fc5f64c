"""New tokens for seats: the old one is void at once, everybody sees it, and who asks again gets the same token."""

from random import Random
from typing import Any

import pytest

from service.api.games.changes import ChangePage
from service.api.games.event_messages import ChangeMessage
from service.api.games.seats import RenewedToken
from service.live.entries import TokenEntry, parse_entry
from service.live.store.protocol import Store
from service.live.tokens import derive_secrets
from service.platform.settings import Settings
from service.schemas.ids import Key, Salt
from service.schemas.live_game import Change, LiveGame
from tests.support import wire
from tests.support.games.callers import Bearer, Headers, Live, Table, number_of
from tests.support.games.listeners import Follow
from tests.support.http.client import Answer, refused

KEY = (("idempotency-key", "my-renewal-000001"),)


def renew(table: Table, bearer: Bearer, seat: int, *more: tuple[str, str], live: Live | None = None) -> Answer:
    headers = (*table.token(bearer), *more)
    return send(live or table.live, table, seat, headers)


def send(live: Live, table: Table, seat: object, headers: Headers, body: object = None) -> Answer:
    answer = live.call("POST", f"{table.path}/seats/{seat}/tokens", body, headers)
    table.note(answer)
    return answer


def bearing(token: str) -> Headers:
    return (("authorization", f"Bearer {token}"),)


def test_no_id_of_a_game_is_taken_for_an_option_of_a_command() -> None:
    ids = [derive_secrets(2, Key("key"), Salt(salt.to_bytes(2))).game for salt in range(1000)]
    assert {len(id_) for id_ in ids} == {22}
    assert not any(id_.startswith("-") for id_ in ids)


@pytest.mark.parametrize("bearer", [2, "host"])
def test_a_seat_gets_a_new_token_from_itself_or_the_host(live: Live, bearer: Bearer) -> None:
    table = live.open()
    answer = renew(table, bearer, 2)
    assert (answer.status, answer.headers["cache-control"]) == (200, "private, no-store")
    made = answer.read(RenewedToken)
    assert (made.version, made.seat) == (str(table.revision(2)), 2)
    assert made.token not in table.secrets
    assert answer.headers["etag"] == f'"{table.revision(2)}"'
    shown = live.call("GET", table.path, headers=bearing(made.token))
    assert shown.read(LiveGame).seat == 2


def test_a_new_token_comes_with_its_change_as_everybody_sees_it(live: Live) -> None:
    table = live.open()
    table.deal()
    told = renew(table, 2, 2).read(dict[str, Any])
    after = f"{table.path}/changes?after={table.revision(2)}"
    (last,) = live.call("GET", after, headers=bearing(told["token"])).read(dict[str, Any])["messages"]
    assert {key: value for key, value in told.items() if key not in {"seat", "token"}} == last["data"]
    assert last["data"]["events"] == [{"type": "token_renewed", "seat": 2, "name": None}]


def test_a_token_is_void_at_once_everywhere_when_it_is_renewed(live: Live, twin: Live, chance: Random) -> None:
    table = live.open("denexa", 2)
    table.deal()
    there = table.over(twin)
    turn = there.turn()
    assert there.play(turn.seat, turn.legal[0], turn.version).status == 200
    turn = there.turn()  # now the twin holds the latest version, with the old token
    fresh = renew(table, turn.seat, turn.seat).read(RenewedToken).token
    for one in (there, table):
        refused(one.play(turn.seat, turn.legal[0], turn.version), "unknown_token")
        refused(one.call(turn.seat, "GET"), "unknown_token")
        refused(one.call(turn.seat, "GET", "/events"), "unknown_token")
        refused(one.call(turn.seat, "GET", "/changes"), "unknown_token")
        refused(renew(one, turn.seat, turn.seat), "unknown_token")
    headers = (*bearing(fresh), ("if-match", f'"{table.revision(turn.version + 1)}"'))
    assert twin.call("POST", f"{table.path}/plays", {"card": turn.legal[0]}, headers).status == 200


def test_a_play_sent_again_with_a_void_token_is_refused_like_any_other(live: Live) -> None:
    table = live.open("denexa", 2)
    table.deal()
    turn = table.turn()
    assert table.play(turn.seat, turn.legal[0], turn.version).status == 200
    renew(table, "host", turn.seat)
    refused(table.play(turn.seat, turn.legal[0], turn.version), "unknown_token")


def test_the_tokens_of_other_seats_and_of_the_host_stay(live: Live) -> None:
    table = live.open()
    for bearer in (1, "host"):
        renew(table, bearer, 1)
    assert [table.see(seat).seat for seat in (0, 2, 3, "host")] == [0, 2, 3, None]


def test_only_the_seat_or_the_host_renews_its_token(live: Live) -> None:
    table = live.open()
    refused(renew(table, None, 1), "token_missing")
    refused(renew(table, 0, 1), "wrong_token")
    refused(send(live, table, 1, bearing("A" * 43)), "unknown_token")
    assert table.number() == 1


@pytest.mark.parametrize("seat", ["4", "7", "8", "-1", "01", "x", "²", "0x", "1.0", "99999999999"])
def test_a_seat_that_is_not_there_has_no_token(live: Live, seat: str) -> None:
    table = live.open()
    refused(send(live, table, seat, table.token("host")), "not_found")


@pytest.mark.parametrize("bearer", [3, "host"])
def test_a_request_sent_again_by_its_key_gets_the_same_token(live: Live, twin: Live, bearer: Bearer) -> None:
    table = live.open()
    first = renew(table, bearer, 3, *KEY)
    table.deal()
    for where in (live, twin):
        assert renew(table, bearer, 3, *KEY, live=where) == first
    assert table.number() == 3


@pytest.mark.parametrize("bearer", [3, "host"])
def test_a_key_that_was_sent_with_another_name_is_refused(live: Live, bearer: Bearer) -> None:
    table = live.open()
    headers = (*table.token(bearer), *KEY)
    first = send(live, table, 3, headers, {"name": "Cho"})
    for body in ({"name": "Dee"}, None):
        refused(send(live, table, 3, headers, body), "idempotency_key_reused")
    assert send(live, table, 3, headers, {"name": "Cho"}) == first
    assert table.number() == 2


def test_a_renewal_sent_again_with_null_for_its_body_is_the_same(live: Live) -> None:
    table = live.open()
    headers = (*table.token(3), *KEY)
    first = send(live, table, 3, headers, b"null\n")
    assert first.status == 200
    assert [send(live, table, 3, headers, body) for body in (b"", b"{}", b"null")] == [first] * 3


def test_without_a_key_each_request_makes_a_new_token(live: Live) -> None:
    table = live.open()
    made = [renew(table, "host", 3).read(RenewedToken) for _ in range(3)]
    assert len({one.token for one in made}) == 3
    assert [number_of(one.version) for one in made] == [2, 3, 4]


def test_nobody_else_gets_the_token_of_a_request_sent_again(live: Live) -> None:
    table = live.open()
    made = renew(table, "host", 3, *KEY).read(RenewedToken)
    refused(renew(table, 3, 3, *KEY), "unknown_token")
    refused(renew(table, None, 3, *KEY), "token_missing")
    refused(renew(table, 2, 3, *KEY), "wrong_token")
    other = renew(table, "host", 2, *KEY).read(RenewedToken)
    assert (other.seat, number_of(other.version)) == (2, 3)
    assert other.token != made.token


def test_a_request_may_be_sent_again_from_another_address(store: Store, live: Live) -> None:
    table, moved = live.open(), Live(live.runner, store, Settings())
    moved.client = "203.0.113.7"
    first = renew(table, 1, 1, *KEY)
    assert renew(table, 1, 1, *KEY, live=moved) == first
    hashed = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"  # of "hi"
    keyed = Live(live.runner, store, Settings(api_keys=f"arran:{hashed}"))
    assert renew(table, 1, 1, *KEY, ("x-api-key", "hi"), live=keyed) == first


def test_a_token_that_was_renewed_again_is_not_shown_again(live: Live) -> None:
    table = live.open()
    renew(table, 0, 0, *KEY)
    renew(table, "host", 0)
    refused(renew(table, 0, 0, *KEY), "unknown_token")


@pytest.mark.parametrize("key", ["short", "x" * 257])
def test_a_key_of_the_wrong_length_is_refused(live: Live, key: str) -> None:
    refused(renew(live.open(), 0, 0, ("idempotency-key", key)), "bad_idempotency_key")


def test_the_store_keeps_neither_token_nor_key(live: Live) -> None:
    table = live.open()
    made = renew(table, 0, 0, *KEY).read(RenewedToken)
    line = live.run(live.store.load(table.opened.id)).entries[1]
    assert isinstance(parse_entry(line), TokenEntry)
    for secret in (made.token, KEY[0][1], *table.secrets):
        assert secret.encode() not in line


def test_everybody_sees_that_a_token_was_renewed_and_the_streams_of_the_old_one_end(
    live: Live, twin: Live, follow: Follow, chance: Random
) -> None:
    table = live.open("denexa", 2)
    table.deal()
    old, there = follow(table, 0), follow(table.over(twin), 0)
    others = [follow(table, bearer) for bearer in (1, "host", None)]
    for stream in (old, there, *others):
        stream.hear(1)
    renew(table, "host", 0)
    for stream in others:
        assert stream.hear_version(3)[-1].change.events == (wire.TokenRenewed(0, None),)
    for stream in (old, there):
        last = stream.end()[-1].change
        assert last.events == (wire.TokenRenewed(0, None),)
        assert last.position == table.see(None).position


def test_a_stream_of_the_new_token_shows_its_seat_what_was_before_it(live: Live, follow: Follow) -> None:
    table = live.open("denexa", 2)
    table.deal()
    table.tokens = (renew(table, "host", 0).read(RenewedToken).token, table.tokens[1])
    stream = follow(table, 0, 1)
    for said in stream.hear_version(3):
        position = said.change.position
        assert position is not None
        mine, other = position.state.hands
        assert isinstance(mine, tuple)
        assert isinstance(other, int)
    renew(table, "host", 0)
    ended = stream.end()
    assert [said.version for said in ended] == [2, 3, 4]
    assert ended[-1].change.position == table.see(None).position


def test_the_changes_for_the_new_token_go_on_from_before_it(live: Live) -> None:
    table = live.open("denexa", 2)
    table.deal()
    fresh = renew(table, 0, 0).read(RenewedToken).token
    page = live.call("GET", f"{table.path}/changes?after={table.revision(1)}", headers=bearing(fresh)).read(ChangePage)
    told = [message.data for message in page.messages if isinstance(message, ChangeMessage)]
    assert [type(change.events[0]) for change in told] == [wire.CardsDealt, wire.TokenRenewed]
    assert told[-1].position is not None
    assert isinstance(told[-1].position.state.hands[0], tuple)


def take(live: Live, table: Table, token: str, name: str | None) -> Answer:
    """Renew the token of seat 2 with a token, under a name."""
    return send(live, table, 2, bearing(token), None if name is None else {"name": name})


def test_a_late_guest_takes_the_seat_of_a_computer_by_the_first_token_though_that_is_void_for_all_else(
    live: Live, twin: Live
) -> None:
    table = live.open("trebor", first_dealer=2, computers=(None, None, "easy", None))
    link = table.tokens[2]
    assert renew(table, "host", 2).status == 200  # so that nobody looks into the hand of the computer
    table.deal()
    for answer in (
        table.call(2, "GET"),
        table.call(2, "GET", "/events"),
        table.call(2, "DELETE", "/seats/2/computer", version=table.last_seen),
        table.resign(2),
        take(twin, table, link, None),
    ):
        refused(answer, "unknown_token")
    taken = take(twin, table, link, "Zoe").read(RenewedToken)
    assert taken.events == (wire.TokenRenewed(2, "Zoe"),)
    back = live.call(
        "DELETE", f"{table.path}/seats/2/computer", None, (*bearing(taken.token), ("if-match", f'"{taken.version}"'))
    )
    assert back.read(Change).events == (wire.ComputerLeft(2),)
    refused(take(live, table, link, "Mallory"), "unknown_token")
    assert table.see().seats[2].name == "Zoe"


@pytest.mark.parametrize("seat", [{"name": "Bea", "computer": "easy"}, {}], ids=["has a name", "is a person's"])
def test_no_first_token_takes_a_seat_that_somebody_has(live: Live, seat: dict[str, str]) -> None:
    table = live.open("trebor", seats=[{}, {}, seat, {}])
    assert renew(table, "host", 2).status == 200
    refused(take(live, table, table.tokens[2], "Zoe"), "unknown_token")


def test_no_first_token_takes_another_seat(live: Live) -> None:
    table = live.open("trebor", computers=(None, "easy", "easy", None))
    for seat in (1, 2):
        assert renew(table, "host", seat).status == 200
    refused(take(live, table, table.tokens[1], "Zoe"), "unknown_token")


def test_who_takes_a_seat_with_a_new_token_gives_it_a_name(live: Live, twin: Live) -> None:
    table = live.open("denexa", 2, seats=[{"name": "Ann"}, {}])
    made = send(live, table, 1, table.token(1), {"name": "Bea"}).read(RenewedToken)
    for one in (table, table.over(twin)):
        assert [seat.name for seat in one.see(None).seats] == ["Ann", "Bea"]
    (message,) = live.call("GET", f"{table.path}/changes?after={table.revision(1)}").read(ChangePage).messages
    assert isinstance(message, ChangeMessage)
    assert message.data.events == (wire.TokenRenewed(1, "Bea"),)
    send(live, table, 1, bearing(made.token))
    assert [seat.name for seat in table.see(None).seats] == ["Ann", "Bea"]


@pytest.mark.parametrize("name", ["Seat 1", " ", "\u0301"])
def test_a_name_that_no_page_can_show_takes_no_seat(live: Live, name: str) -> None:
    table = live.open()
    problem = refused(send(live, table, 1, table.token(1), {"name": name}), "impossible_request")
    assert [(error.pointer, error.code) for error in problem.errors or ()] == [("/name", "name_not_shown")]
    refused(send(live, table, 1, table.token(1), {"name": "x" * 41}), "invalid_body")
    assert table.number() == 1


def test_a_renewed_token_changes_nothing_else(live: Live, chance: Random) -> None:
    table = live.open("gamerules", 2)
    table.deal()
    table.play_any(chance)
    before = table.see(1)
    renew(table, "host", 0)
    after = table.see(1)
    assert (after.position, after.phase, after.last_trick) == (before.position, before.phase, before.last_trick)
