"""Who plays with whom: before the first deal players change seats, by choice or by a draw of cards."""

import asyncio
from hashlib import sha256
from typing import Final

import pytest

from service.api.games.acts import Rematch
from service.api.games.changes import ChangePage
from service.api.games.event_messages import GameMessage
from service.api.games.seats import RenewedToken
from service.game.fairness import verification
from service.game.fairness.verification import SeatsProof
from service.game.rules.record import Record
from service.game.rulesets import Seat
from service.live import computers
from service.live.computers import Limits
from service.live.decisions import MAX_SEAT_CHANGES
from service.live.store.protocol import Store
from service.schemas.ids import Token
from service.schemas.live_game import LiveGame, Seating
from tests.support.games.callers import Bearer, Live, Table, Version, computers_of
from tests.support.games.course import until
from tests.support.games.listeners import Follow
from tests.support.http.client import Answer, refused
from tests.support.questions import DrawQuestion, draws

FRIENDS: Final = ("Ann", "Bob", "Cho", "Dee")
TURNED: Final = (2, 0, 3, 1)
"""By seat: where its player sat before. Ann goes from seat 0 to 1, Bob to 3, Cho to 0, Dee to 2."""


@pytest.fixture
def table(live: Live) -> Table:
    return live.open("trebor", seats=[{"name": name} for name in FRIENDS])


def change_seats(
    table: Table, seats: tuple[Seat, ...] | None, bearer: Bearer = "host", version: Version | None = None
) -> Answer:
    body = {} if seats is None else {"seats": seats}
    return table.call(bearer, "POST", "/seatings", body, version or table.last_seen)


def changed(table: Table, seats: tuple[Seat, ...] | None, bearer: Bearer = "host") -> tuple[LiveGame, Seating]:
    """Change seats, and return the game and the change."""
    answer = change_seats(table, seats, bearer)
    assert answer.status == 200, answer
    game = answer.read(LiveGame)
    assert game.seating is not None
    return game, game.seating


def names_of(game: LiveGame) -> tuple[str | None, ...]:
    return tuple(seat.name for seat in game.seats)


def by_token(table: Table, token: Token) -> Seat | None:
    """Return the seat to which a token leads."""
    answer = table.live.call("GET", table.path, headers=(("authorization", f"Bearer {token}"),))
    assert answer.status == 200, answer
    return answer.read(LiveGame).seat


def test_each_player_moves_with_the_token_the_name_and_the_computer(live: Live) -> None:
    seats = [{"name": name} for name in FRIENDS[:3]] + [{"computer": "hard"}]
    table = live.open("trebor", seats=seats)
    game, seating = changed(table, TURNED)
    assert (names_of(game), computers_of(game)) == (("Cho", "Ann", None, "Bob"), (None, None, "hard", None))
    assert [by_token(table, token) for token in table.tokens] == [1, 3, 0, 2]
    assert seating == Seating(TURNED, TURNED, (), None)


def test_the_token_of_a_seat_that_was_taken_moves_too_and_the_first_one_stays_void(table: Table) -> None:
    token = table.call(0, "POST", "/seats/0/tokens", {"name": "Zoe"}).read(RenewedToken).token
    game, _ = changed(table, TURNED)
    assert (names_of(game), by_token(table, token)) == (("Cho", "Zoe", "Dee", "Bob"), 1)
    refused(table.call(0, "GET"), "unknown_token")


def test_after_two_changes_it_is_known_where_each_token_was_first(table: Table) -> None:
    changed(table, TURNED)
    game, seating = changed(table, (1, 0, 2, 3))
    assert names_of(game) == ("Ann", "Cho", "Dee", "Bob")
    assert (seating.seats, seating.first_seats) == ((1, 0, 2, 3), (0, 2, 3, 1))


@pytest.mark.parametrize("bearer", [2, "host"])
def test_cards_drawn_decide_who_plays_with_whom_and_the_highest_are_partners(table: Table, bearer: Bearer) -> None:
    game, seating = changed(table, None, bearer)
    ranks = {drawn.seat: "6789TJQKA".index(drawn.card[0]) for drawn in seating.rounds[0]}
    assert sorted(ranks) == list(table.seats)
    side = {seating.seats[0], seating.seats[2]}
    assert min(ranks[seat] for seat in side) >= max(ranks[seat] for seat in set(table.seats) - side)
    assert names_of(game) == tuple(FRIENDS[seat] for seat in seating.seats)


def test_the_draw_follows_from_what_was_committed_to_and_added_before_it(table: Table) -> None:
    table.stir(2, "my-own-dice")
    before = table.see()
    game, seating = changed(table, None)
    proof = seating.proof
    assert proof is not None
    assert (proof.commitment, proof.entropy) == (before.shuffles[0].commitment, ("", "", "my-own-dice", ""))
    verify(seating, proof)
    assert [shuffle.deal for shuffle in game.shuffles] == [1]
    assert game.shuffles[0].commitment != proof.commitment


def verify(seating: Seating, proof: SeatsProof) -> None:
    """Verify a draw as PROOFS.md says."""
    hashed = sha256(f"catch-the-ten/commitment/{proof.secret}".encode()).hexdigest()
    seed = sha256("/".join(("catch-the-ten/seats-seed", proof.secret, *proof.entropy)).encode()).hexdigest()
    again = draws(DrawQuestion(4, seed, order=True))
    assert again.order is not None
    places: dict[int, Seat] = dict(zip((0, 2, 1, 3), again.order, strict=True))
    assert hashed == proof.commitment
    assert again.rounds == seating.rounds
    assert tuple(places[seat] for seat in range(4)) == seating.seats


def test_seats_add_to_the_next_shuffle_after_a_draw_and_the_deal_is_proved(table: Table) -> None:
    table.stir(0, "before")
    game, _ = changed(table, None)
    seat = by_token(table, table.tokens[0])
    assert table.stir(0, "after").status == 200
    assert table.deal().status == 200
    table.resign("host", seat=0)
    proof = table.see().shuffles[0].proof
    assert proof is not None
    assert (proof.commitment, proof.dealer_drawn) == (game.shuffles[0].commitment, True)
    assert proof.entropy == tuple("after" if one == seat else "" for one in range(4))
    record = table.call(None, "GET", "/record").read(Record)
    assert verification.verify(record) == {1: ()}


def test_a_dealer_who_was_drawn_is_drawn_anew_and_a_named_seat_still_deals(live: Live, table: Table) -> None:
    before = table.see()
    game, _ = changed(table, TURNED)
    highest = max(game.draw[0], key=lambda drawn: "6789TJQKA".index(drawn.card[0]))
    assert game.draw != before.draw
    assert game.dealer == highest.seat or len(game.draw) > 1
    named = live.open("trebor", seats=[{"name": name} for name in FRIENDS], first_dealer=3)
    assert changed(named, TURNED)[0].dealer == 3


def test_a_lost_answer_is_got_by_the_same_request(table: Table, twin: Live) -> None:
    first = change_seats(table, TURNED, version=1)
    assert change_seats(table.over(twin), TURNED, version=1).body == first.body
    refused(change_seats(table, (1, 0, 2, 3), version=1), "stale_version")
    refused(change_seats(table, None, version=1), "stale_version")
    drawn = change_seats(table, None, version=2)
    assert change_seats(table, None, version=2).body == drawn.body
    assert table.number() == 3


def test_of_draws_at_once_one_is_made(table: Table) -> None:
    async def ask_all() -> list[Answer]:
        calls = [
            table.live.asked("POST", f"{table.path}/seatings", {}, table.headers(bearer, 1))
            for bearer in (*table.seats, "host")
        ]
        return await asyncio.gather(*calls)

    answers = table.live.run(ask_all())
    assert {answer.status for answer in answers} == {200}
    assert len({answer.read(LiveGame).version for answer in answers}) == 1
    assert table.number() == 2


def test_until_everybody_has_come_only_the_host_changes_seats(live: Live) -> None:
    table = live.open("trebor", seats=[{"name": name} for name in FRIENDS[:3]] + [{}])
    refused(change_seats(table, None, 0), "wrong_token")
    refused(change_seats(table, TURNED, 3), "wrong_token")
    game, _ = changed(table, TURNED)
    assert names_of(game) == ("Cho", "Ann", None, "Bob")
    assert table.call(3, "POST", "/seats/2/tokens", {"name": "Dee"}).status == 200
    assert changed(table, None, 0)[0].role == "seat"


def test_once_cards_are_dealt_nobody_changes_seats_until_the_next_game(table: Table) -> None:
    table.deal()
    refused(change_seats(table, TURNED), "already_dealt")
    table.resign(0)
    refused(change_seats(table, TURNED), "already_dealt")
    after = table.with_id(table.rematch().read(Rematch).id)
    after.see()
    game, _ = changed(after, TURNED, 2)
    assert names_of(game) == ("Cho", "Ann", "Dee", "Bob")
    after.deal()
    after.resign(0)
    last = after.with_id(after.rematch().read(Rematch).id)
    assert names_of(last.see()) == names_of(game)
    assert last.see().seating is None
    assert [by_token(last, token) for token in last.tokens] == [1, 3, 0, 2]


@pytest.mark.parametrize("seats", [(0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 4), (0, 1, 2, 3, 4)])
def test_every_seat_is_named_once(table: Table, seats: tuple[Seat, ...]) -> None:
    refused(change_seats(table, seats), "impossible_request")


def test_streams_show_the_whole_game_from_the_new_seat(table: Table, follow: Follow) -> None:
    streams = {bearer: follow(table, bearer) for bearer in (0, 1, None)}
    for stream in streams.values():
        stream.hear_version(1)
    changed(table, TURNED)
    for bearer, seat in ((0, 1), (1, 3), (None, None)):
        game = streams[bearer].hear_version(2)[-1].game
        assert (game.seat, names_of(game)) == (seat, ("Cho", "Ann", "Dee", "Bob"))
    assert table.deal().status == 200
    for bearer, seat in ((0, 1), (1, 3)):
        position = streams[bearer].hear_version(3)[-1].change.position
        assert position is not None
        hands = position.state.hands
        assert [at for at, hand in enumerate(hands) if not isinstance(hand, int)] == [seat]


def test_a_stream_makes_the_new_seat_present_and_not_the_one_before(table: Table, follow: Follow) -> None:
    stream = follow(table, 0)
    stream.hear_version(1)
    assert present(table) == [0]
    changed(table, TURNED)
    until(table.live, lambda: present(table) == [1])
    stream.leave()
    until(table.live, lambda: not present(table))


def present(table: Table) -> list[Seat]:
    return [seat.seat for seat in table.see().seats if seat.present]


def test_a_stream_that_was_lost_meanwhile_shows_the_whole_game_too(table: Table, follow: Follow) -> None:
    seen = table.see().version
    changed(table, TURNED)
    table.stir(0, "x")
    last = follow(table, 0, seen).hear_version(3)[-1]
    assert (last.game.seat, last.version) == (1, 3)


def test_a_poller_gets_the_whole_game_from_the_new_seat(table: Table) -> None:
    seen = table.see().version
    changed(table, TURNED)
    (message,) = table.call(0, "GET", f"/changes?after={seen}").read(ChangePage).messages
    assert isinstance(message, GameMessage)
    assert message.data.seat == 1
    assert table.call(0, "GET", f"/changes?after={message.id}").read(ChangePage).messages == ()


def test_a_seat_changes_seats_only_as_often_as_others_can_bear(runner: asyncio.Runner, store: Store) -> None:
    table = Live(runner, store, clock=lambda: 1_767_268_800_000).open("trebor", seats=[{"name": n} for n in FRIENDS])
    for _ in range(MAX_SEAT_CHANGES):
        assert change_seats(table, (1, 0, 2, 3), 0).status == 200
    refused(change_seats(table, (1, 0, 2, 3), 0), "too_many_changes")
    assert change_seats(table, (1, 0, 2, 3), 1).status == 200
    assert change_seats(table, (1, 0, 2, 3)).status == 200


def test_the_computer_leaves_several_people_time_to_change_seats_before_its_first_deal(
    runner: asyncio.Runner, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "FIRST_DEAL", 1_000_000)
    live = Live(runner, store, limits=Limits(deal=0.01))
    people, alone = (
        live.open("trebor", computers=(None, "easy", other, "easy"), first_dealer=1) for other in (None, "easy")
    )
    until(live, lambda: alone.phase() == "playing")
    assert people.phase() == "to_deal"
    live.stop.end()
