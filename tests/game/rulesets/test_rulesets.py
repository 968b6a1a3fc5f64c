import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

import service
from service.game.cards import FULL_PACK, mask_codes, strip_pack
from service.game.faults import FAULTS, FaultCode, Impossible
from service.game.rulesets import (
    RULESETS,
    Fine,
    Honours,
    Rules,
    Ruleset,
    Sides,
    Source,
    Sources,
    Table,
    TableRule,
    arrange,
    choose_table,
    cite,
    find_ruleset,
    make_table,
    ruleset_faults,
    seating_faults,
    usual_sides,
)
from tests.support.claims import house, mask, written
from tests.support.strategies import ARRANGEMENTS, house_rulesets, tables

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


# ── The rulesets as data ─────────────────────────────────────────────────────────────────────────────────────


def test_there_is_a_ruleset_for_each_source_and_one_for_the_related_game() -> None:
    assert set(RULESETS) == {
        "denexa",
        "gamerules",
        "lots-of-kids",
        "take-ten",
        "trebor",
        "britannica",
        "cassell",
        "french-whist",
    }


@every_ruleset
def test_every_ruleset_is_sound(ruleset: Ruleset) -> None:
    assert ruleset_faults(ruleset) == ()
    assert RULESETS[ruleset.id] is ruleset


@every_ruleset
def test_every_field_has_a_source(ruleset: Ruleset) -> None:
    for field, source in asdict(ruleset.sources).items():
        assert source != Source(), field
        assert source.where.startswith(("trebor" if ruleset.id == "french-whist" else ruleset.id) + ", "), field
        assert source.says.endswith("."), field


@every_ruleset
def test_every_description_tells_what_the_project_decides(ruleset: Ruleset) -> None:
    assert "This project's reading" in ruleset.description


def test_there_is_a_source_for_every_field_in_which_games_differ() -> None:
    assert set(Sources.__struct_fields__) == set(Ruleset.__struct_fields__) - {"id", "name", "description", "sources"}


def test_a_field_of_a_ruleset_is_read_in_one_file() -> None:
    """One file is apart: validity examines the tables."""
    readers = {field: set[str]() for field in Sources.__struct_fields__}
    for path in Path(service.__file__).parent.rglob("*.py"):
        if path.name != "validity.py":
            for field in re.findall(r"\bruleset\.(\w+)", path.read_text()):
                readers.get(field, set()).add(path.name)
    assert {field: files for field, files in readers.items() if len(files) > 1} == {}
    assert readers["void"] == {"follow_suit.py"}


@every_ruleset
def test_every_ruleset_is_read_back_as_it_was_written(ruleset: Ruleset) -> None:
    assert msgspec.json.decode(msgspec.json.encode(ruleset), type=Ruleset) == ruleset
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(ruleset), type=Ruleset) == ruleset


def test_french_whist_is_trebor_with_other_card_points_and_another_ten() -> None:
    trebor, french = asdict(RULESETS["trebor"]), asdict(RULESETS["french-whist"])
    differ = {field for field in trebor if trebor[field] != french[field]}
    assert differ == {"id", "name", "description", "card_points", "ten", "sources"}


def test_a_house_ruleset_has_the_house_as_its_source_unless_it_says_more() -> None:
    ruleset = replace(RULESETS["denexa"], sources=Sources())
    assert {source.where for source in asdict(ruleset.sources).values()} == {"house rules"}


@every_ruleset
def test_a_printed_ruleset_cites_its_sources_by_its_own_id_and_by_another(ruleset: Ruleset) -> None:
    for field, source in asdict(ruleset.sources).items():
        assert cite(ruleset, field) == source
        assert cite(replace(ruleset, id="house"), field) == source


CHANGES: Final[dict[str, object]] = {
    "trump_rank": "ace_high",
    "three_at_a_time": False,
    "first_dealer": "lot",
    "opening_lead": "no_trump",
    "void": "trump_if_able",
    "revoke": Fine(10, "others"),
    "card_points": "none",
    "honours": Honours(ten=5),
    "target": 61,
    "winning": "highest_score",
    "deals": 3,
    "ties": "play_on",
}


@pytest.mark.parametrize("field", CHANGES)
def test_a_printed_source_is_never_cited_for_a_field_that_the_caller_changed(field: str) -> None:
    changed = house("trebor", **{field: CHANGES[field]})
    assert getattr(changed.sources, field).where.startswith("trebor")
    assert cite(changed, field) == Source()
    kept = set(Sources.__struct_fields__) - {field}
    assert {name: cite(changed, name) for name in kept} == {name: getattr(changed.sources, name) for name in kept}


def test_what_the_caller_says_of_the_source_is_not_repeated() -> None:
    ours = Source("The club's rules, 7", "A void hand must trump.")
    for void in ("trump_if_able", RULESETS["trebor"].void):
        changed = house("trebor", void=void, sources=replace(RULESETS["trebor"].sources, void=ours))
        assert cite(changed, "void") == Source()


TEXTS: Final = {"name": 60, "description": 1000, "where": 80, "says": 300}
"""Characters of the longest text, by field."""


def with_text(field: str, text: str) -> dict[str, Any]:
    """A ruleset as a caller sends it, with a text in one of its fields."""
    sent: dict[str, Any] = msgspec.to_builtins(RULESETS["trebor"])
    (sent["sources"]["void"] if field in {"where", "says"} else sent)[field] = text
    return sent


@pytest.mark.parametrize("field", TEXTS)
def test_texts_are_short(field: str) -> None:
    msgspec.convert(with_text(field, "ü" * TEXTS[field]), Ruleset)
    with pytest.raises(msgspec.ValidationError, match="length <="):
        msgspec.convert(with_text(field, "ü" * (TEXTS[field] + 1)), Ruleset)


@pytest.mark.parametrize("character", [*"\0\x01\n\x1b\x7f\x85\u200b\u202e\u2028\u2066\ufeff"], ids=ascii)
@pytest.mark.parametrize("field", TEXTS)
def test_texts_are_printable(field: str, character: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="matching regex"):
        msgspec.convert(with_text(field, f"a{character}b"), Ruleset)


@pytest.mark.parametrize("text", ["Écarté “à la” Köln, 8—9 ♥", "トランプ", "🂡"])
def test_texts_are_of_any_language(text: str) -> None:
    assert msgspec.convert(with_text("says", text), Ruleset).sources.void.says == text


def test_a_ruleset_that_goes_by_a_printed_id_must_be_as_it_was_printed() -> None:
    assert find_ruleset(replace(RULESETS["trebor"])) == RULESETS["trebor"]
    with pytest.raises(Impossible, match=r"not trebor as printed: void, target differ\. Give it an id of its own\."):
        find_ruleset(replace(RULESETS["trebor"], void="trump_if_able", target=61))


def test_every_fault_is_explained() -> None:
    assert list(FAULTS) == list(get_args(FaultCode))
    assert all(meaning.endswith(".") for meaning in FAULTS.values())


# ── To find a ruleset ────────────────────────────────────────────────────────────────────────────────────────


@every_ruleset
def test_a_ruleset_is_found_by_its_id(ruleset: Ruleset) -> None:
    assert find_ruleset(ruleset.id) is ruleset


def test_a_callers_own_ruleset_is_taken_as_it_is() -> None:
    own = house(void="trump_if_able")
    assert find_ruleset(own) is own


@pytest.mark.parametrize("rules", ["whist", house(tables=(TableRule(4, 1, 10, (4,)),))])
def test_no_ruleset_is_found_for_an_unknown_id_or_in_nonsense(rules: Rules) -> None:
    with pytest.raises(Impossible):
        find_ruleset(rules)


@given(house_rulesets())
def test_a_made_up_ruleset_that_is_sound_can_be_laid(ruleset: Ruleset) -> None:
    for rule in ruleset.tables:
        for sides in rule.sides:
            assert make_table(ruleset, arrange(rule.players, sides)).ruleset == ruleset


# ── Sides ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("players", "sides", "seats"),
    [
        pytest.param(4, 4, ((0,), (1,), (2,), (3,)), id="each alone"),
        pytest.param(4, 2, ((0, 2), (1, 3)), id="two pairs alternate"),
        pytest.param(6, 2, ((0, 2, 4), (1, 3, 5)), id="two sides of three alternate"),
        pytest.param(6, 3, ((0, 3), (1, 4), (2, 5)), id="three pairs"),
        pytest.param(8, 4, ((0, 4), (1, 5), (2, 6), (3, 7)), id="four pairs"),
        pytest.param(8, 2, ((0, 2, 4, 6), (1, 3, 5, 7)), id="two sides of four alternate"),
    ],
)
def test_partners_sit_evenly_spaced(players: int, sides: int, seats: Sides) -> None:
    assert arrange(players, sides) == seats


@pytest.mark.parametrize(
    ("rules", "players", "sides"),
    [
        ("trebor", 4, 2),
        ("trebor", 6, 2),
        ("trebor", 8, 2),
        ("trebor", 7, 7),
        ("gamerules", 4, 4),
        ("french-whist", 6, 2),
    ],
)
def test_players_sit_as_the_source_seats_them_first(rules: str, players: int, sides: int) -> None:
    assert usual_sides(rules, players) == arrange(players, sides)


@pytest.mark.parametrize(
    ("rules", "players", "path"),
    [
        ("whist", 4, ("rules",)),
        ("denexa", 8, ("players",)),
        ("take-ten", 7, ("players",)),
        ("lots-of-kids", 3, ("players",)),
        (house(tables=(TableRule(4, 1, 10, (4,)),)), 4, ("rules", "tables", 0, "cards")),
    ],
)
def test_nobody_is_seated_where_there_is_no_table(rules: Rules, players: int, path: tuple[str | int, ...]) -> None:
    with pytest.raises(Impossible) as refused:
        usual_sides(rules, players)
    assert [fault.path for fault in refused.value.faults] == [path]


def test_the_counts_of_players_that_a_ruleset_knows_are_told() -> None:
    with pytest.raises(Impossible, match="take-ten has no table for 7 players; it has tables for 2, 3, 4, 5, 6"):
        usual_sides("take-ten", 7)


@pytest.mark.parametrize(
    ("players", "sides", "laid"),
    [
        pytest.param(4, None, ((0, 2), (1, 3)), id="by the number of players, as the ruleset seats them"),
        pytest.param(None, arrange(4, 4), ((0,), (1,), (2,), (3,)), id="by the sides"),
    ],
)
def test_a_table_is_chosen_by_players_or_by_sides(players: int | None, sides: Sides | None, laid: Sides) -> None:
    assert seating_faults(players, sides) == ()
    assert choose_table("trebor", players, sides) == make_table("trebor", laid)


@pytest.mark.parametrize(
    ("players", "sides", "fault"),
    [(None, None, ("missing_field", ())), (4, arrange(4, 4), ("fields_contradict", ("players",)))],
)
def test_no_table_is_chosen_by_neither_or_both(
    players: int | None, sides: Sides | None, fault: tuple[FaultCode, tuple[str, ...]]
) -> None:
    with pytest.raises(Impossible) as refused:
        choose_table("trebor", players, sides)
    assert refused.value.faults == seating_faults(players, sides)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [fault]


# ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────────

DEALT = {
    "britannica": (
        "2: 3 × 6; 3: 2 × 6; 4: 1 × 9; 5: 1 × 7 without 6S; 6: 1 × 6; 7: 1 × 5 without 6S; 8: 1 × 4 without 6C 6D 6H 6S"
    ),
    "cassell": "2: 1 × 18; 3: 1 × 12; 4: 1 × 9; 5: 1 × 7 without 6C; 6: 1 × 6",
    "denexa": "2: 1 × 18; 3: 1 × 12; 4: 1 × 9; 5: 1 × 7 without 6C; 6: 1 × 6; 7: 1 × 5 without 6C",
    "gamerules": (
        "2: 3 × 6; 3: 2 × 6; 4: 1 × 9; 5: 1 × 7 without 6S; 6: 1 × 6; 7: 1 × 5 without 6S; 8: 1 × 4 without 6C 6D 6H 6S"
    ),
    "lots-of-kids": "4: 1 × 9; 5: 1 × 7 without 6C; 6: 1 × 6",
    "take-ten": "2: 1 × 10, 16 left; 3: 1 × 10, 6 left; 4: 1 × 9; 5: 1 × 7, 1 left; 6: 1 × 6",
    "trebor": (
        "2: 3 × 6; 3: 1 × 6, 18 left; 4: 1 × 9; 5: 1 × 7 without 6S; 6: 1 × 6; 7: 1 × 5 without 6S; "
        "8: 1 × 4 without 6C 6D 6H 6S"
    ),
}


def written_table(table: Table) -> str:
    strip, left = written(table.strips[0]), table.undealt
    out = (f" without {strip}" if strip else "") + (f", {left} left" if left else "")
    return f"{table.players}: {table.hands} × {table.cards}{out}"


@pytest.mark.parametrize(("rules", "said"), [*DEALT.items(), ("french-whist", DEALT["trebor"])])
def test_hands_cards_and_strip_are_those_of_the_source(rules: str, said: str) -> None:
    counts = [rule.players for rule in RULESETS[rules].tables]
    assert "; ".join(written_table(make_table(rules, usual_sides(rules, players))) for players in counts) == said


SIDES = {
    "britannica": {4: [2], 6: [2, 3], 8: [2, 4]},
    "cassell": {4: [2], 6: [2, 3]},
    "denexa": {},
    "gamerules": {4: [4, 2], 6: [6, 3], 8: [8, 4]},
    "lots-of-kids": {},
    "take-ten": {},
    "trebor": {4: [2, 4], 6: [2, 3, 6], 8: [2, 8]},
    "french-whist": {4: [2, 4], 6: [2, 3, 6], 8: [2, 8]},
}


@every_ruleset
def test_sides_are_those_of_the_source(ruleset: Ruleset) -> None:
    for rule in ruleset.tables:
        assert list(rule.sides) == SIDES[ruleset.id].get(rule.players, [rule.players])


def test_the_callers_order_of_sides_and_of_seats_is_kept() -> None:
    table = make_table("trebor", ((3, 1), (2, 0)))
    assert table.sides == ((3, 1), (2, 0))
    assert table.side_of == (1, 0, 1, 0)


@pytest.mark.parametrize(
    ("rules", "sides", "share"),
    [
        ("trebor", ((0, 2), (1, 3)), (18, 18)),
        ("gamerules", ((0,), (1,)), (18, 18)),
        ("trebor", arrange(6, 3), (12, 12, 12)),
    ],
)
def test_the_share_of_a_side_is_what_its_seats_are_dealt(rules: str, sides: Sides, share: tuple[int, ...]) -> None:
    assert make_table(rules, sides).share == share


@given(tables())
def test_a_table_adds_up(table: Table) -> None:
    dealt = table.players * table.hands * table.cards
    assert table.tricks == table.hands * table.cards
    assert sum(table.share) == dealt
    assert {strip.bit_count() + dealt + table.undealt for strip in table.strips} == {36}
    assert [
        [seat for seat in range(table.players) if table.side_of[seat] == side] for side in range(len(table.sides))
    ] == [sorted(seats) for seats in table.sides]
    assert [strip_pack(strip) | strip for strip in table.strips] == [FULL_PACK] * len(table.strips)


@given(st.sampled_from(ARRANGEMENTS))
def test_a_printed_ruleset_is_laid_alike_by_id_and_as_a_whole(arrangement: tuple[Rules, Sides]) -> None:
    rules, sides = arrangement
    whole = find_ruleset(rules)
    assert replace(make_table(whole, sides), rules=rules) == make_table(rules, sides)


def test_any_six_may_be_stripped_for_five_players_of_lots_of_kids_the_six_of_clubs_by_itself() -> None:
    assert [written(strip) for strip in make_table("lots-of-kids", arrange(5, 5)).strips] == ["6C", "6D", "6H", "6S"]


def test_as_many_cards_of_the_choice_are_stripped_as_by_itself() -> None:
    rule = TableRule(2, 1, 17, (2,), ("6C", "6D"), ("6C", "6D", "6H"))
    table = make_table(house(tables=(rule,)), arrange(2, 2))
    assert [written(strip) for strip in table.strips] == ["6C 6D", "6C 6H", "6D 6H"]


def test_the_pack_is_what_the_strip_leaves() -> None:
    assert strip_pack(0) == FULL_PACK
    assert mask_codes(FULL_PACK & ~strip_pack(mask("6C TH"))) == ("6C", "TH")


@pytest.mark.parametrize(
    ("rules", "sides", "code", "said"),
    [
        ("denexa", ((0, 2), (1, 3)), "partnership_not_in_ruleset", "denexa does not seat 4 players so; it knows"),
        ("trebor", ((0, 1), (2, 3)), "partnership_not_in_ruleset", "it knows [[0, 2], [1, 3]]; [[0], [1], [2], [3]]."),
        ("trebor", ((0, 2), (1, 2)), "seats_not_once_each", "The sides name seats [0, 2, 1, 2]"),
        ("trebor", ((1,), (2,)), "seats_not_once_each", "from 0 on exactly once"),
        ("denexa", arrange(8, 8), "players_not_in_ruleset", "denexa has no table for 8 players"),
    ],
)
def test_sides_that_the_ruleset_does_not_know_are_refused(rules: str, sides: Sides, code: FaultCode, said: str) -> None:
    with pytest.raises(Impossible) as refused:
        make_table(rules, sides)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [(code, ("sides",))]
    assert said in str(refused.value)
