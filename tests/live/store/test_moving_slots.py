"""A game whose slot is on its way to another server of a cluster is read and changed where it is."""

import asyncio
from pathlib import Path

from service.app import make_store
from service.live.store.protocol import Loaded
from service.live.store.redis.store import key_of
from service.platform.settings import Settings
from service.schemas.ids import GameId
from tests.support.redis_groups import cluster


def test_a_game_that_has_gone_ahead_of_its_slot_is_read_with_its_marks_and_changed(tmp_path: Path) -> None:
    with cluster(tmp_path, 2, replicas=0) as nodes:
        store = make_store(Settings(redis_url=nodes.url, store_timeout=60))

        async def follow() -> None:
            try:
                await store.create(GameId("game"), b"0", 600)
                await store.mark(GameId("game"), "1/here", 60)
                await asyncio.to_thread(nodes.begin_to_move, key_of("game"))
                assert await store.load(GameId("game")) == Loaded([b"0"], ("1/here",))
                assert await store.append(GameId("game"), 1, b"1", 600, b"0")
                assert await store.load(GameId("game"), 1) == Loaded([b"1"], ("1/here",))
            finally:
                await store.close()

        asyncio.run(follow())
