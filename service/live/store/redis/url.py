"""The URL of a Redis server, of sentinels or of a cluster."""

import re
import ssl
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio.connection import ConnectionPool, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.driver_info import DriverInfo

from service.live.store.redis.topology import Cluster, Node, Topology

SENTINEL_PORT: Final = 26379


_DATABASE: Final = re.compile("/?[0-9]*/?").fullmatch


class UnusableUrl(ValueError):
    """A URL with a fault; its text shows no password."""


def connect(url: str, timeout: float) -> Topology:
    """Return the topology that a URL names, not yet connected.

    Shape: redis:// and rediss:// (TLS) name one server; redis+sentinel:// and rediss+sentinel:// name sentinels,
    `host:port,host:port/service/database`; redis+cluster:// and rediss+cluster:// name some nodes, `host:port,…`. The
    query may hold options of the client library, such as ssl_ca_certs, and sentinel_username, sentinel_password.
    Unit: `timeout` in seconds, of a whole call; a step that has alternatives gets a quarter of it.
    Errors: ValueError, without any part of the URL, if the URL or its certificates cannot be read.
    """
    try:
        topology, addresses = _connect(url, timeout)
    except UnusableUrl:
        raise
    except Exception:  # noqa: BLE001 – every exception means that the URL cannot be read
        # The text of the fault, and its cause, may show a password.
        raise ValueError("names no Redis server, no sentinels and no cluster") from None
    topology.addresses, topology.tls = addresses, urlsplit(url).scheme.startswith("rediss")
    return topology


def _connect(url: str, timeout: float) -> tuple[Topology, list[tuple[str, int]]]:
    """Return the topology that a URL names, and the addresses in it."""
    _require_encoded(url)
    parts = urlsplit(url)
    scheme, _, kind = parts.scheme.partition("+")
    credentials, at, hosts = parts.netloc.rpartition("@")
    addresses = [_address(host, SENTINEL_PORT if kind == "sentinel" else 6379) for host in hosts.split(",")]
    if kind != "sentinel":
        _require_database(parts.path)
    first = urlunsplit((scheme, f"{credentials}{at}{hosts.split(',')[0]}", parts.path, parts.query, ""))
    options: dict[str, Any] = {**parse_url(first)}
    _load_certificates(options)
    # With protocol 2, only answers arrive on a connection. A call as a whole has its own timeout. By default, each
    # connection makes a DriverInfo, which reads the library's metadata for over a millisecond.
    options |= {"protocol": 2, "retry": Retry(NoBackoff(), 0), "driver_info": DriverInfo()}
    options |= {"socket_connect_timeout": timeout, "socket_timeout": None}
    if kind == "sentinel":
        return _sentinels(addresses, parts.path, timeout, options | {"ssl": scheme == "rediss"}), addresses
    if kind == "cluster":
        return _cluster(addresses, timeout, options), addresses
    if kind or len(addresses) > 1:
        raise ValueError
    return Topology(_node(ConnectionPool(**options))), addresses


def _require_encoded(url: str) -> None:
    """Refuse a URL in which a password may reach into the host, the path or the query.

    Errors: UnusableUrl.
    """
    authority, *rest = re.split("[/?#]", url.partition("://")[2], maxsplit=1)
    if "#" in url or authority.count("@") > 1 or "@" in "".join(rest) or set("[]") & set(authority.rpartition("@")[0]):
        raise UnusableUrl("cannot be split: percent-encode the password")


def _require_database(path: str) -> None:
    """Refuse a database that is no number: the client library takes it for 0.

    Errors: UnusableUrl.
    """
    if not _DATABASE(path):
        raise UnusableUrl("names a database that is no number")


def _load_certificates(options: Mapping[str, Any]) -> None:
    """Load the certificates that a URL names; the client library would do so only when it connects.

    Errors: UnusableUrl.
    """
    files = {name: options.get(f"ssl_{name}") for name in ("certfile", "keyfile", "ca_certs", "ca_path")}
    context = ssl.create_default_context()
    try:
        if files["certfile"] or files["keyfile"]:
            context.load_cert_chain(files["certfile"] or "", files["keyfile"], options.get("ssl_password"))
        if files["ca_certs"] or files["ca_path"]:
            context.load_verify_locations(files["ca_certs"], files["ca_path"])
    except OSError as exc:
        named = " ".join(f"ssl_{name}={file!r}" for name, file in files.items() if file)
        raise UnusableUrl(f"{named}: {exc}") from exc


def _address(text: str, port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError
    return parts.hostname, parts.port or port


def _sentinels(addresses: list[tuple[str, int]], path: str, timeout: float, options: dict[str, Any]) -> Topology:
    service, _, database = path.strip("/").partition("/")
    of_sentinels: dict[str, Any] = {
        "protocol": 2,
        "retry": options["retry"],
        "socket_timeout": timeout / 4,
        "socket_connect_timeout": timeout / 4,
        "username": options.pop("sentinel_username", None),
        "password": options.pop("sentinel_password", None),
        **{name: value for name, value in options.items() if name.startswith("ssl")},
    }
    for name in ("host", "port", "db", "connection_class"):
        options.pop(name, None)
    sentinels: Any = Sentinel(addresses, sentinel_kwargs=of_sentinels)  # type: ignore[no-untyped-call]  # the library's
    _require_database(database)
    client = sentinels.master_for(service or "mymaster", db=int(database or 0), **options)
    return Topology(_node(client.connection_pool), sentinels)


def _cluster(addresses: list[tuple[str, int]], timeout: float, options: dict[str, Any]) -> Cluster:
    for name in ("host", "port"):
        options.pop(name, None)
    asking = options | {"ssl": "connection_class" in options, "socket_timeout": timeout / 4}
    asking |= {"socket_connect_timeout": timeout / 4}
    asking.pop("connection_class", None)

    def make_node(host: str, port: int) -> Node:
        return _node(ConnectionPool(host=host, port=port, **options))

    return Cluster(addresses, make_node, timeout, **asking)


def _node(pool: Any) -> Node:
    pool.make_connection()  # finds unknown options now
    return Node(pool)
