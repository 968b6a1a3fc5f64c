"""Readiness: the checks that are made, those that a caller leaves out, and the answer."""

import asyncio
from collections.abc import Iterator

import pytest
from prometheus_client import REGISTRY

from service.app import create_app
from service.http.app_parts import parts_of
from service.http.readiness import INTERVAL, START_SECONDS, STORE_TIMEOUT, ShutdownState, StoreCheck
from service.live.store.counted import count_calls
from service.live.store.protocol import StoreMisconfigured
from service.live.store.redis.misfits import REFUSED
from service.platform.build import BUILD
from service.platform.settings import Settings
from tests.support.games.stores import Failing
from tests.support.http.client import Answer, Request, ask, framework_of, refused, send_request
from tests.support.hurried import HurriedLoop
from tests.support.patience import WAIT


@pytest.fixture
def hurried() -> Iterator[asyncio.Runner]:
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        yield runner


def ready(query: str = "", *, away: bool = False, draining: bool = False, method: str = "GET") -> Answer:
    """Ask a process whether requests may come."""
    store, stop = Failing(), ShutdownState()
    store.away = away
    if draining:
        stop.drain()
    return ask(Request(f"/readyz{query}", method=method), create_app(Settings(), store, stop))


SERVING = "[+]serving ok\n"
STOPPING = "[-]serving failed: the process is stopping\n"
STORE = "[+]store ok\n"
AWAY = "[-]store failed: it cannot be reached; questions are still answered\n"
PASSED, FAILED = f"[+]build {BUILD}\nreadyz check passed\n", f"[+]build {BUILD}\nreadyz check failed\n"


@pytest.mark.parametrize(
    ("query", "away", "draining", "said"),
    [
        ("", False, False, "ok\n"),
        ("?verbose", False, False, SERVING + STORE + PASSED),
        ("?verbose=1", False, False, SERVING + STORE + PASSED),
        ("?exclude=store", False, False, "ok\n"),
        ("?exclude=store&verbose", False, False, SERVING + PASSED),
        ("", True, False, SERVING + AWAY + FAILED),
        ("?verbose", True, False, SERVING + AWAY + FAILED),
        ("?exclude=store", True, False, "ok\n"),
        ("?verbose&exclude=store&exclude=store", True, False, SERVING + PASSED),
        ("", False, True, STOPPING + STORE + FAILED),
        ("?verbose", True, True, STOPPING + AWAY + FAILED),
        ("?exclude=store", True, True, STOPPING + FAILED),
    ],
)
def test_each_check_counts_unless_it_is_left_out(query: str, away: bool, draining: bool, said: str) -> None:
    answer = ready(query, away=away, draining=draining)
    assert answer.body.decode() == said
    assert answer.media == "text/plain; charset=utf-8"
    assert answer.status == (503 if FAILED in said else 200)
    assert answer.headers.get("retry-after") == ("1" if answer.status == 503 else None)


@pytest.mark.parametrize("query", ["?exclude=sotre", "?exclude=", "?exclude=serving", "?exclude=store&exclude=x"])
def test_a_check_that_there_is_not_cannot_be_left_out(query: str) -> None:
    refused(ready(query), "malformed_request")


@pytest.mark.parametrize(("away", "status"), [(False, 200), (True, 503)])
def test_head_tells_the_same(away: bool, status: int) -> None:
    assert ready(away=away, method="HEAD").status == status


def test_that_the_process_is_alive_asks_nothing_of_the_store() -> None:
    store, stop = Failing(), ShutdownState()
    store.away = True
    stop.drain()
    assert ask(Request("/livez", method="GET"), create_app(Settings(), store, stop)).status == 200


@pytest.mark.parametrize(("away", "draining"), [(False, False), (True, False), (False, True)])
def test_prometheus_is_told(away: bool, draining: bool) -> None:
    ready(away=away, draining=draining)
    assert REGISTRY.get_sample_value("catchten_ready") == (not away and not draining)
    assert REGISTRY.get_sample_value("catchten_draining") == draining


class Hanging(Failing):
    """A store that answers nothing."""

    async def ping(self) -> None:
        await asyncio.Event().wait()


def test_nothing_but_the_check_of_the_store_waits_for_it() -> None:
    async def ask_all() -> None:
        app = create_app(Settings(), Hanging())
        async with asyncio.timeout(WAIT):
            for path in ("/livez", "/readyz?exclude=store", "/metrics"):
                answer = await send_request(Request(path, method="GET"), app)
                assert answer is not None
                assert answer.status == 200, path

    asyncio.run(ask_all())


@pytest.mark.parametrize("away", [False, True])
def test_the_metrics_show_the_store_without_anybody_asking(away: bool) -> None:
    async def look() -> None:
        store, stop = Failing(), ShutdownState()
        store.away = away
        check = StoreCheck(count_calls(store), stop)
        await check.open()
        await asyncio.sleep(0)
        await check.close()

    asyncio.run(look())
    assert REGISTRY.get_sample_value("catchten_ready") == (not away)


def test_a_store_that_hangs_is_down_after_a_second(hurried: asyncio.Runner) -> None:
    app = create_app(Settings(store_timeout=60), Hanging())

    async def check() -> Answer | None:
        async with asyncio.timeout(5 * STORE_TIMEOUT):
            return await send_request(Request("/readyz", method="GET"), app)

    answer = hurried.run(check())
    assert answer is not None
    assert (answer.status, answer.body.decode()) == (503, SERVING + AWAY + FAILED)


def test_a_new_process_is_not_ready_for_questions_until_its_store_has_answered_once_but_does_not_wait_forever(
    hurried: asyncio.Runner, caplog: pytest.LogCaptureFixture
) -> None:
    store, stop = Failing(), ShutdownState()
    store.away = True
    app = create_app(Settings(), store, stop)
    check = parts_of(framework_of(app).state).store_check

    def status() -> int:
        answer = hurried.run(send_request(Request("/readyz?exclude=store", method="GET"), app))
        assert answer is not None
        return answer.status

    hurried.run(check.open())
    assert status() == 503
    hurried.run(asyncio.sleep(START_SECONDS))
    assert status() == 200
    hurried.run(check.close())
    hurried.run(check.open())
    assert status() == 503
    store.away = False
    assert not hurried.run(check.is_down())
    assert status() == 200
    assert [record.getMessage() for record in caplog.records] == ["the store of live games answers again"]
    hurried.run(check.close())


class Locked(Failing):
    """A store that refuses the password of this process until it is let in."""

    locked = True

    async def ping(self) -> None:
        if self.locked:
            raise StoreMisconfigured(REFUSED)


def test_a_new_process_with_a_wrong_password_is_never_ready_and_says_why_once(
    hurried: asyncio.Runner, caplog: pytest.LogCaptureFixture
) -> None:
    store = Locked()
    app = create_app(Settings(), store)
    check = parts_of(framework_of(app).state).store_check

    def answer() -> tuple[int, str]:
        found = hurried.run(send_request(Request("/readyz?exclude=store", method="GET"), app))
        assert found is not None
        return found.status, found.body.decode()

    hurried.run(check.open())
    hurried.run(asyncio.sleep(20 * START_SECONDS))
    assert answer() == (503, SERVING + f"[-]store failed: {REFUSED}\n" + FAILED)
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"the store of live games cannot be used, so this process never becomes ready: {REFUSED}"]
    store.locked = False
    hurried.run(asyncio.sleep(2 * INTERVAL))
    assert answer() == (200, "ok\n")
    store.locked = True
    hurried.run(asyncio.sleep(20 * START_SECONDS))
    assert answer() == (200, "ok\n"), "a password that is changed later takes no questions away"
    hurried.run(check.close())
