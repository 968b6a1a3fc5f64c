"""How what a primary has written comes to a replica: in order, late, and acknowledged later."""

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.programs.simulation.redis.database import Changes

if TYPE_CHECKING:
    from tests.programs.simulation.redis.server import Server

DELAY: Final = (0.0001, 0.002)
"""Seconds from a primary to its replica, and back."""
COPY_DELAY: Final = (0.005, 0.05)
"""Seconds until a new replica has a copy of all keys."""


class Written(NamedTuple):
    """The writes and messages of a command or a script, or a copy of all keys if it is `whole`."""

    offset: int
    changes: Changes
    published: tuple[tuple[bytes, bytes], ...] = ()
    whole: bool = False


class Feed:
    """The way from a primary to one of its replicas.

    Shape: `online` once the copy of all keys has arrived; `acknowledged` is the offset up to which the primary knows
    that the replica has all.
    """

    def __init__(self, primary: "Server", replica: "Server") -> None:
        self.primary = primary
        self.replica = replica
        self.online = False
        self.acknowledged = -1
        self._ended = False
        self._arriving: deque[Written] = deque()
        self._arrives_at = primary.loop.time() + primary.chance.uniform(*COPY_DELAY)
        self._answers_at = 0.0
        self.send(Written(primary.offset, dict(primary.database.values), whole=True))

    def send(self, written: Written) -> None:
        """Send writes, in order."""
        loop = self.primary.loop
        self._arriving.append(written)
        self._arrives_at = max(self._arrives_at, self._after(loop.time()))
        loop.call_of(self.replica.process, self._arrives_at, self._arrive)

    def end(self) -> None:
        """Let nothing arrive any more."""
        self._ended = True

    def _after(self, now: float) -> float:
        return now + self.primary.chance.uniform(*DELAY) * self.replica.lag

    def _arrive(self) -> None:
        if self._ended:
            return
        written = self._arriving.popleft()
        self.replica.receive(written)
        loop = self.primary.loop
        self._answers_at = max(self._answers_at, self._after(loop.time()))
        loop.call_of(self.primary.process, self._answers_at, lambda: self._acknowledge(written.offset))

    def _acknowledge(self, offset: int) -> None:
        if not self._ended:
            self.online = True
            self.acknowledged = max(self.acknowledged, offset)
            self.primary.note_acknowledgement()
