"""A match is fair, and the measures of strength measure what they say."""

from pathlib import Path

import pytest

from service.rulesets import arrange
from tests.strength import __main__ as strength
from tests.strength.cost import measure_cost
from tests.strength.endings import measure_endings
from tests.strength.matches import play_match


def test_a_player_is_not_ahead_of_itself() -> None:
    match = play_match("rule of thumb", "rule of thumb", "gamerules", arrange(4, 2), 20, 25)
    assert (match.share, match.ahead, match.within, match.deals) == (0.5, 0, 0, 25)


def test_the_rule_of_thumb_is_told_apart_from_random_cards() -> None:
    match = play_match("rule of thumb", "random", "gamerules", arrange(4, 2), 20, 200)
    assert match.ahead > match.within > 0
    assert match.share > 0.5
    assert match.deals < 200


def test_exact_play_loses_nothing_and_other_play_does() -> None:
    loss = measure_endings("easy", "denexa", arrange(3, 3), 3)
    assert loss.cards > 0
    assert loss.seeing_all == 0
    assert measure_endings("random", "denexa", arrange(3, 3), 3).seeing_all > 0


def test_a_harder_level_plays_more_cards() -> None:
    easy, medium = (measure_cost(level, "gamerules", arrange(4, 2), 2) for level in ("easy", "medium"))
    assert 0 < easy.nodes < medium.nodes
    assert 0 < easy.piece <= easy.most


def test_rows_that_are_there_are_not_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "RESULTS", tmp_path / "RESULTS.md")
    for resume, said in ((False, "first"), (True, "second"), (False, "third")):
        report = strength.Report(resume=resume)
        report.begin("A table\n")
        report.add(("gamerules", 4, 2), ("easy",), f"{said} |".__str__)
        expected = "third" if said == "third" else "first"
        assert strength.RESULTS.read_text() == f"A table\n| gamerules | 4, 2 | easy | {expected} |\n"
