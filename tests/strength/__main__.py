"""Measure how strong the computer players are, and write RESULTS.md: python -m tests.strength [deals]."""

import sys
from pathlib import Path
from typing import Final

from service.rulesets import arrange
from tests.strength.matches import Match, play_match

PAIRS: Final = (
    ("rule of thumb", "random"),
    ("easy", "rule of thumb"),
    ("medium", "rule of thumb"),
    ("hard", "rule of thumb"),
    ("medium", "easy"),
    ("hard", "medium"),
)
ARRANGEMENTS: Final = (("gamerules", 4, 2), ("trebor", 6, 2), ("take-ten", 4, 4), ("gamerules", 2, 2))
DEALS: Final = 100
_HEAD: Final = """\
# How strong the computer players are

Written by `make strength`. Each deal is played twice, the second time with the players exchanged; they have every other
side. *Share* is the first player's part of all points; *ahead* its points more than the other's in such a pair of
deals, with the 95 % interval. A player of thumb follows fixed rules (`service/players/rule_of_thumb.py`).

| ruleset | seats, sides | first | second | pairs of deals | share | ahead | CPU ms a card |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def _row(rules: str, players: int, sides: int, pair: tuple[str, str], match: Match) -> str:
    return (
        f"| {rules} | {players}, {sides} | {pair[0]} | {pair[1]} | {match.deals} | {match.share:.1%} "
        f"| {match.ahead:+.1f} ± {match.within:.1f} | {1000 * match.seconds:.1f} |\n"
    )


def main(deals: int) -> None:
    """Play every pair at every arrangement, and write the table."""
    rows = list[str]()
    for rules, players, sides in ARRANGEMENTS:
        for pair in PAIRS:
            rows.append(_row(rules, players, sides, pair, play_match(*pair, rules, arrange(players, sides), deals)))
            print(rows[-1], end="", flush=True)
    Path(__file__).with_name("RESULTS.md").write_text(_HEAD + "".join(rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS)
