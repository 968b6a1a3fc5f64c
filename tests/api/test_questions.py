"""Every question: its usual answer, and each refusal that it can give, with the place at fault."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

import pytest
from msgspec.structs import replace

from service.game.cards import CODES, CardCode
from service.game.rules.game import How
from service.game.rules.play import OnRevoke
from service.game.rules.record import Record, RecordedDeal, RecordedPlay
from service.game.rules.score import Item
from service.game.rulesets import MAX_DEALS, RULESETS, Rules, RulesetId, Sides, Source, TableRule, arrange
from service.game.state import Claim
from service.schemas.refusal import ProblemCode, Refusal
from tests.support import wire
from tests.support.claims import claim, codes, house
from tests.support.questions import (
    BareTrick,
    DealQuestion,
    DrawQuestion,
    HandQuestion,
    NextStateQuestion,
    StateQuestion,
    TrickWinner,
    TrickWinnerQuestion,
    VerdictQuestion,
    ViewQuestion,
    adjudications,
    deals,
    diagnoses,
    draws,
    legal_moves,
    next_states,
    positions,
    scores,
    trick_winners,
    verdicts,
    views,
)

Question = TypeVar("Question")
Errors: TypeAlias = list[tuple[str, str]]

PAIRS: Final[Sides] = ((0, 2), (1, 3))
MILD: Final = house(revoke="loss_of_deal")

MIDDLE: Final = claim(
    hands=("7S", "8D 8S", "QS 9S", "9H 7D"),
    turn_up="9H",
    trick="AD",
    tricks=[2, 2, 2, 1],
    took=["JH", "TH", "AH KH", "QH"],
)
BETWEEN: Final = replace(MIDDLE, hands=(codes("7S AD"), *MIDDLE.hands[1:]), trick=())
UNSEEN: Final = replace(MIDDLE, hands=(1, 2, 2, 2))
LAST_CARD: Final = claim(
    hands=("", "", "", "9H"), turn_up="9H", trick="AD 6D TD", tricks=[2, 2, 2, 2], took=["JH", "TH", "AH KH", "QH"]
)
DEAL_OVER: Final = claim(hands=("",) * 4, turn_up="9H", tricks=[3, 2, 2, 2], took=["JH", "TH", "AH KH", "QH"])
GAME_OVER: Final = replace(DEAL_OVER, deal=2, scores=(40, 0, 0, 0))
CARD_TWICE: Final = replace(MIDDLE, hands=(codes("7S"), codes("7S 8D"), *MIDDLE.hands[2:]), scores=(0, 41, 0, 0))
CARD_TWICE_ERRORS: Final[Errors] = [("/hands/1/0", "card_twice"), ("/scores/1", "game_already_won")]
REVOKING: Final = claim(
    "trebor",
    PAIRS,
    hands=("7S", "JS", "QS", "7D 9H"),
    turn_up="9H",
    trick="AD 6D TD",
    took=["JH KH QH", "TH AH"],
    tricks=[4, 3],
    hidden="7D",
    scores=(10, 12),
)


def refusal(ask: Callable[[Question], object], question: Question) -> tuple[ProblemCode, Errors]:
    """Ask a refused question; return the kind of problem, and the place and code of each error."""
    with pytest.raises(Refusal) as refused:
        ask(question)
    return refused.value.code, [(error.pointer, error.code) for error in refused.value.errors]


def under(field: str, errors: Errors) -> Errors:
    return [(f"/{field}{pointer}", code) for pointer, code in errors]


ABOUT_A_STATE: Final[list[tuple[str, Callable[[Claim], object]]]] = [
    ("positions", lambda state: positions(StateQuestion(state))),
    ("legal_moves", lambda state: legal_moves(HandQuestion(state=state))),
    ("verdicts", lambda state: verdicts(VerdictQuestion(state=state, card="7D"))),
    ("trick_winners", lambda state: trick_winners(TrickWinnerQuestion(state=state))),
    ("next_states", lambda state: next_states(NextStateQuestion(state, ("7D",)))),
    ("scores", lambda state: scores(StateQuestion(state))),
    ("views", lambda state: views(ViewQuestion(state, None))),
]


@pytest.mark.parametrize("ask", [ask for _, ask in ABOUT_A_STATE], ids=[name for name, _ in ABOUT_A_STATE])
def test_an_impossible_state_is_refused_with_every_fault(ask: Callable[[Claim], object]) -> None:
    assert refusal(ask, CARD_TWICE) == ("impossible_state", under("state", CARD_TWICE_ERRORS))


@pytest.mark.parametrize(
    ("broken", "code", "errors"),
    [
        (replace(MIDDLE, rules="whist"), "unknown_ruleset", [("/state/rules", "unknown_ruleset")]),
        (replace(MIDDLE, sides=arrange(8, 8)), "players_not_in_ruleset", [("/state/sides", "players_not_in_ruleset")]),
        (
            replace(MIDDLE, rules=house(tables=(TableRule(4, 1, 10, (4,)),))),
            "impossible_ruleset",
            [("/state/rules/tables/0/cards", "ruleset_too_many_cards")],
        ),
    ],
)
def test_a_state_under_rules_that_cannot_be_is_another_kind_of_problem(
    broken: Claim, code: ProblemCode, errors: Errors
) -> None:
    assert refusal(positions, StateQuestion(broken)) == (code, errors)


# ── /v1/positions ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_position_tells_everything_that_follows_from_a_state() -> None:
    assert positions(StateQuestion(MIDDLE)) == wire.Position(
        state=MIDDLE,
        notation="ctt1_denexa_0.1.2.3_1_0.0.0.0_3-9h_7s.8s8d.Q9s.9h7d_0-Ad_JhQJT9876c.ThQJT96dAKc.T6sAK876hKd.AKJsQh",
        phase="playing",
        trump="H",
        turn=1,
        legal_cards=("8D",),
        trick_winner=0,
        points=(11, 10, 7, 2),
        totals=(11, 10, 7, 2),
        winners=(),
    )


def test_a_position_gives_its_state_in_the_one_form_it_has() -> None:
    shuffled = replace(MIDDLE, hands=(*MIDDLE.hands[:3], codes("7D 9H")), later_hands=((), (), (), ()))
    assert positions(StateQuestion(shuffled)).state == MIDDLE


def test_an_empty_hand_is_a_list_without_cards_whether_it_is_seen_or_not() -> None:
    assert positions(StateQuestion(DEAL_OVER)).state == DEAL_OVER
    assert positions(StateQuestion(replace(DEAL_OVER, hands=(0, 0, 0, 0)))).state == DEAL_OVER


def test_the_legal_cards_of_a_position_are_null_where_the_hand_is_not_seen() -> None:
    position = positions(StateQuestion(UNSEEN))
    assert (position.turn, position.legal_cards) == (1, None)


@pytest.mark.parametrize(("over", "phase", "winners"), [(DEAL_OVER, "deal_over", ()), (GAME_OVER, "game_over", (0,))])
def test_nobody_is_to_play_when_the_deal_or_the_game_is_over(over: Claim, phase: str, winners: tuple[int, ...]) -> None:
    position = positions(StateQuestion(over))
    assert (position.phase, position.winners) == (phase, winners)
    assert (position.turn, position.legal_cards, position.trick_winner) == (None, (), None)


# ── /v1/legal-moves ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_legal_moves_come_with_a_verdict_on_every_card_of_the_hand() -> None:
    moves = legal_moves(HandQuestion(state=MIDDLE))
    assert (moves.turn, moves.legal_cards) == (1, ("8D",))
    assert [(verdict.card, verdict.legal) for verdict in moves.verdicts] == [("8D", True), ("8S", False)]
    assert list(moves.verdicts) == [verdicts(VerdictQuestion(state=MIDDLE, card=code)) for code in codes("8D 8S")]


@pytest.mark.parametrize("over", [DEAL_OVER, GAME_OVER])
def test_there_are_no_legal_moves_when_the_deal_or_the_game_is_over(over: Claim) -> None:
    moves = legal_moves(HandQuestion(state=over))
    assert (moves.turn, moves.legal_cards, moves.verdicts) == (None, (), ())


def test_the_legal_moves_of_a_hand_that_is_not_seen_are_refused() -> None:
    assert refusal(legal_moves, HandQuestion(state=UNSEEN)) == ("hand_not_seen", [("/state/hands/1", "hand_not_seen")])


def test_the_legal_moves_of_the_only_hand_that_is_not_seen_are_told() -> None:
    hidden = replace(MIDDLE, hands=(MIDDLE.hands[0], 2, *MIDDLE.hands[2:]))
    assert legal_moves(HandQuestion(state=hidden)) == legal_moves(HandQuestion(state=MIDDLE))


# ── /v1/verdicts ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_legal_card_has_no_rule_against_it() -> None:
    assert verdicts(VerdictQuestion(state=MIDDLE, card="8D")) == wire.Verdict(
        seat=1, card="8D", legal=True, reason=None, rule=None, detail="Seat 1 may play 8D.", legal_cards=("8D",)
    )


TAKE_TEN: Final = claim(
    "take-ten", hands=("7S", "8S KH", "9S QS", "7D 9H"), turn_up="9H", trick="AD", tricks=[2, 2, 2, 1]
)
OPENING: Final = claim("lots-of-kids", hands=("6D 7D 8D 9D TD JD QD KD KH", 9, 9, 9), turn_up="9H")


@pytest.mark.parametrize(
    ("state", "card", "reason", "field", "detail"),
    [
        (MIDDLE, "AC", "not_in_hand", None, "Seat 1 does not hold AC."),
        (
            MIDDLE,
            "8S",
            "must_follow_suit",
            "following",
            "AD was led and seat 1 holds diamonds, so it may not play 8S.",
        ),
        (
            TAKE_TEN,
            "8S",
            "must_trump",
            "void",
            "AD was led, seat 1 is void in diamonds and holds hearts, so it must trump and may not play 8S.",
        ),
        (
            OPENING,
            "KH",
            "no_trump_lead",
            "opening_lead",
            "Seat 0 opens the deal and holds a plain suit, so it may not lead KH: hearts are trumps.",
        ),
    ],
)
def test_an_illegal_card_is_told_with_the_rule_and_its_source(
    state: Claim, card: CardCode, reason: str, field: wire.RuleField | None, detail: str
) -> None:
    verdict = verdicts(VerdictQuestion(state=state, card=card))
    assert (verdict.legal, verdict.reason, verdict.detail) == (False, reason, detail)
    assert isinstance(state.rules, str)
    own_hand = Source("all sources", "A player plays only cards of the hand in play.")
    source = own_hand if field is None else getattr(RULESETS[state.rules].sources, field)
    assert verdict.rule == wire.Rule(state.rules, field, source.where, source.says, source.reading)


def test_the_rule_of_a_house_ruleset_names_the_house() -> None:
    verdict = verdicts(VerdictQuestion(state=replace(MIDDLE, rules=house("denexa")), card="8S"))
    assert verdict.rule is not None
    assert (verdict.rule.ruleset, verdict.rule.source) == ("house", RULESETS["denexa"].sources.following.where)


def test_a_verdict_may_be_asked_for_the_seat_whose_turn_it_is() -> None:
    assert verdicts(VerdictQuestion(state=MIDDLE, card="8D", seat=1)) == verdicts(
        VerdictQuestion(state=MIDDLE, card="8D")
    )


@pytest.mark.parametrize("state", [MIDDLE, UNSEEN], ids=["seen", "not seen"])
def test_a_verdict_for_another_seat_is_refused_seen_or_not(state: Claim) -> None:
    assert refusal(verdicts, VerdictQuestion(state=state, card="8D", seat=2)) == (
        "not_your_turn",
        [("/seat", "not_your_turn")],
    )


@pytest.mark.parametrize(("over", "phase"), [(DEAL_OVER, "deal_over"), (GAME_OVER, "game_over")])
def test_no_card_is_judged_when_the_deal_or_the_game_is_over(over: Claim, phase: ProblemCode) -> None:
    assert refusal(verdicts, VerdictQuestion(state=over, card="8D", seat=2)) == (phase, [("/state", phase)])


def test_a_card_that_may_be_in_a_hand_that_is_not_seen_is_not_judged() -> None:
    assert refusal(verdicts, VerdictQuestion(state=UNSEEN, card="8D")) == (
        "hand_not_seen",
        [("/state/hands/1", "hand_not_seen")],
    )


def test_a_card_that_cannot_be_in_a_hand_that_is_not_seen_is_judged() -> None:
    verdict = verdicts(VerdictQuestion(state=UNSEEN, card="9H"))
    assert (verdict.reason, verdict.legal_cards) == ("not_in_hand", None)


# ── A bare hand ──────────────────────────────────────────────────────────────────────────────────────────────


def bare_hand(card: CardCode = "7D", rules: Rules = "take-ten", **fields: Any) -> VerdictQuestion:
    """Ask about a hand with hearts for trumps, when the ace of spades was led."""
    facts: dict[str, Any] = {"trump": "H", "trick": codes("AS"), "hand": codes("QH KH 7D")} | fields
    return VerdictQuestion(card=card, rules=rules, **facts)


def test_a_card_of_a_bare_hand_is_judged_with_the_rule_and_its_source() -> None:
    source = RULESETS["take-ten"].sources.void
    detail = "AS was led, the hand is void in spades and holds hearts, so it must trump and may not play 7D."
    assert verdicts(bare_hand()) == wire.Verdict(
        None,
        "7D",
        legal=False,
        reason="must_trump",
        rule=wire.Rule("take-ten", "void", source.where, source.says, source.reading),
        detail=detail,
        legal_cards=codes("KH QH"),
    )
    assert verdicts(bare_hand("KH")).detail == "The hand may play KH."
    assert verdicts(bare_hand("6S")).detail == "The hand does not hold 6S."


def test_the_legal_moves_of_a_bare_hand() -> None:
    facts = bare_hand()
    moves = legal_moves(HandQuestion(rules=facts.rules, trump=facts.trump, trick=facts.trick, hand=facts.hand))
    assert (moves.turn, moves.legal_cards) == (None, codes("KH QH"))
    assert list(moves.verdicts) == [verdicts(bare_hand(code)) for code in codes("KH QH 7D")]


def test_a_bare_hand_that_may_open_the_deal_is_undecided_and_says_what_decides() -> None:
    seven = codes("QH KH 6C 7C 8C 9C TC")
    verdict = verdicts(bare_hand("QH", "lots-of-kids", trick=(), hand=seven))
    assert (verdict.legal, verdict.undecided, verdict.missing, verdict.legal_cards) == (True, True, "players", None)
    assert verdict.detail == "The hand may lead QH, unless it opens the deal: send `players`, which decides."
    assert verdict.rule is not None
    assert verdict.rule.field == "opening_lead"
    moves = legal_moves(HandQuestion(rules="lots-of-kids", trump="H", trick=(), hand=seven))
    assert moves.legal_cards == codes("TC 9C 8C 7C 6C")
    decided = verdicts(bare_hand("QH", "lots-of-kids", trick=(), hand=seven, players=5))
    assert (decided.reason, decided.missing) == ("no_trump_lead", None)


def test_a_bare_hand_may_be_of_house_rules() -> None:
    verdict = verdicts(bare_hand(rules=house("take-ten")))
    assert verdict.rule is not None
    assert (verdict.reason, verdict.rule.ruleset) == ("must_trump", "house")


@pytest.mark.parametrize(
    ("question", "code", "errors"),
    [
        pytest.param(
            VerdictQuestion(card="7D", rules="trebor"), "invalid_body", [("", "missing_field")] * 3, id="missing"
        ),
        pytest.param(
            bare_hand(state=MIDDLE, players=4),
            "impossible_request",
            [(f"/{name}", "fields_contradict") for name in ("rules", "trump", "trick", "hand", "players")],
            id="a state beside it",
        ),
        pytest.param(bare_hand(seat=1), "impossible_request", [("/seat", "fields_contradict")], id="a seat"),
        pytest.param(
            bare_hand(trick=codes("AS 7D AS"), players=3),
            "impossible_state",
            [("/trick/2", "card_twice"), ("/hand/2", "card_twice"), ("/trick", "trick_too_long")],
            id="impossible",
        ),
        pytest.param(bare_hand(rules="whist"), "unknown_ruleset", [("/rules", "unknown_ruleset")], id="rules"),
        pytest.param(
            bare_hand(rules=replace(house("denexa"), id="trebor")),
            "impossible_ruleset",
            [("/rules/id", "ruleset_printed_id")],
            id="impossible rules",
        ),
        pytest.param(
            bare_hand(players=8), "players_not_in_ruleset", [("/players", "players_not_in_ruleset")], id="players"
        ),
    ],
)
def test_a_bare_hand_that_cannot_be_is_refused(question: VerdictQuestion, code: ProblemCode, errors: Errors) -> None:
    assert refusal(verdicts, question) == (code, errors)


# ── /v1/trick-winners ────────────────────────────────────────────────────────────────────────────────────────


def test_the_holder_of_the_trick_of_a_state() -> None:
    assert trick_winners(TrickWinnerQuestion(state=REVOKING)) == TrickWinner(0, 0, "AD", 0, complete=False)


def test_nobody_holds_the_trick_before_the_lead() -> None:
    assert trick_winners(TrickWinnerQuestion(state=BETWEEN)) == TrickWinner(None, None, None, 0, complete=False)


def bare(cards: str, *, leader: int = 0, players: int = 4, rules: Rules | None = None) -> TrickWinnerQuestion:
    """Ask about a trick with hearts for trumps and no state around it."""
    return TrickWinnerQuestion(trick=BareTrick("H", leader, players, codes(cards), rules))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param(bare("AC 6H TC KC"), TrickWinner(1, None, "6H", 0, complete=True), id="a ruff"),
        pytest.param(bare("AH JH TH", leader=3), TrickWinner(0, None, "JH", 25, complete=False), id="the jack"),
        pytest.param(
            bare("AH JH TH", rules="lots-of-kids"), TrickWinner(0, None, "AH", 25, complete=False), id="the ace"
        ),
        pytest.param(
            bare("TD TH", rules="french-whist"), TrickWinner(1, None, "TH", 10, complete=False), id="two tens"
        ),
        pytest.param(bare("6S 7S", players=2), TrickWinner(1, None, "7S", 0, complete=True), id="two players"),
        pytest.param(
            bare("6S 7S", rules=house("denexa", trump_rank="ace_high")),
            TrickWinner(1, None, "7S", 0, complete=False),
            id="house rules",
        ),
    ],
)
def test_the_winner_of_a_bare_trick(question: TrickWinnerQuestion, answer: TrickWinner) -> None:
    assert trick_winners(question) == answer


@pytest.mark.parametrize(
    ("question", "code", "errors"),
    [
        pytest.param(
            TrickWinnerQuestion(),
            "invalid_body",
            [("", "missing_field")],
            id="neither",
        ),
        pytest.param(
            replace(bare("6S"), state=MIDDLE),
            "impossible_request",
            [("/state", "fields_contradict"), ("/trick", "fields_contradict")],
            id="both",
        ),
        pytest.param(
            bare("6S", rules="whist"), "unknown_ruleset", [("/trick/rules", "unknown_ruleset")], id="no such ruleset"
        ),
        pytest.param(
            bare("6S", players=8, rules="denexa"),
            "players_not_in_ruleset",
            [("/trick/players", "players_not_in_ruleset")],
            id="no table for eight",
        ),
        pytest.param(
            bare("6S 7S 8S 6S 9S", leader=4),
            "impossible_state",
            [
                ("/trick/leader", "seat_out_of_range"),
                ("/trick/cards", "trick_too_long"),
                ("/trick/cards/3", "card_twice"),
            ],
            id="leader, length and a card twice",
        ),
    ],
)
def test_a_bare_trick_that_cannot_be_is_refused(
    question: TrickWinnerQuestion, code: ProblemCode, errors: Errors
) -> None:
    assert refusal(trick_winners, question) == (code, errors)


# ── /v1/next-states ──────────────────────────────────────────────────────────────────────────────────────────


def after(state: Claim, cards: str, on_revoke: OnRevoke = "refuse") -> tuple[wire.Position, list[wire.Event]]:
    answer = next_states(NextStateQuestion(state, codes(cards), on_revoke))
    return answer.position, list(answer.events)


def kinds(events: list[wire.Event]) -> str:
    return " ".join(type(event).__name__ for event in events)


def test_a_card_is_played() -> None:
    position, events = after(MIDDLE, "8D")
    assert events == [wire.CardPlayed(1, "8D")]
    assert (position.state.trick, position.turn, position.state.hands[1]) == (("AD", "8D"), 2, ("8S",))


def test_cards_are_played_on_across_tricks() -> None:
    position, events = after(MIDDLE, "8D QS 7D 7S 8S")
    assert events == [
        wire.CardPlayed(1, "8D"),
        wire.CardPlayed(2, "QS"),
        wire.CardPlayed(3, "7D"),
        wire.TrickTaken(0, 0, 0, ("AD", "8D", "QS", "7D"), 0),
        wire.CardPlayed(0, "7S"),
        wire.CardPlayed(1, "8S"),
    ]
    assert (position.state.trick, position.turn) == (("7S", "8S"), 2)


def test_the_last_card_takes_the_trick_plays_out_the_hand_and_scores_the_deal() -> None:
    position, events = after(LAST_CARD, "9H")
    assert events == [
        wire.CardPlayed(3, "9H"),
        wire.TrickTaken(3, 3, 0, ("AD", "6D", "TD", "9H"), 0),
        wire.HandPlayedOut(1, 1),
        wire.DealScored((11, 10, 7, 5), (11, 10, 7, 5)),
    ]
    assert position.phase == "deal_over"


def test_the_card_that_ends_the_game_tells_who_won_and_why() -> None:
    position, events = after(replace(LAST_CARD, deal=2, scores=(0, 31, 34, 0)), "9H")
    source = RULESETS["denexa"].sources.winning
    rule = wire.Rule("denexa", "winning", source.where, source.says, source.reading)
    assert kinds(events) == "CardPlayed TrickTaken HandPlayedOut DealScored GameWon"
    assert events[-1] == wire.GameWon((1,), wire.WonBy("counting_order", "ten", rule))
    assert (position.phase, position.winners, position.totals) == ("game_over", (1,), (11, 41, 41, 5))


def test_a_revoke_that_loses_the_game_is_told_with_its_verdict() -> None:
    position, events = after(REVOKING, "9H", "penalise")
    source = RULESETS["trebor"].sources.revoke
    rule = wire.Rule("trebor", "revoke", source.where, source.says, source.reading)
    assert events == [
        wire.CardPlayed(3, "9H"),
        wire.Revoked(3, 1, "loss_of_game", verdicts(VerdictQuestion(state=REVOKING, card="9H"))),
        wire.DealScored((16, 14), (26, 26)),
        wire.GameWon((0,), wire.WonBy("revoke", None, rule)),
    ]
    assert (position.phase, position.winners, position.state.revoked) == ("game_over", (0,), 3)


@pytest.mark.parametrize(
    ("state", "cards", "on_revoke", "code", "errors"),
    [
        pytest.param(
            MIDDLE, "8D QS 9H", "refuse", "illegal_play", [("/cards/2", "must_follow_suit")], id="the third card"
        ),
        pytest.param(MIDDLE, "8D 8D", "refuse", "illegal_play", [("/cards/1", "not_in_hand")], id="a card twice"),
        pytest.param(UNSEEN, "8D", "refuse", "hand_not_seen", [("/cards/0", "hand_not_seen")], id="not seen"),
        pytest.param(LAST_CARD, "9H 9H", "refuse", "deal_over", [("/cards/1", "deal_over")], id="over by then"),
        pytest.param(REVOKING, "9H 7S", "penalise", "game_over", [("/cards/1", "game_over")], id="over by a revoke"),
    ],
)
def test_if_one_card_cannot_be_played_none_is(
    state: Claim, cards: str, on_revoke: OnRevoke, code: ProblemCode, errors: Errors
) -> None:
    question = NextStateQuestion(state, codes(cards), on_revoke)
    assert refusal(next_states, question) == (code, errors)


def test_a_refused_card_comes_with_the_verdict_in_the_state_that_it_was_offered_in() -> None:
    with pytest.raises(Refusal) as refused:
        after(MIDDLE, "8D QS 9H")
    assert refused.value.fact == verdicts(VerdictQuestion(state=after(MIDDLE, "8D QS")[0].state, card="9H"))
    assert refused.value.detail == "AD was led and seat 3 holds diamonds, so it may not play 9H."


# ── /v1/scores ───────────────────────────────────────────────────────────────────────────────────────────────


def test_no_printed_source_is_cited_for_what_the_house_has_changed() -> None:
    rules = house("trebor", void="trump_if_able", target=61)
    void = verdicts(VerdictQuestion(state=replace(TAKE_TEN, rules=rules), card="8S")).rule
    assert void is not None
    assert (void.ruleset, void.field, void.source) == ("house", "void", "house rules")
    following = verdicts(VerdictQuestion(state=replace(MIDDLE, rules=rules, sides=arrange(4, 4)), card="8S")).rule
    assert following is not None
    assert (following.field, following.source) == ("following", "trebor, Deal and play")


def test_scores_tell_a_game_that_ended_with_its_last_deal() -> None:
    rules = house("denexa", deals=2)
    answer = scores(StateQuestion(replace(DEAL_OVER, rules=rules, deal=2, scores=(1, 0, 0, 0))))
    assert answer.won_by is not None
    assert answer.won_by.rule is not None
    assert (answer.winners, answer.won_by.how, answer.won_by.rule.field) == ((0,), "last_deal", "deals")
    assert answer.won_by.rule.source == "house rules"


@pytest.mark.parametrize("rules", ["denexa", house("denexa", target=61)], ids=["printed", "house"])
def test_the_end_after_deal_100_is_cited_as_a_limit_of_this_project(rules: Rules) -> None:
    answer = scores(StateQuestion(replace(DEAL_OVER, rules=rules, deal=MAX_DEALS, scores=(1, 0, 0, 0))))
    assert answer.won_by is not None
    assert answer.won_by.rule is not None
    rule = answer.won_by.rule
    assert (answer.won_by.how, rule.field, rule.source, rule.reading) == ("last_deal", "deals", "this project", True)
    assert "100 are this project's limit" in rule.says


def test_scores_are_told_item_by_item() -> None:
    answer = scores(StateQuestion(DEAL_OVER))
    assert answer.phase == "deal_over"
    assert answer.sides[0] == wire.SideScore(
        side=0, seats=(0,), fine=0, ten=0, card_points=3, ace=0, king=0, queen=0, jack=11, points=14, total=14
    )
    assert [(side.ten, side.ace, side.king, side.queen) for side in answer.sides[1:]] == [
        (10, 0, 0, 0),
        (0, 4, 3, 0),
        (0, 0, 0, 2),
    ]
    assert (answer.winners, answer.won_by) == ((), None)


def test_scores_tell_the_seats_of_partners_and_the_total() -> None:
    side = scores(StateQuestion(REVOKING)).sides[1]
    assert (side.seats, side.points, side.total) == ((1, 3), 14, 26)


@pytest.mark.parametrize(
    ("state", "how", "item", "field"),
    [
        (GAME_OVER, "counting_order", "card_points", "winning"),
        (replace(GAME_OVER, rules="lots-of-kids"), "highest_score", None, "winning"),
        (replace(GAME_OVER, rules="trebor"), "at_once", None, "winning"),
        (
            replace(REVOKING, hands=(*REVOKING.hands[:3], ("7D",)), trick=codes("AD 6D TD 9H"), revoked=3),
            "revoke",
            None,
            "revoke",
        ),
    ],
)
def test_scores_tell_how_the_game_was_won(state: Claim, how: How, item: Item | None, field: str) -> None:
    answer = scores(StateQuestion(state))
    assert answer.won_by is not None
    assert answer.won_by.rule is not None
    assert (answer.winners, answer.won_by.how, answer.won_by.item) == ((0,), how, item)
    assert (answer.won_by.rule.ruleset, answer.won_by.rule.field) == (state.rules, field)


# ── /v1/diagnoses ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", [MIDDLE, UNSEEN, DEAL_OVER, GAME_OVER, REVOKING])
def test_a_sound_state_is_possible(state: Claim) -> None:
    answer = diagnoses(StateQuestion(state))
    assert (answer.possible, answer.faults) == (True, ())


def test_every_fault_of_a_state_is_diagnosed_and_none_refused() -> None:
    answer = diagnoses(StateQuestion(CARD_TWICE))
    assert not answer.possible
    assert [(error.pointer, error.code) for error in answer.faults] == under("state", CARD_TWICE_ERRORS)
    assert answer.faults[0].detail == "7S is in the hand of seat 0 already."


def test_a_state_under_an_unknown_ruleset_is_diagnosed_too() -> None:
    answer = diagnoses(StateQuestion(replace(MIDDLE, rules="whist")))
    assert [(error.pointer, error.code) for error in answer.faults] == [("/state/rules", "unknown_ruleset")]


# ── /v1/views ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("seat", "hands"),
    [(0, (("7S",), 2, 2, 2)), (3, (1, 2, 2, ("9H", "7D"))), (None, (1, 2, 2, 2))],
)
def test_a_view_shows_a_seat_its_own_hand_alone(seat: int | None, hands: tuple[object, ...]) -> None:
    assert views(ViewQuestion(MIDDLE, seat)).state == replace(MIDDLE, hands=hands)


def test_a_view_for_a_seat_that_is_not_there_is_refused() -> None:
    assert refusal(views, ViewQuestion(MIDDLE, 4)) == ("impossible_request", [("/seat", "seat_out_of_range")])


# ── /v1/adjudications ────────────────────────────────────────────────────────────────────────────────────────

DEALT: Final = deals(DealQuestion(rules="denexa", players=4, dealer=3, pack=CODES)).position.state


def record(*plays: tuple[int, CardCode], rules: Rules = "denexa", on_revoke: OnRevoke = "refuse") -> Record:
    hands = tuple(hand for hand in DEALT.hands if not isinstance(hand, int))
    dealt = RecordedDeal(3, DEALT.turn_up, hands, tuple(RecordedPlay(seat, card) for seat, card in plays))
    return Record(rules, DEALT.sides, (dealt,), on_revoke)


def test_a_record_is_judged_play_by_play() -> None:
    answer = adjudications(record((0, "6C"), (1, "7C"), (2, "7D")))
    assert [verdict.reason for verdict in answer.deals[0].verdicts] == [None, None, "must_follow_suit"]
    assert [(found.pointer, found.code) for found in answer.irregularities] == [("/deals/0/plays/2", "illegal_play")]


def test_a_record_of_a_deal_that_cannot_be_is_refused() -> None:
    broken = record()
    wrong = replace(broken, deals=(replace(broken.deals[0], turn_up="6C"),))
    assert refusal(adjudications, wrong) == ("impossible_state", [("/deals/0/turn_up", "turn_up_misplaced")])


def test_a_record_under_an_unknown_ruleset_is_refused() -> None:
    assert refusal(adjudications, record(rules="whist")) == ("unknown_ruleset", [("/rules", "unknown_ruleset")])


def test_a_record_with_penalties_that_the_ruleset_does_not_know_is_refused() -> None:
    question = record(on_revoke="penalise")
    assert refusal(adjudications, question) == ("no_revoke_penalty", [("/on_revoke", "no_revoke_penalty")])


# ── /v1/draws ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_draw_tells_the_seed_that_repeats_it() -> None:
    drawn = draws(DrawQuestion(4))
    assert draws(DrawQuestion(4, drawn.seed)) == drawn
    assert draws(DrawQuestion(4)).seed != drawn.seed


# ── /v1/deals ────────────────────────────────────────────────────────────────────────────────────────────────


def first(rules: Rules = "trebor", players: int | None = 4, **more: object) -> DealQuestion:
    """Ask for a first deal by seat 3, from the seed `a` unless something else is said."""
    return replace(DealQuestion(rules=rules, players=players, dealer=3, seed="a"), **more)


def test_a_first_deal() -> None:
    answer = deals(first())
    state = answer.position.state
    assert (state.rules, state.sides, state.dealer, state.deal, state.scores) == ("trebor", PAIRS, 3, 1, (0, 0))
    assert [len(hand) for hand in state.hands if not isinstance(hand, int)] == [9, 9, 9, 9]
    assert (answer.position.phase, answer.position.turn, answer.seed) == ("playing", 0, "a")


@pytest.mark.parametrize("seed", ["tie", "b", "c"])
def test_where_no_dealer_is_named_one_is_drawn_from_the_same_seed(seed: str) -> None:
    answer, drawn = deals(first("denexa", dealer=None, seed=seed)), draws(DrawQuestion(4, seed))
    assert (answer.position.state.dealer, answer.draw) == (drawn.dealer, drawn.rounds)
    assert deals(first("denexa", dealer=drawn.dealer, seed=seed)) == replace(answer, draw=())


def test_rules_and_players_are_enough_for_a_deal() -> None:
    answer = deals(DealQuestion(rules="trebor", players=4))
    assert answer.seed is not None
    assert deals(DealQuestion(rules="trebor", players=4, seed=answer.seed)) == answer


def test_a_first_deal_may_begin_with_scores() -> None:
    answer = deals(first(scores=(7, 40)))
    assert (answer.position.state.deal, answer.position.totals) == (1, (7, 40))


def test_the_same_seed_deals_the_same_cards() -> None:
    assert deals(first()) == deals(first())
    assert deals(first(seed="b")).position.state.hands != deals(first()).position.state.hands


def test_without_a_seed_one_is_drawn_and_told() -> None:
    answer = deals(first(seed=None))
    assert answer.seed is not None
    assert deals(first(seed=answer.seed)) == answer
    assert deals(first(seed=None)).seed != answer.seed


@pytest.mark.parametrize(
    ("rules", "players", "sides"),
    [
        ("trebor", 4, PAIRS),
        ("trebor", 6, ((0, 2, 4), (1, 3, 5))),
        ("trebor", 8, ((0, 2, 4, 6), (1, 3, 5, 7))),
        ("trebor", 5, arrange(5, 5)),
        ("gamerules", 4, arrange(4, 4)),
        ("denexa", 2, arrange(2, 2)),
    ],
)
def test_players_are_seated_as_the_source_seats_them(rules: RulesetId, players: int, sides: Sides) -> None:
    dealer = players - 1
    assert deals(DealQuestion(rules=rules, players=players, dealer=dealer)).position.state.sides == sides


def test_the_callers_own_order_of_sides_and_seats_is_kept() -> None:
    sides: Sides = ((5, 2), (0, 3), (4, 1))
    assert deals(DealQuestion(rules="gamerules", sides=sides, dealer=0)).position.state.sides == sides


def test_a_pack_in_a_given_order_is_dealt_as_it_lies() -> None:
    answer = deals(first(seed=None, pack=CODES))
    assert answer.position.state.hands[0] == codes("JS 7S QH 8H AC TC 6C KD 9D")
    assert (answer.position.state.turn_up, answer.seed) == ("AS", None)


def test_a_pack_may_be_dealt_three_at_a_time() -> None:
    state = deals(first(seed=None, pack=CODES, three_at_a_time=True)).position.state
    assert state.hands[0] == codes("AH KH QH 8C 7C 6C JD TD 9D")


def test_a_pack_in_a_given_order_says_what_is_stripped() -> None:
    pack = tuple(code for code in CODES if code != "6H")
    answer = deals(first("lots-of-kids", 5, seed=None, pack=pack))
    assert "6H" not in dealt_cards(answer.position.state)


def dealt_cards(state: Claim) -> set[CardCode]:
    return {code for hand in state.hands if not isinstance(hand, int) for code in hand}


def test_the_next_deal_goes_on_with_the_scores_and_the_deal_passed_to_the_left() -> None:
    answer = deals(DealQuestion(after=DEAL_OVER, seed="a"))
    state = answer.position.state
    assert (state.rules, state.sides, state.dealer, state.deal) == ("denexa", DEAL_OVER.sides, 0, 2)
    assert state.scores == positions(StateQuestion(DEAL_OVER)).totals
    assert (answer.position.turn, answer.seed) == (1, "a")


def test_a_deal_follows_one_that_a_revoke_has_ended() -> None:
    ended = after(replace(REVOKING, rules=MILD), "9H", "penalise")[0].state
    assert deals(DealQuestion(after=ended)).position.state.scores == (26, 12)


@pytest.mark.parametrize(
    ("question", "code", "errors"),
    [
        pytest.param(
            replace(first(sides=PAIRS), after=DEAL_OVER),
            "impossible_request",
            [(f"/{name}", "fields_contradict") for name in ("rules", "players", "sides", "dealer")],
            id="a first deal and a later one",
        ),
        pytest.param(
            DealQuestion(after=DEAL_OVER, scores=(0, 0, 0, 0)),
            "impossible_request",
            [("/scores", "fields_contradict")],
            id="scores for a later deal",
        ),
        pytest.param(
            first(scores=(0, 0, 0)), "impossible_state", [("/scores", "wrong_number_of_sides")], id="scores of three"
        ),
        pytest.param(
            first(scores=(0, 41)), "impossible_state", [("/scores/1", "game_already_won")], id="a game won before it"
        ),
        pytest.param(
            first(pack=CODES, strip=("6C",)),
            "impossible_request",
            [("/seed", "fields_contradict"), ("/strip", "fields_contradict")],
            id="a pack with seed and strip",
        ),
        pytest.param(
            first("denexa", None, sides=arrange(8, 8)),
            "players_not_in_ruleset",
            [("/sides", "players_not_in_ruleset")],
            id="no table for eight sides",
        ),
        pytest.param(
            first("denexa", None, sides=PAIRS),
            "impossible_state",
            [("/sides", "partnership_not_in_ruleset")],
            id="no partners in denexa",
        ),
        pytest.param(
            first(house(tables=(TableRule(4, 1, 10, (4,)),))),
            "impossible_ruleset",
            [("/rules/tables/0/cards", "ruleset_too_many_cards")],
            id="a ruleset that cannot be",
        ),
        pytest.param(
            first(replace(RULESETS["trebor"], target=61)),
            "impossible_ruleset",
            [("/rules/id", "ruleset_printed_id")],
            id="a printed ruleset, changed",
        ),
        pytest.param(
            DealQuestion(after=MIDDLE),
            "deal_not_over",
            [("/after", "deal_not_over")],
            id="the deal before is still played",
        ),
        pytest.param(
            DealQuestion(after=CARD_TWICE),
            "impossible_state",
            under("after", CARD_TWICE_ERRORS),
            id="after what cannot be",
        ),
    ],
)
def test_what_cannot_be_dealt_is_refused(question: DealQuestion, code: ProblemCode, errors: Errors) -> None:
    assert refusal(deals, question) == (code, errors)
