"""A match is fair, and the measures of strength measure what they say."""

from pathlib import Path

from service.game.rulesets import arrange
from tests.programs.strength import __main__ as strength
from tests.programs.strength.cost import measure_cost
from tests.programs.strength.endings import measure_endings
from tests.programs.strength.matches import play_match


def test_a_player_is_not_ahead_of_itself() -> None:
    match = play_match("rule of thumb", "rule of thumb", "gamerules", arrange(4, 2), 20, 25)
    assert match == (25, 0.5, 0, 0, 0)


def test_the_rule_of_thumb_is_told_apart_from_random_cards() -> None:
    match = play_match("rule of thumb", "random", "gamerules", arrange(4, 2), 20, 200)
    assert match.ahead > match.within > 0
    assert match.share - match.share_within > 0.5
    assert match.deals < 200


def test_cards_chosen_with_all_hands_shown_lose_less_than_random_ones() -> None:
    easy, random = (measure_endings(name, "gamerules", arrange(4, 2), 3) for name in ("easy", "random"))
    assert easy.cards == random.cards > 0
    assert 0 <= easy.seeing_all < random.seeing_all


def test_a_harder_level_plays_more_cards() -> None:
    easy, medium = (measure_cost(level, "gamerules", arrange(4, 2), 2) for level in ("easy", "medium"))
    assert 0 < easy.nodes < medium.nodes
    assert 0 < easy.piece <= easy.most


def test_rows_that_are_there_are_not_measured_again(tmp_path: Path) -> None:
    results = tmp_path / "RESULTS.md"
    for resume, said in ((False, "first"), (True, "second"), (False, "third")):
        report = strength.Report(results, resume=resume)
        report.begin("| a | b | c | d |\n")
        report.add(("gamerules", 4, 2), ("easy",), f"{said} |".__str__)
        expected = "third" if said == "third" else "first"
        assert results.read_text() == f"| a | b | c | d |\n| gamerules | 4, 2 | easy | {expected} |\n"


def test_rows_of_another_table_are_not_taken_for_those_of_this(tmp_path: Path) -> None:
    results = tmp_path / "RESULTS.md"
    results.write_text("| gamerules | 4, 2 | easy | random | 20 |\n")
    report = strength.Report(results, resume=True)
    report.begin("| a | b | c | d |\n")
    report.add(("gamerules", 4, 2), ("easy",), "measured |".__str__)
    assert results.read_text().endswith("| gamerules | 4, 2 | easy | measured |\n")


def test_players_that_are_not_told_apart_are_named(tmp_path: Path) -> None:
    results = tmp_path / "RESULTS.md"
    report = strength.Report(results, resume=False)
    report.add(("gamerules", 4, 2), ("hard", "easy"), "20 | 60.0 ± 3.0 % | +9.0 ± 3.0 |".__str__)
    report.end_matches()
    report.add(("trebor", 6, 2), ("medium", "easy"), "20 | 51.0 ± 3.0 % | +1.0 ± 3.0 |".__str__)
    report.end_matches()
    report.begin("| The end |\n")
    report.add(("denexa", 3, 3), ("easy",), "1 |".__str__)
    written = results.read_text()
    assert "In every row the first player is ahead" in written
    assert "by the 95 % interval:\n\n- easy and medium at trebor (6, 2)\n" in written
