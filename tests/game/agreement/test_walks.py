import pytest

from tests.programs.agreement.walks import ARRANGEMENTS, Arrangement, follow_game


def name_of(arrangement: Arrangement) -> str:
    rules, players, sides = arrangement
    return f"{rules}-{players}-in-{len(sides)}"


@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=name_of)
def test_a_game_is_followed_from_the_views_of_a_spectator_and_of_a_seat(arrangement: Arrangement) -> None:
    assert follow_game(arrangement, 0, deals=2) > 10
