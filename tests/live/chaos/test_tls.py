"""A Redis that is reached by TLS only, with a password."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import trustme

from tests.deploy.files import RUNBOOKS
from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player
from tests.support.processes import Redis, Service

UNKNOWN_AUTHORITY = "CERTIFICATE_VERIFY_FAILED"
PASSWORD = "of the/tests@%"
WRITTEN = "of%20the%2Ftests%40%25"


class Certificates(NamedTuple):
    """The certificate of the loopback with its key, and the certificate of its authority, each in a file."""

    own: Path
    authority: Path


def certify(folder: Path) -> Certificates:
    made, authority = Certificates(folder / "own.pem", folder / "authority.pem"), trustme.CA()
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(made.own))
    authority.cert_pem.write_to_path(str(made.authority))
    return made


@asynccontextmanager
async def tls(port: int, certificate: Path) -> AsyncGenerator[int, None]:
    """Put TLS before a port, as not every Redis is built with it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while block := await reader.read(65536):
                writer.write(block)
        writer.transport.abort()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pass_on(reader, outer), pass_on(inner, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _play(port: int, folder: Path) -> str:
    certificates = certify(folder)
    async with tls(port, certificates.own) as outside:
        url = f"rediss://:{WRITTEN}@127.0.0.1:{outside}?ssl_ca_certs={certificates.authority}"
        service = Service(folder / "one", redis_url=url)
        await asyncio.to_thread(service.start)
        try:
            with Client([service.port]) as client:
                await Player(client, SHORT, Random(1)).whole_game()
            await asyncio.to_thread(service.stop)
        finally:
            service.kill()
    return service.said()


def test_games_are_played_over_tls_and_the_password_is_not_told(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        assert redis.answers("CONFIG", "SET", "requirepass", PASSWORD) == b"+OK\r\n"
        said = asyncio.run(_play(redis.port, tmp_path))
    assert "Traceback" not in said
    assert PASSWORD not in said
    assert WRITTEN not in said


async def _ask_with_a_certificate_that_nobody_vouches_for(port: int, folder: Path) -> None:
    async with tls(port, certify(folder).own) as outside:
        service = Service(folder / "one", redis_url=f"rediss://127.0.0.1:{outside}")
        await asyncio.to_thread(service.start)
        try:
            await _see_503(service.port)
            await asyncio.to_thread(service.until_said, UNKNOWN_AUTHORITY)
            assert UNKNOWN_AUTHORITY in (RUNBOOKS / "CatchtenStoreDown.md").read_text()
        finally:
            service.kill()


def test_a_certificate_that_nobody_vouches_for_is_a_store_out_of_reach_and_the_log_says_so(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        asyncio.run(_ask_with_a_certificate_that_nobody_vouches_for(redis.port, tmp_path))


def test_a_wrong_password_is_a_store_out_of_reach_and_the_log_says_so_without_it(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        assert redis.answers("CONFIG", "SET", "requirepass", PASSWORD) == b"+OK\r\n"
        url = f"redis://:wrong-secret@127.0.0.1:{redis.port}"
        with Service(tmp_path / "one", redis_url=url) as one:
            asyncio.run(_see_503(one.port))
            one.until_said("AuthenticationError")
    assert "wrong-secret" not in one.said()
    assert "Traceback" not in one.said()


async def _see_503(port: int) -> None:
    with Client([port]) as client:
        answer = await client.ask(Player(client, SHORT, Random(1)).opening())
    assert (answer.status, answer.json["code"], answer.headers["retry-after"]) == (503, "store_down", "1")
    assert "wrong-secret" not in answer.body.decode()
