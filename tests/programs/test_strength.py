"""A match is fair, and its row replaces the one on the page of results."""

from service.game.rulesets import arrange
from tests.programs.strength.__main__ import RESULTS, replace_rows
from tests.programs.strength.matches import play_match


def test_a_player_is_not_ahead_of_itself() -> None:
    match = play_match("rule of thumb", "rule of thumb", "gamerules", arrange(4, 2), 20, 25)
    assert match == (25, 0.5, 0, 0, 0)


def test_the_rule_of_thumb_is_told_apart_from_random_cards() -> None:
    match = play_match("rule of thumb", "random", "gamerules", arrange(4, 2), 20, 200)
    assert match.ahead > match.within > 0
    assert match.share - match.share_within > 0.5
    assert match.deals < 200


def test_new_rows_replace_the_old_ones_and_what_follows_them_stays() -> None:
    before = RESULTS.read_text(encoding="utf-8")
    after = replace_rows(before, ["| gamerules | 4, 2 | hard | easy | 20 | 60.0 ±3.0 % | +9.0 ±3.0 |"])
    assert after.partition("\n| gamerules")[0] == before.partition("\n| gamerules")[0]
    assert after.partition("\n## ")[2] == before.partition("\n## ")[2]
    assert "+9.0 ±3.0 |\n\n## " in after
