"""The table of the operators' guide by which they size an installation, written from what was measured."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.programs.bench.report import Figure, number, table

GUIDE: Final = Path(__file__).parents[3] / "deploy" / "README.md"
BEGIN: Final = "<!-- figures -->\n"
END: Final = "<!-- /figures -->\n"
_ROWS: Final = (
    (
        "light questions a second and core, one by one, as shipped",
        "{light questions as shipped, a second: least} to {light questions as shipped, a second: most}",
    ),
    (
        "questions a second and core, in batches of 1,000, as shipped",
        "{batched questions as shipped, a second: least} to {batched questions as shipped, a second: most}",
    ),
    ("plays of live games a second and core, as shipped, with Redis", "{live plays as shipped, a second}"),
    ("memory of a process after its start", "{worker after its start, MiB} MiB"),
    ("memory of a process after batches of 1,000 and live plays", "{worker after load, MiB} MiB"),
    ("memory of an idle event stream", "{idle event stream, KiB} KiB"),
    ("memory of a finished live game in Redis", "{finished game in Redis, bytes} bytes"),
)
"""What is told, and the names of the figures in it."""


def write_sizing(figures: Sequence[Figure], guide: str) -> str:
    """Return the guide with the figures in the place of those that it has."""
    values = {f"{{{figure.name}}}": number(_round(figure.value)) for figure in figures}
    rows = [("what", "figure"), *((what, _fill(text, values)) for what, text in _ROWS)]
    before, _, rest = guide.partition(BEGIN)
    return f"{before}{BEGIN}\n{table(rows, 2)}\n{END}{rest.partition(END)[2]}"


def _round(value: float) -> float:
    """Return two digits of a number of three or more: nobody sizes by the third."""
    return float(f"{value:.2g}") if value >= 100 else round(value)


def _fill(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
