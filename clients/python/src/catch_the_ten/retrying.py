"""When to retry a request."""

from typing import Final

from tenacity import RetryCallState, wait_random_exponential

from catch_the_ten.refusal import CallFailed

_BACKOFF: Final = wait_random_exponential(multiplier=0.1, max=5)


def passes(exc: BaseException) -> bool:
    """Return True if a retry may succeed."""
    return isinstance(exc, CallFailed) and exc.passes


def wait_again(state: RetryCallState) -> float:
    """Return how many seconds to wait: longer each time, and at least as long as the service asks."""
    failed = state.outcome and state.outcome.exception()
    return max(_BACKOFF(state), failed.retry_after if isinstance(failed, CallFailed) else 0)
