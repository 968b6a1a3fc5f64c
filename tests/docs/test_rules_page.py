"""The page of the rules for implementers: its tables are played, and it has every field of a ruleset."""

import re
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from openapi.conformance.generate.states import list_states
from openapi.conformance.runner import CASES, read_cases
from service.game.rules import deal, game, score
from service.game.rules.follow_suit import BrokenDuty
from service.game.rulesets import MAX_DEALS, RULESETS, Fine, Honours, Ruleset, TableRule, arrange, make_table
from tests.deploy.files import ROOT
from tests.support.http.client import JSON, post

PAGE: Final = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
FOR_PEOPLE: Final = {"id", "name", "description", "sources"}
HINTS: Final[dict[str, Any]] = get_type_hints(Ruleset)


def table(head: str) -> list[list[str]]:
    """Read the rows of the table that begins with a head, without the marks of code."""
    lines = PAGE.partition(f"| {head} |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [line.removeprefix("|").removesuffix("|").split("|") for line in lines]
    assert rows
    return [[cell.strip().strip("`") for cell in row] for row in rows]


def ask(kind: str, **body: object) -> Any:
    """Ask the service."""
    answer = post(f"/v1/{kind}", msgspec.json.encode(body), ("content-type", JSON))
    assert answer.status == 200, answer.body
    return msgspec.json.decode(answer.body)


@pytest.mark.parametrize("row", table("ruleset | trumps | trick | hand | may be played | reason of the rest"))
def test_a_hand_may_play_what_the_page_says(row: list[str]) -> None:
    rules, trump, trick, hand, playable, reason = row
    told = ask("legal-moves", rules=rules, players=6, trump=trump, trick=trick.split(), hand=hand.split())
    assert (told["legal_cards"], {verdict["reason"] for verdict in told["verdicts"]} - {None}) == (
        playable.split(),
        {reason} - {""},
    )


@pytest.mark.parametrize("row", table("ruleset | players | hand | card | `legal` | `reason` | `missing`"))
def test_a_card_of_a_bare_hand_is_judged_as_the_page_says(row: list[str]) -> None:
    rules, players, hand, card, legal, reason, missing = row
    known = {"players": int(players)} if players else {}
    told = ask("verdicts", rules=rules, trump="H", trick=[], hand=hand.split(), card=card, **known)
    assert (told["legal"], told["undecided"]) == (legal == "true", bool(missing))
    assert (told["reason"] or "", told["missing"] or "") == (reason, missing)


@pytest.mark.parametrize("row", table("ruleset | players | trick | hand | refused as"))
def test_a_bare_hand_is_refused_as_the_page_says(row: list[str]) -> None:
    rules, players, trick, hand, codes = row
    body: dict[str, Any] = {"rules": rules, "trump": "H", "trick": trick.split(), "hand": hand.split()}
    body |= {"players": int(players)} if players else {}
    answer = post("/v1/legal-moves", msgspec.json.encode(body), ("content-type", JSON))
    assert answer.status == 422
    assert [error["code"] for error in msgspec.json.decode(answer.body)["errors"]] == re.findall(r"\w+", codes)


def test_the_page_has_every_fault_of_a_bare_hand_in_the_cases() -> None:
    asked = [question for case in read_cases([CASES / "hands.jsonl"]) for question in case["questions"]]
    problems = [question["problem"] for question in asked if "problem" in question]
    rows = table("code | at | if")
    told = {code for row in rows for code in re.findall(r"\w+", row[0])}
    assert told == {error["code"] for problem in problems for error in problem["errors"]}
    named = {"impossible_state", *(word for row in rows for word in re.findall(r": `(\w+)", row[2]))}
    assert {problem["code"] for problem in problems} <= named | told


def test_the_page_has_every_duty() -> None:
    reasons = {row[5] for row in table("ruleset | trumps | trick | hand | may be played | reason of the rest")}
    assert reasons - {""} == set(get_args(BrokenDuty))


@pytest.mark.parametrize("row", table("ruleset | trumps | trick | won by seat"))
def test_a_trick_is_won_by_the_seat_that_the_page_says(row: list[str]) -> None:
    rules, trump, trick, seat = row
    cards = {"rules": rules, "trump": trump, "leader": 0, "players": 4, "cards": trick.split()}
    assert ask("trick-winners", trick=cards)["seat"] == int(seat)


def test_the_piles_go_to_the_seats_that_the_page_says() -> None:
    state = deal.deal(make_table("gamerules", arrange(3, 3)), range(36), 0, 1, (0, 0, 0))
    (seats, hands) = (list(map(int, row[1:])) for row in table("pile | 0 | 1 | 2 | 3 | 4 | 5"))
    for pile, (seat, hand) in enumerate(zip(seats, hands, strict=True)):
        assert (state.hands[seat], *state.later_hands[seat])[hand] >> pile & 1
    assert (state.dealer, state.turn_up) == (0, 35)
    assert state.later_hands[0][-1] >> state.turn_up & 1


@pytest.mark.parametrize(("cards", "packets"), [(9, [3, 3, 3]), (7, [3, 3, 1])])
def test_three_at_a_time_leaves_the_last_packet_that_the_page_says(cards: int, packets: list[int]) -> None:
    said = {9: "nine are 3, 3, 3", 7: "seven are 3, 3, 1"}[cards]
    assert said in PAGE
    players = {9: 4, 7: 5}[cards]
    table_of = make_table("trebor", arrange(players, players))
    state = deal.deal(table_of, range(players * cards), 0, 1, (0,) * players, threes=True)
    left, expected = 0, 0
    for packet in packets:
        expected |= ((1 << packet) - 1) << left
        left += packet * players
    assert state.hands[1] == expected


def counts() -> list[tuple[str, list[list[str]]]]:
    """List the examples of the counting order, each with its rows."""
    rows = table("example | side | before | fine | ten | card points | ace | king | queen | jack | wins")
    return [(row[0], rows[at : at + 2]) for at, row in enumerate(rows) if row[0]]


@pytest.mark.parametrize(("name", "rows"), counts())
def test_the_count_goes_as_the_page_says_and_is_won_by_the_side_that_it_says(name: str, rows: list[list[str]]) -> None:
    state = next(state for says, state in list_states() if says == name)
    running = [list(state.scores), *(totals for _, totals in score.running_count(state))]
    for row in rows:
        assert [totals[int(row[1])] for totals in running] == list(map(int, row[2:10]))
    assert max(totals[side] for totals in running for side in (2, 3)) < state.table.ruleset.target
    won = game.won(state)
    assert won
    assert won.winners == tuple(int(row[1]) for row in rows if row[10] == "yes")


def test_the_counting_order_of_the_page_is_the_one_that_is_counted() -> None:
    (said,) = re.findall(r"\*\*The counting order\*\*: (.*?)\.", PAGE)
    assert [word.removeprefix("a ").removeprefix("the ") for word in said.split(", ")] == [
        item.replace("_", " ") for item in score.ITEMS
    ]


def test_the_page_has_every_field_of_a_ruleset_with_each_of_its_values() -> None:
    rows = {row[0]: re.findall(r"`(\w+)`", f"`{row[1]}`") for row in table("field | values | what they do")}
    assert list(rows) == [field for field in Ruleset.__struct_fields__ if field not in FOR_PEOPLE]
    parts = {
        "tables": list(TableRule.__struct_fields__),
        "honours": list(Honours.__struct_fields__),
        "revoke": [*literals(HINTS["revoke"]), "fine", "to", *literals(get_type_hints(Fine)["to"])],
    }
    for field, values in rows.items():
        wanted = parts.get(field, literals(HINTS[field]))
        assert not wanted or values == wanted, field


def literals(hint: Any) -> list[str]:
    """List the texts that a type takes."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [value for part in get_args(hint) for value in literals(part)]


@pytest.mark.parametrize("kind", ["winning", "revoke"])
def test_the_tables_of_values_have_each_of_them(kind: str) -> None:
    head = {"winning": "`winning` | who wins", "revoke": "`revoke` | what follows"}[kind]
    said = {re.sub(r"`.*|^a `", "", row[0].removeprefix("a `")) for row in table(head)}
    assert said == set(literals(HINTS[kind])) - {"not_allowed"} | ({"fine"} if kind == "revoke" else set())


def test_what_the_page_says_of_all_printed_games_is_so() -> None:
    assert {ruleset.target for ruleset in RULESETS.values()} == {41}
    assert {ruleset.following for ruleset in RULESETS.values()} == {"if_able"}
    assert max(table.hands for ruleset in RULESETS.values() for table in ruleset.tables if table.players > 3) == 1
    assert f"deal {MAX_DEALS}" in PAGE
