"""Pages of other origins: none may ask unless the operator says so; then they can read every answer, refusals too."""

from typing import Final

import pytest
from litestar.types import ASGIApp

from service.api.counting import count_answer
from service.app import create_app
from service.http.guards.api_keys import draw_key
from service.http.guards.cors import ALLOWED, EXPOSED, Cors
from service.http.guards.front import Front
from service.platform.settings import Settings, read_settings
from tests.support.games.stores import Failing
from tests.support.http.client import LIMIT, Answer, Request, ask
from tests.support.http.failing import FAILING

PAGE: Final = "https://cards.example"
ORIGIN: Final = ("origin", PAGE)
BODY: Final = (b'{"players":2}',)
SOME: Final = create_app(Settings(cors_origins=f"{PAGE}, http://localhost:5173"))
ANY: Final = create_app(Settings(cors_origins="*"))
_CORS: Final = "access-control-"


def preflight(*headers: tuple[str, str], app: ASGIApp = SOME, path: str = "/v1/draws") -> Answer:
    """Ask in advance, as a browser does before it sends what a plain form could not."""
    asked = (("access-control-request-method", "POST"), *headers)
    return ask(Request(path, method="OPTIONS", headers=asked), app)


def about_origins(answer: Answer) -> dict[str, str]:
    """Return the headers that are about origins."""
    return {name: value for name, value in answer.headers.items() if name.startswith(_CORS)}


@pytest.mark.parametrize("origin", [PAGE, "http://localhost:5173", "HTTPS://Cards.Example"])
def test_a_page_of_an_allowed_origin_can_read_an_answer(origin: str) -> None:
    answer = ask(Request("/v1/draws", BODY, headers=(("origin", origin),)), SOME)
    assert answer.status == 200
    assert about_origins(answer) == {
        f"{_CORS}allow-origin": origin,
        f"{_CORS}expose-headers": ", ".join(EXPOSED),
    }
    assert answer.headers["vary"] == "origin"


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "https://evil.example",
        f"{PAGE}.evil.example",
        f"{PAGE}:8443",
        "http://cards.example",
        f"x{PAGE}",
        "*",
    ],
)
def test_a_page_of_another_origin_is_told_nothing(origin: str) -> None:
    answer = ask(Request("/v1/draws", BODY, headers=(("origin", origin),)), SOME)
    assert about_origins(answer) == {}
    assert answer.headers["vary"] == "origin"
    assert about_origins(preflight(("origin", origin))) == {}


def test_a_client_that_is_no_page_is_answered_as_ever() -> None:
    answer = ask(Request("/v1/draws", BODY), SOME)
    assert about_origins(answer) == {}
    assert answer.headers["vary"] == "origin"


@pytest.mark.parametrize(
    "origin", ["capacitor://localhost", "tauri://localhost", "chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb"]
)
def test_a_page_within_an_app_may_be_allowed(origin: str) -> None:
    app = create_app(read_settings({"CORS_ORIGINS": f"{PAGE}, {origin}"}))
    for allowed in (origin, PAGE):
        answer = ask(Request("/v1/draws", BODY, headers=(("origin", allowed),)), app)
        assert answer.headers[f"{_CORS}allow-origin"] == allowed
    assert about_origins(preflight(("origin", origin.replace("//", "//x")), app=app)) == {}


@pytest.mark.parametrize(
    "sent", ["baggage", "sentry-trace", "x-datadog-trace-id", "x-datadog-parent-id", "traceparent"]
)
def test_a_page_may_send_the_headers_of_tracing(sent: str) -> None:
    answer = preflight(ORIGIN, ("access-control-request-headers", sent))
    assert sent in answer.headers[f"{_CORS}allow-headers"].split(", ")


@pytest.mark.parametrize("origin", [PAGE, "null", "https://anywhere.example"])
def test_any_origin_may_be_allowed(origin: str) -> None:
    answer = ask(Request("/v1/draws", BODY, headers=(("origin", origin),)), ANY)
    assert answer.headers[f"{_CORS}allow-origin"] == "*"
    assert "vary" not in answer.headers


def test_without_the_setting_no_header_is_about_origins() -> None:
    app = create_app(Settings())
    answer = ask(Request("/v1/draws", BODY, headers=(ORIGIN,)), app)
    assert about_origins(answer) == about_origins(preflight(ORIGIN, app=app)) == {}
    assert "vary" not in answer.headers


@pytest.mark.parametrize("path", ["/v1/draws", "/v1/games", f"/v1/games/{'x' * 22}/plays", "/v1/rulesets"])
def test_a_browser_is_told_in_advance_what_it_may_send(path: str) -> None:
    answer = preflight(ORIGIN, ("access-control-request-headers", "x-api-key"), path=path)
    assert (answer.status, answer.body) == (204, b"")
    assert answer.headers[f"{_CORS}allow-origin"] == PAGE
    assert set(answer.headers[f"{_CORS}allow-methods"].split(", ")) == {
        "GET",
        "HEAD",
        "POST",
        "QUERY",
        "PUT",
        "DELETE",
    }
    assert set(answer.headers[f"{_CORS}allow-headers"].split(", ")) == set(ALLOWED)
    assert int(answer.headers[f"{_CORS}max-age"]) > 0


def test_what_a_browser_asks_in_advance_needs_no_key_and_costs_nothing() -> None:
    key, line = draw_key("arran")
    app = create_app(Settings(cors_origins="*", api_keys=line, rate_limit="1/day"))
    for _ in range(3):
        assert preflight(ORIGIN, app=app).status == 204
    answer = ask(Request("/v1/draws", BODY, headers=(ORIGIN, ("x-api-key", key))), app)
    assert (answer.status, answer.headers["ratelimit"][:13]) == (200, '"default";r=0')


def test_options_of_no_browser_are_answered_as_ever() -> None:
    assert ask(Request("/v1/rulesets", method="OPTIONS", headers=(ORIGIN,)), SOME).headers["allow"]
    assert (
        ask(Request("/v1/draws", method="OPTIONS", headers=(ORIGIN,)), SOME).headers["allow"] == "OPTIONS, POST, QUERY"
    )


KEYED: Final = create_app(Settings(cors_origins=PAGE, api_keys=draw_key("a")[1]))
SPENT: Final = create_app(Settings(cors_origins=PAGE, rate_limit="1/day"))
AWAY: Final = Failing()
DOWN: Final = create_app(Settings(cors_origins=PAGE), AWAY)
REFUSALS: Final[dict[int, tuple[ASGIApp, Request]]] = {
    400: (SOME, Request("/v1/draws", (b"{",))),
    401: (KEYED, Request("/v1/draws", BODY)),
    404: (SOME, Request("/nowhere", method="GET")),
    405: (SOME, Request("/v1/draws", method="GET")),
    413: (SOME, Request("/v1/draws", headers=(("content-length", str(LIMIT + 1)),))),
    422: (SOME, Request("/v1/deals", (b'{"rules":"bridge","players":4,"dealer":0}',))),
    429: (SPENT, Request("/v1/draws", BODY)),
    500: (Front(FAILING, (), count_answer, (), (Cors(PAGE).read_origin,)), Request("/ask", (b"{}",))),
    503: (DOWN, Request("/v1/games", (b'{"rules":"trebor","players":4}',))),
}


@pytest.mark.parametrize("status", REFUSALS)
def test_a_page_can_read_a_refusal_too(status: int) -> None:
    app, request = REFUSALS[status]
    AWAY.away = True
    if status == 429:
        ask(request, app)
    answer = ask(Request(request.path, request.parts, request.method, (*request.headers, ORIGIN)), app)
    assert answer.status == status
    assert answer.headers[f"{_CORS}allow-origin"] == PAGE
    assert answer.headers[f"{_CORS}expose-headers"] == ", ".join(EXPOSED)
