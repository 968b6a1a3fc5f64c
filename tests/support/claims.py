"""Sound claims in short form, for tables of cases: only the cards that matter are named, others are filled in."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeAlias, cast

from msgspec.structs import replace

from service.game.cards import NUMBER, Card, CardCode, Mask, mask_codes, mask_of, parse_mask, strip_pack
from service.game.rulesets import RULESETS, Rules, Ruleset, Sides, Table, arrange, make_table
from service.game.state import Claim, HandClaim

Cards: TypeAlias = str | int
"""A hand: its codes with spaces between, or how many cards it holds."""


def house(base: str = "trebor", **changes: object) -> Ruleset:
    """Return a printed ruleset with some fields changed."""
    ruleset: Ruleset = replace(RULESETS[base], id="house", **changes)
    return ruleset


def codes(text: str) -> tuple[CardCode, ...]:
    """Read codes with spaces between."""
    return tuple(cast("CardCode", code) for code in text.split())


def mask(text: str) -> Mask:
    """Read codes with spaces between as a set of cards."""
    return parse_mask(codes(text))


def numbers(text: str) -> tuple[Card, ...]:
    """Read codes with spaces between as cards, in that order."""
    return tuple(NUMBER[code] for code in codes(text))


def written(cards: Mask | None) -> str | None:
    """Write a set of cards as codes with spaces between."""
    return None if cards is None else " ".join(mask_codes(cards))


def hand(cards: Cards) -> HandClaim:
    """Return a hand as a claim holds it."""
    return cards if isinstance(cards, int) else codes(cards)


def claim(
    rules: Rules = "denexa",
    sides: Sides | int = 4,
    *,
    hands: Sequence[Cards],
    turn_up: str,
    later: Sequence[Sequence[Cards]] = (),
    trick: str = "",
    took: Sequence[str] = (),
    tricks: Sequence[int] = (),
    hidden: str = "",
    leader: int = 0,
    dealer: int | None = None,
    scores: tuple[int, ...] | None = None,
    revoked: int | None = None,
) -> Claim:
    """Describe a deal; the last seat deals unless another is named, and it is the first deal unless there are scores.

    Shape: `took` names the cards that a side has taken. With `tricks`, each side gets further cards in the order of the
    pack until it has that many tricks; the turn-up comes last. `hidden` names cards of hidden hands.
    """
    seating = arrange(sides, sides) if isinstance(sides, int) else sides
    bare = Claim(
        rules=rules,
        sides=seating,
        dealer=sum(map(len, seating)) - 1 if dealer is None else dealer,
        deal=1 if scores is None else 2,
        scores=scores or (0,) * len(seating),
        turn_up=codes(turn_up)[0],
        hands=tuple(hand(cards) for cards in hands),
        later_hands=tuple(tuple(hand(cards) for cards in hands_of_seat) for hands_of_seat in later),
        leader=leader,
        trick=codes(trick),
        taken=tuple(codes(cards) for cards in took) or ((),) * len(seating),
        revoked=revoked,
    )
    return _fill_taken(bare, tricks, hidden) if tricks else bare


def _fill_taken(bare: Claim, tricks: Sequence[int], hidden: str) -> Claim:
    table = make_table(bare.rules, bare.sides)
    named = {*codes(hidden), *bare.trick, *_all(bare.hands), *_all(bare.taken)}
    named.update(*(_all(hands) for hands in bare.later_hands))
    rest = [NUMBER[code] for code in _pack(table) if code not in {bare.turn_up, *named}]
    turn_up = [] if bare.turn_up in named else [NUMBER[bare.turn_up]]
    more = iter(rest + turn_up)
    filled = (
        mask_codes(parse_mask(cards) | mask_of(tuple(islice(more, count * table.players - len(cards)))))
        for cards, count in zip(bare.taken, tricks, strict=True)
    )
    return replace(bare, taken=tuple(filled))


def _pack(table: Table) -> tuple[CardCode, ...]:
    return mask_codes(strip_pack(table.strips[0]))


def _all(hands: Iterable[HandClaim]) -> list[CardCode]:
    return [code for cards in hands if not isinstance(cards, int) for code in cards]
