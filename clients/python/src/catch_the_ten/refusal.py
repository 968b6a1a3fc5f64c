"""Failures of calls: refusals, explained by the service, and calls without an answer."""

from collections.abc import Sequence
from typing import Final, TypeVar

from catch_the_ten.models import Problem, RequestFault

Fact = TypeVar("Fact")

_PASSING: Final = frozenset({408, 429, 502, 503, 504})
"""The statuses after which a retry may succeed."""


class CallFailed(Exception):
    """A failed call. `text` is for people; `passes` tells if a retry may succeed.

    Unit: `retry_after`, how long to wait before asking again, in seconds.
    """

    def __init__(self, text: str, *, passes: bool, retry_after: float = 0) -> None:
        super().__init__(text)
        self.text = text
        self.passes = passes
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.text


class NoAnswer(CallFailed):
    """The service did not answer: it may or may not have acted."""

    def __init__(self, text: str, status: int = 503, retry_after: float = 0) -> None:
        super().__init__(text, passes=status in _PASSING, retry_after=retry_after)


class Refusal(CallFailed):
    """A refusal by the service; `problem` explains it. Each code has its own exception."""

    def __init__(self, problem: Problem, retry_after: float = 0) -> None:
        faults = [fault.detail for fault in problem.errors if fault.detail not in problem.detail]
        super().__init__(
            "\n".join([problem.detail, *faults]), passes=problem.status in _PASSING, retry_after=retry_after
        )
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.problem.code}: {self.text}"

    @property
    def code(self) -> str:
        """The stable code of the kind of problem."""
        return self.problem.code

    @property
    def faults(self) -> Sequence[RequestFault]:
        """The faults of the request, each with its place."""
        return self.problem.errors

    def require(self, fact: Fact | None) -> Fact:
        """Return a fact of every problem of this kind.

        Errors: NoAnswer, if this one lacks it.
        """
        if fact is None:
            raise NoAnswer(f"The problem {self.code} lacks what belongs to it.", self.problem.status)
        return fact
