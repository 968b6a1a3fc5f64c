"""The examples of the sources, their rulesets, and how ties are broken where they are silent.

Each test is named after its source. The states are real: dealt from a chosen pack and played card by card.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
import pytest

from service.game.rulesets import RULESETS
from service.schemas.refusal import Refusal
from tests.programs.agreement.asking import Json, ask
from tests.reference import engine

PACK: Final = [rank + suit for suit in "CDHS" for rank in "6789TJQKA"]
ALONE: Final = [[0], [1], [2], [3]]
PARTNERS: Final = [[0, 2], [1, 3]]

# ── Real states ──────────────────────────────────────────────────────────────────────────────────────────────


def pack_for(hands: list[str], dealer: int, turn_up: str, strip: str = "") -> list[str]:
    """Return the order of the pack that deals these hands, one card at a time, and this turn-up last."""
    by_seat = [hand.split() for hand in hands]
    by_seat[dealer] = [*(card for card in by_seat[dealer] if card != turn_up), turn_up]
    first_to_last = by_seat[dealer + 1 :] + by_seat[: dealer + 1]
    dealt = [hand[place] for place in range(len(by_seat[0])) for hand in first_to_last]
    return dealt + [card for card in PACK if card not in dealt and card != strip]


def first_deal(
    rules: object, sides: list[list[int]], dealer: int, turn_up: str, hands: list[str], strip: str = ""
) -> Json:
    """Return the position of a first deal with these hands."""
    order = pack_for(hands, dealer, turn_up, strip)
    dealt: Json = ask("deals", rules=rules, sides=sides, dealer=dealer, pack=order)["position"]
    return dealt


def next_deal(after: Json, turn_up: str, hands: list[str]) -> Json:
    """Return the position of the deal after this one, with these hands."""
    dealer = (after["state"]["dealer"] + 1) % len(hands)
    dealt: Json = ask("deals", after=after["state"], pack=pack_for(hands, dealer, turn_up))["position"]
    return dealt


def play_on(position: Json, *tricks: str) -> Json:
    """Return the position after these tricks, whose cards are all legal."""
    for trick in tricks:
        position = ask("next_states", state=position["state"], cards=trick.split())["position"]
    return position


def card_points(position: Json) -> list[int]:
    """Return the card points of each side."""
    return [side["card_points"] for side in ask("scores", state=position["state"])["sides"]]


def reason(position: Json, card: str) -> str | None:
    """Return the rule that forbids this card. Return None if none does."""
    forbidden: str | None = ask("verdicts", state=position["state"], card=card)["reason"]
    return forbidden


# ── Worked examples ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rules", ["denexa", "gamerules", "take-ten"])
def test_denexa_four_players_and_five_tricks_make_eleven_card_points(rules: str) -> None:
    hands = [
        "TH QH KH AH JH 6C 7C 6D 7D",
        "9H 8C 9C TC JC QC KC AC 6S",
        "8H 8D 9D TD JD QD KD AD 7S",
        "6H 7H 8S 9S TS JS QS KS AS",
    ]
    at = first_deal(rules, ALONE, 3, "6H", hands)
    at = play_on(at, "JH 9H 8H 6H", "AH 8C 8D 7H", "KH 9C 9D 8S", "QH TC TD 9S")
    assert card_points(at) == [16 - 9, 0, 0, 0]
    at = play_on(at, "TH JC JD TS")
    assert card_points(at) == [20 - 9, 0, 0, 0]
    at = play_on(at, "6C QC QD JS", "KC KD QS 7C", "AC AD KS 6D", "6S 7S AS 7D")
    assert card_points(at) == [11, 3, 0, 0]
    assert (at["points"], at["phase"], at["winners"]) == ([41, 3, 0, 0], "game_over", [0])


def test_trebor_eight_tricks_with_jack_and_ace_make_29_and_ten_and_queen_win_in_mid_hand() -> None:
    first = first_deal(
        "trebor",
        PARTNERS,
        3,
        "TS",
        [
            "6S 7S 8S 9S JS AC KC AD AH",
            "KS 6C 7C 8C 9C TC JC QC 6D",
            "QS AS 7H 8H 9H TH JH QH KH",
            "TS 7D 8D 9D TD JD QD KD 6H",
        ],
    )
    first = play_on(first, "6S KS QS TS", "QC 7H 6H AC", "JS 6C AS 7D", "7S 7C 8H 8D", "8S 8C 9H 9D")
    first = play_on(first, "9S 9C TH TD", "KC TC JH JD", "AD 6D QH QD", "AH JC KH KD")
    assert card_points(first) == [32 - 18, 0]
    assert (first["phase"], first["points"]) == ("deal_over", [14 + 11 + 4, 15])

    second = next_deal(
        first,
        "6C",
        [
            "6C 7C TH JH QH KH AH 6D 9S",
            "6S 7S 8S 8C 7D 8D 9D TD JD",
            "JC AC KC QC TC 6H 7H 8H 9H",
            "TS JS QS KS AS 9C QD KD AD",
        ],
    )
    second = play_on(second, "6S TC TS 9S")
    assert (second["phase"], second["totals"]) == ("playing", [39, 15])
    second = play_on(second, "QC 9C 6C 8C")
    assert (second["phase"], second["totals"], second["winners"]) == ("game_over", [41, 15], [0])
    assert [len(hand) for hand in second["state"]["hands"]] == [7, 7, 7, 7]
    with pytest.raises(Refusal, match="The game is over"):
        play_on(second, "JC")


def test_take_ten_ten_cards_dealt_and_fifteen_taken_make_five_card_points() -> None:
    hands = ["JH AH KH QH TH 6C 7C 6D 7D 6S", "9H 8C 9C TC JC QC KC AC QD KD", "6H 7H 8H 8D 9D TD JD 7S 8S 9S"]
    at = first_deal("take-ten", [[0], [1], [2]], 2, "6H", hands)
    at = play_on(at, "JH 9H 6H", "AH 8C 7H", "KH 9C 8H", "QH TC 7S", "TH JC 8S")
    assert card_points(at) == [15 - 10, 0, 0]
    at = play_on(at, "6C QC 9S", "KC 8D 7C", "AC 9D 6S", "QD TD 6D", "KD JD 7D")
    assert (at["phase"], card_points(at)) == ("deal_over", [5, 5, 0])


def test_take_ten_a_player_without_the_suit_led_must_trump() -> None:
    hands = [
        "6C 7C 8C 9C TC JC QC KC AC",
        "6H 6D 7D 8D 9D TD JD QD KD",
        "6S 7S 8S 9S TS JS QS KS AS",
        "7H 8H 9H TH JH QH KH AH AD",
    ]
    at = play_on(first_deal("take-ten", ALONE, 3, "7H", hands), "6C")
    assert (at["legal_cards"], reason(at, "KD")) == (["6H"], "must_trump")
    at = play_on(at, "6H")
    assert (len(at["legal_cards"]), reason(at, "6S")) == (9, None)


def test_gamerules_six_cards_dealt_and_eight_captured_make_two_card_points() -> None:
    """No table of the source has shares of six and tricks of two cards, so its table for two deals one hand here."""
    plain = msgspec.to_builtins(RULESETS["gamerules"])
    one_hand = {"players": 2, "hands": 1, "cards": 6, "sides": [2]}
    hands = ["JS AS KS QS 6C 7C", "6S 7S 8C 9C TC AC"]
    at = first_deal(plain | {"id": "one-hand", "tables": [one_hand]}, [[0], [1]], 1, "6S", hands)
    at = play_on(at, "JS 6S", "AS 7S", "KS 8C", "QS 9C")
    assert card_points(at) == [8 - 6, 0]


def test_gamerules_six_players_with_six_cards_score_six_for_every_trick_after_the_first() -> None:
    hands = [
        "6C 7C 8C 9C TC AS",
        "6D 7D 8D 9D TD 6S",
        "6H 7H 8H 9H TH 7S",
        "JC QC KC AC JD 8S",
        "QD KD AD JH QH 9S",
        "KH AH TS JS QS KS",
    ]
    at = first_deal("gamerules", [[seat] for seat in range(6)], 5, "TS", hands)
    at = play_on(at, "AS 6S 7S 8S 9S TS")
    assert card_points(at) == [0] * 6
    at = play_on(at, "TC TD TH JC QH KH")
    assert card_points(at) == [0, 0, 0, 0, 0, 0]
    at = play_on(at, "JD QD KS 9C 9D 9H", "JS 8C 8D 8H QC JH")
    assert card_points(at) == [0, 0, 0, 0, 0, 6]


LED_BY_ELDEST: Final = [
    "JH AH 6C 7C 8C 9C TC JC QC",
    "KH 6D 7D 8D 9D TD JD QD KD",
    "6S 7S 8S 9S TS JS QS KS AS",
    "6H 7H 8H 9H TH QH KC AC AD",
]


def test_lots_of_kids_the_card_that_opens_a_deal_is_no_trump_and_later_leads_may_be() -> None:
    at = first_deal("lots-of-kids", ALONE, 3, "6H", LED_BY_ELDEST)
    assert (reason(at, "JH"), reason(at, "6C")) == ("no_trump_lead", None)
    assert at["legal_cards"] == ["QC", "JC", "TC", "9C", "8C", "7C", "6C"]
    at = play_on(at, "QC 6D 6S KC", "AD JH KD 7S")
    assert (at["turn"], reason(at, "AH")) == (0, None)


def test_lots_of_kids_eldest_hand_with_one_plain_card_opens_with_it() -> None:
    hands = [
        "6S 7H 8H 9H TH JH QH KH AH",
        "6C 7C 8C 9C TC JC QC KC AC",
        "6D 7D 8D 9D TD JD QD KD AD",
        "6H 7S 8S 9S TS JS QS KS AS",
    ]
    assert first_deal("lots-of-kids", ALONE, 3, "6H", hands)["legal_cards"] == ["6S"]


def test_lots_of_kids_eldest_hand_with_nothing_but_trumps_leads_any_of_them() -> None:
    hands = [
        "KH QH JH 9H 8H 7H 6H",
        "7C 8C 9C TC JC QC KC",
        "AC 6D 7D 8D 9D TD JD",
        "QD KD AD 6S 7S 8S 9S",
        "TH AH TS JS QS KS AS",
    ]
    at = first_deal("lots-of-kids", [[seat] for seat in range(5)], 4, "AH", hands, strip="6C")
    assert at["legal_cards"] == hands[0].split()


@pytest.mark.parametrize(("rules", "winner"), [("lots-of-kids", 1), ("denexa", 0), ("trebor", 0), ("take-ten", 0)])
def test_lots_of_kids_alone_does_not_raise_the_jack_of_trumps(rules: str, winner: int) -> None:
    trick = {"trump": "H", "leader": 0, "players": 4, "cards": ["JH", "AH", "TH", "AS"], "rules": rules}
    assert ask("trick_winners", trick=trick)["seat"] == winner


# ── The rulesets as both engines have them ───────────────────────────────────────────────────────────────────
# Each was written from its source for itself, and played games do not show every cell.

IDS: Final = tuple(engine.RULESETS)
FIELDS: Final[dict[str, Mapping[str, object]]] = {
    "first_dealer": dict.fromkeys(IDS, "cut")
    | dict.fromkeys(("denexa", "gamerules", "cassell"), "anyone")
    | {"lots-of-kids": "highest_card", "take-ten": "lot"},
    "three_at_a_time": dict.fromkeys(IDS, False) | dict.fromkeys(("trebor", "french-whist"), True),
    "following": dict.fromkeys(IDS, "if_able"),
}
"""Fields that the second engine lacks: its caller names the dealer and the deal."""
CELLS: Final = [
    *((field, rules, cell) for field, row in FIELDS.items() for rules, cell in row.items()),
    *((field, rules, row[field]) for rules, row in engine.RULESETS.items() for field in row if field != "tables"),
]


def test_the_rulesets_are_those_of_the_second_engine() -> None:
    assert {*RULESETS} == {*IDS}


@pytest.mark.parametrize(("field", "rules", "cell"), CELLS)
def test_row_of_a_single_field(field: str, rules: str, cell: object) -> None:
    assert getattr(RULESETS[rules], field) == cell


@pytest.mark.parametrize("rules", IDS)
def test_the_tables_of_a_ruleset(rules: str) -> None:
    """Compare players, hands, cards, sides, the strip and any choice of it, table by table."""
    tables = [{"strip_choice": []} | table for table in engine.RULESETS[rules]["tables"]]
    assert msgspec.json.decode(msgspec.json.encode(RULESETS[rules].tables)) == tables


SEATS: Final = [
    ("trebor", 4, [[0, 2], [1, 3]]),
    ("trebor", 6, [[0, 2, 4], [1, 3, 5]]),
    ("trebor", 6, [[0, 3], [1, 4], [2, 5]]),
    ("trebor", 8, [[0, 2, 4, 6], [1, 3, 5, 7]]),
    ("gamerules", 4, [[0, 2], [1, 3]]),
    ("gamerules", 6, [[0, 3], [1, 4], [2, 5]]),
    ("gamerules", 8, [[0, 4], [1, 5], [2, 6], [3, 7]]),
    ("britannica", 8, [[0, 2, 4, 6], [1, 3, 5, 7]]),
    ("britannica", 8, [[0, 4], [1, 5], [2, 6], [3, 7]]),
    ("cassell", 6, [[0, 2, 4], [1, 3, 5]]),
]


@pytest.mark.parametrize(("rules", "players", "sides"), SEATS)
def test_partners_sit_evenly_spaced(rules: str, players: int, sides: list[list[int]]) -> None:
    assert ask("deals", rules=rules, sides=sides, dealer=0, seed="a")["position"]["state"]["sides"] == sides
    wrong = [sides[0][:-1] + sides[1][:1], sides[0][-1:] + sides[1][1:], *sides[2:]]
    with pytest.raises(Refusal) as refused:
        ask("deals", rules=rules, sides=wrong, dealer=0, seed="a")
    assert [error.code for error in refused.value.errors] == ["partnership_not_in_ruleset"]


@pytest.mark.parametrize("rules", IDS)
def test_players_without_named_sides_sit_in_the_first_partnership_of_the_source(rules: str) -> None:
    usual = {name: {4: 2, 6: 2, 8: 2} for name in ("trebor", "britannica", "cassell", "french-whist")}
    for table in RULESETS[rules].tables:
        dealt = ask("deals", rules=rules, players=table.players, dealer=0, seed="a")
        sides = dealt["position"]["state"]["sides"]
        assert len(sides) == usual.get(rules, {}).get(table.players, table.players)


def test_what_a_source_is_cited_for_it_says() -> None:
    britannica, cassell = RULESETS["britannica"].sources, RULESETS["cassell"].sources
    assert (britannica.first_dealer.reading, britannica.void.reading) == (True, True)
    assert "cut" in britannica.first_dealer.says
    assert "Nothing is said" in britannica.void.says
    assert cassell.target.where == "cassell, Catch the Ten"
    assert RULESETS["cassell"].description.count("known as Scottish Whist") == 1


def test_the_share_over_several_hands_is_a_reading_wherever_there_are_several() -> None:
    counted = {name: ruleset for name, ruleset in RULESETS.items() if ruleset.card_points == "above_share"}
    several = {name for name, ruleset in counted.items() if any(table.hands > 1 for table in ruleset.tables)}
    assert {name for name, ruleset in counted.items() if ruleset.sources.card_points.reading} == several | {"cassell"}


def test_french_whist_the_ten_of_diamonds_scores_under_every_trump_and_each_trick_scores_one() -> None:
    hands = [
        "JS AS 6C 7C 8C 9C TC JC QC",
        "TS 6D 7D 8D 9D TD JD QD KD",
        "KS 6H 7H 8H 9H TH JH QH KH",
        "6S 7S 8S 9S QS KC AC AD AH",
    ]
    at = play_on(first_deal("french-whist", PARTNERS, 3, "6S", hands), "JS TS KS 6S")
    assert at["points"] == [11 + 3 + 1, 0]
    at = play_on(at, "AS TD 6H 7S")
    assert at["points"] == [15 + 4 + 10 + 1, 0]
    assert ask("trick_winners", trick={"trump": "S", "leader": 0, "players": 2, "cards": ["6C", "TD"]})["seat"] == 0


@pytest.mark.parametrize(
    ("penalty", "phase", "winners"), [("loss_of_game", "game_over", [0]), ("loss_of_deal", "deal_over", [])]
)
def test_trebor_a_revoke_loses_the_game_or_by_the_milder_penalty_the_points_of_the_deal(
    penalty: str, phase: str, winners: list[int]
) -> None:
    hands = [
        "6S 7C 8C 9C TC JC QC KC AC",
        "7S 6D 7D 8D 9D TD JD QD KD",
        "6H 7H 8H 9H TH JH QH KH AH",
        "6C AD 8S 9S TS JS QS KS AS",
    ]
    rules = msgspec.to_builtins(RULESETS["trebor"]) | {"id": "house", "revoke": penalty}
    at = play_on(first_deal(rules, PARTNERS, 3, "6C", hands), "AC 6D 6H 6C", "6S")
    assert reason(at, "7D") == "must_follow_suit"
    at = ask("next_states", state=at["state"], cards=["7D"], on_revoke="penalise")["position"]
    assert (at["phase"], at["winners"], at["points"]) == (phase, winners, [4, 0])


# ── Ties, where the sources are silent ───────────────────────────────────────────────────────────────────────


def counted(rules: str, scores: list[int], tricks: list[int], named: list[str]) -> Json:
    """The score of a deal of four that is over; hearts are trumps, `named` says which cards are in whose tricks."""
    taken = [cards.split() for cards in named]
    rest = iter(card for card in PACK if card not in " ".join(named))
    for cards, count in zip(taken, tricks, strict=True):
        cards += [next(rest) for _ in range(4 * count - len(cards))]
    state: Json = {"rules": rules, "sides": ALONE, "dealer": 0, "deal": 2, "scores": scores, "turn_up": "6H"}
    state |= {"hands": [[]] * 4, "later_hands": [], "leader": 0, "trick": [], "taken": taken, "revoked": None}
    return ask("scores", state=state)


COUNTING: Final = pytest.mark.parametrize("rules", ["denexa", "take-ten", "gamerules"])


@COUNTING
def test_counting_order_the_first_to_get_there_wins_even_if_another_ends_higher(rules: str) -> None:
    score = counted(rules, [31, 40, 0, 0], [4, 4, 1, 0], ["TH", "JH AH", "KH QH", ""])
    assert [side["total"] for side in score["sides"]] == [48, 62, 5, 0]
    assert (score["winners"], score["won_by"]["item"]) == ([0], "ten")


@COUNTING
def test_counting_order_two_at_the_same_step_the_higher_there_wins(rules: str) -> None:
    score = counted(rules, [35, 34, 0, 0], [4, 4, 1, 0], ["", "JH", "TH AH KH QH", ""])
    assert [side["total"] for side in score["sides"]] == [42, 52, 19, 0]
    assert (score["winners"], score["won_by"]["item"]) == ([0], "card_points")


@COUNTING
def test_counting_order_two_level_at_the_same_step_the_higher_after_the_whole_count_wins(rules: str) -> None:
    score = counted(rules, [34, 34, 0, 0], [4, 4, 1, 0], ["", "JH", "TH AH KH QH", ""])
    assert [side["total"] for side in score["sides"]] == [41, 52, 19, 0]
    assert (score["winners"], score["won_by"]["item"]) == ([1], "card_points")


@COUNTING
def test_counting_order_two_level_to_the_end_win_together(rules: str) -> None:
    score = counted(rules, [38, 38, 0, 0], [3, 3, 2, 1], ["", "", "TH AH KH QH JH", ""])
    assert [side["total"] for side in score["sides"]] == [41, 41, 30, 0]
    assert (score["winners"], score["won_by"]["item"]) == ([0, 1], "card_points")


def test_highest_score_the_higher_wins_even_if_another_got_there_first() -> None:
    score = counted("lots-of-kids", [31, 40, 0, 0], [4, 4, 1, 0], ["TH", "JH AH", "KH QH", ""])
    assert (score["winners"], score["won_by"]["how"]) == ([1], "highest_score")


def test_highest_score_two_level_at_the_top_win_together() -> None:
    score = counted("lots-of-kids", [38, 38, 0, 0], [3, 3, 2, 1], ["", "", "TH AH KH QH JH", ""])
    assert (score["winners"], score["won_by"]["item"]) == ([0, 1], None)
