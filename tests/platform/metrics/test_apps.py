"""Each app has series of its own, by the name of its key, and a name in the log."""

from typing import Final

import pytest

from service.app import create_app
from service.http.guards.api_keys import draw_key
from service.platform.metrics.apps import OUTCOMES, count_app_request, make_series
from service.platform.settings import Settings
from tests.platform.metrics.readings import changed, series, value
from tests.server.recorded_log import RecordedLog
from tests.support.http.client import Request, ask

GOOD: Final = b'{"players":2}'


def requests(app: str) -> dict[str, float]:
    """Return how many requests of an app are counted, by outcome."""
    return {outcome: value("catchten_app_requests_total", app=app, outcome=outcome) for outcome in OUTCOMES}


def test_an_app_is_counted_and_logged_by_its_name_whichever_of_its_keys_it_sends() -> None:
    (one, line), (two, other), log = draw_key("jura"), draw_key("jura"), RecordedLog()
    app = create_app(Settings(api_keys=f"{line},{other}", rate_limit="3/day"), observers=[log.add])
    assert requests("jura") == dict.fromkeys(OUTCOMES, 0)
    for key, body in ((one, GOOD), (two, GOOD), (one, b"{"), (two, GOOD)):
        ask(Request("/v1/draws", (body,), headers=(("x-api-key", key),)), app)
    assert requests("jura") == dict.fromkeys(OUTCOMES, 0) | {"answered": 2, "refused": 1, "limited": 1}
    assert {line.app for line in log.lines} == {"jura"}


@pytest.mark.parametrize("headers", [(), (("x-api-key", "catchten_islay"),)])
def test_who_has_no_key_makes_no_series_and_has_no_name(headers: tuple[tuple[str, str], ...]) -> None:
    _, line = draw_key("gigha")
    log = RecordedLog()
    app = create_app(Settings(api_keys=line), observers=[log.add])
    before = series()
    assert ask(Request("/v1/draws", (GOOD,), headers=headers), app).status == 401
    assert series().keys() == before.keys()
    assert not [name for name in changed(before) if name.startswith("app_requests")]
    assert [line.app for line in log.lines] == [""]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(200, "answered"), (304, "answered"), (404, "refused"), (429, "limited"), (499, "left"), (503, "failed")],
)
def test_the_outcome_follows_from_the_status(status: int, outcome: str) -> None:
    make_series("coll")
    before = requests("coll")
    count_app_request("coll", status)
    assert requests("coll") == before | {outcome: before[outcome] + 1}
