"""Ask many requests by chance in both ways of an answer: python -m tests.programs.both_ways [connections] [seed]."""

import sys
from typing import Final

from tests.support.http.both_ways import compare_ways

CONNECTIONS: Final = 3_500
"""For each of three settings; two requests come over a connection, more or less."""


def main(connections: int, seed: str) -> None:
    """Ask all, and print how many answers there were."""
    statuses, at_once = compare_ways(seed, connections)
    by_status = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
    print(f"{sum(statuses.values())} answers, {at_once} of them given at once, 0 differ ({by_status})")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else CONNECTIONS, given[1] if len(given) > 1 else "both ways")
