"""Metrics of apps, by the names of their API keys; only a key that is known makes series."""

from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from prometheus_client import Counter

from service.platform.metrics.families import APP_REQUESTS

Outcome: TypeAlias = Literal["answered", "refused", "limited", "left", "failed"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
_OF_STATUS: Final[dict[int, Outcome]] = {429: "limited", 499: "left"}


@cache
def make_series(app: str) -> dict[Outcome, Counter]:
    """Return the series of an app, by outcome."""
    return {outcome: APP_REQUESTS.labels(app, outcome) for outcome in OUTCOMES}


def count_app_request(app: str, status: int) -> None:
    """Count a request of an app by the status of its answer."""
    outcome = _OF_STATUS.get(status) or ("answered" if status < 400 else "refused" if status < 500 else "failed")
    make_series(app)[outcome].inc()
