"""Each golden game is what the code plays now."""

from difflib import unified_diff

import pytest

from tests.game.golden.playthrough import FOLDER, REVIEWED, Setting, write_game


@pytest.mark.parametrize("setting", REVIEWED, ids=lambda setting: setting.seed)
def test_a_golden_game_is_played_as_it_is_written(setting: Setting) -> None:
    golden = setting.path.read_text(encoding="utf-8") if setting.path.exists() else ""
    played = write_game(setting)
    if played != golden:
        name = setting.path.name
        diff = "\n".join(unified_diff(golden.splitlines(), played.splitlines(), name, "played now", lineterm="", n=2))
        pytest.fail(f"{name} is played otherwise now. If that is meant: make golden\n\n{diff}", pytrace=False)


def test_every_golden_file_is_a_game_of_a_ruleset() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {setting.path.name for setting in REVIEWED}
