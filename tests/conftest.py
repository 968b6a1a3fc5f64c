"""What all tests share: the fixtures of live games, and how hypothesis looks for counterexamples.

The profile `ci` draws the same examples every time and keeps nothing. To search further:
`pytest tests/laws/test_laws.py --hypothesis-profile=far`.
"""

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.support.games.fixtures"]

settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("far", settings.get_profile("ci"), derandomize=False, max_examples=5000)
settings.load_profile("ci")
