"""The reasons of a suggestion, as sentences."""

from service.api.reasoning.suggestion_answer import Suggestion, write_suggestion
from service.game.state import State
from service.players.player import Option
from service.players.player import RankedOptions as Found
from tests.players.test_reasons import option, seen

LAST = seen("AH 7H 8D 9D", "TH 9H 8H", "JH", dealer=1)
"""Seat 3 plays last to a trick with the ten in it; the jack is the turn-up of seat 1."""
PARTNER = seen("AH 7H 8D 9D", "9C JH 8C")
"""Seat 3 plays last to a trick that its partner takes."""
SECOND = seen("AH 8D 9D 7D", "9C")
"""Seat 1 plays second, and is void."""


def write(state: State, *options: Option, exact: bool = False) -> Suggestion:
    return write_suggestion(state, "easy", "1", Found(options, 1 if exact else 12, 34_567, exact=exact))


def said(state: State, *options: Option, exact: bool = False) -> list[list[str]]:
    """Return the sentences about each card."""
    cards = write(state, *options, exact=exact).cards
    return [[reason.detail for reason in card.reasons] for card in cards]


def test_what_becomes_of_the_trick_is_said_with_its_honours() -> None:
    ace, seven = said(LAST, option("AH", points=20.0), option("7H"))
    assert ace[0] == "Takes the trick, with TH and AH in it, while JH is out with seat 1."
    assert seven[0] == "Seat 0 takes the trick, with TH in it."
    assert said(PARTNER, option("AH"))[0][0] == "Gives AH to seat 1, its partner, which takes the trick."
    assert said(seen("9C 7H 8D 9D", "7C 8C 6C"), option("9C"))[0][0] == "Takes the trick."


def test_what_is_not_sure_is_said_as_often_as_it_was_so() -> None:
    ace, eight = said(
        SECOND, option("AH", trick=0.75, honours="AH TH"), option("8D", points=5.25, wins=0.25, chance=0.571)
    )
    assert ace[:2] == [
        "Its side takes the trick in 9 of 12 deals tried, with AH in it.",
        "Its side takes TH in 12 of 12 deals tried.",
    ]
    assert eight[0] == "Its side wins the game with this deal in 3 of 12 deals tried."
    assert eight[-1] == (
        "Makes 5.2 points to 9.0 of the others, 57.1% of the game; "
        "AH makes 9.0 points to 9.0 of the others, 50.0% of the game."
    )


def test_a_trick_that_is_never_taken_is_always_another_sides() -> None:
    assert said(SECOND, option("8D", trick=0.0))[0][0] == "Another side takes the trick in 12 of 12 deals tried."


def test_a_reason_has_its_facts_beside_the_sentence() -> None:
    ace, _ = write(SECOND, option("AH", trick=0.75, honours="AH TH"), option("8D")).cards
    taken, caught, _ = ace.reasons
    assert (taken.reason, taken.cards, taken.times) == ("may_take_trick", ("AH",), 9)
    assert (caught.reason, caught.cards, caught.times) == ("catches_honour", ("TH",), 12)


def test_an_honour_that_is_kept_is_named() -> None:
    eight, _ = said(SECOND, option("8D", honours="AH"), option("AH"))
    assert "Keeps AH, which its side takes in 12 of 12 deals tried; played now, in 0." in eight


def test_an_exact_answer_says_what_the_best_play_leads_to() -> None:
    eight, ace = said(SECOND, option("8D", trick=0.0, honours="AH", losses=1.0), option("AH", trick=1.0), exact=True)
    assert eight[:3] == [
        "Another side wins the game with this deal if every side plays its best.",
        "Another side takes the trick if every side plays its best.",
        "Keeps AH, which its side takes if every side plays its best; played now, another side does.",
    ]
    assert ace[0] == "Its side takes the trick if every side plays its best, with AH in it."


def test_cards_are_compared() -> None:
    alike = said(SECOND, option("8D", trick=0.5), option("9D", trick=0.5))
    assert [each[-1] for each in alike] == ["All legal cards come to the same."] * 2
    best, same, worse = said(SECOND, option("8D"), option("9D"), option("7D", points=8.0, against=10.0))
    assert (
        best[-1] == "Makes 9.0 points to 9.0 of the others; 7D, the next best, makes 8.0 points to 10.0 of the others."
    )
    assert same[-1] == "Comes to the same as 8D."
    assert worse[-1] == "Makes 8.0 points to 10.0 of the others; 8D makes 9.0 points to 9.0 of the others."
    assert said(SECOND, option("8D"))[0][-1] == "No other card is legal."
    best, next_best = said(SECOND, option("8D"), option("9D", points=8.99))
    assert best[-1] == "Makes 9.0 points to 9.0 of the others; 9D, the next best, makes hardly less."
    assert next_best[-1] == "Makes 9.0 points to 9.0 of the others; 8D makes hardly more."


def test_figures_are_rounded_and_the_cost_is_told() -> None:
    found = write(
        SECOND, option("8D", points=1 / 3, against=2 / 3, standard_error=None, wins=1 / 12, losses=1 / 6, chance=4 / 7)
    )
    [card] = found.cards
    assert (card.points, card.against, card.standard_error, card.wins, card.losses) == (
        0.333,
        0.667,
        None,
        0.083,
        0.167,
    )
    assert card.chance == 0.571
    assert (found.turn, found.side, found.card, found.fillings, found.nodes) == (1, 1, "8D", 12, 34_567)
