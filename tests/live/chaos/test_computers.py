"""Games of one person and three computers, over two processes that are killed again and again."""

from pathlib import Path

from tests.programs.chaos.computers import Plan, run


def test_computers_play_each_card_once_whichever_process_is_killed(tmp_path: Path) -> None:
    outcome = run(Plan(games=6, tables=2, quiet=0.25), tmp_path)
    assert outcome.wrong == []
    assert outcome.games == 6
    assert outcome.plays > 0
    assert outcome.kills > 0
