"""The names of players that a page can show."""

import pytest

from service.games.names import find_name_faults


@pytest.mark.parametrize(
    "name", ["Ann", "Ann B.", "Jürgen", "王", "O'Neil", "a", "7", "\U0001f600", "Yousef", "Seatown 1", "e\u0301"]
)
def test_a_name_of_a_player_is_taken(name: str) -> None:
    assert not [*find_name_faults((None, name))]


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800", " ", "\u200b", "A\u202eB", "\u2066A", "\u0301", "a\u200bb", "\u3000"]
)
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    (fault,) = find_name_faults((None, name))
    assert (fault.code, fault.path) == ("name_not_shown", ("names", 1))


@pytest.mark.parametrize(
    "name", ["You", "YOU", "Seat 1", "seat  12", "Computer 2", "computer", "\uff39\uff4f\uff55", "Seat\u00a01"]
)
def test_a_name_that_pages_give_to_seats_is_refused(name: str) -> None:
    assert [fault.path for fault in find_name_faults((name, "Ann"))] == [("names", 0)]
