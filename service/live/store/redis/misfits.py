"""Faults of REDIS_URL that no retry mends: Redis answers, but is not what the URL says.

A closed port and an unknown host name are not such faults. They look the same in an outage: Docker and headless
services of Kubernetes remove the name of a stopped Redis.
"""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from redis.exceptions import AuthenticationError, NoPermissionError

from service.live.store.redis.topology import Topology, UnexpectedCluster

REFUSED: Final = "it refuses the user or the password of REDIS_URL, or gives them too few rights"
NO_DATABASE: Final = "it has no database with the number in REDIS_URL"
NO_SENTINEL: Final = "REDIS_URL asks for sentinels, and this server is none: begin it with redis:// or rediss://"
NO_CLUSTER: Final = "REDIS_URL asks for a cluster, and this server is none: begin it with redis:// or rediss://"
CLUSTER: Final = "it is a node of a cluster: begin REDIS_URL with redis+cluster:// or rediss+cluster://"
NO_SCRIPTS: Final = "it has no EVALSHA, and live games need its scripts: allow EVAL and EVALSHA, or use another Redis"
UNTRUSTED: Final = (
    "its certificate is not trusted, or is of another host: look at ssl_ca_certs and the host in REDIS_URL"
)
NO_HANDSHAKE: Final = "the TLS handshake fails: look at the port, the scheme and the certificates of REDIS_URL"
TLS: Final = "it speaks TLS, which REDIS_URL does not ask for: begin it with rediss:// (rediss+sentinel://, …)"
NO_TLS: Final = "REDIS_URL asks for TLS, which it does not speak: begin it with redis:// (redis+sentinel://, …)"
_SAID: Final = {
    "DB index is out of range": NO_DATABASE,
    "invalid DB index": NO_DATABASE,
    "SELECT is not allowed in cluster mode": NO_DATABASE,
    "unknown command 'SENTINEL'": NO_SENTINEL,
    "unknown command 'EVAL": NO_SCRIPTS,
    "unknown command `EVAL": NO_SCRIPTS,  # before Redis 7
    "Cluster mode is not enabled": NO_CLUSTER,
    "cluster support disabled": NO_CLUSTER,
    "AuthenticationError": REFUSED,  # the library reports sentinels' faults only as text
    "CERTIFICATE_VERIFY_FAILED": UNTRUSTED,
}
"""What a fault means, by a part of the text from Redis or its client library."""
_PASSING: Final = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""A handshake that is cut off, for instance by a proxy whose Redis is down."""


def find_misfit(failure: BaseException | None) -> str | None:
    """Return how Redis differs from its URL, if that caused a failure; None if waiting may help."""
    return next((misfit for each in _causes(failure) if (misfit := _explain(each))), None)


def _causes(failure: BaseException | None) -> Iterator[BaseException]:
    while failure is not None:
        yield failure
        failure = failure.__cause__ or failure.__context__


def _explain(failure: BaseException) -> str | None:
    if isinstance(failure, AuthenticationError | NoPermissionError):
        return REFUSED
    if isinstance(failure, UnexpectedCluster):
        return CLUSTER
    if isinstance(failure, ssl.SSLCertVerificationError):
        return UNTRUSTED
    if isinstance(failure, ssl.SSLError) and not isinstance(failure, _PASSING):
        return NO_HANDSHAKE
    return next((misfit for part, misfit in _SAID.items() if part in str(failure)), None)


async def find_other_protocol(topology: Topology, seconds: float) -> str | None:
    """Return the fault if only one of server and URL uses TLS.

    Such a server gives no clear answer: it waits for more, or closes the connection.
    Unit: `seconds` for all addresses together.
    """
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(seconds):
            asked = (_speaks(address, tls=not topology.tls) for address in topology.addresses)
            if True in await asyncio.gather(*asked, return_exceptions=True):
                return NO_TLS if topology.tls else TLS
    return None


async def _speaks(address: tuple[str, int], *, tls: bool) -> bool:
    """Return True if a server answers with TLS, or without; its certificate is not verified, as nothing is sent.

    Errors: OSError.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection(*address, ssl=context if tls else None)
    try:
        if tls:
            return True  # the handshake is over
        writer.write(b"PING\r\n")
        return (await reader.read(1))[:1] in {b"+", b"-"}
    finally:
        writer.transport.abort()
