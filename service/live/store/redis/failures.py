"""The log of why calls on Redis failed."""

from typing import Final

from service.platform.rare_log import RareLog

LINE: Final = "a call on Redis failed: %s (failed since the last such line: %d)"
log = RareLog(LINE)


def log_failure(failure: Exception) -> None:
    """Log a failure and how many there were since the last line, or only count it."""
    # A server quotes the arguments of a command that it does not know: keys, which may hold addresses.
    log.add(f"{type(failure).__name__}: {failure}".partition(", with args beginning with")[0].removesuffix(": "))
