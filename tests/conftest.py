"""The fixtures of live games, the order of all tests, what coverage leaves out, and how hypothesis searches.

The profiles `daily` and `nightly` draw the same examples every time and keep nothing. To search further:
`pytest tests/laws/test_laws.py --hypothesis-profile=far`.
"""

from collections.abc import Iterator
from typing import Final

import coverage
import pytest
from hypothesis import HealthCheck, settings

from tests.support.effort import THOROUGH

pytest_plugins = ["tests.support.games.fixtures"]

settings.register_profile(
    "nightly",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("daily", settings.get_profile("nightly"), max_examples=50)
settings.register_profile("far", settings.get_profile("nightly"), derandomize=False, max_examples=5000)
settings.load_profile("nightly" if THOROUGH else "daily")

LONGEST: Final = ("tests/contract/", "tests/chaos/")
"""The rooms whose tests take longest, longest first."""

UNMEASURED: Final = (
    "tests/agreement/test_agreement.py",
    "tests/chaos/",
    "tests/conformance/",
    "tests/contract/",
    "tests/games/test_secrets.py",
    "tests/games/test_whole_games.py",
    "tests/http/test_answers.py",
    "tests/http/test_fuzz.py",
    "tests/laws/",
)
"""Tests that ask the same again and again: coverage would double their time, and the other tests reach every line."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that none of them is left alone at the end."""
    items.sort(key=lambda item: [not item.nodeid.startswith(room) for room in LONGEST])


@pytest.fixture(autouse=True)
def _coverage_pauses(request: pytest.FixtureRequest) -> Iterator[None]:
    """Measure no coverage during a test that is not to be measured, nor in the processes that it starts."""
    measuring = coverage.Coverage.current()
    if measuring is None or not request.node.nodeid.startswith(UNMEASURED):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COVERAGE_PROCESS_CONFIG")
        measuring.stop()
        yield
        measuring.start()
