"""Every call on a live game: what it answers, and each way in which it is refused."""

import re
from random import Random

import msgspec
import pytest

from service.api.games.games import OpenedGame
from service.game.cards import CODES
from service.game.rulesets import RULESETS
from service.schemas.live_game import Change, LiveGame
from service.schemas.refusal import ProblemCode
from tests.support import wire
from tests.support.games.callers import EVERYBODY, GAMES, Live, Table, number_of, position_of
from tests.support.http.client import JSON, MSGPACK, refused


def test_a_new_game_has_a_place_a_version_and_a_token_for_each_seat_and_the_host(live: Live) -> None:
    answer = live.call("POST", GAMES, {"rules": "trebor", "players": 4})
    opened = answer.read(OpenedGame)
    assert answer.status == 201
    assert answer.headers["location"] == f"{GAMES}/{opened.id}"
    assert f'"{opened.version}"' == answer.headers["etag"] == f'"{Table(live, answer).revision(1)}"'
    tokens = [*(seat.token for seat in opened.seats), opened.host_token]
    assert len({opened.id, *tokens}) == 6
    assert {len(token) for token in tokens} == {52}
    assert [token[:9] for token in tokens] == ["ctt_seat_"] * 4 + ["ctt_host_"]
    assert [(seat.seat, seat.side, seat.name, seat.computer) for seat in opened.seats] == [
        (0, 0, None, None),
        (1, 1, None, None),
        (2, 0, None, None),
        (3, 1, None, None),
    ]


def test_a_new_game_waits_for_the_deal(live: Live) -> None:
    game = live.open("lots-of-kids", 5).see()
    assert (game.phase, game.position, number_of(game.version)) == ("to_deal", None, 1)
    assert (len(game.sides), game.on_revoke, game.seat) == (5, "refuse", None)
    assert [shuffle.proof for shuffle in game.shuffles] == [None]
    highest = max(game.draw[-1], key=lambda drawn: "6789TJQKA".index(drawn.card[0]))
    assert game.dealer == highest.seat


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"rules": "bridge", "players": 4}, "unknown_ruleset", "/rules"),
        ({"rules": "denexa", "players": 8}, "players_not_in_ruleset", "/players"),
        ({"rules": "denexa"}, "invalid_body", ""),
        ({"rules": "denexa", "players": 2, "sides": [[0], [1]]}, "impossible_request", "/players"),
        ({"rules": "denexa", "sides": [[0, 2], [1, 3]]}, "impossible_state", "/sides"),
        ({"rules": "denexa", "players": 4, "on_revoke": "penalise"}, "no_revoke_penalty", "/on_revoke"),
        ({"rules": "denexa", "players": 4, "ttl": 59}, "invalid_body", "/ttl"),
        ({"rules": "denexa", "players": 4, "seed": "x"}, "invalid_body", "/seed"),
        ({"rules": "denexa", "players": "4"}, "invalid_body", "/players"),
    ],
)
def test_a_game_that_cannot_be_is_not_opened(live: Live, body: object, code: ProblemCode, pointer: str) -> None:
    problem = refused(live.call("POST", GAMES, body), code)
    assert problem.errors
    assert [error.pointer for error in problem.errors] == [pointer]


def test_a_house_ruleset_can_be_played(live: Live, chance: Random) -> None:
    house = msgspec.structs.replace(RULESETS["take-ten"], id="house")
    table = live.open(house, 3)
    table.play_game(chance)
    assert table.see().rules == house


def test_the_etag_names_the_version_and_keeps_nobody_from_what_else_they_may_see(live: Live) -> None:
    table = live.open()
    table.deal()
    answer = table.call(None, "GET")
    tag = answer.headers["etag"]
    assert re.fullmatch('"2-[0-9a-f]{8}"', tag)
    assert answer.read(LiveGame).version == tag.strip('"')
    assert answer.headers["cache-control"] == "private, no-store"
    for known in (tag, f"W/{tag}", f'"1-00000000", {tag}', "*"):
        for bearer in (*table.seats, *EVERYBODY):
            again = live.call("GET", table.path, headers=(("if-none-match", known), *table.token(bearer)))
            assert (again.status, again.headers["etag"]) == (200, tag)
            assert again.body == table.call(bearer, "GET").body


def test_who_sits_down_sees_their_cards_though_the_version_is_the_one_that_they_saw_before(live: Live) -> None:
    table = live.open()
    table.deal()
    before = table.call(None, "GET")
    known = (("if-none-match", before.headers["etag"]), *table.token(0))
    seen = position_of(live.call("GET", table.path, headers=known).read(LiveGame))
    assert isinstance(position_of(before.read(LiveGame)).state.hands[0], int)
    assert not isinstance(seen.state.hands[0], int)
    packed = live.call("GET", table.path, headers=(*known, ("accept", MSGPACK)))
    assert (packed.status, packed.headers["content-type"]) == (200, MSGPACK)
    turn = table.turn()
    tag = (("if-match", packed.headers["etag"]), *table.token(turn.seat))
    assert live.call("POST", f"{table.path}/plays", {"card": turn.legal[0]}, tag).status == 200


def test_each_bearer_sees_its_own_hand_only(live: Live) -> None:
    table = live.open("gamerules", 3)
    table.deal()
    for bearer in (*table.seats, *EVERYBODY):
        game = table.see(bearer)
        state = position_of(game).state
        shown = [seat for seat, hand in enumerate(state.hands) if not isinstance(hand, int)]
        assert shown == ([bearer] if isinstance(bearer, int) else [])
        assert state.later_hands == ((6,),) * 3
        assert game.seat == (bearer if isinstance(bearer, int) else None)


def test_a_play_answers_with_what_its_seat_sees_and_what_happened(live: Live, chance: Random) -> None:
    table = live.open()
    table.deal()
    turn = table.turn()
    card = chance.choice(turn.legal)
    answer = table.play(turn.seat, card, turn.version)
    change, seen = answer.read(Change), table.revision(3)
    assert (answer.status, answer.headers["etag"], change.version) == (200, f'"{seen}"', str(seen))
    assert change.events == (wire.CardPlayed(turn.seat, card),)
    assert change.position == position_of(table.see(turn.seat))
    assert position_of(change).turn == turn.other


def test_cards_can_be_said_in_messagepack(live: Live) -> None:
    media = (("content-type", MSGPACK), ("accept", MSGPACK))
    answer = live.call("POST", GAMES, msgspec.msgpack.encode({"rules": "denexa", "players": 2}), media)
    table = Table(live, answer)
    raw = msgspec.msgpack.encode({})
    change = live.call("POST", f"{table.path}/deals", raw, (*table.headers("host", 1), *media))
    assert (change.status, change.media) == (200, MSGPACK)
    assert change.read(Change).position == position_of(table.see())
    seen = live.call("GET", table.path, headers=(("accept", f"{JSON};q=0.5, {MSGPACK}"),))
    assert seen.media == MSGPACK
    assert seen.read(LiveGame) == table.see()


def test_the_calls_are_refused_in_the_wrong_phase(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3)  # no first deal of it can win: 36 at most
    refused(table.play(0, "6C", 1), "not_dealt")
    table.deal()
    refused(table.deal(), "deal_not_over")
    refused(table.stir(0, "x"), "deal_not_over")
    turn = table.turn()
    problem = refused(table.play(turn.other, turn.legal[0], turn.version), "not_your_turn")
    assert problem.turn == turn.seat
    table.play_deal(chance)
    assert table.phase() == "deal_over"
    refused(table.play(0, "6C", table.number()), "deal_over")
    table.play_game(chance)
    refused(table.play(0, "6C", table.number()), "game_over")
    refused(table.deal(), "game_over")
    refused(table.stir(0, "x"), "game_over")


def test_a_card_that_may_not_be_played_is_refused_with_its_verdict_and_changes_nothing(
    live: Live, chance: Random
) -> None:
    table = live.open()
    turn, card = table.turn_with_illegal_card(chance)
    problem = refused(table.play(turn.seat, card, turn.version), "illegal_play")
    assert isinstance(problem.verdict, wire.Verdict)
    assert (problem.verdict.card, problem.verdict.legal_cards) == (card, turn.legal)
    foreign = next(code for code in CODES if code not in turn.hand)
    problem = refused(table.play(turn.seat, foreign, turn.version), "illegal_play")
    assert isinstance(problem.verdict, wire.Verdict)
    assert problem.verdict.reason == "not_in_hand"
    assert table.turn() == turn


@pytest.mark.parametrize(("penalty", "phase"), [("loss_of_game", "game_over"), ("loss_of_deal", "deal_over")])
def test_a_penalised_revoke_ends_the_deal_or_the_game_and_only_its_seat_sees_what_it_could_have_played(
    live: Live, chance: Random, penalty: str, phase: str
) -> None:
    house = msgspec.structs.replace(RULESETS["trebor"], id="house", revoke=penalty)
    table = live.open(house, on_revoke="penalise")
    turn, card = table.turn_with_illegal_card(chance)
    change = table.play(turn.seat, card, turn.version).read(Change)
    revoked = next(event for event in change.events if isinstance(event, wire.Revoked))
    assert (change.phase, revoked.penalty) == (phase, penalty)
    assert (revoked.seat, revoked.verdict.card, revoked.verdict.legal_cards) == (turn.seat, card, turn.legal)
    assert position_of(table.see(turn.other)).state.revoked == turn.seat


def test_a_deal_needs_no_body(live: Live) -> None:
    table = live.open()
    assert table.call("host", "POST", "/deals", version=1).status == 200
    assert table.phase() == "playing"


def test_a_card_not_held_is_no_revoke(live: Live) -> None:
    table = live.open(on_revoke="penalise")
    table.deal()
    turn = table.turn()
    foreign = next(code for code in CODES if code not in turn.hand)
    refused(table.play(turn.seat, foreign, turn.version), "illegal_play")
