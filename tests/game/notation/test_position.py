"""The notation of a position is lossless, has one form, and is what docs/notation.md says."""

import re
from itertools import islice
from random import Random
from typing import Final

import msgspec
import pytest

from service.game.faults import Fault, Impossible, MalformedNotation
from service.game.notation.columns import column_of
from service.game.notation.position import MAX_LENGTH, SHAPE, format_position, parse_position, read_position
from service.game.rules import admission
from service.game.rulesets import make_table
from service.game.state import Claim, State, to_claim
from tests.game.golden.playthrough import PRINTED, Setting
from tests.game.notation.abnf import pattern
from tests.game.notation.positions import draw_states, golden_states
from tests.game.notation.reader import read_position as read_by_the_page
from tests.programs.agreement.expected import tidy
from tests.support.conformance import Json, read_questions
from tests.support.http.sound import own

STATES: Final = 600
"""Random states of a run."""
CASES: Final = read_questions("notations", "notations")
REFUSED: Final = read_questions("notations", "positions", "problem")
LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0"
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._-]+")
_PAGE: Final = pattern(0, "position")


def line_of(state: State) -> str:
    line = format_position(state)
    assert line is not None
    return line


def check_round_trip(state: State) -> None:
    """Check that the notation of a state has its form and gives the state back, to the service and to the page."""
    line = line_of(state)
    assert _UNRESERVED.fullmatch(line)
    assert re.fullmatch(SHAPE, line)
    assert len(line) <= MAX_LENGTH
    assert parse_position(line).state == state
    assert read_position(line) == state
    assert tidy(read_by_the_page(line)) == msgspec.json.decode(msgspec.json.encode(to_claim(state)))


@pytest.mark.parametrize("setting", PRINTED, ids=lambda setting: setting.seed)
def test_every_position_of_a_golden_game_comes_back_from_its_notation(setting: Setting) -> None:
    for state in golden_states(setting):
        check_round_trip(state)


def test_random_positions_come_back_from_their_notations() -> None:
    for state in islice(draw_states(1), STATES):
        check_round_trip(state)
        assert _PAGE.fullmatch(line_of(state))


def test_different_states_have_different_notations() -> None:
    states = {line_of(state): state for state in islice(draw_states(2), STATES)}
    assert all(line_of(state) == line for line, state in states.items())


def test_house_rules_have_no_notation() -> None:
    state = next(draw_states(3))
    house = msgspec.structs.replace(state, table=make_table(own(state.table.rules), state.table.sides))
    assert format_position(house) is None


# ── Lines that nobody wrote ──────────────────────────────────────────────────────────────────────────────────


_SCRAPS: Final = ("", "", "0", "1", "01", "-", ".", "_", "~", "s", "hA", "A", "6", "Kc", "é", "٣", "x", "10")


def mutated(line: str, chance: Random) -> str:
    """Change a few characters or fields of a line."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(line) + 1)
        line = line[:at] + chance.choice(_SCRAPS) + line[at + chance.randint(0, 2) :]
    fields = line.split("_")
    if chance.random() < 0.2:
        one, other = chance.randrange(len(fields)), chance.randrange(len(fields))
        fields[one], fields[other] = fields[other], fields[one]
    return "_".join(fields) + chance.choice(("", "", "", "_revoke", "_"))


def outcome(line: str) -> str:
    """Parse a line: tell if it is read, impossible, or malformed at a column that it has."""
    try:
        parse_position(line)
    except MalformedNotation as exc:
        return "malformed" if 1 <= exc.column <= len(line) + 1 else "far out"
    except Impossible:
        return "impossible"
    return "read"


def test_just_what_does_not_fit_the_grammar_is_malformed() -> None:
    chance, seen = Random(4), set[str]()
    for state in islice(draw_states(4), 4 * STATES):
        line = mutated(line_of(state), chance)
        found = outcome(line)
        seen.add(found)
        assert (found == "malformed") != bool(_PAGE.fullmatch(line)), line
    assert seen == {"read", "impossible", "malformed"}


def test_up_to_its_fault_a_malformed_line_is_the_beginning_of_a_sound_one() -> None:
    chance = Random(5)
    for state in islice(draw_states(5), STATES):
        line = line_of(state)
        at = chance.randrange(len(line))
        with pytest.raises(MalformedNotation) as malformed:
            parse_position(line[:at] + "!" + line[at + 1 :])
        assert line.rfind("_", 0, at) + 1 <= malformed.value.column <= at + 1


def faults_of(line: str) -> tuple[Fault, ...]:
    try:
        read_position(line)
    except Impossible as exc:
        return exc.faults
    return ()


def test_a_notation_has_the_faults_of_the_state_that_it_stands_for() -> None:
    chance, impossible = Random(6), 0
    for state in islice(draw_states(6), 2 * STATES):
        line = mutated(line_of(state), chance)
        if outcome(line) == "read":
            try:
                claim = msgspec.convert(tidy(read_by_the_page(line)), Claim)
            except msgspec.ValidationError:  # such as one hand alone, or ten sides
                assert faults_of(line)
                continue
            found = faults_of(line)
            assert found == admission.faults(claim)
            assert all(1 <= column_of(line, fault.path) <= len(line) + 1 for fault in found)
            impossible += bool(found)
    assert impossible > 5


@pytest.mark.parametrize(
    ("line", "path", "there"),
    [
        (LINE, ("rules",), "trebor_"),
        (LINE, ("sides",), "02.13_"),
        (LINE, ("deal",), "1_0.0"),
        (LINE, ("scores", 1), "0_3-Ad"),
        (LINE, ("dealer",), "3-Ad"),
        (LINE, ("turn_up",), "Ad_"),
        (LINE, ("hands", 2, 1), "J6d"),
        (LINE, ("leader",), "2-7hTc"),
        (LINE, ("trick", 1), "Tc_"),
        (LINE, ("taken", 1), "0"),
        (LINE + "_revoke", ("revoked",), "revoke"),
        (LINE, (), "ctt1"),
    ],
)
def test_a_part_of_a_state_has_its_column(line: str, path: tuple[str | int, ...], there: str) -> None:
    assert line[column_of(line, path) - 1 :].startswith(there)


# ── The cases ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_a_position_has_the_notation_of_the_cases(case: Json) -> None:
    state = admission.admit(msgspec.convert(case["state"], Claim))
    assert format_position(state) == case["notation"]
    assert read_position(case["notation"]) == state
    assert tidy(read_by_the_page(case["notation"])) == case["state"]
    assert _PAGE.fullmatch(case["notation"])


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["says"])
def test_a_notation_is_refused_at_the_columns_of_the_cases(case: Json) -> None:
    line = case["state"]
    found: list[tuple[str, int]] = []
    try:
        found += [(fault.code, column_of(line, fault.path)) for fault in faults_of(line)]
    except MalformedNotation as malformed:
        found.append(("malformed_notation", malformed.column))
        assert not _PAGE.fullmatch(line)
    assert found == [(error["code"], error["column"]) for error in case["errors"]]
