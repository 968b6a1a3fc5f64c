"""Every fault that a state can have, each found by breaking a sound state in one place."""

from typing import Final, NamedTuple, TypeAlias

import pytest
from msgspec.structs import replace

from service.game.faults import FAULTS, MAX_FAULTS, FaultCode, Impossible, Path
from service.game.rules.admission import admit, faults
from service.game.rules.deal import deal
from service.game.rulesets import RULESETS, Honours, Sides, Source, Sources, TableRule, arrange, make_table
from service.game.state import Claim, to_claim
from tests.support.claims import claim, codes, house, mask, written

Found: TypeAlias = list[tuple[FaultCode, Path]]


class Case(NamedTuple):
    """A broken state, and every fault that it has."""

    broken: Claim
    expected: Found
    id: str


PAIRS: Final[Sides] = ((0, 2), (1, 3))
MILD: Final = house(revoke="loss_of_deal")
POINT_BY_JACK: Final = house(ties="play_on", honours=replace(RULESETS["trebor"].honours, jack=1))

FRESH: Final = to_claim(deal(make_table("denexa", arrange(4, 4)), range(36), 3, 1, (0, 0, 0, 0)))
MIDDLE: Final = claim(hands=("7S", "8S JS", "9S QS", "7D 9H"), turn_up="9H", trick="AD", tricks=[7, 0, 0, 0])
LATER: Final = claim(
    "gamerules",
    2,
    hands=("7D", "KD"),
    later=(("JS TS 9S 8S 7S 6S", "8H 7H 6H AS KS QS"), ("JH AH KH QH TH 6C", 6)),
    turn_up="9H",
    tricks=[4, 1],
    hidden="7C 8C 9C TC JC",
)
LAST: Final = claim("gamerules", 2, hands=(6, 6), turn_up="9H", tricks=[6, 6])
REVOKED: Final = claim(
    "trebor",
    PAIRS,
    hands=("7S", "JS", "QS", "7D"),
    turn_up="9H",
    trick="AD 6D TD 9H",
    tricks=[4, 3],
    took=["KH QH", "TH"],
    revoked=3,
)
WON: Final = claim("trebor", PAIRS, hands=(7, 7, 7, 7), turn_up="9H", tricks=[1, 1], took=["TH QH", ""], scores=(29, 0))

SOUND: Final = [
    pytest.param(replace(FRESH, scores=(0, 40, 3, 0)), id="a first deal that begins with scores"),
    pytest.param(
        replace(FRESH, rules=house("denexa", deals=3, ties="play_on"), deal=5, scores=(5, 0, 5, 4)),
        id="a deal that decides a tie after the last",
    ),
    pytest.param(
        replace(FRESH, rules=house("denexa", ties="play_on"), deal=5, scores=(42, 42, 43, 0)),
        id="a deal that decides a tie in counting order",
    ),
    pytest.param(
        replace(WON, rules=house(ties="play_on"), scores=(45, 45)),
        id="a tie just broken at once",
    ),
    pytest.param(
        claim(house(ties="play_on"), PAIRS, hands=(7, 7, 7, 7), turn_up="9H", tricks=[1, 1], leader=1, scores=(45, 45)),
        id="a tie not broken yet",
    ),
    pytest.param(FRESH, id="a first deal"),
    pytest.param(MIDDLE, id="the middle of a trick"),
    pytest.param(LATER, id="hands still to be taken up"),
    pytest.param(LAST, id="the last hands just taken up"),
    pytest.param(REVOKED, id="a revoke that ended the game"),
    pytest.param(replace(REVOKED, rules=MILD), id="a revoke that ended the deal"),
    pytest.param(replace(WON, leader=0), id="a game just won at once"),
    pytest.param(replace(MIDDLE, hands=(1, 2, 2, 2)), id="hands that are not seen"),
    pytest.param(claim(hands=("", 0, "", ""), turn_up="9H", tricks=[9, 0, 0, 0]), id="a deal played out"),
    pytest.param(replace(FRESH, later_hands=((), (), (), ())), id="no later hands, said for each seat"),
    pytest.param(
        claim("lots-of-kids", 5, hands=("6C 6D 6H 7C 8C 9C TC", 7, 7, 7, 7), turn_up="9H"), id="a six of choice out"
    ),
]


@pytest.mark.parametrize("sound", SOUND)
def test_a_sound_state_has_no_fault_and_is_admitted(sound: Claim) -> None:
    assert faults(sound) == ()
    assert faults(to_claim(admit(sound))) == ()


def found(broken: Claim) -> Found:
    return [(fault.code, fault.path) for fault in faults(broken)]


def hands(base: Claim, **changed: str | int) -> Claim:
    """Change the hand in play of some seats, `s0` to `s7`."""
    new = list(base.hands)
    for seat, cards in changed.items():
        new[int(seat[1:])] = cards if isinstance(cards, int) else codes(cards)
    return replace(base, hands=tuple(new))


def taken(base: Claim, *cards: str) -> Claim:
    return replace(base, taken=tuple(codes(pile) for pile in cards))


def alone(players: int, hands: int, cards: int, **changed: object) -> TableRule:
    return replace(TableRule(players, hands, cards, (players,)), **changed)


def with_tables(*tables: TableRule) -> Claim:
    return replace(FRESH, rules=house("denexa", tables=tables))


FOUR: Final = alone(4, 1, 9)

RULES_AND_SIDES: Final = [
    Case(replace(FRESH, rules="whist"), [("unknown_ruleset", ("rules",))], id="no such ruleset"),
    Case(
        with_tables(FOUR, alone(2, 1, 9), FOUR),
        [("ruleset_table_twice", ("rules", "tables", 2, "players"))],
        id="two tables for four",
    ),
    Case(
        with_tables(alone(4, 1, 10)),
        [("ruleset_too_many_cards", ("rules", "tables", 0, "cards"))],
        id="forty cards of 36",
    ),
    Case(
        with_tables(alone(4, 1, 9, strip=("6C",))),
        [("ruleset_too_many_cards", ("rules", "tables", 0, "cards"))],
        id="36 cards of 35",
    ),
    Case(
        with_tables(alone(4, 1, 9, sides=(4, 3))),
        [("ruleset_uneven_sides", ("rules", "tables", 0, "sides", 1))],
        id="three sides of four",
    ),
    Case(
        with_tables(alone(4, 1, 9, sides=(4, 2, 4))),
        [("ruleset_sides_twice", ("rules", "tables", 0, "sides", 2))],
        id="four sides twice",
    ),
    Case(
        with_tables(alone(4, 1, 8, strip=("6C", "TC"))),
        [("ruleset_strips_honour", ("rules", "tables", 0, "strip", 1))],
        id="a ten stripped",
    ),
    Case(
        with_tables(alone(4, 1, 8, strip=("6C",), strip_choice=("AS", "6C"))),
        [("ruleset_strips_honour", ("rules", "tables", 0, "strip_choice", 0))],
        id="an ace among the choice",
    ),
    Case(
        with_tables(alone(4, 1, 8, strip=("6C", "6C"))),
        [("ruleset_strip_twice", ("rules", "tables", 0, "strip", 1))],
        id="a six stripped twice",
    ),
    Case(
        with_tables(alone(4, 1, 8, strip=("6C",), strip_choice=("6D", "6S"))),
        [("ruleset_strip_choice", ("rules", "tables", 0, "strip_choice"))],
        id="a choice without the strip itself",
    ),
    Case(
        with_tables(alone(4, 1, 9, strip_choice=("6D", "6S"))),
        [("ruleset_strip_choice", ("rules", "tables", 0, "strip_choice"))],
        id="a choice of no cards",
    ),
    Case(
        replace(FRESH, rules=house("denexa", card_points="none", honours=Honours(0, 0, 0, 0, 0))),
        [("ruleset_without_points", ("rules", "card_points"))],
        id="no points for anything",
    ),
    Case(
        replace(FRESH, rules=replace(RULESETS["denexa"], void="trump_if_able", target=51)),
        [("ruleset_printed_id", ("rules", "id"))],
        id="a changed ruleset with a printed id",
    ),
    *[
        Case(replace(FRESH, rules=house("denexa", **texts)), [("ruleset_not_shown", ("rules", *path))], id=name)
        for name, texts, path in (
            ("tags in a name", {"name": "Denexa\U000e0061"}, ["name"]),
            ("vowels that are not seen", {"name": "Denexa\u17b5"}, ["name"]),
            ("a blank name", {"name": " "}, ["name"]),
            ("a hidden hyphen", {"description": "A\u00ad"}, ["description"]),
            ("a filler", {"sources": Sources(void=Source("p. 1\u3164", ""))}, ["sources", "void", "where"]),
        )
    ],
    Case(replace(FRESH, sides=arrange(8, 8)), [("players_not_in_ruleset", ("sides",))], id="no table for eight"),
    Case(replace(FRESH, sides=((0,), (1,), (2,), (2,))), [("seats_not_once_each", ("sides",))], id="a seat twice"),
    Case(replace(FRESH, sides=((1,), (2,))), [("seats_not_once_each", ("sides",))], id="a seat missing"),
    Case(replace(FRESH, sides=PAIRS), [("partnership_not_in_ruleset", ("sides",))], id="no partners in denexa"),
    Case(
        replace(FRESH, rules="trebor", sides=((0, 1), (2, 3))),
        [("partnership_not_in_ruleset", ("sides",))],
        id="partners side by side",
    ),
]

LISTS: Final = [
    Case(replace(FRESH, dealer=4), [("seat_out_of_range", ("dealer",))], id="dealer out of range"),
    Case(replace(FRESH, leader=7), [("seat_out_of_range", ("leader",))], id="leader out of range"),
    Case(replace(FRESH, revoked=5), [("seat_out_of_range", ("revoked",))], id="revoker out of range"),
    Case(replace(FRESH, hands=FRESH.hands[:3]), [("wrong_number_of_seats", ("hands",))], id="three hands of four"),
    Case(
        replace(LATER, later_hands=LATER.later_hands[:1]),
        [("wrong_number_of_seats", ("later_hands",))],
        id="later hands of one seat of two",
    ),
    Case(replace(FRESH, scores=(0, 0)), [("wrong_number_of_sides", ("scores",))], id="two scores of four"),
    Case(replace(FRESH, taken=((),) * 5), [("wrong_number_of_sides", ("taken",))], id="five piles of four"),
]

CARDS: Final = [
    Case(hands(MIDDLE, s1="7S JS"), [("card_twice", ("hands", 1, 0))], id="a card in two hands"),
    Case(replace(MIDDLE, trick=codes("6D")), [("card_twice", ("taken", 0, 9))], id="a card played and taken"),
    Case(
        replace(LATER, later_hands=(LATER.later_hands[0], (codes("7D 6C JH QH KH AH"), 6))),
        [("card_twice", ("later_hands", 1, 0, 0))],
        id="a card in a hand and a later one",
    ),
    Case(
        claim("denexa", 5, hands=("6C 7C 8C 9C TC JC QC", 7, 7, 7, 7), turn_up="9H"),
        [("card_not_in_pack", ("hands", 0, 0))],
        id="a card that is stripped",
    ),
    Case(
        claim("gamerules", 8, hands=(4,) * 7 + ("6H 7H 8H 9H",), turn_up="6H"),
        [("card_not_in_pack", ("turn_up",)), ("card_not_in_pack", ("hands", 7, 0))],
        id="a turn-up that is stripped",
    ),
    Case(
        claim("lots-of-kids", 5, hands=("6D 6H 6S 7C 8C 9C 6C", 7, 7, 7, 7), turn_up="9H"),
        [("card_not_in_pack", ("hands", 0, 6))],
        id="all of the cards that one is stripped from",
    ),
    Case(
        claim("lots-of-kids", 5, hands=("6D 6C 6S 7C 8C 9C TC", 7, 7, 7, 7), turn_up="6H"),
        [("card_not_in_pack", ("hands", 0, 1))],
        id="all of the cards that one is stripped from, one turned up",
    ),
]

SCORES: Final = [
    Case(replace(FRESH, deal=2, scores=(40, 41, 0, 0)), [("game_already_won", ("scores", 1))], id="a game already won"),
    Case(
        replace(FRESH, deal=2, scores=(44, 0, 41, 0)),
        [("game_already_won", ("scores", 0)), ("game_already_won", ("scores", 2))],
        id="a game already won by two",
    ),
    Case(
        replace(FRESH, scores=(50, 0, 0, 0)),
        [("game_already_won", ("scores", 0))],
        id="a game won before the first deal",
    ),
    Case(
        replace(FRESH, rules=house("denexa", target=20), deal=2, scores=(19, 20, 0, 0)),
        [("game_already_won", ("scores", 1))],
        id="a game of another target already won",
    ),
    Case(
        replace(FRESH, rules=house("denexa", deals=3), deal=4, scores=(5, 0, 5, 0)),
        [("game_already_won", ("deal",))],
        id="a deal after the last",
    ),
    Case(
        replace(FRESH, rules=house("denexa", deals=3, ties="play_on"), deal=4, scores=(5, 0, 4, 0)),
        [("game_already_won", ("deal",))],
        id="a deal after the last that decides no tie",
    ),
    Case(
        replace(FRESH, rules=house("denexa", winning="highest_score", ties="play_on"), deal=4, scores=(42, 42, 43, 0)),
        [("game_already_won", ("scores", side)) for side in range(3)],
        id="a deal that decides a tie below the top",
    ),
    Case(
        replace(FRESH, rules=house("denexa", ties="play_on"), deal=1, scores=(41, 41, 0, 0)),
        [("game_already_won", ("scores", 0)), ("game_already_won", ("scores", 1))],
        id="a tie before the first deal",
    ),
]

TEN_TAKEN: Final = claim("take-ten", 2, hands=("", ""), turn_up="9H", tricks=[10, 0])

SIZES: Final = [
    Case(
        taken(MIDDLE, " ".join(MIDDLE.taken[0][1:]), "", "", ""),
        [("taken_not_whole_tricks", ("taken", 0))],
        id="a card missing from a pile",
    ),
    Case(
        taken(MIDDLE, " ".join(MIDDLE.taken[0][1:]), "", MIDDLE.taken[0][0], ""),
        [("taken_not_whole_tricks", ("taken", 0)), ("taken_not_whole_tricks", ("taken", 2))],
        id="a card in the wrong pile",
    ),
    Case(
        taken(TEN_TAKEN, " ".join(TEN_TAKEN.taken[0]), "KS AS"),
        [("too_many_taken", ("taken",))],
        id="eleven tricks of ten",
    ),
    Case(replace(TEN_TAKEN, trick=codes("AS")), [("trick_too_long", ("trick",))], id="a card after the last trick"),
    Case(
        replace(MIDDLE, trick=codes("AD 7D 8S 9S"), hands=(1, 1, 1, 1)),
        [("trick_too_long", ("trick",))],
        id="a full trick that is not gathered",
    ),
    Case(
        replace(REVOKED, trick=codes("AD 6D TD 9H 7D"), hands=(1, 1, 1, 0)),
        [("trick_too_long", ("trick",))],
        id="a trick longer than the table",
    ),
    Case(hands(MIDDLE, s0=""), [("wrong_hand_size", ("hands", 0))], id="a card too few after the lead"),
    Case(hands(MIDDLE, s0=2, s1=2), [("wrong_hand_size", ("hands", 0))], id="a card too many after the lead"),
    Case(hands(MIDDLE, s1=1, s2=3), [("wrong_hand_size", ("hands", 1)), ("wrong_hand_size", ("hands", 2))], id="two"),
    Case(
        replace(LATER, later_hands=((6, 5), (6, 6))),
        [("wrong_hand_size", ("later_hands", 0, 1))],
        id="a later hand of five",
    ),
    Case(
        replace(LATER, later_hands=((6, 6), (6,))),
        [("wrong_number_of_later_hands", ("later_hands", 1))],
        id="a later hand missing",
    ),
    Case(
        replace(LATER, later_hands=()),
        [("wrong_number_of_later_hands", ("later_hands",))],
        id="all later hands missing",
    ),
    Case(
        replace(FRESH, later_hands=((), (9,), (), ())),
        [("wrong_number_of_later_hands", ("later_hands", 1))],
        id="a later hand where a deal has one hand",
    ),
]

LEADS: Final = [
    Case(replace(FRESH, leader=3), [("leader_not_eldest", ("leader",))], id="the dealer leads first"),
    Case(
        replace(MIDDLE, leader=1, trick=codes("JS"), hands=(2, 1, 2, 2)),
        [("leader_took_no_trick", ("leader",))],
        id="a leader without a trick",
    ),
]

TURN_UP: Final = [
    Case(replace(FRESH, turn_up="6C"), [("turn_up_misplaced", ("turn_up",))], id="the turn-up in another's hand"),
    Case(
        claim(hands=(9, 9, 9, "6C 7C 8C 9C TC JC QC KC AC"), turn_up="9H"),
        [("turn_up_misplaced", ("turn_up",))],
        id="the turn-up hidden, but not with the dealer",
    ),
    Case(
        replace(MIDDLE, leader=3, hands=(2, 2, 2, 1), taken=((), (), (), MIDDLE.taken[0]), trick=codes("9H"), dealer=2),
        [("turn_up_misplaced", ("trick", 0))],
        id="the turn-up played by another",
    ),
    Case(
        replace(hands(LATER, s1=""), leader=1, trick=codes("9H")),
        [("turn_up_misplaced", ("trick", 0))],
        id="the turn-up played from an earlier hand",
    ),
    Case(
        taken(LATER, "9H " + " ".join(LATER.taken[0][1:]), " ".join(LATER.taken[1])),
        [("turn_up_misplaced", ("taken",))],
        id="the turn-up taken while later hands are to come",
    ),
    Case(
        taken(LAST, "9H " + " ".join(LAST.taken[0][1:]), " ".join(LAST.taken[1])),
        [("turn_up_misplaced", ("taken",))],
        id="the turn-up taken before the last hand is begun",
    ),
    Case(hands(LATER, s1="9H"), [("turn_up_misplaced", ("turn_up",))], id="the turn-up in an earlier hand"),
    Case(
        replace(LATER, later_hands=((6, 6), (6, codes("6C TH JH QH KH AH")))),
        [("turn_up_misplaced", ("turn_up",))],
        id="the dealer's last hand without the turn-up",
    ),
    Case(
        claim(hands=(1, 1, 1, 0), turn_up="9H", leader=3, trick="AS", tricks=[0, 0, 0, 8], hidden="6S 7S 9H"),
        [("turn_up_misplaced", ("turn_up",))],
        id="the turn-up nowhere and the dealer's hand empty",
    ),
]

TRICK: Final = [
    Case(
        claim(hands=("7S", "8D", "9S QS", "7D 9H"), turn_up="9H", trick="AD JS", tricks=[7, 0, 0, 0]),
        [("illegal_card_in_trick", ("trick", 1))],
        id="suit not followed",
    ),
    Case(
        claim("take-ten", hands=("7S", "KH", "9S QS", "7D 9H"), turn_up="9H", trick="AD JS", tricks=[7, 0, 0, 0]),
        [("illegal_card_in_trick", ("trick", 1))],
        id="not trumped where that is a duty",
    ),
    Case(
        claim("lots-of-kids", hands=("6D 7D 8D 9D TD JD QD KD", 9, 9, 9), turn_up="9H", trick="KH"),
        [("illegal_card_in_trick", ("trick", 0))],
        id="opened with a trump where that is barred",
    ),
    Case(
        claim(hands=("7S", "8D", "6D", "7D 9H"), turn_up="9H", trick="AD JS QS", tricks=[7, 0, 0, 0]),
        [("illegal_card_in_trick", ("trick", 1)), ("illegal_card_in_trick", ("trick", 2))],
        id="suit not followed twice",
    ),
    Case(
        claim(hands=(1, 1, 2, 2), turn_up="9H", dealer=1, trick="AH 7D", tricks=[7, 0, 0, 0]),
        [("illegal_card_in_trick", ("trick", 1))],
        id="suit not followed by a hidden hand that has the turn-up",
    ),
    Case(
        claim(hands=("7S", 1, "6C 7C", "8C 9H"), turn_up="9H", trick="AD JS", tricks=[7, 0, 0, 0], hidden="7D"),
        [("illegal_card_in_trick", ("trick", 1))],
        id="suit not followed by a hidden hand that can only be that suit",
    ),
    Case(
        claim(
            "lots-of-kids",
            5,
            hands=("7C", 1, "8C 9C", "TC JC", "9H QC"),
            turn_up="9H",
            trick="AS 6C",
            tricks=[5, 0, 0, 0, 0],
            hidden="6S 7S",
        ),
        [("illegal_card_in_trick", ("trick", 1))],
        id="suit not followed by a hidden hand that can only be that suit, the other card being out",
    ),
]

REVOKES: Final = [
    Case(
        replace(REVOKED, rules=house(revoke="not_allowed")),
        [("revoke_without_penalty", ("revoked",))],
        id="a revoke where no penalty is known",
    ),
    Case(replace(REVOKED, revoked=2), [("revoke_not_last_card", ("revoked",))], id="a revoke by another seat"),
    Case(
        replace(WON, scores=(0, 0), revoked=0), [("revoke_not_last_card", ("revoked",))], id="a revoke without a card"
    ),
    Case(hands(REVOKED, s0="7D", s3="7S"), [("revoke_was_legal", ("revoked",))], id="a revoke that was a ruff"),
    Case(
        replace(REVOKED, trick=codes("AD 6D 7S 7D"), hands=(1, 1, codes("TD"), codes("9H"))),
        [("illegal_card_in_trick", ("trick", 2)), ("revoke_was_legal", ("revoked",))],
        id="a revoke that followed suit after one that did not",
    ),
    Case(
        claim("trebor", PAIRS, hands=(1, 1, 1, 1), turn_up="9H", trick="AD 6D TD 9H", tricks=[4, 3], revoked=3),
        [("revoke_was_legal", ("revoked",))],
        id="a revoke by a hidden hand that must have been void",
    ),
    Case(
        claim(
            house("take-ten", revoke="loss_of_deal"),
            3,
            hands=("", "", 1),
            turn_up="9H",
            trick="AD 7S",
            tricks=[9, 0, 0],
            hidden="6D KD 7C 8C 9C TC 9H",
            revoked=1,
        ),
        [("revoke_was_legal", ("revoked",))],
        id="a revoke with the last card of a hand",
    ),
]

ENDS: Final = [
    Case(replace(WON, leader=1), [("played_on_after_game", ("taken", 0))], id="another trick after 41"),
    Case(
        replace(WON, trick=codes("AS"), hands=(6, 7, 7, 7)), [("played_on_after_game", ("taken", 0))], id="another card"
    ),
    Case(
        replace(REVOKED, rules=MILD, deal=2, scores=(0, 40)),
        [("played_on_after_game", ("taken", 1))],
        id="a revoke by a side that had 41",
    ),
    Case(
        claim(
            POINT_BY_JACK, PAIRS, hands=[7] * 4, turn_up="6S", tricks=[1, 1], took=["JS", ""], scores=(45, 45), leader=1
        ),
        [("played_on_after_game", ("taken", 0))],
        id="a tie that was won by one point",
    ),
    Case(
        replace(WON, trick=codes("AS"), hands=(6, 7, 7, 7), scores=(41, 0)),
        [("game_already_won", ("scores", 0))],
        id="41 before the deal, told once",
    ),
]

SEVERAL: Final = [
    Case(
        replace(FRESH, dealer=5, leader=6, hands=FRESH.hands[:3], later_hands=((),), scores=(0,), taken=((),)),
        [
            ("wrong_number_of_seats", ("hands",)),
            ("wrong_number_of_seats", ("later_hands",)),
            ("wrong_number_of_sides", ("scores",)),
            ("wrong_number_of_sides", ("taken",)),
            ("seat_out_of_range", ("dealer",)),
            ("seat_out_of_range", ("leader",)),
        ],
        id="lists and seats",
    ),
    Case(
        replace(FRESH, dealer=5, trick=codes("6C")),
        [("seat_out_of_range", ("dealer",)), ("card_twice", ("hands", 0, 6))],
        id="a seat and a card",
    ),
    Case(
        replace(FRESH, leader=2, scores=(41, 0, 0, 0), turn_up="6C"),
        [
            ("game_already_won", ("scores", 0)),
            ("leader_not_eldest", ("leader",)),
            ("turn_up_misplaced", ("turn_up",)),
        ],
        id="scores, leader and turn-up",
    ),
    Case(
        replace(hands(MIDDLE, s0="7S AD", s3="7D"), leader=1),
        [
            ("card_twice", ("hands", 0, 1)),
            ("wrong_hand_size", ("hands", 1)),
            ("wrong_hand_size", ("hands", 3)),
            ("leader_took_no_trick", ("leader",)),
        ],
        id="a card, sizes and leader",
    ),
    Case(
        replace(REVOKED, rules=house(revoke="not_allowed"), revoked=1, turn_up="7S", deal=1, scores=(41, 0)),
        [
            ("game_already_won", ("scores", 0)),
            ("turn_up_misplaced", ("turn_up",)),
            ("revoke_without_penalty", ("revoked",)),
            ("revoke_not_last_card", ("revoked",)),
        ],
        id="scores, turn-up and revoke",
    ),
    Case(
        with_tables(alone(4, 1, 10, sides=(3, 3), strip=("TC", "TC"), strip_choice=("6C",))),
        [
            ("ruleset_too_many_cards", ("rules", "tables", 0, "cards")),
            ("ruleset_uneven_sides", ("rules", "tables", 0, "sides", 0)),
            ("ruleset_uneven_sides", ("rules", "tables", 0, "sides", 1)),
            ("ruleset_sides_twice", ("rules", "tables", 0, "sides", 1)),
            ("ruleset_strips_honour", ("rules", "tables", 0, "strip", 0)),
            ("ruleset_strips_honour", ("rules", "tables", 0, "strip", 1)),
            ("ruleset_strip_twice", ("rules", "tables", 0, "strip", 1)),
            ("ruleset_strip_choice", ("rules", "tables", 0, "strip_choice")),
        ],
        id="a ruleset",
    ),
]

FILLINGS: Final = [
    Case(
        claim(hands=("JS", 1, 1, 2), turn_up="9H", trick="AD QS KS", tricks=[7, 0, 0, 0], hidden="7D 8D TC"),
        [("hands_cannot_be_filled", ("hands",))],
        id="two hidden hands void in the suit of all cards but one that are left for them",
    ),
]

BROKEN: Final[list[Case]] = [
    *RULES_AND_SIDES,
    *LISTS,
    *CARDS,
    *SCORES,
    *SIZES,
    *LEADS,
    *TURN_UP,
    *TRICK,
    *REVOKES,
    *ENDS,
    *FILLINGS,
    *SEVERAL,
]

every_case = pytest.mark.parametrize(
    ("broken", "expected"), [case[:2] for case in BROKEN], ids=[case.id for case in BROKEN]
)

OF_A_QUESTION: Final[set[FaultCode]] = {
    "missing_field",
    "fields_contradict",
    "strip_not_in_ruleset",
    "three_at_a_time_not_in_ruleset",
    "pack_not_the_pack",
    "name_not_shown",
    "revoke_found_nowhere",
    "plays_do_not_fit",
}
"""The faults that a state cannot have, but a question about dealing, a record or a live game can."""


@every_case
def test_every_fault_is_found_in_its_place_and_no_other(broken: Claim, expected: Found) -> None:
    assert found(broken) == expected


@every_case
def test_a_state_with_a_fault_is_not_admitted(broken: Claim, expected: Found) -> None:
    with pytest.raises(Impossible) as refused:
        admit(broken)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == expected


def test_a_hundred_faults_are_told_and_no_more() -> None:
    broken = replace(FRESH, taken=(codes("6C " * 36),) * 4)
    assert len(faults(broken)) == MAX_FAULTS == 100
    assert {fault.code for fault in faults(broken)} == {"card_twice"}


def test_every_fault_that_a_state_can_have_is_found_in_some_state_here() -> None:
    here = {fault.code for case in BROKEN for fault in faults(case.broken)}
    assert here == set(FAULTS) - OF_A_QUESTION


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        pytest.param(hands(MIDDLE, s1="7S JS"), "7S is in the hand of seat 0 already.", id="a card in another hand"),
        pytest.param(hands(MIDDLE, s1="AD JS"), "AD is in the trick already.", id="a card in the trick"),
        pytest.param(hands(MIDDLE, s1="6C JS"), "6C is among the cards taken by side 0 already.", id="a card taken"),
        pytest.param(
            replace(LATER, later_hands=(LATER.later_hands[0], (codes("6S TH JH QH KH AH"), 6))),
            "6S is in a later hand of seat 0 already.",
            id="a card in a later hand",
        ),
        pytest.param(
            claim("gamerules", 2, hands=(6, 6), turn_up="9H"),
            "`later_hands` is empty; after 0 tricks each seat still has 2 to take up.",
            id="how many later hands",
        ),
        pytest.param(hands(MIDDLE, s0=""), "0 cards; the tricks played leave 1.", id="how many there should be"),
        pytest.param(replace(FRESH, leader=3), "Seat 0 leads first, on the left of dealer 3.", id="who leads instead"),
        pytest.param(
            replace(FRESH, rules="whist"),
            "There is no ruleset 'whist'; there are denexa, gamerules, lots-of-kids, take-ten, trebor, "
            "britannica, cassell, french-whist.",
            id="which rulesets there are",
        ),
        pytest.param(
            claim("lots-of-kids", 5, hands=("6D 6H 6S 7C 8C 9C 6C", 7, 7, 7, 7), turn_up="9H"),
            "lots-of-kids strips 6C for 5 players or other cards of the same rank.",
            id="what else may be stripped",
        ),
    ],
)
def test_a_fault_tells_what_would_be_right(broken: Claim, said: str) -> None:
    assert [fault.detail for fault in faults(broken)] == [said]


def test_what_is_admitted_is_read_card_by_card() -> None:
    state = admit(LATER)
    assert [written(hand) for hand in state.hands] == ["7D", "KD"]
    assert state.later_hands == (
        (mask("6S 7S 8S 9S TS JS"), mask("6H 7H 8H QS KS AS")),
        (mask("6C TH JH QH KH AH"), -6),
    )
    assert state.table == make_table("gamerules", arrange(2, 2))
    assert to_claim(state) == LATER
