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
OF_STORES: Final = "tests/live/store/"
"""The room whose tests ask both stores at every change. All others ask Redis, and the store in memory at night."""


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
        config.hook.pytest_deselected(items=[item for item in items if _is_for_the_night(item)])
        items[:] = [item for item in items if not _is_for_the_night(item)]
    items.sort(key=lambda item: [not item.nodeid.startswith(room) for room in LONGEST])


def _is_for_the_night(item: pytest.Item) -> bool:
    chosen = getattr(item, "callspec", None)
    in_memory = chosen is not None and chosen.params.get("settings") == "memory"
    return item.get_closest_marker("nightly") is not None or (in_memory and not item.nodeid.startswith(OF_STORES))
