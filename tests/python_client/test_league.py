"""The example of an app with many tables: its league table is right, though answers are lost on the way."""

import asyncio

from tests.programs.chaos.histories.feeds import API_KEYS
from tests.programs.league import FAULTS, check_app
from tests.python_client.flaky import FlakyProxy
from tests.support.effort import choose_effort
from tests.support.http.server import serving

TABLES = choose_effort(daily=12, nightly=20)


def test_the_league_counts_each_game_once_though_answers_are_lost() -> None:
    with serving(API_KEYS=API_KEYS) as server, FlakyProxy(server.port, FAULTS) as proxy:
        asyncio.run(check_app("python", proxy.url, [server.port], TABLES))
        assert proxy.counts["lost others"] > 0
