"""The fixtures of live games, the order of all tests, and how hypothesis searches.

The profiles `daily` and `nightly` draw the same examples every time and keep nothing. To search further:
`pytest tests/game/laws/test_laws.py --hypothesis-profile=far`.
"""

import gc
import os
from collections.abc import Generator
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from service.platform.settings import Settings
from tests.support.effort import THOROUGH

pytest_plugins = ["tests.support.games.fixtures"]

for _name in Settings.__struct_fields__:  # no test follows the settings of its environment
    os.environ.pop(_name.upper(), None)

settings.register_profile(
    "nightly",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("daily", settings.get_profile("nightly"), max_examples=30)
settings.register_profile("far", settings.get_profile("nightly"), derandomize=False, max_examples=5000)
settings.load_profile("nightly" if THOROUGH else "daily")

LONGEST: Final = ("tests/api/contract/", "tests/live/chaos/")
"""The rooms whose tests take longest, longest first."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without the garbage collector, which finds nothing and takes half of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()  # what is collected stays until the end
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is for the night, and begin with the longest tests: none of them is left alone at the end."""
    if not THOROUGH:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("nightly")])
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    items.sort(key=lambda item: [not item.nodeid.startswith(room) for room in LONGEST])
