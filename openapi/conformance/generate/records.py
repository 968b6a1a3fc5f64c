"""The records of the cases: every golden game, and games that depart from the rules in every way that there is."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from service.game.rules.record import DealEnd, FoundRevoke, Record, RecordedDeal, RecordedPlay
from service.game.rulesets import Fine, RevokePenalty
from service.game.state import HandClaim
from tests.game.golden.playthrough import SETTINGS
from tests.game.notation.records import golden_record
from tests.support.claims import house

GAMES: Final = {setting.seed: golden_record(setting) for setting in SETTINGS}
_SLIP: Final = 3
"""The play of the first deal of a game of four that is made a revoke: the last of a trick."""


_SEEMS_A_SLIP: Final = 22
"""A play of that deal without which the next one seems to be taken back, until a later one does not fit."""


class Named(NamedTuple):
    """A record, and what it is."""

    says: str
    record: Record


def list_records() -> list[Named]:
    """List all records of the cases."""
    whole = [Named(f"a whole game: {seed}", record) for seed, record in GAMES.items()]
    return [*whole, *_depart()]


def _depart() -> Iterator[Named]:
    game = GAMES["trebor-4"]
    first, second, third, *_ = game.deals
    yield Named("begun in mid-game", replace(game, deals=(second,), deal=2, scores=(7, 11)))
    yield Named("a next deal by another dealer", replace(game, deals=(first, third)))
    yield Named("ended in mid-deal", replace(game, deals=(first, replace(second, plays=second.plays[:10]))))
    yield Named("a deal that was not finished", replace(game, deals=(_cut(first, 9), second)))
    yield Named("hands that are numbers", replace(game, deals=(_hide(first), _hide(second))))
    yield Named(
        "a card left out", replace(game, deals=(replace(first, plays=first.plays[:4] + first.plays[5:]), second))
    )
    yield from _mistype(game)
    late = replace(first, plays=(*first.plays, first.plays[0]))
    yield Named("a card played after the deal", replace(game, deals=(late, second)))
    yield Named("a deal after the game", replace(game, deals=(*game.deals, second)))
    yield Named("a resignation", replace(game, deals=(first,), resigned=2))
    yield Named("a resignation after the game was won", replace(game, resigned=1))
    slipped = _slip(first)
    yield Named("a revoke that stood", replace(game, deals=(slipped,)))
    yield Named("a revoke that ended the game", replace(game, deals=(slipped,), on_revoke="penalise"))
    found = replace(slipped, revokes_found=(FoundRevoke(_SLIP, 9),))
    yield Named("a revoke found later", replace(game, deals=(found,), on_revoke="penalise"))
    wrong = replace(first, revokes_found=(FoundRevoke(2, 5),))
    yield Named("a legal play called a revoke", replace(game, deals=(wrong, second)))
    nowhere = replace(first, revokes_found=(FoundRevoke(9, 5),))
    yield Named("a revoke found before it was made", replace(game, deals=(nowhere,)))
    yield Named("rules without a penalty", replace(GAMES["denexa-4"], on_revoke="penalise"))
    twice = replace(first, hands=(first.hands[0], first.hands[0], *first.hands[2:]))
    yield Named("a hand dealt twice", replace(game, deals=(twice,)))
    yield from _find_late(game, slipped)
    yield from _hidden(game, slipped)
    yield from _end()
    yield from _go_on_after_an_open_deal(game)


def _find_late(game: Record, slipped: RecordedDeal) -> Iterator[Named]:
    """Yield revokes found after their trick: what each side counts, and what is found when the deal is over."""
    late = replace(slipped, revokes_found=(FoundRevoke(_SLIP, 9),))
    penalties: tuple[RevokePenalty, ...] = ("loss_of_deal", Fine(5, "others"))
    for penalty in penalties:
        rules = house("trebor", revoke=penalty, card_points="tricks")
        found = replace(game, rules=rules, on_revoke="penalise")
        yield _of_deal(found, "a revoke found later, and what was taken until then", late)
    over = replace(slipped, revokes_found=(FoundRevoke(_SLIP - 1, 5),))
    yield _of_deal(replace(game, on_revoke="penalise"), "a revoke found when another had ended the deal", over)


def _go_on_after_an_open_deal(game: Record) -> Iterator[Named]:
    """Yield deals that reach game after one that was not played out."""
    first, second, third, *_ = game.deals
    short = replace(game, rules=house("trebor", target=20), deals=(_cut(first, 9), second, third))
    yield Named("a deal that reaches game after one that was not finished", short)


def _mistype(game: Record) -> Iterator[Named]:
    """Yield slips of the pen: cards of another seat, cards played before, plays in another order, and unclear ones."""
    first = game.deals[0]
    plays, unseen = first.plays, tuple([9] * 4)
    for at, other in ((6, 9), (6, 1), (30, 2)):
        wrong = (*plays[:at], replace(plays[at], card=plays[other].card), *plays[at + 1 :])
        yield _of_deal(game, "a card mistyped", replace(first, plays=wrong))
        hidden = replace(first, hands=unseen, plays=wrong)
        yield _of_deal(game, "a card mistyped where no hand is known", hidden)
        short = replace(first, plays=wrong[: at + 2])
        yield _of_deal(game, "a card mistyped where it may have been another", short)
    left = replace(first, hands=unseen, plays=plays[:9] + plays[10:])
    yield _of_deal(game, "a card left out where no hand is known", left)
    yield from _leave_out(game)
    yield _of_deal(game, "cards left out in one deal", replace(left, plays=left.plays[:20] + left.plays[21:]))
    for says, order in (
        ("neighbors exchanged", (*plays[:5], plays[6], plays[5], *plays[7:])),
        ("a trick written twice", (*plays[:8], *plays[4:8], *plays[8:])),
        ("a lead out of turn that was taken back", (*plays[:4], plays[5], *plays[4:])),
    ):
        yield _of_deal(game, says, replace(first, plays=order))


def _leave_out(game: Record) -> Iterator[Named]:
    """Yield a card left out after which a slip makes sense at first, and one of hidden hands with a stripped card."""
    first = game.deals[0]
    slip = replace(first, plays=first.plays[:_SEEMS_A_SLIP] + first.plays[_SEEMS_A_SLIP + 1 :])
    yield _of_deal(game, "a card left out where a card seems to be taken back", slip)
    five = GAMES["trebor-5"]
    plays = five.deals[0].plays
    hidden = _hide_all(replace(five.deals[0], plays=plays[:9] + plays[10:]))
    yield _of_deal(five, "a card left out where no hand is known and a card was stripped", hidden)


def _of_deal(game: Record, says: str, deal: RecordedDeal) -> Named:
    return Named(says, replace(game, deals=(deal,)))


def _hidden(game: Record, slipped: RecordedDeal) -> Iterator[Named]:
    """Yield departures in hands whose cards are all unknown."""
    unseen = replace(_cut(slipped, _SLIP + 1), hands=(9,) * 4)
    yield Named("a discard on which a hidden hand decides", replace(game, deals=(unseen,), on_revoke="penalise"))
    led, lead = replace(slipped, hands=unseen.hands), slipped.plays[_SLIP + 1]
    gone = replace(led, plays=(*led.plays[: _SLIP + 1], replace(lead, card=led.plays[0].card)))
    yield Named("a card led from a hidden hand that another has played", replace(game, deals=(gone,)))
    found = replace(unseen, revokes_found=(FoundRevoke(_SLIP, _SLIP),))
    yield Named("a revoke of a hidden hand that was found", replace(game, deals=(found,), on_revoke="penalise"))
    shown = replace(slipped, hands=unseen.hands, plays=_show_revoke(game.deals[0], slipped))
    yield _of_deal(game, "a revoke that the later plays of a hidden hand show", shown)


def _show_revoke(deal: RecordedDeal, slipped: RecordedDeal) -> tuple[RecordedPlay, ...]:
    """Exchange the card of a revoke with the one that should have been played, which comes later."""
    right, wrong = deal.plays[_SLIP], slipped.plays[_SLIP]
    swapped = {right.card: wrong.card, wrong.card: right.card}
    return tuple([replace(play, card=swapped.get(play.card, play.card)) for play in deal.plays])


def _end() -> Iterator[Named]:
    """Yield deals that end by a claim or a concession: of two sides and of more, with cards that nobody showed."""
    claim, concession = (DealEnd(how, 1) for how in ("claim", "concession"))
    for seed, end, plays, unseen in (
        ("trebor-4", claim, 14, False),
        ("trebor-4", concession, 14, False),
        ("trebor-4", claim, 14, True),
        ("trebor-4", claim, 0, False),
        ("trebor-4", claim, 36, False),
        ("trebor-4", replace(claim, seat=4), 14, False),
        ("gamerules-2", claim, 9, False),
        ("lots-of-kids-5", claim, 12, True),
        ("lots-of-kids-5", concession, 12, False),
        ("take-ten-2", claim, 6, False),
        ("take-ten-2", concession, 6, True),
        ("take-ten-2", claim, 19, False),
    ):
        game = GAMES[seed]
        ended = replace(_cut(game.deals[0], plays), ended_by=end)
        says = f"{seed}, a {end.how} after {plays} plays" + (", where no hand is known" if unseen else "")
        yield _of_deal(game, says, _hide_all(ended) if unseen else ended)


def _hide_all(deal: RecordedDeal) -> RecordedDeal:
    return replace(deal, hands=tuple([0 if isinstance(hand, int) else len(hand) for hand in deal.hands]))


def _cut(deal: RecordedDeal, plays: int) -> RecordedDeal:
    return replace(deal, plays=deal.plays[:plays])


def _hide(deal: RecordedDeal) -> RecordedDeal:
    """Leave the cards of every second hand unknown."""
    hands: tuple[HandClaim, ...] = tuple(
        len(hand) if seat % 2 and not isinstance(hand, int) else hand for seat, hand in enumerate(deal.hands)
    )
    return replace(deal, hands=hands)


def _slip(deal: RecordedDeal) -> RecordedDeal:
    """Let a seat that follows suit discard a card that it plays after the first ten plays, with which the deal ends."""
    led, slip = deal.plays[_SLIP - 3].card, deal.plays[_SLIP]
    later = [play.card for play in deal.plays[10:] if play.seat == slip.seat]
    discard = next(card for card in later if card[1] not in {led[1], deal.turn_up[1]})
    return replace(deal, plays=(*deal.plays[:_SLIP], replace(slip, card=discard), *deal.plays[_SLIP + 1 : 10]))
