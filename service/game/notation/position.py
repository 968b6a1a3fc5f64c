"""A position in one line, which a URL can hold: every state of a printed ruleset has just one.

Its fields, between underscores: version, ruleset, sides, deal, scores, dealer and turn-up, hands, leader and trick,
cards taken, and `revoke` if the last card of the trick is one. docs/notation.md has the grammar.
"""

from functools import lru_cache
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from service.game.cache import Cache
from service.game.cards import Card
from service.game.faults import Fault, Impossible
from service.game.notation.cards import CARD_NUMBER, CARDS, HANDS, PILES, TEXTS
from service.game.notation.columns import RULESET, find_fault
from service.game.rules import admission
from service.game.rulesets import MAX_DEALS, RULESETS, Seat, Sides, Table, make_table
from service.game.state import Hand, State, Unexamined

VERSION: Final = "ctt1"
MAX_LENGTH: Final = 300
"""Characters of a notation: more than the longest has."""
SHAPE: Final = (
    "^ctt1_[a-z][a-z0-9-]*_[0-7.]+_[0-9]+_[0-9.]+_[0-7]-[6-9TJQKA][cdhs]_[0-9TJQKAcdhs.-]+"
    "_[0-7](-([6-9TJQKA][cdhs])+)?_[0-9TJQKAcdhs.]+(_revoke)?$"
)
"""The part of the grammar that a schema can state; lines are not matched against it, so faults have columns."""
Notation: TypeAlias = Annotated[
    str,
    Meta(
        title="Notation",
        max_length=MAX_LENGTH,
        description="A position in one line, for the printed rulesets. docs/notation.md has the grammar.",
        examples=["ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.5_2-7hTc_KJT9876sKT86hKc.0"],
        extra_json_schema={"pattern": SHAPE},
    ),
]

# Numbers are looked up, not converted: `int` also takes "01", "+1" and digits of other scripts.
_SEAT: Final = {str(seat): seat for seat in range(8)}
_LEADER: Final = {f"{seat}-": seat for seat in range(8)}
_PAIR: Final = {(text[0], text[1]): card for text, card in CARD_NUMBER.items()}
_DEALT: Final = {f"{seat}-{card}": (seat, number) for seat in range(8) for card, number in CARD_NUMBER.items()}
_DEAL: Final = {str(deal): deal for deal in range(1, MAX_DEALS + 1)}
_SCORE: Final = {str(score): score for score in range(1001)}
_REVOKE: Final = "_revoke"
_text: Final = TEXTS.__getitem__


def format_position(state: State) -> str | None:
    """Return the notation of a state. Return None under house rules, which no line can hold.

    >>> format_position(read_position("ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0"))
    'ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0'
    """
    table, trick, later = state.table, state.trick, state.later_hands
    if type(table.rules) is not str:
        return None
    deal = _format_deal(table.rules, table.sides, state.deal, state.scores, state.dealer, state.turn_up)
    hands = ".".join(_join_later(state.hands, later) if later else map(_text, state.hands))
    led = f"{state.leader}-{''.join([CARDS[card] for card in trick])}" if trick else state.leader
    revoke = "" if state.revoked is None else _REVOKE
    return f"{deal}_{hands}_{led}_{'.'.join(map(_text, state.taken))}{revoke}"


@lru_cache(maxsize=1024)
def _format_deal(rules: str, sides: Sides, deal: int, scores: tuple[int, ...], dealer: Seat, turn_up: Card) -> str:
    """Return the part of a line that is the same throughout a deal."""
    seating = ".".join("".join(map(str, seats)) for seats in sides)
    return f"{VERSION}_{rules}_{seating}_{deal}_{'.'.join(map(str, scores))}_{dealer}-{CARDS[turn_up]}"


def _join_later(hands: tuple[Hand, ...], later: tuple[tuple[Hand, ...], ...]) -> list[str]:
    return ["-".join([TEXTS[each] for each in (hand, *rest)]) for hand, rest in zip(hands, later, strict=True)]


def read_position(line: str) -> State:
    """Return the possible state that a notation describes.

    Errors: MalformedNotation; Impossible, with every fault found, paths starting at the state.

    >>> read_position("ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0").seat_to_play
    2
    """
    return _READ[line]


def parse_position(line: str) -> Unexamined:
    """Return the state that a notation describes, unexamined.

    Errors: MalformedNotation; Impossible, paths starting at the state, for a ruleset or sides that there are not.
    """
    try:
        dealt, hands, led, taken = line.removesuffix(_REVOKE).rsplit("_", 3)
        in_play, later = _parse_hands(hands)
        has_revoke = line.endswith(_REVOKE)
        leader, trick = _parse_trick(led, is_led=has_revoke)
        piles = tuple([PILES[pile] for pile in taken.split(".")])
        # Last: only a line that fits the grammar can be of a table that there is not.
        table, deal, scores, dealer, turn_up = _parse_deal(dealt)
        revoked = (leader + len(trick) - 1) % table.players if has_revoke else None
    except (KeyError, ValueError) as exc:
        raise find_fault(line) from exc
    return Unexamined(State(table, dealer, deal, scores, turn_up, in_play, later, leader, trick, piles, revoked))


@lru_cache(maxsize=1024)
def _parse_deal(text: str) -> tuple[Table, int, tuple[int, ...], Seat, Card]:
    """Return the table, the number of the deal, the scores, the dealer and the turn-up.

    Errors: KeyError; ValueError; Impossible, paths starting at the state.
    """
    version, rules, sides, deal, scores, dealt = text.split("_")
    if version != VERSION:
        raise ValueError(version)
    dealer, turn_up = _DEALT[dealt]
    seating = tuple([tuple([_SEAT[seat] for seat in side]) for side in sides.split(".")])
    if () in seating:
        raise ValueError(sides)
    number, before = _DEAL[deal], tuple([_SCORE[score] for score in scores.split(".")])
    if not RULESET.fullmatch(rules):
        raise ValueError(rules)
    return _lay(rules, seating), number, before, dealer, turn_up


def _lay(rules: str, sides: Sides) -> Table:
    """Lay a printed ruleset.

    Errors: Impossible, paths starting at the state.
    """
    if rules not in RULESETS:
        detail = f"A notation is for {', '.join(RULESETS)}. Send a state under house rules as an object."
        raise Impossible((Fault("unknown_ruleset", ("rules",), detail),))
    return make_table(rules, sides)


def _parse_hands(text: str) -> tuple[tuple[Hand, ...], tuple[tuple[Hand, ...], ...]]:
    """Return the hands in play and the later hands.

    Errors: KeyError.
    """
    hands = text.split(".")
    if "-" not in text:
        return tuple([HANDS[hand] for hand in hands]), ()
    by_seat = [tuple([HANDS[hand] for hand in of_seat.split("-")]) for of_seat in hands]
    return tuple([of_seat[0] for of_seat in by_seat]), tuple([of_seat[1:] for of_seat in by_seat])


def _parse_trick(text: str, *, is_led: bool) -> tuple[Seat, tuple[Card, ...]]:
    """Return the leader and the cards of the trick: one card at least if it is led.

    Errors: KeyError; ValueError.
    """
    if len(text) < 2 and not is_led:
        return _SEAT[text], ()
    leader, cards = text[:2], text[2:]
    if not cards:
        raise ValueError(text)
    return _LEADER[leader], tuple([_PAIR[pair] for pair in zip(cards[::2], cards[1::2], strict=True)])


_READ: Final[Cache[str, State]] = Cache(lambda line: admission.admit_unexamined(parse_position(line)), 4096)
"""Cached positions, at about 1 KB each: most callers ask several questions about one position."""
