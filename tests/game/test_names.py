"""The names of players that a page can show."""

import pytest

from service.game.names import find_name_faults


@pytest.mark.parametrize(
    "name", ["Ann", "Ann B.", "Jürgen", "王", "O'Neil", "a", "7", "\U0001f600", "Yousef", "Seatown 1", "e\u0301"]
)
def test_a_name_of_a_player_is_taken(name: str) -> None:
    assert not [*find_name_faults(name)]


@pytest.mark.parametrize(
    "name",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: a non-joiner between two parts of a word
        "\u0639\u0644\u06cc\u0650\u200c\u0645",  # after a vowel sign
        "\u0915\u094d\u200d\u0937",  # Hindi: a half letter
        "\u0d28\u0d4d\u200d\u0d28",  # Malayalam
        "\U0001f469\u200d\U0001f680",  # an astronaut
        "Ann \U0001f3f4\u200d\u2620\ufe0f",  # a pirate's flag
        "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f468\U0001f3fb",  # a couple
    ],
)
def test_a_name_may_have_a_joiner_that_is_seen(name: str) -> None:
    assert not [*find_name_faults(name)]


@pytest.mark.parametrize(
    "name",
    [
        "A\u200dnn",
        "A\u200cnn",
        "Seat\u200c 1",
        "Y\u200dou",
        "\u200d",
        "\u200c\u200d",
        "\u200c\u0645",
        "\u0645\u200c",
        "\u0645\u200c\u200c\u0645",
        "\u0645\u200d\u0645",
        "\u0631\u0627\u200c\u0645",  # an alef never joins
        "\u0915\u200d\u0937",
        "\u0915\u094d\u200d",
        "\U0001f469\u200d",
        "\U0001f469\u200da",
        "\u200d\U0001f469",
    ],
)
def test_a_name_with_a_joiner_that_shows_nothing_is_refused(name: str) -> None:
    assert [fault.path for fault in find_name_faults(name)] == [("name",)]


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\u2800",
        " ",
        "\u200b",
        "A\u202eB",
        "\u2066A",
        "\u0301",
        "a\u200bb",
        "\u3000",
        "A\u17b4",
        "A\u17b5nn",
        "A\u034f",
        "Ann\U000e0041",
        "Ann\u3164",
        "Ann\u115f",
        "Ann\u00ad",
        "Ann\ufff9",
        "Ann\ue000",
        "\U0001d159 ",
    ],
)
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    (fault,) = find_name_faults(name, "seats", 1)
    assert (fault.code, fault.path) == ("name_not_shown", ("seats", 1, "name"))


@pytest.mark.parametrize(
    "name",
    [
        "You",
        "YOU",
        "Seat 1",
        "seat  12",
        "Computer 2",
        "computer",
        "\uff39\uff4f\uff55",
        "Seat\u00a01",
        "Y\ufe0fou",
        "Seat 1\ufe0f",
        "You\U000e0100",
    ],
)
def test_a_name_that_pages_give_to_seats_is_refused(name: str) -> None:
    assert [fault.path for fault in find_name_faults(name)] == [("name",)]
