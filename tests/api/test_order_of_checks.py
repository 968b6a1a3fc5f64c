"""The order of refusals: a token, the game, whose token it is, the version, the phase, the turn, and the card last."""

from collections.abc import Callable
from random import Random

import pytest

from service.schemas.revision import Revision
from tests.support.games.callers import GAMES, Live, Table, Turn
from tests.support.http.client import Answer, refused

Fault = Callable[[Table, Turn, str], Answer]


def at(version: str) -> tuple[str, str]:
    return ("if-match", version)


def play(table: Table, card: str, *headers: tuple[str, str], path: str | None = None) -> Answer:
    return table.live.call("POST", (path or table.path) + "/plays", {"card": card}, headers)


@pytest.fixture
def table(live: Live) -> Table:
    return live.open("lots-of-kids")


def test_a_body_of_the_wrong_shape_comes_before_all(table: Table) -> None:
    refused(play(table, "1C", path=f"{GAMES}/{'A' * 22}"), "invalid_body")


def test_a_game_that_is_not_there_comes_before_whose_token_it_is_and_the_version(table: Table) -> None:
    refused(play(table, "6C", *table.token(0), path=f"{GAMES}/{'A' * 22}"), "no_such_game")


def test_a_missing_token_comes_before_the_game_which_is_not_looked_up(table: Table) -> None:
    refused(play(table, "6C", path=f"{GAMES}/{'A' * 22}"), "token_missing")
    refused(table.live.call("DELETE", f"{GAMES}/{'A' * 22}"), "token_missing")


def test_a_missing_token_comes_before_the_missing_version(table: Table) -> None:
    refused(play(table, "6C"), "token_missing")
    refused(play(table, "6C", ("authorization", "Bearer x")), "unknown_token")
    refused(play(table, "6C", *table.token("host")), "wrong_token")


def test_a_missing_version_comes_before_the_phase_and_the_turn(table: Table) -> None:
    refused(play(table, "6C", *table.token(0)), "version_needed")
    table.deal()
    refused(play(table, "6C", *table.token(table.turn().other)), "version_needed")


def test_a_stale_version_comes_before_the_phase_the_turn_and_the_card(table: Table, chance: Random) -> None:
    turn, illegal = table.turn_with_illegal_card(chance)
    for seat in (turn.seat, turn.other):
        for version in (1, turn.version - 1, turn.version + 1, 999_999_999):
            answer = table.play(seat, illegal, version)
            assert refused(answer, "stale_version").version == str(table.revision(turn.version))
            assert answer.headers["etag"] == f'"{table.revision(turn.version)}"'
    table.play_deal(chance)
    refused(table.play(turn.seat, illegal, turn.version), "stale_version")


def test_the_turn_comes_before_the_card(table: Table, chance: Random) -> None:
    turn, illegal = table.turn_with_illegal_card(chance)
    refused(table.play(turn.other, illegal, turn.version), "not_your_turn")
    refused(table.play(turn.seat, illegal, turn.version), "illegal_play")


@pytest.mark.parametrize(
    "tag",
    [
        "{0}",
        '"{1}"',
        'W/"{1}"',
        "*",
        '"x"',
        '"{0}", "{0}"',
        "",
        '""',
        '"-{0}"',
        '"{0}',
        "'{0}'",
        '"0{0}"',
        '"{0}0"',
        '"1{1:09}-00000000"',
        '"\u00b2-00000000"',
        '"1-0000000A"',
        '"{0}-gzi"',
        '"{0}-gzip-gzip"',
        '"{0}"-gzip',
        '"' + "1" * 4000 + '"',
    ],
)
def test_anything_but_one_whole_version_in_quotes_is_no_version(table: Table, tag: str) -> None:
    sent = at(tag.format(table.revision(1), 1))
    refused(play(table, "6C", *table.token(0), sent), "bad_version")
    refused(table.live.call("POST", table.path + "/deals", {}, (*table.token("host"), sent)), "bad_version")
    assert table.number() == 1


def test_two_versions_at_once_are_none(table: Table) -> None:
    table.deal()
    turn = table.turn()
    twice = (at(f'"{table.revision(turn.version)}"'), at(f'"{table.revision(1)}"'))
    refused(play(table, turn.legal[0], *table.token(turn.seat), *twice), "bad_version")


@pytest.mark.parametrize("tag", ['W/"{}"', ' "{}" ', '"{}-gzip"', '"{}-br"', 'W/"{}-gzip"'])
def test_a_version_that_a_proxy_has_touched_is_still_a_version(table: Table, tag: str) -> None:
    table.deal()
    turn = table.turn()
    seen = at(tag.format(table.revision(turn.version)))
    assert play(table, turn.legal[0], *table.token(turn.seat), seen).status == 200


def test_another_past_of_the_same_version_is_stale(table: Table) -> None:
    table.deal()
    turn, other = table.turn(), Revision(2, "00000000")
    answer = play(table, turn.legal[0], *table.token(turn.seat), at(f'"{other}"'))
    problem = refused(answer, "stale_version")
    assert (problem.version, answer.headers["etag"]) == (str(table.revision(2)), f'"{table.revision(2)}"')
    assert f"no version {other}" in problem.detail
    assert f"at version {table.revision(2)}" in problem.detail


def test_another_instance_that_lags_behind_refuses_as_stale_not_as_illegal(
    table: Table, twin: Live, chance: Random
) -> None:
    turn, illegal = table.turn_with_illegal_card(chance)
    lagging = table.over(twin)
    assert lagging.turn() == turn
    assert table.play(turn.seat, turn.legal[0], turn.version).status == 200
    refused(lagging.play(turn.seat, illegal, turn.version), "stale_version")
    refused(lagging.play(turn.other, illegal, turn.version), "stale_version")


def test_another_instance_that_lags_behind_knows_a_game_that_is_gone(table: Table, twin: Live) -> None:
    table.deal()
    turn, lagging = table.turn(), table.over(twin)
    assert lagging.turn() == turn
    table.call("host", "DELETE")
    refused(lagging.play(turn.other, turn.legal[0], turn.version), "game_gone")
    refused(lagging.play(turn.seat, turn.legal[0], turn.version), "game_gone")
