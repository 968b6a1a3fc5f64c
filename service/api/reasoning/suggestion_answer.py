"""A suggestion: the outlook of each legal card, and why, in a card player's words."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import CODES, Code
from service.game.level import Level
from service.game.rulesets import Seat
from service.game.state import Seed, State, side_of
from service.players.player import Option
from service.players.player import RankedOptions as Found
from service.players.reasons import Reason, ReasonCode, explain
from service.schemas.scalars import SideIndex

Chance: TypeAlias = Annotated[float, Meta(title="Chance", ge=0, le=1, description="From 0, never, to 1, always.")]
ExpectedPoints: TypeAlias = Annotated[
    float, Meta(title="ExpectedPoints", description="Points of the whole deal, on average over the deals tried.")
]


class CardReason(Struct, frozen=True, gc=False):
    """A reason for or against a card: a fact from the rules or the search."""

    reason: Annotated[
        ReasonCode,
        Meta(
            description="only_card: no other card is legal. all_alike: all legal cards come to the same. wins_game, "
            "loses_game: in how many of the deals tried the game ends with this deal, and how. takes_trick, "
            "gives_partner, loses_trick: what surely becomes of the current trick. may_take_trick: in how many of the "
            "deals tried the side takes it. keeps_honour: an honour that its side takes more often than if it were "
            "played now. catches_honour: in how many of the deals tried its side takes an honour that is hidden, the "
            "ten first. best, as_good, behind: how the card compares with another.",
        ),
    ]
    detail: Annotated[str, Meta(description="The reason as a sentence.")]
    cards: Annotated[tuple[Code, ...], Meta(max_length=18, description="The honours that it is about; [] for none.")]
    times: Annotated[
        int, Meta(ge=0, description="In how many of the deals tried it is so; 0 also for what is not counted.")
    ]


class WeighedCard(Struct, frozen=True, gc=False):
    """A legal card, what it leads to, and why."""

    card: Annotated[Code, Meta(description="The card.")]
    points: Annotated[ExpectedPoints, Meta(description="What the side makes in this deal, on average.")]
    against: Annotated[ExpectedPoints, Meta(description="What all other sides make in it together, on average.")]
    standard_error: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(
            description="The standard error of `points` less `against`: with two cards further apart than three times "
            "that, chance alone hardly explains it. 0 if the figures are exact; null if one deal was tried."
        ),
    ]
    exact: Annotated[
        bool,
        Meta(
            description="True if all hands are known and every side plays its best from here on; else the deals tried "
            "are played on by a sound player that is not perfect."
        ),
    ]
    wins: Annotated[Chance, Meta(description="The part of the deals tried in which the side wins the game with it.")]
    losses: Annotated[Chance, Meta(description="The part in which only others win it.")]
    chance: Annotated[
        Chance,
        Meta(
            description="The estimated probability that the side wins the game, after this deal: 1 if it has won it, "
            "0 if another has, else guessed from the points that each side still needs. The cards are in this order, "
            "but honours that are thrown into a lost trick without need come last; in an exact answer the game comes "
            "first, then points."
        ),
    ]
    reasons: Annotated[tuple[CardReason, ...], Meta(min_length=1, description="The reasons for and against the card.")]


class Suggestion(Struct, frozen=True, gc=False):
    """The card that a computer player would play, and what each legal card leads to."""

    turn: Annotated[Seat, Meta(description="The seat to play.")]
    side: Annotated[SideIndex, Meta(description="Its side.")]
    card: Annotated[Code, Meta(description="The card to play: the first of `cards`.")]
    cards: Annotated[
        tuple[WeighedCard, ...], Meta(min_length=1, max_length=18, description="Each legal card, the best first.")
    ]
    level: Annotated[Level, Meta(description="The level.")]
    seed: Annotated[Seed, Meta(description="The seed from which the deals tried were drawn.")]
    fillings: Annotated[
        int,
        Meta(
            ge=1,
            description="How many deals were tried: each fills the hidden hands, by chance, so that all fits "
            "that is known.",
        ),
    ]
    nodes: Annotated[int, Meta(ge=0, description="The cards played to find this; a quota is charged by it.")]


def round_figure(figure: float) -> float:
    """Round a figure to three digits after the point: more would be noise."""
    return round(figure, 3)


def write_suggestion(state: State, level: Level, seed: str, found: Found) -> Suggestion:
    """Write a player's result; the state is the view of the seat to play."""
    cards, seat = write_cards(state, found), state.seat_to_play
    return Suggestion(seat, side_of(state, seat), cards[0].card, cards, level, seed, found.fillings, found.nodes)


def write_cards(state: State, found: Found) -> tuple[WeighedCard, ...]:
    """Write a player's result for each card, the best first."""
    return tuple(
        [
            WeighedCard(
                CODES[option.card],
                round_figure(option.points),
                round_figure(option.against),
                None if option.standard_error is None else round_figure(option.standard_error),
                found.exact,
                round_figure(option.wins),
                round_figure(option.losses),
                round_figure(option.chance),
                tuple([_write_reason(found, option, reason) for reason in reasons]),
            )
            for option, reasons in zip(found.options, explain(state, found), strict=True)
        ]
    )


def _write_reason(found: Found, option: Option, reason: Reason) -> CardReason:
    cards: tuple[Code, ...] = tuple([CODES[card] for card in reason.cards])
    return CardReason(reason.code, _write_detail(found, option, reason), cards, reason.times)


def _write_detail(found: Found, option: Option, reason: Reason) -> str:
    """Write a reason for or against an option as a sentence."""
    cards, best_play = " and ".join(CODES[card] for card in reason.cards), "if every side plays its best"
    out = "" if reason.out is None else f", while {CODES[reason.out]} is out"
    other = reason.other or option
    balance, other_balance = _balance(found, option, other), _balance(found, other, option)
    if balance == other_balance:
        other_balance = "hardly less" if reason.code == "best" else "hardly more"
    # If its side never takes the trick, another one always does.
    times, side = (reason.times, "Its side") if reason.times else (found.fillings, "Another side")
    return _TEXTS[reason.code].format(
        cards=cards,
        with_cards=f", with {cards} in it" if cards else "",
        seat=reason.seat,
        out=out + (f" with seat {reason.seat}" if out and reason.seat is not None else ""),
        side=side,
        so_often=best_play if found.exact else f"in {times} of {found.fillings} deals tried",
        before="another side does" if found.exact else f"in {reason.before}",
        balance=balance,
        other=CODES[other.card],
        other_balance=other_balance,
    )


def _balance(found: Found, option: Option, other: Option) -> str:
    """Write the points of a card, and its chance of the game if cards differ in that."""
    points = f"{option.points:.1f} points to {option.against:.1f} of the others"
    game = f"{option.chance:.1%} of the game"
    return points if found.exact or game == f"{other.chance:.1%} of the game" else f"{points}, {game}"


_TEXTS: Final[dict[ReasonCode, str]] = {
    "only_card": "No other card is legal.",
    "all_alike": "All legal cards come to the same.",
    "wins_game": "Its side wins the game with this deal {so_often}.",
    "loses_game": "Another side wins the game with this deal {so_often}.",
    "takes_trick": "Takes the trick{with_cards}{out}.",
    "gives_partner": "Gives {cards} to seat {seat}, its partner, which takes the trick.",
    "loses_trick": "Seat {seat} takes the trick{with_cards}.",
    "may_take_trick": "{side} takes the trick {so_often}{with_cards}.",
    "keeps_honour": "Keeps {cards}, which its side takes {so_often}; played now, {before}.",
    "catches_honour": "Its side takes {cards} {so_often}.",
    "best": "Makes {balance}; {other}, the next best, makes {other_balance}.",
    "as_good": "Comes to the same as {other}.",
    "behind": "Makes {balance}; {other} makes {other_balance}.",
}
