"""The start line names the version, the store and the limits, but no password."""

import pytest

from service import __version__
from service.server.server import name_store
from tests.support.http.server import serving


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("redis://user:hunter2@host:6379/0", "in redis://host:6379/0"),
        ("redis+sentinel://u:hunter2@a:1,b:2/name/0?sentinel_password=hunter2", "in redis+sentinel://a:1,b:2/name/0"),
        ("rediss://host?ssl_password=hunter2", "in rediss://host"),
    ],
)
def test_a_store_is_named_without_its_secrets(url: str, named: str) -> None:
    assert name_store(url) == named


def test_the_start_says_where_games_live_and_which_limits_hold() -> None:
    with serving(RATE_LIMIT="7/second", COMMIT="0123456789abcdef") as server:
        assert server.process.stdout is not None
        text = "".join(server.process.stdout.readline() for _ in range(4))
    assert "games: in the memory of this process, gone when it ends" in text
    assert "RATE_LIMIT 7/second, 10000 streams at once, suggestions on" in text
    assert f"version: {__version__} (0123456789ab, " in text
