"""The URL of a Redis server, of sentinels or of a cluster."""

import ssl
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import ConnectionPool, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

from service.store.redis.client import ClusterClient
from service.store.redis.cluster import Cluster
from service.store.redis.server import Server
from service.store.redis.topology import Topology

CONNECTIONS: Final = 64
"""Connections to one server, at most; what holds the number low is that few batches are under way at once."""
SENTINEL_PORT: Final = 26379


class UnreadableCertificates(ValueError):
    """Files of certificates in the URL that TLS cannot use."""


def connect(url: str, timeout: float) -> Topology:
    """Return the topology that a URL names, not yet connected.

    Shape: redis:// and rediss:// (TLS) name one server; redis+sentinel:// and rediss+sentinel:// name sentinels,
    `host:port,host:port/service/database`; redis+cluster:// and rediss+cluster:// name some nodes, `host:port,…`.
    The query may hold options of the client library, such as ssl_ca_certs, and sentinel_username, sentinel_password.
    Unit: `timeout` in seconds, of a whole call; a step that has alternatives gets a quarter of it.
    Errors: ValueError, for a URL that cannot be read, of which it shows nothing, or names certificates that cannot.
    """
    try:
        return _connect(url, timeout)
    except UnreadableCertificates:
        raise
    except Exception:  # noqa: BLE001 – all mean the same
        # The text of the fault, and what stands behind it, may show a password.
        raise ValueError("names no Redis server, no sentinels and no cluster") from None


def _connect(url: str, timeout: float) -> Topology:
    parts = urlsplit(url)
    scheme, _, kind = parts.scheme.partition("+")
    credentials, at, hosts = parts.netloc.rpartition("@")
    addresses = [_address(host, SENTINEL_PORT if kind == "sentinel" else 6379) for host in hosts.split(",")]
    first = urlunsplit((scheme, f"{credentials}{at}{hosts.split(',')[0]}", parts.path, parts.query, ""))
    options: dict[str, Any] = {**parse_url(first)}
    _load_certificates(options)
    # With protocol 2 nothing but answers arrives on a connection; no step waits longer than a whole call may.
    options |= {"protocol": 2, "retry": Retry(NoBackoff(), 0), "socket_connect_timeout": timeout}
    if kind == "sentinel":
        return _sentinels(addresses, parts.path, timeout, options | {"ssl": scheme == "rediss"})
    if kind == "cluster":
        return _cluster(addresses, timeout, options | {"ssl": scheme == "rediss"})
    if kind or len(addresses) > 1:
        raise ValueError
    options |= {"max_connections": CONNECTIONS, "socket_timeout": None}
    pool: Any = ConnectionPool(**options)
    return Server(pool)


def _load_certificates(options: Mapping[str, Any]) -> None:
    """Load the certificates that a URL names, which the client library does only when it connects.

    Errors: UnreadableCertificates.
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
        raise UnreadableCertificates(f"{named}: {exc}") from exc


def _address(text: str, port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError
    return parts.hostname, parts.port or port


def _sentinels(addresses: list[tuple[str, int]], path: str, timeout: float, options: dict[str, Any]) -> Server:
    service, _, database = path.strip("/").partition("/")
    tls = {name: value for name, value in options.items() if name.startswith("ssl")}
    of_sentinels: dict[str, Any] = {
        "protocol": 2,
        "retry": options["retry"],
        "socket_timeout": timeout / 4,
        "socket_connect_timeout": timeout / 4,
        "username": options.pop("sentinel_username", None),
        "password": options.pop("sentinel_password", None),
        **tls,
    }
    for name in ("host", "port", "db", "connection_class"):
        options.pop(name, None)
    sentinels: Any = Sentinel(addresses, sentinel_kwargs=of_sentinels)  # type: ignore[no-untyped-call]  # the library's
    options |= {"db": int(database or 0), "max_connections": CONNECTIONS, "socket_timeout": None}
    return Server(sentinels.master_for(service or "mymaster", **options).connection_pool, sentinels)


def _cluster(addresses: list[tuple[str, int]], timeout: float, options: dict[str, Any]) -> Cluster:
    for name in ("host", "port", "connection_class"):
        options.pop(name, None)
    options |= {
        "require_full_coverage": False,
        "max_connections": CONNECTIONS,
        "socket_timeout": timeout / 4,
        "socket_connect_timeout": timeout / 4,
    }

    def make_client(known: Iterable[tuple[str, int]]) -> ClusterClient:
        nodes = [ClusterNode(host, port) for host, port in dict.fromkeys((*addresses, *known))]
        client: Any = RedisCluster(startup_nodes=nodes, **options)
        made: ClusterClient = client
        return made

    return Cluster(make_client, timeout)
