"""How long the tests wait for what must happen."""

from typing import Final

WAIT: Final = 120.0
"""Seconds after which something that should have happened has not, on any machine. Waits end on events, long before."""
