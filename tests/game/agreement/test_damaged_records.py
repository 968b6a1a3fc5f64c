"""Games of the second engine, damaged at a random place as people damage records; the rest is still read.

A slip found with its kind and place changes no verdict, score or winner, and the assumed play is the real one. If the
reading stops, the answer says so, and no deal is lost.
"""

from collections.abc import Callable
from random import Random
from typing import Final

import pytest

from service.game.rules.record import MAX_PLAYS
from tests.game.agreement.test_record import ARRANGEMENTS, record_game
from tests.programs.agreement.asking import Json, ask
from tests.reference import engine
from tests.reference.records import first_state, read_record, states_laid
from tests.support.effort import choose_effort

GAMES: Final = choose_effort(daily=16, nightly=400)
"""Games damaged in each way."""
Damage = Callable[[Json, list[Json], int, Random], str | None]
"""Damages the plays of a deal at a place; it returns the code of the slip, or None if there is nothing to damage."""


def exchange(_: Json, plays: list[Json], at: int, __: Random) -> str | None:
    if at + 1 == len(plays) or plays[at]["seat"] == plays[at + 1]["seat"]:
        return None
    plays[at : at + 2] = plays[at : at + 2][::-1]
    return "plays_exchanged"


def take_back(deal: Json, plays: list[Json], at: int, chance: Random) -> str | None:
    """Let another seat play a card that it holds, and take it back."""
    hands = states_laid(plays, deal)[at]["hands"]
    others = [seat for seat, hand in enumerate(hands) if hand and seat != plays[at]["seat"]]
    if not others:
        return None
    seat = chance.choice(others)
    plays.insert(at, {"seat": seat, "card": chance.choice(hands[seat])})
    return "out_of_turn"


def double(deal: Json, plays: list[Json], at: int, __: Random) -> str | None:
    """Write the trick before again, or what there is of it."""
    size = min(len(deal["hands"]), at)
    plays[at:at] = plays[at - size : at]
    return "plays_repeated" if size else None


def offer(deal: Json, plays: list[Json], at: int, _: Random) -> str | None:
    """Let the seat whose turn it is offer a card that another holds, before its own."""
    held = [card for seat, hand in enumerate(deal["hands"]) for card in hand if seat != plays[at]["seat"]]
    plays.insert(at, {"seat": plays[at]["seat"], "card": held[0]})
    return "card_not_held"


def leave_out(_: Json, plays: list[Json], at: int, __: Random) -> str | None:
    del plays[at]
    return "play_missing" if at < len(plays) else None


def mistype(deal: Json, plays: list[Json], at: int, chance: Random) -> str | None:
    """Write a card that another seat holds."""
    held = [card for seat, hand in enumerate(deal["hands"]) for card in hand if seat != plays[at]["seat"]]
    plays[at] = {"seat": plays[at]["seat"], "card": chance.choice(held)}
    return "card_mistyped"


DAMAGES: Final[tuple[Damage, ...]] = (exchange, take_back, double, offer, leave_out, mistype)
_PLACE: Final = ("pointer", "deal_index", "play_index", "code")


def damaged(damage: Damage, number: int) -> tuple[Json, Json, int, int, str | None]:
    """Return a game, the same damaged, the deal and the place, and the code of the slip."""
    chance = Random(f"{damage.__name__}-{number}")
    rules, _, sides = chance.choice(ARRANGEMENTS)
    game = record_game(rules, sides, f"damaged-{damage.__name__}-{number}").record
    deal = chance.randrange(len(game["deals"]))
    plays = [*game["deals"][deal]["plays"]]
    at = chance.randrange(len(plays))
    begun = first_state(
        game | {"deals": [{"later_hands": [], **each} for each in game["deals"]]}, deal, [0] * len(sides)
    )
    code = damage(begun, plays, at, chance)
    hidden = chance.sample(range(len(begun["hands"])), chance.randrange(len(begun["hands"]))) if number % 2 else []
    code = code if len(plays) <= MAX_PLAYS else None
    return hide_hands(game, hidden), hide_hands(_with_plays(game, deal, plays[:MAX_PLAYS]), hidden), deal, at, code


def _with_plays(game: Json, deal: int, plays: list[Json]) -> Json:
    deals = [*game["deals"]]
    deals[deal] = deals[deal] | {"plays": plays}
    return game | {"deals": deals}


def hide_hands(game: Json, seats: list[int]) -> Json:
    """Write the hands of some seats as numbers."""
    return game | {
        "deals": [
            deal
            | {
                "hands": [len(hand) if seat in seats else hand for seat, hand in enumerate(deal["hands"])],
                "later_hands": [
                    [len(hand) for hand in later] if seat in seats else later
                    for seat, later in enumerate(deal["later_hands"])
                ],
            }
            for deal in game["deals"]
        ]
    }


def without_order(judged: Json) -> Json:
    deals = [{name: deal[name] for name in deal if name != "play_indexes"} for deal in judged["deals"]]
    return {"deals": deals, "winners": judged["winners"], "won_by": judged["won_by"]}


def count_found(damage: Damage) -> tuple[int, int]:
    """Return how many slips were found with kind and place, of how many; each of these changes nothing else."""
    found = tried = 0
    for number in range(GAMES):
        game, other, deal, at, code = damaged(damage, number)
        if code is None:
            continue
        whole, judged = ask("adjudications", **game), ask("adjudications", **other)
        assert list_told(judged) == list(range(len(whole["deals"]))), "no deal is lost"
        tried += 1
        slips = [each for each in judged["irregularities"] if each["deal_index"] == deal]
        expected = without_order(whole)
        if slips and (slips[0]["code"], slips[0]["play_index"]) == (code, at):
            found += 1
            if code == "play_missing":
                del expected["deals"][deal]["verdicts"][at]
            if code in {"play_missing", "card_mistyped"}:
                assert slips[0]["assumed"] == game["deals"][deal]["plays"][at]
            assert without_order(judged) == expected
            assert {each["code"] for each in judged["irregularities"]} == {code}
        else:
            assert slips or hides(game, deal) or without_order(judged) == expected, "nothing is read without a word"
            assert not any(each["assumed"] for each in slips), "no other play is assumed"
    return found, tried


def hides(game: Json, deal: int) -> bool:
    """Return True if a hand of the deal is hidden: it may seem to hold any card that nobody shows."""
    return any(isinstance(hand, int) for hand in game["deals"][deal]["hands"])


def list_told(judged: Json) -> list[int]:
    """Return the numbers of the deals that are judged, or that the answer says were dealt after the game."""
    after = [each["deal_index"] for each in judged["irregularities"] if each["code"] == "dealt_after_game"]
    return sorted({*range(len(judged["deals"])), *after})


@pytest.mark.parametrize(
    ("damage", "can_be_made", "is_found"),
    [
        (exchange, 0.6, 0.9),
        (take_back, 0.8, 0.9),
        (double, 0.6, 0.8),
        (offer, 0.0, 0.6),
        (leave_out, 0.8, 0.6),
        (mistype, 0.8, 0.7),
    ],
)
def test_a_slip_is_found_with_its_kind_and_its_place_and_the_rest_is_read_as_it_was(
    damage: Damage, can_be_made: float, is_found: float
) -> None:
    found, tried = count_found(damage)
    assert tried > GAMES * can_be_made
    assert found >= tried * is_found


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_record_is_read_as_the_second_engine_reads_it(damage: Damage) -> None:
    for number in range(0, GAMES, 4):
        _, other, _, _, _ = damaged(damage, number)
        judged = ask("adjudications", **other)
        deals: list[Json] = [{"later_hands": [], "revokes_found": [], **deal} for deal in other["deals"]]
        read, wrong = read_record({"on_revoke": "refuse", **other, "deals": deals})
        told = [{name: each[name] for name in _PLACE} for each in judged["irregularities"]]
        assert sorted(told, key=str) == sorted(wrong, key=str)
        plays = [[(each["seat"], each["card"]) for each in deal["verdicts"]] for deal in judged["deals"]]
        assert plays == [[(each.seat, each.card) for each in deal.verdicts] for deal in read]
        assert [deal["totals"] for deal in judged["deals"]] == [engine.totals(deal.end) for deal in read]


def test_where_a_card_is_missing_or_mistyped_the_answer_says_where_the_reading_stopped_and_loses_no_deal() -> None:
    stopped = 0
    for damage in (leave_out, mistype):
        for number in range(GAMES):
            game, other, deal, _, _ = damaged(damage, number)
            whole, judged = ask("adjudications", **game), ask("adjudications", **other)
            assert len(judged["deals"]) == len(whole["deals"])
            read, stops = judged["deals"][deal], _stops(judged)
            assert [each["deal_index"] for each in stops] == ([deal] if read["unread"] is not None else [])
            if stops:
                stopped += 1
                assert stops[0]["play_index"] + 1 + read["unread"] == len(other["deals"][deal]["plays"])
            if judged["winners"] != whole["winners"]:
                assert judged["irregularities"] or other["deals"][-1]["plays"] != game["deals"][-1]["plays"]
    assert stopped


def _stops(judged: Json) -> list[Json]:
    return [each for each in judged["irregularities"] if each["code"] == "reading_stopped"]
