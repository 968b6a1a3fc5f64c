"""Measure how strong the computer players are, and write RESULTS.md: python -m tests.programs.strength [--resume].

Rows are written as soon as they are measured; with `--resume`, those that are there already are not measured again.
"""

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from service.game.rulesets import arrange
from service.players.player import EFFORTS, Level
from tests.programs.strength.cost import measure_cost
from tests.programs.strength.endings import measure_endings
from tests.programs.strength.matches import PLAYERS, play_match

PAIRS: Final = {
    ("rule of thumb", "random"): 1000,
    ("easy", "rule of thumb"): 500,
    ("medium", "easy"): 2000,
    ("hard", "rule of thumb"): 600,
    ("hard", "medium"): 300,
}
"""The matches, with the most pairs of deals of each."""
ARRANGEMENTS: Final = (
    ("gamerules", 4, 2),
    ("take-ten", 4, 4),
    ("trebor", 6, 2),
    ("lots-of-kids", 5, 5),
    ("denexa", 3, 3),
    ("french-whist", 8, 2),
    ("denexa", 2, 2),
)
ENDINGS: Final = (("gamerules", 4, 2), ("take-ten", 4, 4), ("denexa", 3, 3))
RESULTS: Final = Path(__file__).with_name("RESULTS.md")
_SHARED: Final = (("gamerules", 4, 2), ("hard", "rule of thumb"))
"""The match in which the share counts: it goes on to the last deal."""
_FEWEST: Final = 100
_AHEAD: Final = re.compile(r"([+-][0-9.]+) ± ([0-9.]+) \|$")
_ENDING_DEALS: Final = 20
_COST_DEALS: Final = 5
_HEAD: Final = """\
# How strong the computer players are

Written by `make strength`, from fixed seeds. Each deal is played twice, with the players exchanged; they hold every
other side. A match ends once three standard errors separate the players, or after a bounded number of pairs of deals.
*Share* is the first player's part of all points. *Ahead* is its lead in points per pair of deals. Both have the 95 %
interval. The rule of thumb is in `service/players/rule_of_thumb.py`. [TRIED.md](TRIED.md) says what was tried.

| ruleset | seats, sides | first | second | pairs of deals | share | ahead |
| --- | --- | --- | --- | ---: | ---: | ---: |
"""
_ENDINGS: Final = f"""
## Against exact play

The points that a chosen card loses on average, if all play perfectly afterwards with all hands shown: at every choice
in the last four tricks of {_ENDING_DEALS} deals. The player sees its own hand first, then all hands.

| ruleset | seats, sides | player | cards | lost, seeing its hand | lost, seeing all hands |
| --- | --- | --- | ---: | ---: | ---: |
"""
_COST: Final = f"""
## Cost

Average CPU time of the first card of a deal, and of the most expensive card in {_COST_DEALS} deals. A piece is the
work between two yields. Times grow up to three times on a busy machine; the longest pieces include a garbage
collection.

| ruleset | seats, sides | level | fillings | nodes | CPU ms | costliest card, ms | longest piece, ms |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |
"""

Arrangement: TypeAlias = tuple[str, int, int]
"""A ruleset, a number of seats and of sides."""


class Report:
    """The tables, written to a file as they grow; `resume` keeps the rows that it holds."""

    def __init__(self, path: Path, *, resume: bool) -> None:
        self._path = path
        self._known = path.read_text(encoding="utf-8").splitlines() if resume else []
        self._text, self._columns = "", 0

    def begin(self, head: str) -> None:
        """Begin a table."""
        self._text += head
        self._columns = head.splitlines()[-1].count("|")

    def end_matches(self) -> None:
        """Say which players of the table of matches are not told apart."""
        close = [row for row in self._text.splitlines() if (found := _AHEAD.search(row)) and not _told_apart(found)]
        self._text += "\n" + _say_close(close)

    def add(self, at: Arrangement, names: tuple[str, ...], measure: Callable[[], str]) -> None:
        """Add a row, measured now unless it is known."""
        begin = f"| {' | '.join((at[0], f'{at[1]}, {at[2]}', *names))} | "
        known = (line for line in self._known if line.startswith(begin) and line.count("|") == self._columns)
        row = next(known, None) or begin + measure()
        print(row, flush=True)
        self._text += row + "\n"
        self._path.write_text(self._text, encoding="utf-8")


def _told_apart(ahead: re.Match[str]) -> bool:
    return float(ahead[1]) > float(ahead[2])


def _say_close(rows: list[str]) -> str:
    if not rows:
        return "In every row the first player is ahead of the second, by the 95 % interval.\n"
    names = ("- {4} and {3} at {1} ({2})\n".format(*map(str.strip, row.split("|"))) for row in rows)
    return f"In all rows but these the first player is ahead of the second, by the 95 % interval:\n\n{''.join(names)}"


def _match(at: Arrangement, pair: tuple[str, str], most: int) -> str:
    fewest = most if (at, pair) == _SHARED else _FEWEST
    match = play_match(*pair, at[0], arrange(at[1], at[2]), fewest, most)
    share = f"{100 * match.share:.1f} ± {100 * match.share_within:.1f} %"
    return f"{match.deals} | {share} | {match.ahead:+.1f} ± {match.within:.1f} |"


def _ending(at: Arrangement, name: str) -> str:
    loss = measure_endings(name, at[0], arrange(at[1], at[2]), _ENDING_DEALS)
    return f"{loss.cards} | {loss.seeing_its_hand:.2f} | {loss.seeing_all:.2f} |"


def _cost(at: Arrangement, level: Level) -> str:
    cost = measure_cost(level, at[0], arrange(at[1], at[2]), _COST_DEALS)
    return f"{cost.nodes:,.0f} | {1000 * cost.seconds:.0f} | {1000 * cost.most:.0f} | {1000 * cost.piece:.1f} |"


def main(*, resume: bool) -> None:
    """Measure all rows, and write the tables."""
    report = Report(RESULTS, resume=resume)
    report.begin(_HEAD)
    for pair, most in PAIRS.items():
        for at in ARRANGEMENTS:
            report.add(at, pair, partial(_match, at, pair, most))
    report.end_matches()
    report.begin(_ENDINGS)
    for at in ENDINGS:
        for name in PLAYERS:
            report.add(at, (name,), partial(_ending, at, name))
    report.begin(_COST)
    for at in ARRANGEMENTS:
        for level in EFFORTS:
            report.add(at, (level, str(EFFORTS[level].fillings)), partial(_cost, at, level))


if __name__ == "__main__":
    main(resume="--resume" in sys.argv[1:])
