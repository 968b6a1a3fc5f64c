"""Records for the laws of their notation: those of the golden games, and random ones that no rules allow."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from msgspec import UNSET, UnsetType

from service.game.cards import CODES, CardCode, card_code
from service.game.rules.play import OnRevoke
from service.game.rules.record import (
    DealEnd,
    DealStart,
    FoundRevoke,
    Proof,
    Record,
    RecordedDeal,
    RecordedPlay,
    RecordTag,
)
from service.game.state import HandClaim, to_claim
from tests.game.golden.playthrough import Setting
from tests.game.notation.positions import Deal, draw_states, golden_deals
from tests.support.http.sound import own


def golden_record(setting: Setting) -> Record:
    """Return the record of a golden game."""
    deals = tuple(golden_deals(setting))
    table = deals[0].after.table
    on_revoke: OnRevoke = "penalise" if setting.slips else "refuse"
    return Record(table.rules, table.sides, tuple(_record_deal(deal) for deal in deals), on_revoke=on_revoke)


def _record_deal(deal: Deal) -> RecordedDeal:
    first = to_claim(deal.states[0])
    plays = zip(deal.states, deal.cards, strict=True)
    return RecordedDeal(
        dealer=first.dealer,
        turn_up=first.turn_up,
        hands=tuple(_shown(hand) for hand in first.hands),
        later_hands=tuple(tuple(_shown(hand) for hand in later) for later in first.later_hands),
        plays=tuple(RecordedPlay(state.seat_to_play, card_code(card)) for state, card in plays),
    )


def _shown(hand: HandClaim) -> tuple[CardCode, ...]:
    assert not isinstance(hand, int)
    return hand


def draw_records(seed: int) -> Iterator[Record]:
    """Yield random records without end: of the right types, but with any cards and plays, also by house rules."""
    chance = Random(seed)
    for state in islice(draw_states(seed), 0, None, 2):
        rules = own(state.table.rules) if chance.random() < 0.1 else state.table.rules
        deals = tuple(_draw_deal(state.table.players, chance) for _ in range(chance.randint(0, 3)))
        yield Record(
            rules,
            state.table.sides,
            deals,
            on_revoke=chance.choice(("refuse", "penalise")),
            deal=chance.choice((1, state.deal)),
            scores=chance.choice((None, state.scores)),
            resigned=chance.choice((None, 0)),
            tags=_draw_tags(chance),
        )


def _draw_tags(chance: Random) -> tuple[RecordTag, ...] | UnsetType:
    """Draw tags that no rule reads, or none: the same name may come twice, and a text may have any characters."""
    texts = ("Friday", "?", "", 'a "quoted" one]', "\\ \t\r\n\x00\u2028", "Zoë 🂪" * 40)
    names = ("Event", "Name0", "Name1", "Result", "X_9")
    tags = [RecordTag(chance.choice(names), chance.choice(texts)) for _ in range(chance.choice((0, 0, 1, 5, 32)))]
    return tuple(tags) or UNSET


def _draw_deal(players: int, chance: Random) -> RecordedDeal:
    later = chance.choice((0, 0, 1, 3))
    uneven = chance.random() < 0.1
    return RecordedDeal(
        dealer=chance.randrange(players),
        turn_up=chance.choice(CODES),
        hands=tuple(_draw_hand(chance) for _ in range(players)),
        later_hands=tuple(
            tuple(_draw_hand(chance) for _ in range(chance.randint(0, 2) if uneven else later)) for _ in range(players)
        )
        if later or uneven
        else (),
        plays=tuple(_draw_plays(players, chance)),
        revokes_found=(FoundRevoke(1, 3),) if chance.random() < 0.2 else (),
        proof=Proof("0" * 64, "secret", ("",) * players, (), chance.random() < 0.5) if chance.random() < 0.2 else None,
        tags=_draw_tags(chance),
        ended_by=DealEnd(chance.choice(("claim", "concession")), 0) if chance.random() < 0.2 else UNSET,
        start=DealStart(0, (chance.choice(CODES),), (CODES[:4], ())) if chance.random() < 0.2 else UNSET,
    )


def _draw_hand(chance: Random) -> HandClaim:
    """Draw a hand in any order, or its number of cards; now and then it is empty, or has a card twice."""
    if chance.random() < 0.1:
        return chance.choice((0, 6, 18))
    hand = chance.sample(CODES, chance.choice((0, 1, 5, 9)))
    return (*hand, *hand[:1]) if chance.random() < 0.1 else tuple(hand)


def _draw_plays(players: int, chance: Random) -> Iterator[RecordedPlay]:
    """Draw plays, mostly each by the seat on the left of the one before."""
    seat = chance.randrange(players)
    for _ in range(chance.randint(0, 40)):
        yield RecordedPlay(seat, chance.choice(CODES))
        seat = (seat + 1) % players if chance.random() < 0.8 else chance.randrange(players)
