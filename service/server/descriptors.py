"""File descriptors: as many as the system allows, and a share of them for each use."""

import resource
from contextlib import suppress
from logging import getLogger
from typing import Final

from msgspec.structs import replace

from service.platform.settings import Settings

_RESERVED: Final = 100
"""Descriptors that are not for clients: files, the store, the port of the metrics."""
_MAX_LIMIT: Final = 1 << 20
"""More than any process uses; some systems accept no larger limit."""
_logger: Final = getLogger(__name__)


def raise_limit() -> int:
    """Raise the limit of descriptors to the highest that this process may set, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_LIMIT if hard == resource.RLIM_INFINITY else min(hard, _MAX_LIMIT)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _MAX_LIMIT if soft == resource.RLIM_INFINITY else soft
    with suppress(ValueError, OSError):  # the system may have a limit below the one that it names
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


def connections_at_most(limit: int) -> int:
    """Return how many client connections a limit of descriptors allows."""
    return max(1, limit - _RESERVED - limit // 20)


def limit_streams(settings: Settings, connections: int) -> Settings:
    """Return settings in which streams leave a quarter of the connections for questions; log a change."""
    at_most = connections - connections // 4
    if settings.max_streams <= at_most:
        return settings
    _logger.warning(
        "MAX_STREAMS=%d: this process may have only %d connections, so it opens %d streams at most; "
        "raise its limit of open files (ulimit -Hn)",
        settings.max_streams,
        connections,
        at_most,
    )
    return replace(settings, max_streams=at_most)
