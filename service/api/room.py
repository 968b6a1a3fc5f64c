"""Room for what a process has at once: so many in all, and one caller has half of it, at most."""

from collections import Counter


class Room:
    """Room for so many at once."""

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self.taken = 0
        self.taken_by = Counter[str]()

    def has_place(self, caller: str) -> bool:
        """Return True if there is a place for a caller, who has half of them, at most."""
        return self.taken < self._at_most and self.taken_by[caller] <= self._at_most // 2

    def enter(self, caller: str) -> None:
        """Take a place."""
        self.taken += 1
        self.taken_by[caller] += 1

    def leave(self, caller: str) -> None:
        """Leave a place."""
        self.taken -= 1
        self.taken_by[caller] -= 1
        if not self.taken_by[caller]:
            del self.taken_by[caller]
