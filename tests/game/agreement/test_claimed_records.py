"""Games of the second engine, cut short at a random place by a claim or a concession: both engines count them alike."""

from collections import Counter
from random import Random
from typing import Final

from tests.game.agreement.test_damaged_records import hide_hands
from tests.game.agreement.test_record import ARRANGEMENTS, record_game
from tests.programs.agreement.asking import Json, ask
from tests.reference import engine
from tests.reference.records import read_record, winners
from tests.support.effort import choose_effort

GAMES: Final = choose_effort(daily=36, nightly=600)


def cut_short(number: int) -> Json:
    """Return the record of a game in which one deal was claimed or conceded; every ninth has hidden hands."""
    chance = Random(f"claimed-{number}")
    rules, _, sides = chance.choice(ARRANGEMENTS)
    game = record_game(rules, sides, f"claimed-{number}").record
    deals: list[Json] = [{"later_hands": [], "revokes_found": [], **deal} for deal in game["deals"]]
    at, players = chance.randrange(len(deals)), sum(map(len, sides))
    how = chance.choice(("claim", "concession")) if len(sides) == 2 else "claim"
    plays = deals[at]["plays"]
    claimed = {
        "plays": plays[: chance.randint(0, len(plays))],
        "ended_by": {"how": how, "seat": chance.randrange(players)},
    }
    deals[at] = deals[at] | claimed
    hidden = chance.sample(range(players), chance.randrange(players)) if number % 9 == 0 else []
    return hide_hands({"on_revoke": "refuse", **game, "deals": deals}, hidden)


def test_a_deal_that_was_claimed_or_conceded_is_counted_as_the_second_engine_counts_it() -> None:
    seen = Counter[str]()
    for number in range(GAMES):
        record = cut_short(number)
        judged = ask("adjudications", **record)
        read, wrong = read_record(record)
        told = [{name: each[name] for name in wrong[0]} for each in judged["irregularities"]]
        assert sorted(told, key=str) == sorted(wrong, key=str)
        seen.update(each["code"] for each in told)
        assert [deal["phase"] for deal in judged["deals"]] == [engine.phase(deal.end) for deal in read]
        assert [deal["points"] for deal in judged["deals"]] == [engine.points(deal.end) for deal in read]
        assert [deal["totals"] for deal in judged["deals"]] == [engine.totals(deal.end) for deal in read]
        assert judged["winners"] == winners(read)
    assert min(seen[code] for code in ("deal_claimed", "deal_conceded", "claim_not_counted")) >= 1
