"""POST /v1/deals: a first deal, or the next one."""

from collections.abc import Iterator, Sequence
from secrets import token_hex
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.game.cards import Card, Code, strip_pack
from service.game.fairness import shuffle
from service.game.faults import Fault, Impossible, NoNextDeal
from service.game.rules import deal, setup
from service.game.rulesets import Players, Rules, Seat, Sides, choose_table, seating_faults
from service.game.state import Seed, StartingScores
from service.http.operation import ADMIT_PROBLEMS, question
from service.schemas.described_state import StateOrNotation, admit_described, refuse_state
from service.schemas.draw import DrawnCard, write_rounds
from service.schemas.position import Position, write_position
from service.schemas.refusal import refuse, refuse_faults, refuse_seat


class DealQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """The deal to make: with `after` the next one; else the first, with `rules` and one of `players` and `sides`."""

    rules: Annotated[Rules | None, Meta(title="Rules", description="A ruleset's id, or a whole ruleset.")] = None
    players: Annotated[
        Players | None,
        Meta(
            description="For a first deal: the number of players, who are seated as the source seats them; in place of "
            "`sides`."
        ),
    ] = None
    sides: Annotated[
        Sides | None, Meta(description="For a first deal: the seats of each side; in place of `players`.")
    ] = None
    dealer: Annotated[
        Seat | None, Meta(description="The dealer of a first deal; if left out, drawn as by /v1/draws.")
    ] = None
    scores: Annotated[
        StartingScores | None, Meta(description="By side: the scores with which a first deal begins; 0 if left out.")
    ] = None
    after: Annotated[StateOrNotation | None, Meta(description="A state whose deal is over.")] = None
    seed: Annotated[Seed | None, Meta(description="If left out, one is drawn from a secure source.")] = None
    pack: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=36)] | None,
        Meta(
            description="The order of the pack after the strip, the first card dealt first; without `seed` and `strip`."
        ),
    ] = None
    strip: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=16)] | None,
        Meta(description="The cards to strip, if the ruleset lets the dealer choose."),
    ] = None
    three_at_a_time: Annotated[
        bool, Meta(description="True to deal three cards at a time, where the ruleset allows it.")
    ] = False


class Deal(Struct, frozen=True, gc=False):
    """A new deal, and the seed that repeats it; null if the order of the pack was given."""

    position: Annotated[Position, Meta(description="The position of the new deal.")]
    seed: Annotated[
        Seed | None, Meta(description="The seed that repeats the deal; null if the order of the pack was given.")
    ]
    draw: Annotated[
        tuple[tuple[DrawnCard, ...], ...],
        Meta(description="The cards drawn for the dealer, round by round; [] if the dealer was not drawn."),
    ]


@question(
    "/v1/deals",
    operation_id="deals",
    summary="Deal the cards",
    description="Deals a first deal (`rules`, and `players` or `sides`), or the next one (`after`). "
    "The same `seed` gives the same cards on every machine; `pack` gives their exact order instead. "
    "With `players` alone, they are seated as the source seats them. Without `dealer`, cards are drawn for the first "
    "dealer, from the same seed as by /v1/draws.",
    public=False,
    response_description="The new deal.",
    problems=(*ADMIT_PROBLEMS, "impossible_request", "deal_not_over", "game_over"),
)
def deal_cards(body: DealQuestion) -> Deal:
    """Deal the first deal, or the next one after a deal that is over."""
    seed = None if body.pack is not None else body.seed or token_hex(16)
    try:
        new, draw = _set_up(body, seed)
        if body.three_at_a_time:
            setup.require_threes(new.table)
        order = _order_pack(body, new, seed)
    except (Impossible, NoNextDeal) as exc:
        raise refuse(exc) from exc
    state = deal.deal(new.table, order, new.dealer, new.deal, new.scores, threes=body.three_at_a_time)
    return Deal(write_position(state), seed, write_rounds(draw))


def _find_contradictions(body: DealQuestion) -> Iterator[Fault]:
    if body.after is not None:
        for name in [name for name in _OF_FIRST_DEALS if getattr(body, name) is not None]:
            detail = f"The state after which to deal fixes `{name}`; leave it out."
            yield Fault("fields_contradict", (name,), detail)
    else:
        if body.rules is None:
            yield Fault("missing_field", (), "A first deal needs `rules`; a later one needs `after`.")
        if body.dealer is None and body.pack is not None:
            detail = "No seed is there to draw for the dealer: beside `pack`, a first deal needs `dealer`."
            yield Fault("missing_field", (), detail)
        yield from seating_faults(body.players, body.sides)
    if body.pack is not None:
        for name in [name for name in ("seed", "strip") if getattr(body, name) is not None]:
            yield Fault("fields_contradict", (name,), f"`pack` gives the order of the cards; leave out `{name}`.")


_OF_FIRST_DEALS: Final = ("rules", "players", "sides", "dealer", "scores")
"""Fields of a first deal only."""


def _set_up(body: DealQuestion, seed: Seed | None) -> tuple[setup.Setup, shuffle.Rounds]:
    """Set up the requested deal, and draw for its dealer if none is named.

    Errors: Refusal; Impossible, if rules, seats, dealer or scores contradict each other.
    """
    faults = tuple(_find_contradictions(body))
    if not faults and body.after is not None:
        state = admit_described(body.after, "after")
        try:
            return setup.set_up_next_deal(state), []
        except NoNextDeal as exc:
            raise refuse_state(exc, body.after, "after") from exc
    if faults or body.rules is None:
        raise refuse_faults(faults)
    table = choose_table(body.rules, body.players, body.sides)
    if body.dealer is None:
        rounds, dealer = shuffle.draw(table.players, seed or "")
        return setup.set_up_first_deal(table, dealer, body.scores), rounds
    if body.dealer >= table.players:
        raise refuse_seat("dealer", body.dealer, table.players)
    return setup.set_up_first_deal(table, body.dealer, body.scores), []


def _order_pack(body: DealQuestion, new: setup.Setup, seed: Seed | None) -> Sequence[Card]:
    """Return the cards in the order in which they are dealt: as given, else shuffled.

    Errors: Impossible.
    """
    if body.pack is not None:
        return setup.parse_pack(new.table, body.pack)
    return shuffle.shuffle(strip_pack(setup.choose_strip(new.table, new.strip, body.strip)), seed or "")
