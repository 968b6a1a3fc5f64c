"""POST and GET /v1/suggestions: a card, and the outlook of each legal card, from the seat's knowledge."""

from collections import Counter
from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings

from service.app import create_app
from service.game.cards import CODES, NUMBER
from service.game.generators import run_to_end
from service.game.notation.position import format_position
from service.game.rules.admission import admit
from service.game.rules.deal import play_unchecked
from service.game.rules.past import find_hidden_after, seats_of
from service.game.rules.unseen import find_hidden
from service.game.rules.view import view
from service.game.rulesets import Table
from service.game.state import Claim, State, side_of, to_claim
from service.platform.settings import Settings
from service.players.determinizations import Determinizations
from service.players.player import EFFORTS, Level, weigh_cards
from tests.game.rules.test_past import play_some
from tests.players.test_ending import ending_state, try_all
from tests.support.http.client import JSON, MSGPACK, Answer, Request, ask, post, read_problem, refused
from tests.support.http.samples import OVER, STATE
from tests.support.strategies import chances, deal_at_random, states, tables

PATH: Final = "/v1/suggestions"
LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Jh_3.K76hQd.4.3_3-AcTs_AQ6sK976dQ9876c.87sAhAJT8dKc"


VOID: Final = [{"seat": seat, "card": card} for seat, card in enumerate(("6C", "9C", "QC", "QH"))]
"""Seat 3 does not follow suit, so it has no clubs; seat 2 takes the trick and leads."""
AFTER: Final = {
    **STATE,
    "hands": [[card for card in hand if card not in {"6C", "9C", "QC", "QH"}] for hand in STATE["hands"]],
    "leader": 2,
    "taken": [["6C", "9C", "QC", "QH"], []],
}


def suggest(state: object, **more: object) -> Answer:
    return post(PATH, {"state": state, **more})


def get(line: str, query: str = "", *headers: tuple[str, str]) -> Answer:
    return ask(Request(f"{PATH}/{line}{query}", (b"",), "GET", headers))


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_the_answer_is_what_the_player_finds_the_best_card_first(level: Level) -> None:
    seen = view(admit(msgspec.convert(STATE, Claim)), 0)
    found = run_to_end(weigh_cards(seen, EFFORTS[level], "7"))
    answer = suggest(STATE, level=level, seed="7").read(dict[str, Any])
    assert (answer["turn"], answer["side"], answer["level"], answer["seed"]) == (0, 0, level, "7")
    assert (answer["fillings"], answer["nodes"]) == (found.fillings, found.nodes)
    assert answer["card"] == answer["cards"][0]["card"]
    assert {card["card"] for card in answer["cards"]} == set(STATE["hands"][0])
    assert [card["points"] for card in answer["cards"]] == [round(option.points, 3) for option in found.options]
    assert [card["against"] for card in answer["cards"]] == [round(option.against, 3) for option in found.options]


@settings(max_examples=30)
@given(states(playing=True), chances())
def test_two_states_that_look_the_same_to_the_seat_get_the_same_answer(state: State, chance: Random) -> None:
    seat = state.seat_to_play
    seen = view(state, seat)
    other = Determinizations(find_hidden(seen)).draw(chance)
    answers = {suggest(to_claim(each), level="easy").body for each in (state, seen, other)}
    assert len(answers) == 1


@settings(max_examples=30)
@given(states(playing=True))
def test_every_card_has_its_reasons(state: State) -> None:
    answer = suggest(to_claim(state), level="easy").read(dict[str, Any])
    for card in answer["cards"]:
        assert card["reasons"]
        assert all(reason["detail"].endswith(".") for reason in card["reasons"])


def test_no_plays_do_not_lead_to_cards_in_the_trick() -> None:
    asked: dict[str, dict[str, Any]] = {"suggestions": {}, "knowledge": {"seat": 1}, "claims": {"seat": 1}}
    for path, more in asked.items():
        problem = refused(post(f"/v1/{path}", {"state": LINE, "plays": [], **more}), "impossible_request")
        assert [(error.pointer, error.code) for error in problem.errors] == [("/plays", "plays_do_not_fit")]


def test_what_is_left_out_is_always_the_same() -> None:
    assert suggest(LINE).body == suggest(LINE, level="medium", seed="1", plays=None).body
    assert suggest(LINE, seed="2").body != suggest(LINE).body


@pytest.mark.parametrize("query", ["", "?level=easy", "?seed=arran", "?level=easy&seed=arran"])
@pytest.mark.parametrize("media", [JSON, MSGPACK])
def test_get_answers_as_post_does(query: str, media: str) -> None:
    named = dict(part.split("=") for part in query[1:].split("&") if part)
    got = get(LINE, query, ("accept", media))
    posted = post(PATH, msgspec.json.encode({"state": LINE, **named}), ("content-type", JSON), ("accept", media))
    assert (got.status, got.media, got.body) == (200, posted.media, posted.body)


def test_each_level_and_seed_has_an_etag_of_its_own_and_what_is_known_is_not_sent_again() -> None:
    answers = [get(LINE, query) for query in ("", "?level=easy", "?seed=2")]
    assert len({answer.headers["etag"] for answer in answers}) == 3
    assert answers[0].headers["cache-control"] == "public, max-age=3600"
    assert get(LINE, "", ("if-none-match", answers[0].headers["etag"])).status == 304


@pytest.mark.parametrize(
    ("query", "pointer", "code"),
    [
        ("?level=strong", "/level", "not_allowed_value"),
        ("?level=", "/level", "not_allowed_value"),
        ("?seed=a+b", "/seed", "wrong_pattern"),
        ("?seed=", "/seed", "wrong_pattern"),
        ("?level=easy&level=%FF", "/level", "not_allowed_value"),
    ],
)
def test_a_query_that_cannot_be_is_refused(query: str, pointer: str, code: str) -> None:
    problem = refused(get(LINE, query), "invalid_query")
    assert [(error.pointer, error.code) for error in problem.errors] == [(pointer, code)]


def test_a_query_of_very_many_parameters_is_not_decoded() -> None:
    problem = refused(get(LINE, "?" + "level=easy&" * 5000), "invalid_query")
    assert problem.detail == "The query has more than 16 parameters."


def test_of_a_parameter_that_is_there_twice_the_last_counts() -> None:
    assert get(LINE, "?level=hard&level=easy").body == get(LINE, "?level=easy").body


def test_a_seat_whose_hand_is_not_shown_gets_no_suggestion() -> None:
    problem = refused(suggest({**STATE, "hands": [9, *STATE["hands"][1:]]}), "hand_not_seen")
    assert [error.pointer for error in problem.errors] == ["/state/hands/0"]


def test_a_deal_that_is_over_gets_no_suggestion() -> None:
    refused(suggest(OVER), "deal_over")
    line = format_position(admit(msgspec.convert(OVER, Claim)))
    [error] = list(refused(get(str(line)), "deal_over").errors)
    assert error.pointer == "/notation"


def test_a_game_that_is_over_gets_no_suggestion() -> None:
    refused(suggest({**OVER, "scores": [40, 40]}), "game_over")


@pytest.mark.parametrize(
    "request_", [Request(PATH, (msgspec.json.encode({"state": LINE}),)), Request(f"{PATH}/{LINE}", (b"",), "GET")]
)
def test_an_operator_can_turn_suggestions_off(request_: Request) -> None:
    app = create_app(Settings(max_suggestions=0))
    assert read_problem(ask(request_, app)).code == "suggestions_off"
    ready = ask(Request("/readyz?verbose", (b"",), "GET"), app)
    assert (ready.status, "[+]suggestions off\n" in ready.body.decode()) == (200, True)


def test_a_quota_is_charged_by_what_a_suggestion_costs() -> None:
    app = create_app(Settings(rate_limit="1000/hour"))
    answer = ask(Request(PATH, (msgspec.json.encode({"state": STATE, "level": "hard"}),)), app)
    nodes = answer.read(dict[str, Any])["nodes"]
    assert nodes > 1000
    assert answer.headers["ratelimit"].startswith(f'"default";r={1000 - 1 - nodes // 1000};')


@settings(max_examples=30)
@given(tables(), chances())
def test_the_plays_of_the_deal_are_taken_as_a_record_has_them(table: Table, chance: Random) -> None:
    start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    state, played = play_some(start, chance, chance.randrange(36))
    plays = [{"seat": seat, "card": CODES[card]} for seat, card in zip(seats_of(state, played), played, strict=True)]
    answer = suggest(to_claim(state), level="easy", plays=plays)
    found = run_to_end(weigh_cards(view(state, state.seat_to_play), EFFORTS["easy"], "1", played))
    assert answer.read(dict[str, Any])["cards"][0]["points"] == round(found.options[0].points, 3)


@settings(max_examples=15)
@given(tables(), chances())
def test_also_with_the_plays_two_states_that_look_the_same_get_the_same_answer(table: Table, chance: Random) -> None:
    start = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    state, played = play_some(start, chance, chance.randrange(36))
    plays = [{"seat": seat, "card": CODES[card]} for seat, card in zip(seats_of(state, played), played, strict=True)]
    seen = view(state, state.seat_to_play)
    other = Determinizations(find_hidden_after(seen, played)).draw(chance)
    assert len({suggest(to_claim(each), level="easy", plays=plays).body for each in (state, seen, other)}) == 1


def test_an_exact_answer_is_what_the_search_of_all_lines_of_play_finds() -> None:
    chance, exact = Random("exact"), Counter[int]()
    while exact[2] < 20 or exact.total() < 30:
        state = ending_state(chance, chance.randint(2, 8))
        side, sides = side_of(state, state.seat_to_play), len(state.taken)
        for card in suggest(to_claim(state), level="easy").read(dict[str, Any])["cards"]:
            if not card["exact"]:
                break
            ending = try_all(play_unchecked(state, NUMBER[card["card"]]))
            mine, against = ending.points[side], sum(ending.points) - ending.points[side]
            won = ending.winners is not None and side in ending.winners
            assert (card["wins"], card["losses"]) == (won, ending.winners is not None and not won)
            # The points of two sides have a fixed sum, so any of several equal lines may be found.
            assert (card["points"], card["against"]) == (mine, against) or sides == 2
            assert card["points"] - card["against"] == mine - against
            assert card["standard_error"] == 0
        else:
            exact[sides] += 1


def test_who_did_not_follow_suit_in_an_earlier_trick_is_void() -> None:
    with_plays, without = suggest(AFTER, plays=VOID), suggest(AFTER)
    assert with_plays.status == without.status == 200
    assert with_plays.body != without.body


@pytest.mark.parametrize(
    ("plays", "pointer"),
    [
        (VOID[:3], "/plays"),
        ([*VOID, {"seat": 2, "card": "AC"}], "/plays"),
        ([VOID[0], {"seat": 2, "card": "9C"}, *VOID[2:]], "/plays/1/seat"),
        ([VOID[0], VOID[1], {"seat": 2, "card": "QH"}, {"seat": 3, "card": "QC"}], "/plays"),
    ],
)
def test_plays_that_do_not_fit_the_state_are_refused(plays: list[object], pointer: str) -> None:
    [error] = list(refused(suggest(AFTER, plays=plays), "impossible_request").errors)
    assert (error.pointer, error.code) == (pointer, "plays_do_not_fit")


def test_no_more_plays_are_read_than_a_deal_has() -> None:
    [error] = list(refused(suggest(AFTER, plays=VOID * 11), "invalid_body").errors)
    assert (error.pointer, error.code) == ("/plays", "too_long")
