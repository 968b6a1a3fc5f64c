"""The goals of the figures: a bound with its reason and, for one that is not reached, what stands in the way."""

from typing import Final, NamedTuple


class Goal(NamedTuple):
    """A bound of a figure: the most that it may be, or the least."""

    bound: float
    why: str
    is_least: bool = False
    obstacle: str = "not known"

    def is_reached(self, value: float) -> bool:
        """Return True if a figure keeps the bound."""
        return value >= self.bound if self.is_least else value <= self.bound


_CLOSE: Final = "what the service does around the rules is not to be felt beside the rules"
_CLOSEST: Final = "the connection answers by itself: a question may cost what a bare function costs"
GOALS: Final[dict[str, Goal]] = {
    "legal_moves, µs above the floor": Goal(5, _CLOSEST),
    "verdicts, µs above the floor": Goal(8, _CLOSE),
    "trick_winners, µs above the floor": Goal(8, _CLOSE),
    "next_states, µs above the floor": Goal(8, _CLOSE),
    "legal_moves as shipped, of the floor": Goal(
        1.3, "quota, proxies, log and metrics are what operators pay for", obstacle="the log and the quota"
    ),
    "legal_moves, FastAPI in times of the service": Goal(
        3.3,
        "a team that knows FastAPI gains by asking us",
        is_least=True,
        obstacle="FastAPI took 198 µs when the goal was set, and takes 175 with newer pydantic",
    ),
    "legal_moves, Litestar by its documentation in times of the service": Goal(
        4, "what the framework gives with its own metrics and log", is_least=True
    ),
    "live play, µs": Goal(140, "seven thousand plays a second and core", obstacle="redis-py, its tasks and its pool"),
    "live play as shipped, µs more": Goal(
        8,
        "quota, proxies and log cost a play no more than a question",
        obstacle="the log, and chance: starts differ by more",
    ),
    "p99 of a light question beside batches, ms": Goal(10, "nobody waits for the work of others"),
    "p99 of a light question beside analyses, ms": Goal(10, "nobody waits for the work of others"),
    "p99 of a light question beside suggestions, ms": Goal(10, "nobody waits for the work of others"),
    "worker after load, MiB": Goal(
        65, "seven replicas in half a gigabyte", obstacle="modules, the document, memory not given back"
    ),
    "event at 10,000 streams, p99 in ms": Goal(50, "a card is seen at once"),
}
"""By figure. A figure without a goal is told for those who plan by it."""
