"""The text of a record is lossless, locates its faults, and follows docs/notation.md."""

import json
import re
from itertools import islice
from random import Random
from typing import Final

import msgspec
import pytest
from msgspec import UnsetType

from service.game.faults import MalformedNotation
from service.game.generators import run_to_end
from service.game.notation.record import format_record
from service.game.notation.record_reader import (
    MAX_CHARACTERS,
    MAX_LINES,
    MAX_RULES_CHARACTERS,
    ReadRecord,
    TextPosition,
    find_place,
    parse_record,
    parse_records,
)
from service.game.rules.record import Record, RecordTag, RecordTags, list_tags
from service.game.rulesets.ruleset import Sources
from tests.game.golden.playthrough import SETTINGS, Setting
from tests.game.notation.abnf import PAGE, pattern
from tests.game.notation.positions import draw_states
from tests.game.notation.reader import read_record as read_by_the_page
from tests.game.notation.records import draw_records, golden_record
from tests.support.conformance import Json, read_questions

RECORDS: Final = 80
"""Random records of a run."""
CASES: Final = read_questions("records", "records")
MALFORMED_CASES: Final = read_questions("records", "records", "problem")
HOUSE: Final = next(case["record"]["rules"] for case in CASES if isinstance(case["record"]["rules"], dict))
_PAGE: Final = pattern(1, "record")
TEXT: Final = """\
[CatchTheTen 1]
[Rules "take-ten"]
[Sides [[0], [1]]]

; The first deal.
[Dealer 1]
[TurnUp "8s"]
[Hands "K6sJ7hK76dQ86c AQJ87sAhQ8dATc"]
0: Ks 7s
0: 6c 8d   ; a revoke
"""


def parse(text: str) -> ReadRecord:
    """Parse a text at once."""
    return run_to_end(parse_record(text))


def read(text: str) -> Record:
    """Read a text as a record, without the places in it."""
    record = parse(text)
    return Record(**{name: getattr(record, name) for name in Record.__struct_fields__})


def check_round_trip(record: Record) -> None:
    """Check that the text of a record has its form and gives the record back, to the service and to the page."""
    text = format_record(record)
    assert read(text) == record
    assert format_record(read(text)) == text
    assert _PAGE.fullmatch(text)
    assert msgspec.convert(read_by_the_page(text), Record) == record


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.seed)
def test_the_record_of_a_golden_game_comes_back_from_its_text(setting: Setting) -> None:
    check_round_trip(golden_record(setting))


def test_any_record_comes_back_from_its_text() -> None:
    for record in islice(draw_records(1), RECORDS):
        check_round_trip(record)


def test_the_text_of_the_page_is_read() -> None:
    (text,) = re.findall(r"^```\n(\[CatchTheTen.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert read(text) == read(TEXT)
    assert _PAGE.fullmatch(text)


@pytest.mark.parametrize(
    "changed",
    [
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        TEXT.replace("[Sides", '[OnRevoke "?"]\n[Resigned "?"]\n[Sides'),
        "\n ;\n" + TEXT.replace("0: Ks", "\t0:  Ks"),
        TEXT.replace("[Dealer 1]\n[TurnUp", "[Dealer  1 ]\n  [TurnUp").rstrip("\n"),
        TEXT.replace("0: Ks 7s\n0: 6c 8d", "0: Ks\n1: 7s\n0: 6c 1: 8d"),
        TEXT.replace("0: Ks 7s\n0: 6c 8d", "0: Ks 7s 6c 8d"),
        TEXT.replace('"8s"', '"8S"'),
        TEXT.replace("[Sides", '[OnRevoke "refuse"]\n[Sides'),
    ],
)
def test_a_text_may_be_written_freely(changed: str) -> None:
    assert read(changed) == read(TEXT)


def test_a_tag_of_the_text_is_a_field_of_the_record() -> None:
    house = TEXT.replace('"take-ten"', json.dumps(HOUSE)).replace("[Sides", '[OnRevoke "penalise"]\n[Sides')
    record = read(house)
    assert not isinstance(record.rules, str)
    assert (record.rules.id, record.on_revoke) == ("house", "penalise")


def test_a_tag_that_is_no_field_is_kept_as_text_with_its_deal_or_with_the_record() -> None:
    named = TEXT.replace("[Sides", '[Event "Friday"]\n[Name0 "Zo\\u00eb"]\n[Date "?"]\n[Round 3 of 4]\n[Sides')
    record = read(named.replace("[TurnUp", '[Table "by the window"]\n[TurnUp'))
    assert _texts(record.tags) == [("Event", "Friday"), ("Name0", "Zoë"), ("Date", "?"), ("Round", "3 of 4")]
    assert _texts(record.deals[0].tags) == [("Table", "by the window")]
    check_round_trip(record)


def _texts(tags: RecordTags | UnsetType) -> list[tuple[str, str]]:
    return [(tag.name, tag.text) for tag in list_tags(tags)]


@pytest.mark.parametrize("name", ["Rules", "rules", "Turnup", "Deals", "CatchTheTen", "x", "A-B", "A" * 41])
def test_a_tag_with_the_name_of_a_field_or_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": name, "text": ""}, RecordTag)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (("[Dealer 1]", '[Dealer "?"]'), "a seat from 0 to 7: a record is not read without Dealer"),
        (("[Dealer 1]", "[Dealer 9]"), "a seat from 0 to 7 as the value of Dealer"),
        (('"take-ten"', "7"), "the id of a ruleset"),
        (('[TurnUp "8s"]\n', ""), "the tag TurnUp"),
        (("[TurnUp", "[Turnup"), "one of the tags EndedBy, Hands, LaterHands, Proof, RevokesFound, Start, TurnUp"),
    ],
)
def test_a_fault_is_told_in_words_of_the_notation(changed: tuple[str, str], expected: str) -> None:
    with pytest.raises(MalformedNotation, match=re.escape(f"expected {expected}")):
        parse(TEXT.replace(*changed))


def test_a_text_has_several_records_each_with_its_own_places() -> None:
    games = run_to_end(parse_records(TEXT + "\n" + TEXT.replace("8d", "9d")))
    assert [game.deals[0].plays[3].card for game in games] == ["8D", "9D"]
    assert [find_place(game.places, "/deals/0").line for game in games] == [6, 17]


def test_texts_one_after_the_other_are_read_as_the_records_that_they_stand_for() -> None:
    records = list(islice(draw_records(4), 20))
    games = run_to_end(parse_records("".join(map(format_record, records))))
    assert [Record(**{name: getattr(game, name) for name in Record.__struct_fields__}) for game in games] == records


MALFORMED: Final = [
    ("", 1, 1),
    (TEXT.replace("[CatchTheTen 1]\n", ""), 1, 1),
    (TEXT.replace("CatchTheTen 1", "CatchTheTen 2"), 1, 1),
    (TEXT.replace("[Dealer 1]", "[Dealer 1"), 6, 1),
    (TEXT.replace("[Dealer 1]", "[Dealer x]"), 6, 9),
    (TEXT.replace("[Dealer 1]", "[Dealer 9]"), 6, 2),
    (TEXT.replace("[Dealer 1]", "[Player 1]"), 7, 2),
    (TEXT.replace("[Dealer 1]", '[Dealer "?"]'), 6, 9),
    (TEXT.replace('"take-ten"', '"?"'), 2, 8),
    (TEXT.replace("[Sides", '[Event "x]\n[Sides'), 3, 8),
    (TEXT.replace("[Sides", f'[Event "{"x" * 401}"]\n[Sides'), 3, 2),
    (TEXT.replace("[Sides", "[Round 1]\n" * 33 + "[Sides"), 35, 2),
    (TEXT + TEXT, 11, 1),
    (TEXT.replace("[Dealer 1]", "[Sides 1]"), 6, 2),
    (TEXT.replace("[Rules", "[[Rules"), 2, 1),
    (TEXT.replace('[Rules "take-ten"]\n', ""), 1, 1),
    (TEXT.replace("[Sides [[0], [1]]]\n", ""), 8, 1),
    (TEXT.replace("[[0], [1]]", "7"), 9, 1),
    (TEXT.replace("[[0], [1]]", "[[0], [1"), 3, 8),
    (TEXT.replace("AQJ87s", "QXs"), 8, 24),
    (TEXT.replace('"8s"', '"8x"'), 7, 2),
    (TEXT.replace("0: Ks", "0 Ks"), 9, 1),
    (TEXT.replace("0: Ks", "0: KS"), 9, 4),
    (TEXT.replace("6c 8d", "6c 8d8c"), 10, 7),
    (TEXT.replace("0: 6c", "8: 6c"), 10, 1),
    (TEXT.partition("; The")[0] + "0: Ks", 5, 1),
    (TEXT.replace('"take-ten"', "[" * 10_000), 2, 8),
    (TEXT.replace('"take-ten"', '"é" x'), 2, 13),
]


@pytest.mark.parametrize(("text", "line", "column"), MALFORMED, ids=range(len(MALFORMED)))
def test_a_fault_has_its_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(MalformedNotation) as malformed:
        parse(text)
    assert (malformed.value.line, malformed.value.column) == (line, column), malformed.value


def place_of_fault(text: str) -> TextPosition | None:
    try:
        parse(text)
    except MalformedNotation as exc:
        return TextPosition(exc.line or 0, exc.column)
    return None


def test_any_text_is_read_or_refused_at_a_place_that_it_has() -> None:
    chance, refused = Random(2), 0
    for record in islice(draw_records(2), RECORDS):
        text = format_record(record)
        at = chance.randrange(len(text))
        broken = text[:at] + chance.choice(("", "x", "\n", ":", "[", '"', "9", "é", "]")) + text[at + 1 :]
        place = place_of_fault(broken)
        if place is not None:
            lines = ["", *broken.split("\n")]
            assert 1 <= place.line < len(lines)
            assert 1 <= place.column <= len(lines[place.line]) + 1
            refused += 1
    assert refused > RECORDS // 3


@pytest.mark.parametrize(
    ("pointer", "line", "column"),
    [
        ("/deals/0/plays/3", 10, 7),
        ("/deals/0/hands/1/2", 8, 2),
        ("/deals/0/later_hands", 6, 2),
        ("/deals/0", 6, 2),
        ("/sides/1", 3, 2),
        ("", 1, 1),
    ],
)
def test_a_part_of_a_record_has_its_place(pointer: str, line: int, column: int) -> None:
    assert find_place(parse(TEXT).places, pointer) == TextPosition(line, column)


# ── The cases ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_a_record_has_the_text_of_the_cases(case: Json) -> None:
    record = msgspec.convert(case["record"], Record)
    assert format_record(record) == case["text"]
    assert read(case["text"]) == record


@pytest.mark.parametrize("case", MALFORMED_CASES, ids=lambda case: case["says"])
def test_a_malformed_record_is_refused_at_the_place_of_the_cases(case: Json) -> None:
    with pytest.raises(MalformedNotation) as malformed:
        parse(case["text"])
    [error] = case["errors"]
    assert (malformed.value.line, malformed.value.column) == (error["line"], error["column"])


def test_states_are_drawn_at_every_number_of_players() -> None:
    assert {state.table.players for state in islice(draw_states(9), 400)} == set(range(2, 9))


@pytest.mark.parametrize(
    ("more", "line", "found"),
    [
        (" 6c" * 1000, 10, "at most 40 plays of a deal"),
        ("\n[Dealer 0]" * 101, 110, "at most 100 deals"),
        ("\n" * 500_000, MAX_LINES + 1, f"at most {MAX_LINES} lines"),
    ],
    ids=["plays", "deals", "lines"],
)
def test_a_text_that_is_longer_than_any_record_is_read_no_further(more: str, line: int, found: str) -> None:
    with pytest.raises(MalformedNotation) as caught:
        parse(TEXT.partition("   ;")[0] + more)
    assert (caught.value.line, found in str(caught.value)) == (line, True)


@pytest.mark.parametrize(
    ("changed", "line", "limit"),
    [
        (TEXT.replace("[0]", f"[{'0,' * 100_000}0]"), 3, MAX_CHARACTERS),
        (TEXT.replace('[Hands "', '[Hands "' + "As " * 100_000), 8, MAX_CHARACTERS),
        (TEXT.replace("0: Ks", "0: " * 100_000 + "Ks"), 9, MAX_CHARACTERS),
        (TEXT.replace("[Dealer 1]\n", f"[Dealer 1]\n[Proof [{'[],' * 100_000}[]]]\n"), 7, MAX_CHARACTERS),
        (TEXT.replace('"take-ten"', f"[{'[],' * 100_000}[]]"), 2, MAX_RULES_CHARACTERS),
    ],
    ids=["sides", "hands", "seats", "proof", "rules"],
)
def test_a_line_that_is_longer_than_its_field_can_be_is_not_read(changed: str, line: int, limit: int) -> None:
    with pytest.raises(MalformedNotation, match=f"expected at most {limit} characters in a line") as caught:
        parse(changed)
    assert (caught.value.line, caught.value.column) == (line, limit + 1)


def test_the_longest_house_rules_are_read_also_if_each_of_their_letters_is_escaped() -> None:
    said = {"where": "é" * 80, "says": "é" * 300, "reading": False}
    texts = {"name": "é" * 60, "description": "é" * 1000, "sources": dict.fromkeys(Sources.__struct_fields__, said)}
    record = read(TEXT.replace('"take-ten"', json.dumps({**HOUSE, **texts})))
    assert not isinstance(record.rules, str)
    assert record.rules.description == "é" * 1000


def test_a_comment_may_have_any_length() -> None:
    assert read(TEXT.replace("; a revoke", ";" * 100_000)) == read(TEXT)
    assert read(TEXT.replace("; The first", ";" * 100_000)) == read(TEXT)


def test_a_text_is_read_in_a_piece_for_each_line() -> None:
    assert len(list(parse_record(TEXT))) == len(TEXT.split("\n"))
