"""The system that is measured and harmed: replicas over one store behind the load balancer of deploy/, under load."""

import asyncio
import re
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final, NamedTuple

import httpx
import msgspec
import trustme
from msgspec import Struct, field

from tests.deploy.files import HAPROXY
from tests.programs.binaries import NoProgram, find_or_get, surroundings
from tests.support.http.samples import EVERY, PATHS
from tests.support.patience import WAIT
from tests.support.processes import Process, Redis, Service
from tests.support.redis_server import free_port


class Call(NamedTuple):
    """A request of the load, and the status that it is answered with."""

    path: str
    body: bytes
    status: int = 200


QUESTIONS: Final = tuple(Call(PATHS[kind], msgspec.json.encode(body)) for kind, body in EVERY.items())
REFUSED: Final = Call(PATHS["positions"], b'{"state":1}', 400)
NEW_GAME: Final = Call("/v1/games", b'{"rules":"trebor","players":4}', 201)
HEAVY: Final = {PATHS[kind] for kind in ("adjudications", "analyses", "batches", "claims", "knowledge")}
"""Questions that may take long, for which the load balancer waits longer."""
PAUSE: Final = 0.02
"""Seconds between two questions of a caller: the load is to be seen, not to be felt."""


class Balancer(Process):
    """HAProxy as it is configured in deploy/, on a port of the loopback, before replicas whose ports are known.

    It listens on another port with TLS and HTTP/2, as the operators' guide says. `shipped` is another configuration.
    """

    def __init__(self, folder: Path, replicas: Sequence[int], shipped: Path = HAPROXY) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.port, self.tls_port, self.metrics_port = free_port(), free_port(), free_port()
        self._file, certificate = folder / "haproxy.cfg", folder / "haproxy.pem"
        trustme.CA().issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(certificate))
        placed = _place(shipped.read_text(encoding="utf-8"), self.port, self.metrics_port, replicas)
        tls = f"    bind 127.0.0.1:{self.tls_port} ssl crt {certificate} alpn h2,http/1.1 tcp-ut 30s\n"
        self._file.write_text(placed.replace("frontend public\n", f"frontend public\n{tls}"))

    def start(self) -> None:
        self.run([find_or_get("haproxy"), "-db", "-f", str(self._file)], surroundings())
        self.until(self._listens, "HAProxy does not start")

    def read_metric(self, series: str) -> int:
        """Return the value of a series of its metrics now."""
        with closing(HTTPConnection("127.0.0.1", self.metrics_port, timeout=WAIT)) as connection:
            connection.request("GET", "/metrics")
            told = connection.getresponse().read().decode()
        found = re.search(rf"^{re.escape(series)} (\d+)$", told, re.MULTILINE)
        assert found is not None, series
        return int(found[1])

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def _place(configuration: str, port: int, metrics: int, replicas: Sequence[int]) -> str:
    """Put other ports into the configuration, and replicas with ports of their own in the place of one name."""
    servers = "\n".join(f"    server service-{port} 127.0.0.1:{port}" for port in replicas)
    placed = configuration.replace("bind :8080", f"bind 127.0.0.1:{port}").replace(":8404", f":{free_port()}")
    placed = placed.replace("bind :8405", f"bind 127.0.0.1:{metrics}")
    placed = placed.replace(" resolvers docker init-addr none", "")
    placed, times = re.subn(r"    server-template .*", servers, placed)
    assert times == 5
    return placed


class Deployed(NamedTuple):
    """The system that runs: the store, two replicas and the load balancer."""

    redis: Redis
    replicas: list[Service]
    balancer: Balancer

    @property
    def ports(self) -> list[int]:
        """The ports of the replicas."""
        return [replica.port for replica in self.replicas]


@contextmanager
def deployed(folder: Path, *redis_options: str, shipped: Path = HAPROXY, **settings: object) -> Generator[Deployed]:
    """Run two replicas, with the same settings, over one Redis and behind the load balancer, until the end."""
    with ExitStack() as stack:
        redis = stack.enter_context(Redis(folder / "redis", *redis_options))
        made = (Service(folder / f"replica{at}.log", redis_url=redis.url, **settings) for at in (1, 2))
        replicas = [stack.enter_context(each) for each in made]
        balancer = Balancer(folder / "haproxy", [replica.port for replica in replicas], shipped)
        yield Deployed(redis, replicas, stack.enter_context(balancer))


class Load(Struct):
    """Callers who make calls in turn, and their results; `stop` ends them. Unit: `slowest` in seconds."""

    port: int
    calls: Sequence[Call] = QUESTIONS
    answered: int = 0
    slowest: float = 0.0
    failed: list[str] = field(default_factory=list[str])
    stop: bool = False

    async def run(self, callers: int = 8) -> None:
        """Ask until told to stop, half of the callers over a connection that they keep."""
        async with asyncio.TaskGroup() as group:
            for at in range(callers):
                group.create_task(self._ask_on(httpx.Limits(max_keepalive_connections=at % 2)))

    async def _ask_on(self, limits: httpx.Limits) -> None:
        url, headers = f"http://127.0.0.1:{self.port}", {"content-type": "application/json"}
        async with httpx.AsyncClient(base_url=url, limits=limits, timeout=30, headers=headers) as client:
            while not self.stop:
                for call in self.calls:
                    await self._ask(client, call)
                    await asyncio.sleep(PAUSE)

    async def _ask(self, client: httpx.AsyncClient, call: Call) -> None:
        began = monotonic()
        try:
            answer = await client.post(call.path, content=call.body)
        except httpx.HTTPError as exc:
            self.failed.append(f"{call.path}: {exc!r}")
            return
        if call.path not in HEAVY:
            self.slowest = max(self.slowest, monotonic() - began)
        if answer.status_code == call.status:
            self.answered += 1
        else:
            self.failed.append(f"{call.path}: {answer.status_code} {answer.text[:200]}")

    @asynccontextmanager
    async def running(self, callers: int = 8) -> AsyncGenerator[None]:
        """Ask until the end."""
        asking = asyncio.create_task(self.run(callers))
        try:
            yield
        finally:
            self.stop = True
            await asking


def run(work: Callable[[Path], Coroutine[None, None, list[str]]]) -> int:
    """Run some work in its own folder, and print the faults that it returns.

    Return the exit code: 0 without faults, 1 with faults, 2 if a program is missing.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with TemporaryDirectory() as folder:
        try:
            failed = asyncio.run(work(Path(folder)))
        except NoProgram as exc:
            print(exc, file=sys.stderr)
            return 2
        except AssertionError as exc:
            failed = [str(exc)]
    print(*failed[:20], sep="\n", end="\n" if failed else "", file=sys.stderr)
    return int(bool(failed))
