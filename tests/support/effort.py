"""How much the tests try: a share of it at every change, all of it where THOROUGH is set, as it is every night."""

import os
from typing import Final

THOROUGH: Final = bool(os.environ.get("THOROUGH"))


def choose_effort(*, daily: int, nightly: int) -> int:
    """Return how many are tried in this run."""
    return nightly if THOROUGH else daily
