"""A REDIS_URL that is wrong in a way that waiting does not mend: what is found, and that the process is never ready."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, cast

import pytest
from redis import Redis

from service.http import readiness
from service.http.readiness import ShutdownState, StoreCheck
from service.live.store.protocol import StoreDown, StoreMisconfigured
from service.live.store.redis import misfits
from service.live.store.redis.store import RedisStore
from service.live.store.redis.url import connect
from tests.live.chaos.test_tls import certify, tls
from tests.support import redis_server
from tests.support.redis_groups import wait_until

HOST: Final = "127.0.0.1"
TIMEOUT: Final = 1.0
WRONG: Final = {
    "redis://127.0.0.1:{plain}/99": misfits.NO_DATABASE,
    "redis://:wrong@127.0.0.1:{plain}": misfits.REFUSED,
    "redis+sentinel://127.0.0.1:{plain}/mymaster": misfits.NO_SENTINEL,
    "redis+sentinel://:any@127.0.0.1:{plain}/mymaster?sentinel_password=wrong": misfits.REFUSED,
    "redis+cluster://127.0.0.1:{plain}": misfits.NO_CLUSTER,
    "redis+cluster://:wrong@127.0.0.1:{plain}": misfits.REFUSED,
    "redis://127.0.0.1:{cluster}": misfits.CLUSTER,
    "redis://127.0.0.1:{cluster}/3": misfits.NO_DATABASE,
    "rediss://127.0.0.1:{plain}": misfits.NO_TLS,
    "rediss+cluster://127.0.0.1:{plain}": misfits.NO_TLS,
    "redis://127.0.0.1:{tls}": misfits.TLS,
    "redis+cluster://127.0.0.1:{tls}": misfits.TLS,
    "rediss://127.0.0.1:{tls}": misfits.UNTRUSTED,
    "rediss+cluster://127.0.0.1:{tls}": misfits.UNTRUSTED,
    "rediss://localhost:{tls}?ssl_ca_certs={authority}": misfits.UNTRUSTED,
    "rediss://127.0.0.1:{tls}?ssl_ca_certs={authority}": None,
    "redis://127.0.0.1:{scriptless}": misfits.NO_SCRIPTS,
    "redis://127.0.0.1:{plain}/1": None,
}
"""What is found of each URL; None if nothing is wrong."""
MAY_HEAL: Final = (
    "redis://127.0.0.1:1",
    "redis://redis.invalid:6379",
    "rediss://127.0.0.1:1",
    "redis+cluster://127.0.0.1:1",
)


@contextmanager
def _cluster() -> Generator[int]:
    """Run a node of a cluster that keeps no slot but the first, and knows who keeps the others."""
    with (
        redis_server.running("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no") as port,
        redis_server.running("--cluster-enabled", "yes") as beside,
        Redis(port=port) as redis,
        Redis(port=beside) as other,
    ):
        redis.execute_command("CLUSTER", "ADDSLOTS", 0)
        other.execute_command("CLUSTER", "ADDSLOTSRANGE", 1, 16383)
        redis.execute_command("CLUSTER", "MEET", HOST, beside)

        def is_whole() -> bool:
            told: Any = cast("Any", redis).execute_command("CLUSTER", "INFO")
            return "cluster_slots_assigned:16384" in str(told)

        wait_until(is_whole, "no cluster")
        yield port


@asynccontextmanager
async def _servers(folder: Path) -> AsyncGenerator[Mapping[str, object]]:
    certificates = certify(folder)
    async with AsyncExitStack() as stack:
        plain, cluster = stack.enter_context(redis_server.running()), stack.enter_context(_cluster())
        outside = await stack.enter_async_context(tls(plain, certificates.own))
        scriptless = stack.enter_context(redis_server.running("--rename-command", "EVALSHA", ""))
        yield {
            "plain": plain,
            "scriptless": scriptless,
            "cluster": cluster,
            "tls": outside,
            "authority": certificates.authority,
        }


async def _find(url: str) -> str | None:
    """Ask a store for a sign of life until it says what is wrong with its URL."""
    store = RedisStore(connect(url, TIMEOUT), TIMEOUT)
    try:
        async with asyncio.timeout(15 * TIMEOUT):
            while True:
                try:
                    await store.ping()
                except StoreMisconfigured as exc:
                    return str(exc)
                except StoreDown:
                    continue
                return None
    finally:
        await store.close()


def test_what_is_wrong_with_a_url_is_found(tmp_path: Path) -> None:
    async def find_all() -> dict[str, str | None]:
        async with _servers(tmp_path) as servers:
            return {url: await _find(url.format(**servers)) for url in WRONG}

    assert asyncio.run(find_all()) == WRONG


@pytest.mark.parametrize("url", MAY_HEAL)
def test_a_server_that_is_not_there_may_come(url: str) -> None:
    async def ask() -> StoreDown:
        store = RedisStore(connect(url, TIMEOUT), TIMEOUT)
        try:
            with pytest.raises(StoreDown) as raised:
                await store.ping()
        finally:
            await store.close()
        return raised.value

    assert not isinstance(asyncio.run(ask()), StoreMisconfigured)


def test_a_process_with_a_wrong_database_is_never_ready_and_the_log_says_why_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(readiness, "START_SECONDS", 1.0)
    monkeypatch.setattr(readiness, "INTERVAL", 0.2)

    async def look(url: str) -> str | None:
        store = RedisStore(connect(url, TIMEOUT), TIMEOUT)
        check = StoreCheck(store, ShutdownState())
        await check.open()
        await asyncio.sleep(2)
        fault = check.find_start_fault()
        await check.close()
        await store.close()
        return fault

    with redis_server.running() as port:
        assert asyncio.run(look(f"redis://{HOST}:{port}/99")) == misfits.NO_DATABASE
    assert asyncio.run(look(f"redis://{HOST}:{port}")) is None, "a server that is away may come back"
    told = [record.getMessage() for record in caplog.records if "never becomes ready" in record.getMessage()]
    assert len(told) == 1
    assert told[0].endswith(misfits.NO_DATABASE)
