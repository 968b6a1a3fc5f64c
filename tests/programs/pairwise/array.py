"""The covering array: rows in which every pair of levels that can stand together does so at least once."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import combinations, product
from operator import itemgetter
from typing import Any, Final, TypeAlias

from tests.programs.pairwise.factors import EXCLUSIONS, Level, Pair, Row, row_of

Levels: TypeAlias = Mapping[str, Sequence[str]]
"""By factor: its levels."""
SALT: Final = "57"
"""The first number by which there are as few rows as there are pairs of seats and stores: none can be fewer."""
_COVERTABLE: Final[Any] = import_module("covertable")  # which has no types


def make_array(levels: Levels) -> list[Row]:
    """Return the rows of a covering array, the same every time."""
    factors = {name: list(of_factor) for name, of_factor in levels.items()}
    constraints = [{"operator": "or", "conditions": [_not(out.one), _not(out.other)]} for out in EXCLUSIONS]
    return [row_of(row) for row in _COVERTABLE.make(factors, constraints=constraints, salt=SALT)]


def _not(level: Level) -> dict[str, str]:
    name, value = level
    return {"operator": "ne", "left": name, "value": value}


def pairs_of(row: Row) -> set[Pair]:
    """Return every pair of levels that a row has."""
    return {frozenset(pair) for pair in combinations(row._asdict().items(), 2)}


def covered_by(rows: Iterable[Row]) -> set[Pair]:
    """Return every pair that some rows have."""
    return {pair for row in rows for pair in pairs_of(row)}


def possible_pairs(levels: Levels) -> set[Pair]:
    """Return every pair of levels that can stand together."""
    factors = [[(name, level) for level in of_factor] for name, of_factor in levels.items()]
    pairs = {frozenset(pair) for one, other in combinations(factors, 2) for pair in product(one, other)}
    return pairs - {frozenset((out.one, out.other)) for out in EXCLUSIONS}


def choose_rows(rows: Sequence[Row], count: int) -> list[Row]:
    """Return so many rows that cover many pairs: each time the one that adds most."""
    chosen: list[Row] = []
    for _ in range(count):
        covered = covered_by(chosen)
        left = [(len(pairs_of(row) - covered), row) for row in rows if row not in chosen]
        chosen.append(max(left, key=itemgetter(0))[1])
    return chosen
