"""POST /v1/deals: a first deal, or the next one."""

from collections.abc import Iterator, Sequence
from secrets import token_hex
from typing import Annotated

from litestar.params import JSONBody
from msgspec import Meta, Struct

from service.api.questions.state import admit
from service.cards import Card, Code, strip_pack
from service.fairness import shuffle
from service.faults import Fault, Impossible, NoNextDeal
from service.http.operation import ADMIT, question
from service.rules import deal, setup
from service.rulesets import Players, Rules, Seat, Sides, choose_table, seating_faults
from service.state import Claim, Seed
from service.wire.position import Position, write_position
from service.wire.refusal import refuse, refuse_faults, refuse_seat


class DealQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What to deal: a first deal (`rules`, `players` or `sides`, `dealer`), or the next one (`after`)."""

    rules: Annotated[Rules | None, Meta(title="Rules", description="A ruleset's id, or a whole ruleset.")] = None
    players: Players | None = None
    sides: Sides | None = None
    dealer: Seat | None = None
    after: Annotated[Claim | None, Meta(description="A state whose deal is over.")] = None
    seed: Annotated[Seed | None, Meta(description="Left out, one is drawn from a secure source.")] = None
    pack: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=36)] | None,
        Meta(description="The exact order of the pack after the strip, the first card dealt first; excludes `seed`."),
    ] = None
    strip: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=16)] | None,
        Meta(description="The cards to strip, where the ruleset lets the caller choose."),
    ] = None
    three_at_a_time: bool = False


class Deal(Struct, frozen=True, gc=False):
    """A new deal, and the seed that repeats it; null where the order of the pack was given."""

    position: Position
    seed: Seed | None


@question(
    "/v1/deals",
    operation_id="deals",
    summary="Deal the cards",
    description="Deals a first deal (`rules`, `dealer`, and `players` or `sides`), or the next one (`after`). "
    "The same `seed` gives the same cards on every machine; `pack` gives their exact order instead. "
    "Where only `players` is given, they sit as the source seats them.",
    response_description="The new deal.",
    problems=(*ADMIT, "impossible_request", "deal_not_over", "game_over", "too_many_deals"),
)
def deal_cards(data: JSONBody[DealQuestion]) -> Deal:
    """Deal, for the first time or after a deal that is over."""
    try:
        new = _set_up(data)
        if data.three_at_a_time:
            setup.require_threes(new.table)
        seed = None if data.pack is not None else data.seed or token_hex(16)
        order = _order_pack(data, new, seed)
    except (Impossible, NoNextDeal) as exc:
        raise refuse(exc) from exc
    state = deal.deal(new.table, order, new.dealer, new.deal, new.scores, threes=data.three_at_a_time)
    return Deal(write_position(state), seed)


def _contradictions(data: DealQuestion) -> Iterator[Fault]:
    first = {
        "rules": data.rules,
        "players": data.players,
        "sides": data.sides,
        "dealer": data.dealer,
    }
    if data.after is not None:
        for name in (name for name, value in first.items() if value is not None):
            detail = f"The state after which to deal fixes {name}; leave it out."
            yield Fault("fields_contradict", (name,), detail)
    else:
        for name in ("rules", "dealer"):
            if first[name] is None:
                yield Fault("fields_missing", (name,), f"A first deal needs {name}; a later one needs after.")
        yield from seating_faults(data.players, data.sides)
    for name, value in (("seed", data.seed), ("strip", data.strip)):
        if data.pack is not None and value is not None:
            yield Fault("fields_contradict", (name,), f"The order of the pack is given; leave out {name}.")


def _set_up(data: DealQuestion) -> setup.Setup:
    """Set up the deal that is asked for.

    Errors: Refusal; Impossible, for rules, seats or a dealer that do not go together.
    """
    faults = tuple(_contradictions(data))
    if not faults and data.after is not None:
        state = admit(data.after, "after")
        try:
            return setup.set_up_next_deal(state)
        except NoNextDeal as exc:
            raise refuse(exc, "after") from exc
    if faults or data.rules is None or data.dealer is None:
        raise refuse_faults(faults)
    table = choose_table(data.rules, data.players, data.sides)
    if data.dealer >= table.players:
        raise refuse_seat("dealer", data.dealer, table.players)
    return setup.set_up_first_deal(table, data.dealer)


def _order_pack(data: DealQuestion, new: setup.Setup, seed: Seed | None) -> Sequence[Card]:
    """Return the cards in the order in which they are dealt: as given, else shuffled.

    Errors: Impossible.
    """
    if data.pack is not None:
        return setup.parse_pack(new.table, data.pack)
    return shuffle.shuffle(strip_pack(setup.choose_strip(new.table, new.strip, data.strip)), seed or "")
