"""The covering array covers every pair, and some of its rows, which cost little, are journeys without a fault.

All rows are for `make pairwise`.
"""

from pathlib import Path
from typing import Final

import pytest

from tests.programs.pairwise.array import choose_rows, covered_by, make_array, possible_pairs
from tests.programs.pairwise.factors import LEVELS, Level, Row, without
from tests.programs.pairwise.journey import run_row
from tests.support.effort import choose_effort

CHEAP: Final = {
    "store": ("memory", "Redis 7", "replica with WAIT"),
    "client": ("Python", "Python, async"),
    "rate": ("no rate limit", "ample quota"),
    "seats": ("2", "3", "4"),
}
"""The levels that take few processes, no Node, and little waiting."""
ROWS: Final = choose_rows(
    [row for row in make_array(LEVELS) if all(getattr(row, name) in levels for name, levels in CHEAP.items())],
    choose_effort(daily=1, nightly=3),
)


@pytest.mark.parametrize("left_out", [[], [("client", "table page"), ("client", "TypeScript")]])
def test_every_pair_that_can_stand_together_does_so_in_a_row(left_out: list[Level]) -> None:
    levels = without(left_out)
    assert covered_by(make_array(levels)) == possible_pairs(levels)


def test_there_are_as_few_rows_as_there_can_be() -> None:
    assert len(make_array(LEVELS)) == len(LEVELS["seats"]) * len(LEVELS["store"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.seats} seats by {row.client} in {row.store}")
def test_a_journey_finds_no_fault(row: Row, tmp_path: Path) -> None:
    run_row(row, tmp_path)
