"""A trusted proxy names the client of a request and the scheme; nobody else does."""

from typing import Final

import pytest

from service.http.context import RequestContext
from service.http.guards.proxies import Proxies

PROXY: Final = "10.0.0.9"
OTHER: Final = "192.0.2.1"


def read(client: str, **headers: str) -> tuple[str, str]:
    """Return the client and the scheme of a request with these headers."""
    fields = {f"x-forwarded-{name}".replace("_", "-").encode(): value.encode() for name, value in headers.items()}
    context = RequestContext("", "", fields, "POST", client=client)
    Proxies(["10.0.0.0/8", "2001:db8::/32"]).read_client(context)
    return context.client, context.scheme


@pytest.mark.parametrize(
    ("sent", "client"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("203.0.113.5, 198.51.100.7", "198.51.100.7"),
        ("198.51.100.7, 10.1.1.1", "198.51.100.7"),
        ("198.51.100.7:4711", "198.51.100.7"),
        ("[2001:db9::1]:4711", "2001:db9::1"),
        ("", PROXY),
    ],
)
def test_the_last_client_that_is_no_proxy_counts(sent: str, client: str) -> None:
    assert read(PROXY, **{"for": sent})[0] == client


@pytest.mark.parametrize(
    ("sent", "scheme"),
    [("https", "https"), ("http, https", "https"), ("https, http", "http"), ("wss", "http"), ("", "http")],
)
def test_the_scheme_that_the_nearest_proxy_names_counts(sent: str, scheme: str) -> None:
    assert read(PROXY, proto=sent) == (PROXY, scheme)


@pytest.mark.parametrize("client", [OTHER, "", "testclient"])
def test_what_anybody_else_names_is_passed_over(client: str) -> None:
    assert read(client, proto="https", **{"for": "198.51.100.7"}) == (client, "http")
