"""Games from a position: they go on from it by the rules, and say that no shuffle proves it."""

from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.game.cards import cards_of
from service.game.notation.position import format_position
from service.game.rules import game, verdicts, view
from service.game.rules.deal import play_unchecked
from service.game.rules.record import DealStart, Record
from service.game.rulesets import Rules, Sides, arrange, make_table
from service.game.state import Claim, State, to_claim
from service.live.entries import NONCE_BYTES, UNDEALT_TTL, PlayEntry
from tests.support import wire
from tests.support.claims import house
from tests.support.games.callers import GAMES, Live, Table, position_of
from tests.support.games.course import course, until
from tests.support.http.client import Answer, refused
from tests.support.strategies import deal_at_random

PAIRS: Sides = ((0, 2), (1, 3))
RULES: tuple[tuple[Rules, Sides], ...] = (
    ("trebor", PAIRS),
    ("gamerules", arrange(2, 2)),
    ("denexa", arrange(5, 5)),
    ("lots-of-kids", arrange(5, 5)),
    (house("trebor", deals=9), PAIRS),
)


def played(chance: Random, cards: int, rules: Rules = "trebor", sides: Sides = PAIRS, deal: int = 1) -> State:
    """Return a deal after a number of played `cards`."""
    table = make_table(rules, sides)
    state = deal_at_random(table, chance, 0, deal, (3,) * len(sides))
    for _ in range(cards):
        legal = verdicts.legal_cards(state)
        assert legal
        state = play_unchecked(state, chance.choice(cards_of(legal)))
    return state


def open_from(live: Live, state: State, **more: object) -> Table:
    """Open a game from a position."""
    answer = ask(live, to_claim(state), **more)
    assert answer.status == 201, answer
    return Table(live, answer)


def ask(live: Live, position: Claim, **more: object) -> Answer:
    """Ask for a game from a position."""
    return live.call("POST", GAMES, {"rules": position.rules, "state": position, **more})


def test_a_game_from_a_notation_is_one_from_its_state(live: Live, chance: Random) -> None:
    state = played(chance, 5)
    line = format_position(state)
    table = Table(live, live.call("POST", GAMES, {"rules": "trebor", "state": line}))
    assert position_of(table.see()).state.trick == to_claim(state).trick
    table.play_any(chance)
    hidden = format_position(view.view(state, 0))
    problem = refused(live.call("POST", GAMES, {"rules": "trebor", "state": hidden}), "hand_not_seen")
    assert [(error.pointer, error.column is None) for error in problem.errors] == [("/state", False)]
    refused(live.call("POST", GAMES, {"rules": "trebor", "state": f"{line}x"}), "malformed_notation")


def adjudicate(table: Table) -> tuple[Record, wire.Adjudication]:
    """Return the record of a game, and its adjudication."""
    record = table.call(None, "GET", "/record")
    return record.read(Record), table.live.call("POST", "/v1/adjudications", record.body).read(wire.Adjudication)


@pytest.mark.parametrize("cards", [0, 1, 7])
@pytest.mark.parametrize(("rules", "sides"), RULES, ids=["trebor", "gamerules", "denexa", "lots-of-kids", "house"])
def test_a_game_goes_on_from_its_position_by_the_rules_to_its_end(
    live: Live, chance: Random, rules: Rules, sides: Sides, cards: int
) -> None:
    state = played(chance, cards, rules, sides)
    table = open_from(live, state)
    begun = table.see(0)
    assert (begun.from_position, begun.phase, begun.dealer, begun.draw) == (True, "playing", 0, ())
    assert position_of(begun).state == to_claim(view.view(state, 0))
    assert [shuffle.deal for shuffle in begun.shuffles] == [2]
    table.play_game(chance)
    end = table.see()
    record, told = adjudicate(table)
    assert told.irregularities == ()
    assert (record.deal, told.winners) == (1, position_of(end).winners)
    begin = to_claim(state)
    started = DealStart(begin.leader, begin.trick, begin.taken) if cards else UNSET
    assert (record.deals[0].hands, record.deals[0].start, record.deals[0].proof) == (begin.hands, started, None)
    assert sum(deal.phase != "playing" for deal in told.deals) == len(record.deals)
    for number, dealt in enumerate(record.deals, record.deal):
        if number > 1:
            assert dealt.proof == end.shuffles[number - 2].proof
            assert dealt.proof is not None
    assert [shuffle.deal for shuffle in end.shuffles] == list(range(2, position_of(end).state.deal + 2))


def test_the_last_trick_is_shown_from_the_first_that_was_completed_here(live: Live, chance: Random) -> None:
    table = open_from(live, played(chance, 6))
    assert table.see().last_trick is None
    for _ in range(2):
        table.play_any(chance)
    shown, trick = table.see().last_trick, course(table)[0].game.state
    assert shown is not None
    assert trick is not None
    assert [card.seat for card in shown.cards] == [(trick.leader + at) % 4 for at in range(4)]
    assert len({card.card for card in shown.cards}) == 4


@pytest.mark.parametrize("cards", [0, 9])
def test_computers_go_on_from_a_position_at_once(live: Live, chance: Random, cards: int) -> None:
    state = played(chance, cards)
    person = (state.seat_to_play - 1) % 4
    seats = [{"computer": None if seat == person else "hard"} for seat in range(4)]
    table = open_from(live, state, seats=seats)
    until(live, lambda: position_of(table.see()).turn == person, seconds=30)
    assert all(isinstance(step.entry, PlayEntry) for step in course(table)[1:])
    assert table.number() > 1
    table.play_any(chance, person)


def test_a_card_is_taken_back_to_the_position(live: Live, chance: Random) -> None:
    table = open_from(live, played(chance, 1), take_back=True)
    before = position_of(table.see())
    seat = table.turn().seat
    table.play_any(chance, seat)
    for each in (seat, *(other for other in range(4) if other != seat)):
        assert table.call(each, "POST", "/take-backs", None, table.last_seen).status == 200
    assert position_of(table.see()) == before


def test_a_revoke_in_the_position_ends_the_deal_where_revokes_are_penalised(live: Live, chance: Random) -> None:
    table = open_from(live, played(chance, 0), on_revoke="penalise")
    turn, illegal = table.turn_with_illegal_card(chance)
    assert table.play(turn.seat, illegal, turn.version).status == 200
    end, told = position_of(table.see()), adjudicate(table)[1]
    assert end.state.revoked == turn.seat
    assert [wrong.code for wrong in told.irregularities] == ["illegal_play"]
    assert (told.deals[0].points, told.winners) == (end.points, end.winners)


def test_the_winner_by_a_resignation_is_in_the_record(live: Live, chance: Random) -> None:
    table = open_from(live, played(chance, 5, deal=4))
    assert table.resign(1).status == 200
    record, told = adjudicate(table)
    assert (record.deal, len(record.deals), told.winners) == (4, 1, (0,))


def test_a_limit_for_moves_counts_from_the_first_card_that_is_played(live: Live, chance: Random) -> None:
    table = open_from(live, played(chance, 3), move_seconds=24 * 3600)
    assert table.see().move_ends_at is None
    assert table.play_any(chance).move_ends_at is not None


def test_a_game_that_nobody_plays_expires_as_soon_as_one_that_nobody_deals(live: Live, chance: Random) -> None:
    table = open_from(live, played(chance, 3))
    opened = course(table)[-1].game
    table.play_any(chance)
    begun = course(table)[-1].game
    assert [now.expires_at - now.changed_at for now in (opened, begun)] == [UNDEALT_TTL * 1000, 24 * 3600 * 1000]


def test_the_same_request_opens_one_game_and_another_position_is_another_body(live: Live, chance: Random) -> None:
    headers = (("idempotency-key", "k" * 20 + str(chance.random())),)
    one, other = (to_claim(played(chance, cards)) for cards in (2, 3))
    first, again, third = (
        live.call("POST", GAMES, {"rules": "trebor", "state": position}, headers) for position in (one, one, other)
    )
    assert first.body == again.body
    refused(third, "idempotency_key_reused")


def test_only_a_game_from_a_position_has_an_entry_that_the_first_release_cannot_read(
    live: Live, chance: Random
) -> None:
    for table, stored in ((live.open(), 3), (open_from(live, played(chance, 2)), 4)):
        table.play_any(chance) if table.phase() == "playing" else table.stir(0, "mine")
        opening, later = live.run(live.store.load(table.opened.id)).entries
        assert (opening[NONCE_BYTES + 6], later[NONCE_BYTES + 6]) == (stored, 3)


def test_what_the_position_says_the_request_leaves_out(live: Live, chance: Random) -> None:
    position = to_claim(played(chance, 0))
    for more in ({"players": 4}, {"sides": PAIRS}, {"first_dealer": 0}, {"scores": (0, 0)}):
        problem = refused(ask(live, position, **more), "impossible_request")
        (error,) = problem.errors
        assert (error.pointer, error.code) == (f"/{next(iter(more))}", "fields_contradict")
    problem = refused(ask(live, position, rules="denexa"), "impossible_request")
    assert [error.pointer for error in problem.errors] == ["/rules"]


def test_a_position_that_cannot_be_played_on_is_refused(live: Live, chance: Random) -> None:
    position = to_claim(played(chance, 0))
    hidden = refused(ask(live, replace(position, hands=(*position.hands[:3], 9))), "hand_not_seen")
    assert [error.pointer for error in hidden.errors] == ["/state/hands/3"]
    twice = replace(position, hands=(position.hands[1], *position.hands[1:]))
    assert all(error.pointer.startswith("/state/") for error in refused(ask(live, twice), "impossible_state").errors)
    refused(ask(live, to_claim(played(chance, 36, house("trebor", target=999)))), "deal_over")
    over = played(chance, 0, house("trebor", target=20))
    while game.won(over) is None:
        over = play_unchecked(over, cards_of(verdicts.legal_cards(over) or 0)[0])
    refused(ask(live, to_claim(over)), "game_over")


def test_nobody_sees_a_hand_of_the_position_but_its_own(live: Live, chance: Random) -> None:
    table = open_from(live, played(chance, 0))
    for bearer in (*table.seats, "host", None):
        hands = position_of(table.see(bearer)).state.hands
        assert [seat for seat, hand in enumerate(hands) if not isinstance(hand, int)] == (
            [bearer] if isinstance(bearer, int) else []
        )


def test_the_next_game_of_the_same_people_deals_new_cards_at_the_scores_of_the_position(
    live: Live, chance: Random
) -> None:
    table = open_from(live, played(chance, 5, deal=2))
    before = position_of(table.see()).state
    table.resign(1)
    assert table.call("host", "POST", "/rematches").status == 201
    after = table.with_id(table.see().rematch or "")
    rematch = after.see()
    assert (rematch.from_position, rematch.phase, rematch.dealer) == (False, "to_deal", before.dealer)
    assert after.deal().status == 200
    dealt = position_of(after.see()).state
    assert (dealt.deal, dealt.scores, dealt.rules, dealt.sides) == (1, before.scores, before.rules, before.sides)
    assert [shuffle.deal for shuffle in after.see().shuffles] == [1, 2]
