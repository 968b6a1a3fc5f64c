"""The harmed servers, as seen by their players."""

from typing import Protocol


class Harmed(Protocol):
    """The servers that are harmed.

    Unit: `patience`, in seconds, for which all may be calm before the computer has acted, or a stream has told.
    """

    patience: float

    @property
    def ports(self) -> list[int]:
        """The ports of the service."""
        ...

    def is_turned(self, port: int, at: float) -> bool:
        """Return True if a process of the service asks the primary, and did at a time."""
        ...

    def calm_for(self) -> float:
        """Return for how many seconds no harm was done."""
        ...

    async def fail_over(self) -> None:
        """Let a replica of the store take over."""
        ...

    async def kill(self) -> None:
        """Do other harm."""
        ...

    async def strike(self, port: int) -> None:
        """Kill the process at a port soon, and start it again, unless other harm is under way."""
        ...

    async def heal(self) -> None:
        """Wait until all is well."""
        ...
