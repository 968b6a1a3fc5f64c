"""The covering array: rows in which every pair of levels stands at least once."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import combinations, product
from operator import itemgetter
from typing import Any, Final, TypeAlias

from tests.programs.pairwise.factors import Pair, Row, row_of

Levels: TypeAlias = Mapping[str, Sequence[str]]
"""By factor: its levels."""
SALT: Final = "1"
"""The first number by which there are as few rows as there are pairs of seats and stores: none can be fewer."""
_COVERTABLE: Final[Any] = import_module("covertable")  # which has no types


def make_array(levels: Levels) -> list[Row]:
    """Return the rows of a covering array, the same every time."""
    factors = {name: list(of_factor) for name, of_factor in levels.items()}
    return [row_of(row) for row in _COVERTABLE.make(factors, salt=SALT)]


def pairs_of(row: Row) -> set[Pair]:
    """Return every pair of levels that a row has."""
    return {frozenset(pair) for pair in combinations(row._asdict().items(), 2)}


def covered_by(rows: Iterable[Row]) -> set[Pair]:
    """Return every pair that some rows have."""
    return {pair for row in rows for pair in pairs_of(row)}


def possible_pairs(levels: Levels) -> set[Pair]:
    """Return every pair of levels."""
    factors = [[(name, level) for level in of_factor] for name, of_factor in levels.items()]
    return {frozenset(pair) for one, other in combinations(factors, 2) for pair in product(one, other)}


def choose_rows(rows: Sequence[Row], count: int) -> list[Row]:
    """Return `count` rows that cover many pairs: each time the one that adds most."""
    chosen: list[Row] = []
    for _ in range(count):
        covered = covered_by(chosen)
        left = [(len(pairs_of(row) - covered), row) for row in rows if row not in chosen]
        chosen.append(max(left, key=itemgetter(0))[1])
    return chosen
