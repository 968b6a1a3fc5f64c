"""A change of a game that many follow is told to some of them at a time, so that others get their turns."""

import asyncio
from itertools import pairwise
from typing import Final

from service.live.store.watchers import NOTIFIED_AT_ONCE, Watcher, Watchers
from service.schemas.ids import GameId
from service.schemas.revision import Revision, revision_of

GAME: Final = GameId("game")
ANOTHER: Final = GameId("another")
MANY: Final = 10 * NOTIFIED_AT_ONCE
FIRST: Final = revision_of(1, b"first")
SECOND: Final = revision_of(2, b"second")


class Told(Watcher):
    """A watcher that keeps its notifications."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Revision | None] = []

    def wake(self) -> None:
        """Keep what it was told."""
        self.told.append(self.notified)


def test_many_watchers_are_notified_in_many_rounds_of_the_event_loop_and_each_of_all_in_order() -> None:
    watchers, followers, rounds = Watchers(), [Told() for _ in range(MANY)], list[int]()
    for follower in followers:
        watchers.watch(GAME, follower)

    async def change() -> None:
        watchers.notify(GAME, FIRST)
        watchers.notify(GAME, SECOND)
        while not rounds or rounds[-1] < 2 * MANY:
            rounds.append(sum(len(follower.told) for follower in followers))
            await asyncio.sleep(0)

    asyncio.run(change())
    assert rounds[0] == 2 * NOTIFIED_AT_ONCE
    assert max(after - before for before, after in pairwise(rounds)) == 2 * NOTIFIED_AT_ONCE
    assert all(follower.told == [FIRST, SECOND] and not follower.resync for follower in followers)


def test_a_watcher_that_leaves_before_its_turn_is_not_notified() -> None:
    watchers, followers = Watchers(), [Told() for _ in range(NOTIFIED_AT_ONCE + 2)]
    for follower in followers:
        watchers.watch(GAME, follower)

    async def change() -> None:
        watchers.notify_resync(GAME)
        watchers.unwatch(GAME, followers[-1])
        await asyncio.sleep(0.01)

    asyncio.run(change())
    assert [follower.resync for follower in followers[-2:]] == [True, False]


def test_seats_that_come_and_go_take_no_more_time_than_one_that_comes_and_the_last_is_told() -> None:
    watchers, followers, rounds = Watchers(), [Told() for _ in range(MANY)], [0]
    for follower, game in zip(followers, (GAME, ANOTHER) * MANY, strict=False):
        watchers.watch(game, follower)

    async def note_round() -> None:
        await asyncio.sleep(0)
        rounds.append(sum(len(follower.told) for follower in followers))

    async def come_and_go(times: int) -> None:
        for time in range(times):
            for game in (GAME, ANOTHER) * 3:
                watchers.notify_presence(game, (f"{time}/process",))
            await note_round()
        while rounds[-1] != rounds[-2]:
            await note_round()
        assert {follower.presence_leases for follower in followers} == {(f"{times - 1}/process",)}

    async def come_and_go_twice() -> None:
        await come_and_go(30)
        await come_and_go(2)

    asyncio.run(come_and_go_twice())
    assert max(after - before for before, after in pairwise(rounds)) == NOTIFIED_AT_ONCE


def test_a_watcher_that_fails_keeps_presence_from_nobody_in_a_later_round() -> None:
    class Failing(Watcher):
        """A watcher that cannot be woken."""

        def wake(self) -> None:
            """Fail.

            Errors: ValueError, always.
            """
            raise ValueError

    watchers, followers = Watchers(), [Told() for _ in range(2 * NOTIFIED_AT_ONCE)]
    for follower in (Failing(), *followers):
        watchers.watch(GAME, follower)

    def leave_unlogged(_loop: asyncio.AbstractEventLoop, _context: object) -> None: ...

    async def come() -> None:
        asyncio.get_running_loop().set_exception_handler(leave_unlogged)
        watchers.notify_presence(GAME, ("1/process",))
        await asyncio.sleep(0.01)
        watchers.notify_presence(ANOTHER, ("2/process",))
        await asyncio.sleep(0.01)

    watchers.watch(ANOTHER, other := Told())
    asyncio.run(come())
    assert followers[-1].presence_leases == ("1/process",)
    assert other.presence_leases == ("2/process",)
