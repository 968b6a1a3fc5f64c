"""The border of the simulation: what the service asks the system for comes from the seed and from the virtual time.

Modules that are imported after `replace` find only this.
"""

import random
import secrets
import time
from random import Random
from typing import Final

from tests.programs.simulation.loop import Loop

EPOCH_NS: Final = 1_700_000_000_000_000_000
"""The time at which the virtual time begins, in nanoseconds since 1970 began."""


class Border:
    """The clocks and the chance that the system would give."""

    def __init__(self) -> None:
        self.loop = Loop(Random(0))
        self.chance = Random(0)

    def replace(self) -> None:
        """Take the place of the system's clocks and chance."""
        time.monotonic = time.perf_counter = self._read_clock
        time.time_ns = lambda: EPOCH_NS + int((self._read_clock() + self.loop.process.skew) * 1e9)
        secrets.token_bytes = lambda nbytes=None: self.chance.randbytes(nbytes or 32)
        secrets.token_hex = lambda nbytes=None: self.chance.randbytes(nbytes or 32).hex()
        random.random = self._draw

    def _draw(self) -> float:
        return self.chance.random()

    def _read_clock(self) -> float:
        return self.loop.time()


BORDER: Final = Border()
"""The border of this process."""
