"""The parts of uvicorn and httptools that are used though their documentation does not promise them.

When this fails after an upgrade, look at the files of `service/server/`; then raise the bounds in pyproject.toml.
"""

import ast
import asyncio
import inspect
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httptools
import pytest
import uvicorn
from litestar.types import Receive, Scope, Send
from uvicorn.config import STARTUP_FAILURE
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from service.server import connection, parser
from tests.support.http.exchange import Transport

REQUEST: Final = b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
OVERRIDDEN: Final = {
    "connection_made": ["transport"],
    "connection_lost": ["exc"],
    "data_received": ["data"],
    "on_message_begin": [],
    "on_header": ["name", "value"],
    "on_headers_complete": [],
    "on_body": ["body"],
    "on_message_complete": [],
    "on_response_complete": [],
    "pause_writing": [],
    "resume_writing": [],
    "timeout_keep_alive_handler": [],
    "handle_websocket_upgrade": [],
    "send_400_response": ["msg"],
    "_should_upgrade": [],
    "_unset_keepalive_if_required": [],
}
"""Methods of a connection that are overridden or called, with their parameters."""
CYCLE: Final = ("scope", "body", "more_body", "keep_alive", "response_complete")
"""What is read and set of an exchange with the application."""
PARSER: Final = ("feed_data", "get_method", "get_http_version", "should_keep_alive", "should_upgrade")
"""What is asked of a parser of httptools."""


async def _wait(scope: Scope, receive: Receive, send: Send) -> None:
    await asyncio.Event().wait()


def _of_request(look: Callable[[Any], object]) -> object:
    """Return the state of a uvicorn connection with an unanswered request."""

    async def read() -> object:
        config = uvicorn.Config(_wait, interface="asgi3", log_config=None)
        made: Any = HttpToolsProtocol(config, ServerState(), {})
        made.connection_made(Transport())
        made.data_received(REQUEST)
        found = look(made)
        answering = tuple(made.tasks)
        await asyncio.sleep(0)  # a task that has not begun would leave its coroutine behind
        for task in answering:
            task.cancel()
        await asyncio.wait(answering)
        return found

    return asyncio.run(read())


def _names_used(module: Any, of: str) -> set[str]:
    """Return the attributes of an object, by the name that it has, that the code of a module uses."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) == of}


@pytest.mark.parametrize(("name", "parameters"), OVERRIDDEN.items())
def test_a_connection_has_the_methods_that_are_used(name: str, parameters: list[str]) -> None:
    assert list(inspect.signature(getattr(HttpToolsProtocol, name)).parameters) == ["self", *parameters]


def test_each_method_of_the_base_that_is_called_is_in_the_table() -> None:
    assert _names_used(connection, "super()") <= OVERRIDDEN.keys()


@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name in _names_used(connection, "self") | _names_used(parser, "self._protocol")
        if name[0] != "_" and name not in vars(connection.Connection)
    ),
)
def test_a_connection_has_every_attribute_that_is_used_and_is_not_our_own(name: str) -> None:
    assert _of_request(lambda made: hasattr(made, name))


def test_an_exchange_shows_and_takes_what_is_used_of_it() -> None:
    assert _of_request(lambda made: [hasattr(made.cycle, name) for name in CYCLE]) == [True] * len(CYCLE)
    assert _of_request(lambda made: (made.cycle.body, made.cycle.more_body)) == (b"{}", False)
    assert _of_request(lambda made: (made.cycle.response_complete, made.flow.write_paused)) == (False, False)
    assert _of_request(lambda made: made.scope["headers"]) == [(b"host", b"a"), (b"content-length", b"2")]
    assert _of_request(lambda made: (made.url, made.server_state.default_headers)) == (b"/a", [])


def test_a_request_that_follows_waits_with_its_application() -> None:
    def follow(made: Any) -> object:
        made.data_received(REQUEST)
        ((cycle, app),) = made.pipeline
        return cycle.scope["headers"] == made.scope["headers"] and app is made.app

    assert _of_request(follow)


def test_a_parser_has_what_is_asked_of_it_and_an_offer_says_where_it_ends() -> None:
    class Ignoring:
        """Takes no notice."""

    made = httptools.HttpRequestParser(Ignoring())
    made.set_dangerous_leniencies(lenient_data_after_close=True)
    assert all(callable(getattr(made, name)) for name in PARSER)
    head = b"GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"
    with pytest.raises(httptools.HttpParserUpgrade) as offer:
        made.feed_data(head + b"rest")
    assert offer.value.args[0] == len(head)


def test_a_status_has_its_line() -> None:
    assert STATUS_LINE[200] == b"HTTP/1.1 200 OK\r\n"
    assert STATUS_LINE[499].startswith(b"HTTP/1.1 499 ")


def test_a_server_starts_stops_and_handles_signals_by_the_names_that_are_used() -> None:
    server: Any = uvicorn.Server(uvicorn.Config(_wait, interface="asgi3", log_config=None))
    assert inspect.iscoroutinefunction(server.startup)
    assert list(inspect.signature(server.startup).parameters) == ["sockets"]
    assert server.should_exit is False
    before = signal.getsignal(signal.SIGTERM)
    with server.capture_signals():
        assert getattr(signal.getsignal(signal.SIGTERM), "__self__", None) is server
    assert signal.getsignal(signal.SIGTERM) is before
    assert STARTUP_FAILURE == 3


def test_the_proxies_that_are_trusted_are_known_and_name_the_client() -> None:
    nothing: Any = None
    trusted = ProxyHeadersMiddleware(nothing, ["10.0.0.0/8"]).trusted_hosts
    assert "10.1.2.3" in trusted
    assert "192.0.2.1" not in trusted
    assert trusted.get_trusted_client_address("192.0.2.7, 10.1.2.3")[0] == "192.0.2.7"
