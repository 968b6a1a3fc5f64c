"""A record as a text that people read and write, as PGN is for chess: tags, and the plays trick by trick.

A tag is a field of the record with its value as JSON, so a new field of records needs no change here. Only the turn-up
and the hands are written as in a position, if possible. docs/notation.md has the grammar.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import Any, Final, TypeAlias, cast

import msgspec
from msgspec import Struct, structs

from service.game.cards import NUMBER, CardCode
from service.game.notation.cards import CARDS
from service.game.notation.record_reader import VERSION, parse_hands
from service.game.rules.record import Record, RecordedDeal, RecordedPlay, list_tags, tag_of
from service.game.state import HandClaim

MEDIA_TYPE: Final = "text/vnd.catch-the-ten.record"
"""The media type of the text; its charset is UTF-8."""
_Later: TypeAlias = tuple[tuple[HandClaim, ...], ...]
_list_fields: Final = cache(structs.fields)  # it reads the type's annotations at each call


def format_record(record: Record) -> str:
    """Return the text of a record, with a line feed at its end."""
    players = sum(map(len, record.sides))
    head = [f"[CatchTheTen {VERSION}]", *_format_tags(record, ("deals",))]
    deals = [[*_format_deal(deal), *_format_plays(deal.plays, players)] for deal in record.deals]
    return "\n\n".join("\n".join(lines) for lines in (head, *deals)) + "\n"


def _format_deal(deal: RecordedDeal) -> Iterator[str]:
    """Write the tags of a deal: first the dealer, which begins a deal."""
    yield f"[Dealer {deal.dealer}]"
    yield f'[TurnUp "{CARDS[NUMBER[deal.turn_up]]}"]'
    hands = _format_hands(deal.hands, deal.later_hands)
    if hands is not None:
        yield f'[Hands "{hands}"]'
    written = ("hands", "later_hands") if hands is not None else ()
    yield from _format_tags(deal, ("dealer", "turn_up", "plays", *written))


def _format_tags(part: Record | RecordedDeal, left_out: tuple[str, ...]) -> Iterator[str]:
    """Write the fields without defaults, then the tags that no rule reads."""
    for field in _list_fields(type(part)):
        value = getattr(part, field.name)
        if field.name not in (*left_out, "tags") and not _is_default(field, value):
            yield f"[{tag_of(field.name)} {msgspec.json.encode(drop_defaults(value)).decode()}]"
    for tag in list_tags(part.tags):
        yield f"[{tag.name} {msgspec.json.encode(tag.text).decode()}]"


def drop_defaults(value: Any) -> Any:
    """Return a value for JSON, without the fields that have their default."""
    if isinstance(value, Struct):
        fields = [(field, getattr(value, field.name)) for field in _list_fields(type(value))]
        return {field.encode_name: drop_defaults(held) for field, held in fields if not _is_default(field, held)}
    if isinstance(value, tuple):
        return [drop_defaults(item) for item in cast("tuple[object, ...]", value)]
    return value


def _is_default(field: structs.FieldInfo, held: object) -> bool:
    if field.default_factory is not msgspec.NODEFAULT:
        return bool(held == field.default_factory())
    return bool(held == field.default)


def _format_hands(hands: tuple[HandClaim, ...], later: _Later) -> str | None:
    """Write the hands by seat, later ones after hyphens. Return None if reading would change them."""
    if later and (len(later) != len(hands) or not all(later)):
        return None
    rest = later or ((),) * len(hands)
    text = " ".join("-".join(map(_format_hand, (hand, *more))) for hand, more in zip(hands, rest, strict=True))
    return text if parse_hands(text) == (hands, later) else None


def _format_hand(hand: HandClaim) -> str:
    """Write the cards of a hand in their order, grouped before the letter of their suit, or their number."""
    if isinstance(hand, int) or not hand:
        return str(hand or 0)
    return "".join("".join(code[0] for code in cards) + suit.lower() for suit, cards in groupby(hand, _suit_of))


def _suit_of(code: CardCode) -> str:
    return code[1]


def _format_plays(plays: Iterable[RecordedPlay], players: int) -> Iterator[str]:
    """Write the plays in lines: a trick each, or fewer cards before a play by another seat than the next."""
    line, seat, cards = "", -1, 0
    for play in plays:
        if cards == players or play.seat != seat:
            if line:
                yield line
            line, cards = f"{play.seat}:", 0
        line += f" {CARDS[NUMBER[play.card]]}"
        seat, cards = (play.seat + 1) % players, cards + 1
    if line:
        yield line
