"""The factors, which can be switched or combined, and their levels."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args, get_type_hints


class Row(NamedTuple):
    """One journey: a level of every factor."""

    keys: Literal["no keys", "keys in settings", "keys in a file"]
    rate: Literal["no rate limit", "ample quota", "tight quota"]
    store: Literal["memory", "Redis 7", "Redis 6", "replica with WAIT", "sentinels", "cluster"]
    metrics: Literal["metrics on the port", "metrics apart"]
    proxy: Literal["no proxy", "trusted proxy"]
    cors: Literal["no origin", "one origin", "any origin"]
    traces: Literal["no traces", "traces"]
    rules: Literal["printed rules", "house rules"]
    seats: Literal["2", "3", "4", "5", "6", "7", "8"]
    hands: Literal["open hands", "hidden hands"]
    revokes: Literal["revokes refused", "revokes penalised"]
    ending: Literal["played out", "resigned"]
    computers: Literal["no computers", "computers"]
    form: Literal["JSON form", "notation"]
    encoding: Literal["JSON", "MessagePack"]
    asking: Literal["one by one", "batch"]
    following: Literal["stream", "polling"]
    client: Literal["Python", "Python, async", "TypeScript", "table page", "curl"]

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.seats)


Level: TypeAlias = tuple[str, str]
"""A factor and one of its levels."""
Pair: TypeAlias = frozenset[Level]
LEVELS: Final[Mapping[str, tuple[str, ...]]] = {name: get_args(kind) for name, kind in get_type_hints(Row).items()}
"""By factor: its levels."""


def row_of(levels: Mapping[str, Any]) -> Row:
    """Return the row of a level for each factor."""
    return Row(**{name: levels[name] for name in Row._fields})


def without(left_out: Sequence[Level]) -> dict[str, list[str]]:
    """Return the levels of each factor, but for those that are left out."""
    return {name: [level for level in levels if (name, level) not in left_out] for name, levels in LEVELS.items()}
