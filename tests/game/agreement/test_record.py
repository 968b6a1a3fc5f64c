"""The adjudication of whole games: played by the rules, and departing from them.

The games are played by the second engine, so that the service is not compared with itself.
"""

from random import Random
from typing import Final, NamedTuple

import pytest

from service.schemas.refusal import Refusal
from tests.programs.agreement.asking import Json, ask
from tests.programs.agreement.expected import PACK, in_pack_order
from tests.programs.agreement.games import own_rules
from tests.reference import engine
from tests.reference.engine import Rules, State
from tests.reference.records import first_state, states_laid

ARRANGEMENTS: Final = engine.arrangements()
GAMES: Final = 2
"""Games of each arrangement."""
FOUR: Final = [[seat] for seat in range(4)]
FIVE: Final = [[seat] for seat in range(5)]

# ── Recorded games ───────────────────────────────────────────────────────────────────────────────────────────


class Recorded(NamedTuple):
    """A record, and the last state of each of its deals."""

    record: Json
    ends: list[State]


def record_game(rules: str | Rules, sides: list[list[int]], seed: str, *, revokes: bool = False) -> Recorded:
    """Play a random game to its end and write it down; with revokes, an illegal card stands now and then."""
    chance = Random(seed)
    players = sum(map(len, sides))
    state = engine.deal(rules, sides, chance.randrange(players), shuffled(rules, players, chance), 1, [0] * len(sides))
    deals: list[Json] = []
    ends: list[State] = []
    while True:
        played, end = record_deal(state, chance, revokes=revokes)
        deals.append(played)
        ends.append(end)
        if engine.phase(end) == "game_over":
            record = {"rules": rules, "sides": sides, "deals": deals, "on_revoke": "penalise" if revokes else "refuse"}
            return Recorded(record, ends)
        state = engine.next_deal(end, shuffled(rules, players, chance))


def shuffled(rules: str | Rules, players: int, chance: Random) -> list[str]:
    """Return the pack of these rules in random order."""
    order = engine.pack(rules, players)
    chance.shuffle(order)
    return order


def record_deal(state: State, chance: Random, *, revokes: bool = False) -> tuple[Json, State]:
    """Play a deal to its end at random; return its record and its last state."""
    fields = ("dealer", "turn_up", "hands", "later_hands")
    plays: list[Json] = []
    deal = {**{field: state[field] for field in fields}, "plays": plays}
    while (seat := engine.turn(state)) is not None:
        slip = revokes and chance.random() < 0.02
        card = chance.choice(state["hands"][seat] if slip else engine.legal_cards(state))
        plays.append({"seat": seat, "card": card})
        state = engine.play(state, card, penalise=revokes)
    return deal, state


def a_game(rules: str = "denexa", players: int = 4) -> Recorded:
    """Return the record of a game of some deals, each player alone."""
    return record_game(rules, [[seat] for seat in range(players)], f"{rules}-{players}")


def name_of(arrangement: tuple[str, int, list[list[int]]]) -> str:
    rules, players, sides = arrangement
    return f"{rules}-{players}-in-{len(sides)}"


# ── As it was played ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=name_of)
def test_a_game_adjudicates_to_the_scores_and_the_winners_of_its_play(
    arrangement: tuple[str, int, list[list[int]]],
) -> None:
    rules, _, sides = arrangement
    for number in range(GAMES):
        record, ends = record_game(rules, sides, f"{name_of(arrangement)}-{number}")
        judged = ask("adjudications", **record)
        assert judged["irregularities"] == []
        assert scores_of(judged) == [score_of(end) for end in ends]
        assert judged["winners"] == engine.winners(ends[-1])
        assert judged["won_by"]["how"] == engine.RULESETS[rules]["winning"]
        assert reasons_of(judged) == [[None] * len(deal["plays"]) for deal in record["deals"]]


def scores_of(judged: Json) -> list[tuple[object, ...]]:
    return [(deal["phase"], deal["points"], deal["totals"]) for deal in judged["deals"]]


def score_of(end: State) -> tuple[object, ...]:
    return engine.phase(end), engine.points(end), engine.totals(end)


def reasons_of(judged: Json) -> list[list[str | None]]:
    return [[verdict["reason"] for verdict in deal["verdicts"]] for deal in judged["deals"]]


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("penalty", ["loss_of_game", "loss_of_deal"])
def test_a_penalised_revoke_costs_the_same_in_the_record_as_in_the_play(penalty: str, number: int) -> None:
    rules = own_rules("trebor", 4, revoke=penalty)
    record, ends = record_game(rules, [[0, 2], [1, 3]], f"revoke-{number}", revokes=True)
    judged = ask("adjudications", **record)
    assert scores_of(judged) == [score_of(end) for end in ends]
    assert judged["winners"] == engine.winners(ends[-1])
    first = [("illegal_play", at) for at, end in enumerate(ends) if end["revoked"] is not None]
    assert [(found["code"], found["deal_index"]) for found in judged["irregularities"]] == first


def test_some_of_those_games_have_revokes() -> None:
    def revokes(penalty: str) -> int:
        rules = own_rules("trebor", 4, revoke=penalty)
        games = [record_game(rules, [[0, 2], [1, 3]], f"revoke-{number}", revokes=True) for number in range(12)]
        return sum(end["revoked"] is not None for _, ends in games for end in ends)

    assert revokes("loss_of_game") > 2
    assert revokes("loss_of_deal") > 2


@pytest.mark.parametrize("strip", ["6C", "6D", "6H", "6S"])
def test_a_deal_without_another_six_is_a_deal_of_lots_of_kids(strip: str) -> None:
    order = [card for card in PACK if card != strip]
    deal, end = record_deal(engine.deal("lots-of-kids", FIVE, 4, order, 1, [0] * 5), Random(strip))
    judged = ask("adjudications", rules="lots-of-kids", sides=FIVE, deals=[deal])
    assert (judged["irregularities"], judged["deals"][0]["points"]) == ([], engine.points(end))


# ── Where it departs from the rules ──────────────────────────────────────────────────────────────────────────

# Hearts are trumps; seat 3 deals.
HANDS: Final = [
    ["6C", "7C", "8C", "9C", "TC", "6D", "7D", "6S", "7S"],
    ["JC", "QC", "KC", "AC", "8D", "9D", "TD", "8S", "9S"],
    ["JD", "QD", "KD", "AD", "TS", "JS", "QS", "KS", "AS"],
    ["6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH"],
]


HANDS_WITH_TWO_REVOKES: Final = [
    ["6C", "7C", "8C", "9C", "JC", "6D", "7D", "6S", "7S"],
    ["TC", "QC", "KC", "8D", "9D", "TD", "8S", "9S", "QD"],
    ["JD", "AC", "KD", "AD", "TS", "JS", "QS", "KS", "AS"],
    HANDS[3],
]


def record_of(*plays: str, rules: object = "denexa", on_revoke: str = "refuse") -> Json:
    """Return a record of one deal with the hands above and these plays: the seat, then the card."""
    made = [{"seat": int(play[0]), "card": play[1:]} for play in plays]
    deal = {"dealer": 3, "turn_up": "6H", "hands": HANDS, "plays": made}
    return {"rules": rules, "sides": FOUR, "deals": [deal], "on_revoke": on_revoke}


def found_in(judged: Json) -> tuple[str, str, int, int | None]:
    """Return the place and the code of the first irregularity of a record."""
    found = judged["irregularities"][0]
    return found["pointer"], found["code"], found["deal_index"], found["play_index"]


def test_a_record_of_legal_plays_has_no_irregularity_even_if_the_last_deal_is_not_over() -> None:
    judged = ask("adjudications", **record_of("06C", "1AC", "2AS", "36H", "37H"))
    assert (judged["irregularities"], judged["winners"], judged["won_by"]) == ([], [], None)
    assert scores_of(judged) == [("playing", [0, 0, 0, 0], [0, 0, 0, 0])]


def test_an_illegal_card_that_stood_is_judged_and_the_record_read_on() -> None:
    judged = ask("adjudications", **record_of("06C", "18D", "2AS", "36H", "37H", "07C"))
    assert found_in(judged) == ("/deals/0/plays/1", "illegal_play", 0, 1)
    assert reasons_of(judged) == [[None, "must_follow_suit", None, None, None, None]]
    verdict = judged["irregularities"][0]["verdict"]
    assert verdict == judged["deals"][0]["verdicts"][1]
    assert (verdict["seat"], verdict["card"], verdict["legal_cards"]) == (1, "8D", ["AC", "KC", "QC", "JC"])


def test_cards_won_after_an_illegal_card_still_count() -> None:
    tricks = ["06C", "18D", "2AS", "36H", "3AH", "06D", "1TD", "2JD", "3TH", "07D", "19D", "2QD"]
    judged = ask("adjudications", **record_of(*tricks))
    assert found_in(judged)[:2] == ("/deals/0/plays/1", "illegal_play")
    assert judged["deals"][0]["points"] == [0, 0, 0, 14 + 12 - 9]


LOOSER: Final = [("lots-of-kids", "opening_lead", "no_trump_lead"), ("take-ten", "void", "must_trump")]


def loosely_played(rules: str, field: str) -> list[tuple[Json, State]]:
    """Deals of four that were played as if any card were allowed there."""
    loose, chance = own_rules(rules, 4, **{field: "any_card"}), Random(field)
    orders = [shuffled(rules, 4, chance) for _ in range(10)]
    return [record_deal(engine.deal(loose, FOUR, 3, order, 1, [0] * 4), chance) for order in orders]


@pytest.mark.parametrize(("rules", "field", "reason"), LOOSER)
def test_a_deal_played_by_looser_rules_is_read_to_its_end(rules: str, field: str, reason: str) -> None:
    broken: set[str | None] = set()
    for deal, end in loosely_played(rules, field):
        judged = ask("adjudications", rules=rules, sides=FOUR, deals=[deal])
        (reasons,) = reasons_of(judged)
        illegal = [at for at, why in enumerate(reasons) if why is not None]
        assert [found["play_index"] for found in judged["irregularities"]] == illegal
        assert (len(reasons), judged["deals"][0]["points"]) == (36, engine.points(end))
        broken |= set(reasons)
    assert broken == {None, reason}


@pytest.mark.parametrize(("rules", "field", "reason"), LOOSER)
def test_every_irregularity_is_reported_those_of_the_deals_included(rules: str, field: str, reason: str) -> None:
    for deal, end in loosely_played(rules, field):
        by_the_same_dealer, _ = record_deal(engine.deal(rules, FOUR, 3, PACK, 2, engine.totals(end)), Random("again"))
        judged = ask("adjudications", rules=rules, sides=FOUR, deals=[deal, by_the_same_dealer])
        late = "dealt_after_game" if engine.phase(end) == "game_over" else "wrong_dealer"
        illegal = [why for why in reasons_of(judged)[0] if why is not None]
        assert [found["code"] for found in judged["irregularities"] if found["deal_index"] == 0] == [
            "illegal_play"
        ] * len(illegal)
        assert set(illegal) <= {reason}
        assert [found["code"] for found in judged["irregularities"] if found["play_index"] is None] == [late]


def test_a_card_that_is_not_in_the_hand_ends_the_reading() -> None:
    judged = ask("adjudications", **record_of("06C", "1AS", "2AS"))
    assert found_in(judged) == ("/deals/0/plays/1", "illegal_play", 0, 1)
    assert judged["irregularities"][0]["verdict"]["reason"] == "not_in_hand"
    assert reasons_of(judged) == [[None, "not_in_hand"]]


def test_a_play_out_of_turn_ends_the_reading_if_no_slip_makes_sense_of_it() -> None:
    judged = ask("adjudications", **record_of("06C", "2AS", "36H"))
    assert [found["code"] for found in judged["irregularities"]] == ["out_of_turn", "reading_stopped"]
    assert judged["deals"][0]["unread"] == 1
    assert found_in(judged) == ("/deals/0/plays/1", "out_of_turn", 0, 1)
    assert judged["irregularities"][0]["verdict"] is None
    assert reasons_of(judged) == [[None]]


@pytest.mark.parametrize(
    ("penalty", "phase", "winners", "how"),
    [("loss_of_game", "game_over", [0, 2, 3], "revoke"), ("loss_of_deal", "deal_over", [], None)],
)
def test_a_penalised_revoke_ends_the_game_or_the_deal(
    penalty: str, phase: str, winners: list[int], how: str | None
) -> None:
    rules = own_rules("trebor", 4, revoke=penalty)
    judged = ask("adjudications", **record_of("06C", "18D", rules=rules, on_revoke="penalise"))
    assert found_in(judged) == ("/deals/0/plays/1", "illegal_play", 0, 1)
    assert (judged["deals"][0]["phase"], judged["winners"]) == (phase, winners)
    assert (judged["won_by"] and judged["won_by"]["how"]) == how


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_revokes_found_after_the_same_play_the_earliest_is_penalised(order: tuple[int, int]) -> None:
    record = record_of("06C", "18D", "2JD", "36H", "37H", rules="trebor", on_revoke="penalise")
    record["sides"] = [[0, 2], [1, 3]]
    record["deals"][0]["hands"] = HANDS_WITH_TWO_REVOKES
    found = [{"play_index": 1, "after_index": 4}, {"play_index": 2, "after_index": 4}]
    record["deals"][0]["revokes_found"] = [found[at] for at in order]
    judged = ask("adjudications", **record)
    assert reasons_of(judged) == [[None, "must_follow_suit", "must_follow_suit", None, None]]
    assert (judged["winners"], judged["won_by"]["how"]) == ([0], "revoke")


@pytest.mark.parametrize("penalty", ["loss_of_game", "loss_of_deal"])
def test_a_card_after_a_penalised_revoke_is_not_judged(penalty: str) -> None:
    rules = own_rules("trebor", 4, revoke=penalty)
    judged = ask("adjudications", **record_of("06C", "18D", "2AS", rules=rules, on_revoke="penalise"))
    assert found_in(judged) == ("/deals/0/plays/1", "illegal_play", 0, 1)
    assert reasons_of(judged) == [[None, "must_follow_suit"]]


def test_a_card_after_the_deal_is_found() -> None:
    record = a_game().record
    record["deals"][0]["plays"].append({"seat": 0, "card": "6C"})
    judged = ask("adjudications", **record)
    assert found_in(judged) == ("/deals/0/plays/36", "played_after_deal", 0, 36)
    assert len(judged["irregularities"]) == 1
    assert (len(judged["deals"]), len(judged["deals"][0]["verdicts"])) == (len(record["deals"]), 36)


def test_a_card_after_the_game_is_found() -> None:
    record, ends = record_game("trebor", [[0, 2], [1, 3]], "won-in-mid-hand-3")
    last = len(ends) - 1
    seat = next(seat for seat, hand in enumerate(ends[-1]["hands"]) if hand)
    plays = record["deals"][-1]["plays"]
    plays.append({"seat": seat, "card": ends[-1]["hands"][seat][0]})
    judged = ask("adjudications", **record)
    place = len(plays) - 1
    assert found_in(judged) == (f"/deals/{last}/plays/{place}", "played_after_game", last, place)
    assert judged["winners"] == engine.winners(ends[-1])


def test_a_deal_before_the_last_one_was_played_out_is_found() -> None:
    record = a_game().record
    record["deals"][0]["plays"].pop()
    judged = ask("adjudications", **record)
    assert found_in(judged) == ("/deals/1", "deal_not_finished", 1, None)
    assert (len(judged["deals"]), judged["winners"]) == (len(record["deals"]), [])


def test_a_deal_after_the_game_is_found() -> None:
    record, ends = a_game()
    record["deals"].append(record["deals"][0])
    judged = ask("adjudications", **record)
    assert found_in(judged) == (f"/deals/{len(ends)}", "dealt_after_game", len(ends), None)
    assert (len(judged["deals"]), judged["winners"]) == (len(ends), engine.winners(ends[-1]))


def test_a_deal_by_the_wrong_dealer_is_found_and_read_all_the_same() -> None:
    chance = Random("wrong dealer")
    first, end = record_deal(engine.deal("denexa", FOUR, 3, PACK, 1, [0] * 4), chance)
    second, last = record_deal(engine.deal("denexa", FOUR, 2, PACK, 2, engine.totals(end)), chance)
    judged = ask("adjudications", rules="denexa", sides=FOUR, deals=[first, second])
    assert found_in(judged) == ("/deals/1", "wrong_dealer", 1, None)
    assert scores_of(judged) == [score_of(end), score_of(last)]


# ── A part of a game ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rules", ["denexa", "take-ten", "lots-of-kids", "trebor"])
def test_a_record_may_begin_in_the_middle_of_a_game(rules: str) -> None:
    record, ends = record_game(rules, FOUR, f"{rules}-from-the-second-deal")
    assert len(ends) > 1
    rest = record | {"deals": record["deals"][1:], "deal": 2, "scores": engine.totals(ends[0])}
    judged = ask("adjudications", **rest)
    assert judged["irregularities"] == []
    assert scores_of(judged) == [score_of(end) for end in ends[1:]]
    assert judged["winners"] == engine.winners(ends[-1])


@pytest.mark.parametrize("arrangement", ARRANGEMENTS, ids=name_of)
def test_a_deal_of_a_record_may_begin_at_any_state(arrangement: tuple[str, int, list[list[int]]]) -> None:
    rules, _, sides = arrangement
    record, ends = record_game(rules, sides, f"begun {name_of(arrangement)}")
    plays: list[Json] = record["deals"][0]["plays"]
    at = Random(name_of(arrangement)).randrange(len(plays))
    states = states_laid(
        plays, first_state(record | {"deals": [{"later_hands": [], **record["deals"][0]}]}, 0, [0] * len(sides))
    )
    begun = {field: states[at][field] for field in ("dealer", "turn_up", "hands", "later_hands")}
    start = {field: states[at][field] for field in ("leader", "trick", "taken")}
    record["deals"][0] = begun | {"start": start, "plays": plays[at:]}
    judged = ask("adjudications", **record)
    assert judged["irregularities"] == []
    assert scores_of(judged) == [score_of(end) for end in ends]
    assert judged["winners"] == engine.winners(ends[-1])


def test_a_deal_that_cannot_have_begun_so_is_refused_with_the_place_in_its_start() -> None:
    begun = record_of("1AC")
    begun["deals"][0] |= {"start": {"leader": 2, "trick": [], "taken": [[], [], [], []]}}
    assert refused(begun) == [("/deals/0/start/leader", "leader_not_eldest")]


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"scores": [41, 0, 0, 0], "deal": 2}, ("/scores/0", "game_already_won")),
        ({"scores": [1, 2]}, ("/scores", "wrong_number_of_sides")),
        ({"resigned": 4}, ("/resigned", "seat_out_of_range")),
    ],
)
def test_a_part_of_a_game_that_cannot_be_is_refused(wrong: Json, fault: tuple[str, str]) -> None:
    assert refused(record_of("06C") | wrong) == [fault]


def test_a_record_without_a_deal_is_judged_too() -> None:
    judged = ask("adjudications", rules="denexa", sides=FOUR, deals=[])
    assert (judged["deals"], judged["irregularities"], judged["winners"]) == ([], [], [])


def hide(record: Json, seats: set[int]) -> Json:
    """The same record, with the hands of some seats as numbers."""

    def hidden(deal: Json) -> Json:
        hands = [len(hand) if seat in seats else hand for seat, hand in enumerate(deal["hands"])]
        behind = enumerate(deal.get("later_hands", []))
        later = [[len(hand) if seat in seats else hand for hand in hands] for seat, hands in behind]
        return deal | {"hands": hands, "later_hands": later}

    return record | {"deals": [hidden(deal) for deal in record["deals"]]}


@pytest.mark.parametrize("arrangement", ARRANGEMENTS[::3], ids=name_of)
def test_a_record_with_hidden_hands_adjudicates_to_the_same(arrangement: tuple[str, int, list[list[int]]]) -> None:
    rules, players, sides = arrangement
    record, ends = record_game(rules, sides, f"hidden-{name_of(arrangement)}")
    for seats in ({0}, {1, players - 1}, set(range(players))):
        judged = ask("adjudications", **hide(record, seats))
        assert judged["irregularities"] == []
        assert scores_of(judged) == [score_of(end) for end in ends]


@pytest.mark.parametrize(("rules", "field", "reason"), LOOSER)
def test_what_is_illegal_is_found_in_hidden_hands_that_were_played_out(rules: str, field: str, reason: str) -> None:
    for deal, _ in loosely_played(rules, field):
        record = {"rules": rules, "sides": FOUR, "deals": [deal]}
        judged = ask("adjudications", **record)
        assert ask("adjudications", **hide(record, {0, 1, 2, 3})) == judged
        assert {found["verdict"]["reason"] for found in judged["irregularities"]} <= {reason}


def test_a_hidden_hand_that_shows_the_suit_later_has_revoked() -> None:
    plays = ["06C", "18D", "2AS", "36H", "37H", "0TC", "1JC", "2JD"]
    judged = ask("adjudications", **hide(record_of(*plays), {0, 1, 2}))
    assert found_in(judged)[:2] == ("/deals/0/plays/1", "illegal_play")
    assert judged["irregularities"][0]["verdict"]["reason"] == "must_follow_suit"
    assert ask("adjudications", **hide(record_of(*plays[:6]), {0, 1, 2}))["irregularities"] == []


def test_a_play_of_a_seat_that_is_not_there_is_out_of_turn() -> None:
    judged = ask("adjudications", **hide(record_of("06C", "5AC"), {0, 1}))
    assert found_in(judged)[:2] == ("/deals/0/plays/1", "out_of_turn")


# ── Revokes that are found later ─────────────────────────────────────────────────────────────────────────────

TRICKS: Final = ["06C", "18D", "2AS", "36H", "3AH", "06D", "1TD", "2JD", "3TH", "07D", "19D", "2QD"]


def found_later(*found: tuple[int, int], penalty: object = "loss_of_deal", on_revoke: str = "penalise") -> Json:
    """Judge a deal in which seat 1 does not follow clubs, as the revokes of these plays were found after those."""
    record = record_of(*TRICKS, rules=own_rules("trebor", 4, revoke=penalty), on_revoke=on_revoke)
    record["deals"][0]["revokes_found"] = [{"play_index": play, "after_index": after} for play, after in found]
    return ask("adjudications", **record)


@pytest.mark.parametrize(
    ("after", "points"), [(1, [0, 0, 0, 0]), (6, [0, 0, 0, 0]), (7, [0, 0, 0, 4]), (11, [0, 0, 0, 14 + 12 - 9])]
)
def test_a_revoke_is_penalised_from_where_it_was_found(after: int, points: list[int]) -> None:
    judged = found_later((1, after))
    assert (judged["deals"][0]["phase"], judged["deals"][0]["points"]) == ("deal_over", points)
    assert len(judged["deals"][0]["verdicts"]) == after + 1
    codes = [(found["play_index"], found["code"]) for found in judged["irregularities"]]
    assert codes == [(1, "illegal_play"), *((play, "played_after_deal") for play in range(after + 1, len(TRICKS)))]


def test_a_revoke_found_later_loses_the_game_then() -> None:
    judged = found_later((1, 7), penalty="loss_of_game")
    assert (judged["winners"], judged["won_by"]["how"]) == ([0, 2, 3], "revoke")
    assert {found["code"] for found in judged["irregularities"][1:]} == {"played_after_game"}


def test_a_revoke_found_later_costs_its_fine_then() -> None:
    judged = found_later((1, 7), penalty={"fine": 5, "to": "others"})
    assert judged["deals"][0]["points"] == [5, 0, 5, 9]


def test_a_revoke_found_later_costs_nothing_where_none_is_penalised() -> None:
    judged = found_later((1, 7), on_revoke="refuse")
    assert [found["code"] for found in judged["irregularities"]] == ["illegal_play"]
    assert judged["deals"][0]["points"] == [0, 0, 0, 17]


def test_a_revoke_that_was_none_is_told_and_costs_nothing() -> None:
    judged = found_later((2, 4), (1, 8))
    wrong = [(found["pointer"], found["code"]) for found in judged["irregularities"]][:2]
    assert wrong == [("/deals/0/plays/1", "illegal_play"), ("/deals/0/revokes_found/0", "no_revoke")]
    assert len(judged["deals"][0]["verdicts"]) == 9


@pytest.mark.parametrize("found", [(3, 2), (1, 12), (20, 20)])
def test_a_revoke_that_was_found_nowhere_is_refused(found: tuple[int, int]) -> None:
    with pytest.raises(Refusal) as refusal:
        found_later(found)
    assert [(error.pointer, error.code) for error in refusal.value.errors] == [
        ("/deals/0/revokes_found/0", "revoke_found_nowhere")
    ]


# ── Resignations ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_that_a_seat_resigned_is_won_by_all_others() -> None:
    judged = ask("adjudications", **record_of("06C", "1AC") | {"resigned": 2})
    assert (judged["winners"], judged["won_by"]) == ([0, 1, 3], {"how": "resignation", "item": None, "rule": None})


def test_a_game_that_was_won_before_is_not_lost_by_a_resignation() -> None:
    record, ends = a_game()
    assert ask("adjudications", **record | {"resigned": 0})["winners"] == engine.winners(ends[-1])


# ── Deals that cannot have been dealt ────────────────────────────────────────────────────────────────────────


def refused(record: Json) -> list[tuple[str, str]]:
    """Return the faults for which a record is refused, each with its place."""
    with pytest.raises(Refusal) as refusal:
        ask("adjudications", **record)
    return [(error.pointer, error.code) for error in refusal.value.errors]


@pytest.mark.parametrize("deal", [0, 1])
def test_a_card_dealt_twice_is_refused(deal: int) -> None:
    record = a_game().record
    hands = [in_pack_order(hand) for hand in record["deals"][deal]["hands"]]
    dealer, turn_up = record["deals"][deal]["dealer"], record["deals"][deal]["turn_up"]
    spoiled = next(seat for seat in (1, 2) if seat != dealer)
    hands[spoiled][8] = next(card for card in hands[0] if card != turn_up)
    record["deals"][deal]["hands"] = hands
    assert refused(record) == [(f"/deals/{deal}/hands/{spoiled}/8", "card_twice")]


def test_a_hand_of_the_wrong_size_is_refused() -> None:
    record = record_of()
    record["deals"][0]["hands"] = [*HANDS[:1], HANDS[1][:-1], *HANDS[2:]]
    assert refused(record) == [("/deals/0/hands/1", "wrong_hand_size")]


def test_a_turn_up_that_the_dealer_does_not_hold_is_refused() -> None:
    record = record_of()
    record["deals"][0]["turn_up"] = "6C"
    assert refused(record) == [("/deals/0/turn_up", "turn_up_misplaced")]


def test_a_dealer_who_is_not_at_the_table_is_refused() -> None:
    record = record_of()
    record["deals"][0]["dealer"] = 4
    assert refused(record) == [("/deals/0/dealer", "seat_out_of_range")]


def test_a_stripped_card_in_a_hand_is_refused() -> None:
    order = [card for card in PACK if card != "6S"]
    deal, _ = record_deal(engine.deal("denexa", FIVE, 0, order, 1, [0] * 5), Random("strip"))
    (pointer, code), *more = refused({"rules": "denexa", "sides": FIVE, "deals": [deal]})
    assert (code, more) == ("card_not_in_pack", [])
    _, deals, number, hands, seat, place = pointer.split("/")
    assert (deals, number, hands) == ("deals", "0", "hands")
    assert deal["hands"][int(seat)][int(place)] == "6C"


def test_hands_that_are_missing_are_refused() -> None:
    record = a_game("gamerules", 2).record
    record["deals"][0]["later_hands"] = []
    assert refused(record) == [("/deals/0/later_hands", "wrong_number_of_later_hands")]


def test_a_seat_too_many_is_refused() -> None:
    record = record_of()
    record["deals"][0]["hands"] = [*HANDS, 9]
    assert ("/deals/0/hands", "wrong_number_of_seats") in refused(record)


def test_a_seat_too_few_is_refused() -> None:
    record = record_of()
    record["deals"][0]["hands"] = HANDS[:3]
    assert ("/deals/0/hands", "wrong_number_of_seats") in refused(record)


@pytest.mark.parametrize(
    ("field", "wrong", "fault"),
    [
        ("rules", "whist", ("/rules", "unknown_ruleset")),
        ("sides", [[0, 1], [2, 3]], ("/sides", "partnership_not_in_ruleset")),
        ("sides", [[0], [1], [2], [2]], ("/sides", "seats_not_once_each")),
        ("sides", [[seat] for seat in range(8)], ("/sides", "players_not_in_ruleset")),
        ("on_revoke", "penalise", ("/on_revoke", "no_revoke_penalty")),
    ],
)
def test_rules_and_sides_that_cannot_be_are_refused(field: str, wrong: object, fault: tuple[str, str]) -> None:
    assert refused(record_of("06C") | {field: wrong}) == [fault]
