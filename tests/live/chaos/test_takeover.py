"""A server takes over that lacks the latest change, between any two answers that a call waits for.

Neither server knows the other. Both have the game up to some change. The first has no replica, so that it can make the
change but nobody may acknowledge it; the other one, which takes over, has a replica. The call is sent until it is
answered: what it was answered then, the server that has taken over must hold.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from secrets import token_hex
from typing import Final, NamedTuple, TypeAlias

import pytest
from redis import Redis as RedisClient

from service.api.games.event_stream import HEARTBEATS_PER_CHECK
from service.app import make_store
from service.game.cards import card_code
from service.live import entries, log
from service.live.store.protocol import Store
from service.live.store.redis.store import RedisStore, key_of
from service.live.store.redis.url import connect
from service.live.views import Change
from service.platform.settings import Settings
from service.schemas.ids import GameId
from tests.support.games.callers import GAMES, Live, Table, number_of
from tests.support.games.listeners import Listener
from tests.support.http.client import Answer, refused
from tests.support.processes import Redis
from tests.support.redis_groups import QUICKLY, has_replica, wait_until
from tests.support.redis_relay import Relay

TIMEOUT: Final = 5
WAIT_SHARE: Final = 0.05
"""Of the timeout: a quarter of a second, which a replica on a busy machine needs now and then."""
PATIENCE: Final = 30
POINTS: Final = range(5)
"""After how many answers the other server takes over. A call that is sent again waits for fewer."""

Send: TypeAlias = Callable[[], Answer]


class Servers(NamedTuple):
    """The one without a replica, and the one that takes over, which has one."""

    first: Redis
    heir: Redis

    def share(self) -> None:
        """Let the first have what the heir has."""
        with RedisClient(port=self.heir.port) as heir, RedisClient(port=self.first.port) as first:
            for key in heir.keys("catchten:*"):
                first.restore(key, heir.pttl(key), heir.dump(key) or b"", replace=True)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def servers(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    folder = tmp_path_factory.mktemp("takeover")
    with ExitStack() as stack:
        first, heir = (stack.enter_context(Redis(folder / name, "--hz", "100")) for name in ("first", "heir"))
        stack.enter_context(Redis(folder / "replica", *QUICKLY, "--replicaof", "127.0.0.1", str(heir.port)))
        wait_until(lambda: has_replica(heir), "no replica")
        for server in (first, heir):
            _make_every_change(runner, server)
        with RedisClient(port=heir.port) as client:
            wait_until(lambda: client.wait(1, 1000) == 1, "the replica lags")
        yield Servers(first, heir)


def _make_every_change(runner: asyncio.Runner, server: Redis) -> None:
    """Let a server know every script, so that each is one answer."""
    store = make_store(Settings(redis_url=server.url))
    table = Live(runner, store).open()
    table.stir(0, "x")
    table.deal()
    table.call("host", "DELETE")
    runner.run(store.remember("key:any", b"", 60))
    runner.run(store.close())


def until_answered(send: Send) -> Answer:
    """Send a call until it is answered: on a busy machine a replica may take longer than is waited for it."""
    end = time.monotonic() + PATIENCE
    while (answer := send()).status == 503:
        assert time.monotonic() < end
    return answer


class Scene:
    """The service over a relay, at first before the server that has a replica."""

    def __init__(self, runner: asyncio.Runner, servers: Servers, stack: ExitStack) -> None:
        self._runner = runner
        self._servers = servers
        self._stack = stack
        self._relay = Relay(servers.heir.port)
        self._port = runner.run(self._relay.start())
        stack.callback(lambda: runner.run(self._relay.stop()))
        self.live = self.process()

    def process(self, heartbeat: float = 15.0) -> Live:
        """Start another instance of the service over the relay."""
        return Live(self._runner, self._store(self._port, replicas=1), Settings(stream_heartbeat=heartbeat))

    def _store(self, port: int, replicas: int = 0) -> Store:
        topology = connect(f"redis://127.0.0.1:{port}", TIMEOUT)
        store = RedisStore(topology, TIMEOUT, replicas, wait_share=WAIT_SHARE)
        self._stack.callback(lambda: self._runner.run(store.close()))
        return store

    def isolate(self) -> None:
        """Turn to the server without a replica, which has the same games."""
        self._servers.share()
        self._relay.turn_to(self._servers.first.port)

    def take_over(self) -> None:
        """Turn to the server with a replica."""
        self._relay.turn_to(self._servers.heir.port)

    def lose(self, game: GameId) -> None:
        """Let the server that is asked have lost a game."""
        with RedisClient(port=self._servers.heir.port) as heir:
            assert heir.delete(key_of(game), key_of(game) + ":made") == 2

    def insist(self, send: Send, point: int) -> Answer:
        """Send a call to the first, and again until it is answered; the heir takes over after some more answers."""
        self.isolate()
        refused(send(), "store_down")
        self._relay.turn_to(self._servers.heir.port, point)
        answer = until_answered(send)
        assert self._relay.to == self._servers.heir.port, "acknowledged without a replica"
        return answer

    def kept(self, game: GameId) -> list[log.Step]:
        """Read what the heir holds of a game."""
        return list(log.steps(self._runner.run(self._store(self._servers.heir.port).load(game)).entries))


@pytest.fixture
def scene(runner: asyncio.Runner, servers: Servers) -> Iterator[Scene]:
    with ExitStack() as stack:
        yield Scene(runner, servers, stack)


@pytest.fixture(params=[True, False], ids=["known", "unknown"])
def table(request: pytest.FixtureRequest, scene: Scene) -> Table:
    """A new game, which the process that is called has seen before or not."""
    key = (("idempotency-key", token_hex(16)),)
    table = Table(
        scene.live, until_answered(lambda: scene.live.call("POST", GAMES, {"rules": "trebor", "players": 4}, key))
    )
    return table if request.param else table.over(scene.process())


@pytest.mark.parametrize("point", POINTS)
def test_a_play_that_is_acknowledged_is_kept(scene: Scene, table: Table, point: int) -> None:
    until_answered(table.deal)
    turn = table.turn()
    answer = scene.insist(lambda: table.play(turn.seat, turn.legal[0], turn.version), point)
    last = scene.kept(table.opened.id)[-1]
    assert answer.read(Change).version == str(last.game.revision)
    assert isinstance(last.entry, entries.PlayEntry)
    assert (last.entry.seat, card_code(last.entry.card)) == (turn.seat, turn.legal[0])


@pytest.mark.parametrize("point", POINTS)
def test_a_deal_that_is_acknowledged_is_kept(scene: Scene, table: Table, point: int) -> None:
    answer = scene.insist(lambda: table.deal(version=1), point)
    assert answer.status == 200
    assert [type(step.entry) for step in scene.kept(table.opened.id)[1:]] == [entries.DealEntry]
    assert answer.read(Change).position == table.see("host").position


@pytest.mark.parametrize("point", POINTS)
def test_entropy_that_is_acknowledged_is_kept(scene: Scene, table: Table, point: int) -> None:
    answer = scene.insist(lambda: table.stir(1, "x"), point)
    assert number_of(answer.read(Change).version) == 2
    assert [step.entry for step in scene.kept(table.opened.id)[1:]] == [entries.EntropyEntry(1, "x")]


@pytest.mark.parametrize("point", POINTS)
def test_a_game_whose_opening_is_acknowledged_is_kept(scene: Scene, point: int) -> None:
    key = (("idempotency-key", f"0123456789abcdef{point}"),)
    body = {"rules": "denexa", "players": 2}
    answer = scene.insist(lambda: scene.live.call("POST", GAMES, body, key), point)
    table = Table(scene.process(), answer)
    assert len(scene.kept(table.opened.id)) == 1
    assert [table.see(seat).seat for seat in table.seats] == [0, 1]


@pytest.mark.parametrize("point", POINTS)
def test_a_game_whose_deletion_is_acknowledged_is_gone(scene: Scene, table: Table, point: int) -> None:
    answer = scene.insist(lambda: table.call("host", "DELETE"), point)
    assert answer.status in {204, 404}
    assert not scene.kept(table.opened.id)


def test_what_no_replica_has_is_not_shown(scene: Scene, table: Table) -> None:
    until_answered(table.deal)
    turn = table.turn()
    scene.isolate()
    assert table.number() == turn.version
    refused(table.play(turn.seat, turn.legal[0], turn.version), "store_down")
    refused(table.call(None, "GET"), "store_down")
    refused(table.over(scene.process()).call(None, "GET"), "store_down")


def test_a_stream_shows_no_change_that_no_replica_has(scene: Scene, table: Table) -> None:
    until_answered(table.deal)
    turn = table.turn()
    stream = Listener(scene.process(heartbeat=0.05), f"{table.path}/events")
    assert stream.hear(1)[-1].version == turn.version
    scene.isolate()
    refused(table.play(turn.seat, turn.legal[0], turn.version), "store_down")
    stream.until(lambda: stream.heartbeats > 2 * HEARTBEATS_PER_CHECK)
    assert stream.said[-1].version == turn.version
    scene.take_over()
    played = until_answered(lambda: table.play(turn.seat, turn.legal[0], turn.version))
    assert played.status == 200
    assert stream.hear_version(turn.version + 1)[-1].id == played.headers["etag"].strip('"')
    assert [said.event for said in stream.said] == ["game", "change"]
    stream.leave()


@pytest.mark.parametrize("known", [True, False])
def test_a_game_that_is_opened_again_at_the_server_that_has_taken_over_is_the_very_same(
    scene: Scene, known: bool
) -> None:
    key = (("idempotency-key", f"0123456789abcdef-{known}"),)
    body = {"rules": "denexa", "players": 2}
    first = until_answered(lambda: scene.live.call("POST", GAMES, body, key))
    table = Table(scene.live, first)
    seen = table.see()
    scene.lose(table.opened.id)
    assert (scene.live if known else scene.process()).call("POST", GAMES, body, key) == first
    assert table.see() == seen
