"""Measure how strong the computer players are, and write RESULTS.md: python -m tests.programs.strength."""

from pathlib import Path
from typing import Final, TypeAlias

from service.game.rulesets import arrange
from tests.programs.strength.matches import play_match

PAIRS: Final = {
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
RESULTS: Final = Path(__file__).with_name("RESULTS.md")
_SHARED: Final = (("gamerules", 4, 2), ("hard", "rule of thumb"))
"""The match in which the share counts: it goes on to the last deal."""
_FEWEST: Final = 100

Arrangement: TypeAlias = tuple[str, int, int]
"""A ruleset, a number of seats and of sides."""


def measure(at: Arrangement, pair: tuple[str, str], most: int) -> str:
    """Play a match, and return its row."""
    fewest = most if (at, pair) == _SHARED else _FEWEST
    match = play_match(*pair, at[0], arrange(at[1], at[2]), fewest, most)
    share = f"{100 * match.share:.1f} ±{100 * match.share_within:.1f} %"
    names = f"{at[0]} | {at[1]}, {at[2]} | {pair[0]} | {pair[1]}"
    return f"| {names} | {match.deals} | {share} | {match.ahead:+.1f} ±{match.within:.1f} |"


def replace_rows(text: str, rows: list[str]) -> str:
    """Return a page with these rows in its first table; the sections after it stay as they are."""
    head = text[: text.index("---: |\n") + len("---: |\n")]
    _, mark, rest = text.partition("\n## ")
    return head + "".join(f"{row}\n" for row in rows) + mark + rest


def main() -> None:
    """Play all matches, and write the table."""
    rows = list[str]()
    for pair, most in PAIRS.items():
        for at in ARRANGEMENTS:
            rows.append(measure(at, pair, most))
            print(rows[-1], flush=True)
    RESULTS.write_text(replace_rows(RESULTS.read_text(encoding="utf-8"), rows), encoding="utf-8")


if __name__ == "__main__":
    main()
