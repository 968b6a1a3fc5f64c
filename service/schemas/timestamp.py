"""Times in answers: RFC 3339, in UTC. Nothing here reads a clock."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, TypeAlias

from msgspec import Meta

Timestamp: TypeAlias = Annotated[
    str,
    Meta(
        title="Timestamp",
        description="A time in UTC, as RFC 3339 writes it, by the clock of the process that made the change. What came "
        "first is told by versions, not by times: clocks differ.",
        examples=["2026-11-21T23:40:00.123Z"],
        extra_json_schema={"format": "date-time"},
    ),
]


def format_timestamp(milliseconds: int) -> Timestamp:
    """Write a time.

    Unit: milliseconds since 1970 began.
    """
    return f"{_write_second(milliseconds // 1000)}.{milliseconds % 1000:03}Z"


@lru_cache(maxsize=1024)
def _write_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat()
