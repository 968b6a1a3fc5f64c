"""The log of why calls on Redis failed."""

from typing import Final

from service.platform.rare_log import RareLog

LINE: Final = "a call on Redis failed: %s (failed since the last such line: %d)"
log = RareLog(LINE)


def log_failure(failure: Exception) -> None:
    """Log a failure and how many there were since the last line, or only count it."""
    # Neither the server nor the library writes a password, a key or an entry into the text of a failure.
    log.add(f"{type(failure).__name__}: {failure}".removesuffix(": "))
