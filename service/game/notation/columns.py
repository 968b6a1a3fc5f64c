"""The columns of a position's notation: where parsing stops, and where a part of the state is.

The parser in `position` only finds that a line is wrong, so it need not count columns.
"""

import re
from typing import Final, NamedTuple

from service.game.faults import MalformedNotation, Path

_CARD: Final = "[6-9TJQKA][cdhs]"
_GROUPS: Final = "".join(f"(?:(?=[^{suit}])A?K?Q?J?T?9?8?7?6?{suit})?" for suit in "shdc")


class _Field(NamedTuple):
    """A field of the line: its name, the pattern of its items, and their separator."""

    holds: str
    item: re.Pattern[str]
    between: str = ""

    def items(self, text: str) -> list[str]:
        """Return the items of a text."""
        return re.split(f"[{self.between}]", text) if self.between else [text]


RULESET: Final = re.compile("[a-z][a-z0-9-]*")
"""The id of a ruleset, printed or not."""
_FIELDS: Final = (
    _Field("ctt1, the version of the notation", re.compile("ctt1")),
    _Field("the id of a ruleset, as in trebor", RULESET),
    _Field("the seats of each side, as in 02.13", re.compile("[0-7]+"), "."),
    _Field("the number of the deal, 1 to 100", re.compile("100|[1-9][0-9]?")),
    _Field("the score of each side, as in 14.20", re.compile("1000|[1-9][0-9]{0,2}|0"), "."),
    _Field("the dealer and the turn-up, as in 3-Ad", re.compile(f"[0-7]-{_CARD}")),
    _Field(
        "the hand of each seat: of each suit its ranks, high to low, and its letter, in the order s h d c; or how many "
        "cards, as in AK9sJ7h.6",
        re.compile(f"0|1[0-8]?|[2-9](?![0-9TJQKAcdhs])|(?!$){_GROUPS}"),
        ".-",
    ),
    _Field("the leader and the cards of the trick, as in 2-7hTc", re.compile(f"[0-7](?:-(?:{_CARD})+)?")),
    _Field(
        "the cards taken by each side: of each suit its ranks, high to low, and its letter, in the order s h d c; or 0",
        re.compile(f"0|(?!$){_GROUPS}"),
        ".",
    ),
)
_FIELD_OF: Final = {
    "rules": 1,
    "sides": 2,
    "deal": 3,
    "scores": 4,
    "dealer": 5,
    "turn_up": 5,
    "hands": 6,
    "later_hands": 6,
    "leader": 7,
    "trick": 7,
    "taken": 8,
    "revoked": 9,
}
"""By field of a state: the field of the line that holds it, counted from 0."""
_REVOKE: Final = "the end, or _revoke after a trick whose last card is one"


def find_fault(line: str) -> MalformedNotation:
    """Return the first fault of a line that cannot be parsed."""
    fields, column = line.split("_"), 1
    for field, text in zip(_FIELDS, fields, strict=False):
        for item in field.items(text):
            if not field.item.fullmatch(item):
                good = field.item.match(item)
                return MalformedNotation(field.holds, column + (good.end() if good else 0))
            column += len(item) + 1
    if len(fields) < len(_FIELDS):
        return MalformedNotation(f"_ and {_FIELDS[len(fields)].holds}", column - 1)
    return MalformedNotation(_REVOKE, column - 1)


def column_of(line: str, path: Path) -> int:
    """Return the column of the part of a state that a path leads to; 1 for the whole state.

    Errors: total for a line that can be parsed, and a path that starts at a state.
    """
    if not path:
        return 1
    steps = [step for step in path[1:] if isinstance(step, int)]
    field = _FIELD_OF[str(path[0])]
    column = 1 + sum(len(text) + 1 for text in line.split("_")[:field])
    if path[0] in {"hands", "later_hands", "taken", "scores"} and steps:
        column += sum(len(item) + 1 for item in line.split("_")[field].split(".")[: steps[0]])
    return column + 2 * (path[0] == "turn_up") + (2 + 2 * steps[0] if path[0] == "trick" and steps else 0)
