"""Each thing that can run out is a limit, and callers who take all they may leave some for a newcomer."""

import asyncio
import re
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import fields

import service
from service.platform import limits
from service.platform.limits import (
    STREAMS,
    Account,
    FairSemaphore,
    Holding,
    Limit,
)
from service.platform.settings import Settings
from service.schemas.ids import Caller
from service.schemas.refusal import Refusal
from tests.support.patience import WAIT

LIMITS: Final = [each for each in vars(limits).values() if isinstance(each, Limit)]
CALLERS: Final = tuple(map(Caller, "abcd"))
A, B, C, D = CALLERS
PLACES: Final = Limit("tests", "places", 4, "too_busy")
SHARED: Final = [limit for limit in LIMITS if limit.keeper != "quota" and limit.in_all > 1]
OF_ONE: Final = {
    "api/batches/batch.py": ("MAX_ANSWER_BYTES",),
    "api/batches/items.py": ("MAX_ITEMS", "MAX_HEAVY_ITEMS", "MAX_WHOLE_BYTES"),
    "api/games/my_games.py": ("MAX_GAMES", "LOADED_AT_ONCE", "MAX_LENGTH"),
    "api/mcp/endpoint.py": ("MAX_MESSAGE_BYTES",),
    "api/reasoning/claims.py": ("MOST_COST",),
    "api/reasoning/suggestions.py": ("_MOST_COSTS",),
    "http/body.py": ("_MAX_DIGITS",),
    "http/context.py": ("MAX_HOST_LENGTH",),
    "http/decoding.py": ("MAX_SEARCHED_BYTES", "MAX_PARAMETERS"),
    "http/guards/cors.py": ("_MAX_AGE",),
    "http/guards/paths.py": ("MAX_PATH_LENGTH",),
    "http/negotiation.py": ("_MAX_HEADER_BYTES",),
    "http/surrogates.py": ("MAX_MARKED",),
    "http/validation.py": ("_MAX_QUOTED", "_MAX_LISTED", "_MAX_NAMED"),
    "live/changes.py": ("MAX_ATTEMPTS",),
    "live/computers.py": ("MAX_FOLLOWERS",),
    "live/decisions.py": ("MAX_CHANGES", "MAX_REMATCHES", "MAX_SEAT_CHANGES"),
    "live/log.py": ("MAX_ABSENCES",),
    "live/opening.py": ("MAX_KEY_LENGTH",),
    "live/store/protocol.py": ("MAX_FEED_BYTES", "MAX_FEED_SHARE"),
    "live/store/watchers.py": ("NOTIFIED_AT_ONCE",),
    "schemas/finished_game.py": ("MAX_LISTED",),
    "server/bounds.py": (
        "MAX_UNSENT_BYTES",
        "MAX_HEAD_BYTES",
        "MAX_FIELDS",
        "MAX_EARLY_BYTES",
        "MAX_PIECES",
    ),
}
"""Bounds of one request, connection or game, which callers do not share."""
CACHES: Final = {
    "http/guards/rate_limit.py": ("_MAX_KNOWN",),
    "api/games/event_messages.py": ("MAX_MESSAGE_BYTES",),
    "live/feed.py": ("MAX_WAITING",),
    "live/presence.py": ("MAX_LOOKS",),
    "live/repository.py": ("MAX_REMEMBERED_BYTES", "MAX_LOST"),
    "live/store/memory.py": ("MAX_GONE", "MAX_DEBTORS"),
    "live/store/redis/store.py": ("MAX_PREPAID",),
    "live/store/redis/topology.py": ("MAX_SEEN",),
}
"""Bounds of what is forgotten and made again, the oldest first: nobody is refused for them."""
TO_REDIS: Final = {
    "live/feed.py": ("SWEPT_AT_ONCE",),
    "live/store/redis/pipeline.py": ("MAX_BATCHES",),
    "live/store/redis/pubsub.py": ("MAX_AT_ONCE",),
    "live/store/redis/store.py": ("MAX_TRIES",),
    "server/descriptors.py": ("_MAX_LIMIT",),
    "server/server.py": ("ACCEPTED_AT_ONCE",),
}
"""Bounds of how the process speaks with Redis and the kernel, the same for every caller."""

_OF_REQUESTS: Final = (
    "http/test_hogs.py::test_beside_a_hog_every_batch_of_another_address_is_answered_and_all_is_given_back_when_it"
    "_leaves"
)
HOGS: Final = {
    "BODIES": (_OF_REQUESTS,),
    "HEAVY_REQUESTS": (_OF_REQUESTS,),
    "PROCESSOR": (_OF_REQUESTS,),
    "THINKING": ("live/test_hogs.py::test_beside_a_caller_whose_computers_think_the_computers_of_others_play",),
    "TURNS": (
        "live/test_hogs.py::test_beside_a_caller_of_many_games_with_a_limit_for_moves_the_computers_of_others_play",
    ),
    "STREAMS": ("api/test_event_limits.py::test_one_address_has_no_more_than_half_of_the_streams",),
    "POLLS": ("api/test_app_games.py::test_an_app_that_waits_as_often_as_it_may_leaves_room_for_another",),
    "LIVE_GAMES": ("live/store/test_store.py::test_one_owner_has_no_more_than_half_of_the_games",),
    "GAME_BYTES": (
        "live/store/test_feeds.py::test_the_feed_of_one_app_keeps_its_latest_entries_and_leaves_the_feed_of_another_alone",
        "live/store/test_store.py::test_one_owner_has_no_more_than_half_of_the_bytes",
        "live/store/test_shares.py::test_games_of_one_caller_leave_room_for_others",
        "live/store/test_shares.py::test_changes_count_for_the_caller_who_opened_the_game_and_go_on_for_longer_than_openings",
    ),
    "QUOTA": (
        "http/guards/test_rate_limit.py::test_without_keys_an_address_has_a_quota_and_of_ipv6_a_network",
        "live/test_hogs.py::test_a_computer_whose_caller_has_spent_the_quota_plays_for_the_next_who_follows_the_game",
    ),
}
"""By limit, the tests in which one caller takes its whole share and another one is still answered."""


def test_each_limit_has_a_test_with_one_caller_who_takes_all_that_it_may() -> None:
    assert {name for name, each in vars(limits).items() if isinstance(each, Limit)} == HOGS.keys()
    for path, name in (test.split("::") for tests in HOGS.values() for test in tests):
        assert f"\ndef {name}(" in (Path(__file__).parents[1] / path).read_text(encoding="utf-8"), name


def test_every_limit_that_callers_share_is_declared_as_one() -> None:
    root, stray = Path(service.__file__).parent, list[str]()
    for path in sorted(root.rglob("*.py")):
        room, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        if room.startswith(("game/", "players/")) or room == "platform/limits.py":
            continue
        known = [name for table in (OF_ONE, CACHES, TO_REDIS) for name in table.get(room, ())]
        bounds = re.findall(r"^(_?[A-Z_]*(?:MAX|MOST|AT_ONCE)[A-Z_]*): Final", text, re.MULTILINE)
        stray += [f"{room}: {name}" for name in bounds if name not in known]
        if room not in TO_REDIS and re.search(r"(?<!Fair)\b(?:Bounded)?Semaphore\(", text):
            stray.append(f"{room}: a semaphore")
    assert stray == []


def test_every_setting_that_is_a_limit_is_declared_as_one() -> None:
    settings = {each.name.upper() for each in fields(Settings) if each.name.startswith(("max_", "rate_"))}
    named = {limit.setting for limit in LIMITS} - {""}
    assert settings - named == {"MAX_BODY_BYTES", "MAX_TTL", "MAX_SUGGESTIONS"}, "of one request, one game, a switch"
    assert named <= settings
    assert STREAMS.in_all == Settings().max_streams


@pytest.mark.parametrize("limit", SHARED, ids=lambda limit: f"{limit.what} in {limit.unit}")
def test_of_each_limit_one_caller_has_half_and_three_leave_some_for_a_fourth(limit: Limit) -> None:
    account = Account(limit)
    for hog in CALLERS[:3]:
        while account.try_take(hog, max(1, limit.in_all // 1000)):
            pass
    assert account.taken_by[A] <= (limit.in_all + 1) // 2
    assert account.taken < limit.in_all or limit.in_all < 8
    assert account.try_take(Caller("newcomer")) or limit.in_all < 8


@pytest.mark.parametrize(("limit", "share"), [(0, 0), (1, 1), (2, 1), (4, 2), (5, 3), (4000, 2000)])
def test_one_caller_has_as_much_as_is_left_for_all_others(limit: int, share: int) -> None:
    account = Account(PLACES, limit)
    assert [account.try_take(A) for _ in range(limit + 1)].count(True) == share
    assert [account.try_take(B) for _ in range(limit + 1)].count(True) == (limit - share + 1) // 2
    for _ in range(share):
        account.give_back(A)
    assert account.taken_by.keys() == ({B} if limit > 1 else set())


def test_the_share_is_refused_with_another_code_than_a_process_that_is_full() -> None:
    account, refused = Account(PLACES), list[str]()
    for caller in map(Caller, "aaabbcd"):
        try:
            account.take(caller)
        except Refusal as refusal:
            refused.append(f"{caller}: {refusal.code}: {refusal.detail}")
    assert refused == [
        "a: share_used_up: 2 of 4 places for tests are taken, 2 by you.",
        "b: share_used_up: 3 of 4 places for tests are taken, 1 by you.",
        "d: too_busy: 4 of 4 places for tests are taken, 0 by you.",
    ]


def test_what_a_request_holds_is_given_back_also_where_more_was_refused() -> None:
    account = Account(PLACES)
    with Holding(account, A) as held:
        held.hold(1)
        held.hold(2)
        with pytest.raises(Refusal):
            held.hold(3)
        assert account.taken == 2
    assert (account.taken, account.taken_by) == (0, {})


async def visit(queue: FairSemaphore, inside: list[str], caller: Caller, stays: asyncio.Event) -> None:
    await queue.acquire(caller)
    inside.append(caller)
    await stays.wait()
    queue.release(caller)


def test_one_caller_has_half_of_the_places_and_a_newcomer_is_next() -> None:
    queue, inside = FairSemaphore(PLACES), list[str]()
    leave = {caller: [asyncio.Event() for _ in range(6)] for caller in CALLERS}

    async def visit_all() -> None:
        tasks = [asyncio.create_task(visit(queue, inside, A, event)) for event in leave[A]]
        await asyncio.sleep(0)
        assert inside == ["a"] * 2
        tasks += [asyncio.create_task(visit(queue, inside, one, event)) for one in (B, C) for event in leave[one]]
        await asyncio.sleep(0.01)
        assert inside == [*"aabc"]
        for event in (leave[B][0], leave[A][0]):
            event.set()
            await asyncio.sleep(0.01)
        assert inside == [*"aabc" + "b"]
        tasks += [asyncio.create_task(visit(queue, inside, D, event)) for event in leave[D]]
        await asyncio.sleep(0)
        assert inside == [*"aabc" + "b" + "d"]
        for event in (event for events in leave.values() for event in events):
            event.set()
        async with asyncio.timeout(WAIT):
            await asyncio.gather(*tasks)
        assert sorted(inside) == [*"aaaaaabbbbbbccccccdddddd"]

    asyncio.run(visit_all())


def test_a_cancelled_task_leaves_the_place_or_the_line() -> None:
    done: list[int] = []

    async def work(queue: FairSemaphore, number: int) -> None:
        await queue.acquire((A, B)[number % 2])
        try:
            for _ in range(5):
                await asyncio.sleep(0)
        finally:
            queue.release((A, B)[number % 2])
        done.append(number)

    async def cancel_some() -> None:
        for steps in range(40):
            queue = FairSemaphore(PLACES, 3)
            tasks = [asyncio.create_task(work(queue, number)) for number in range(12)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks[::3]:
                task.cancel()
            async with asyncio.timeout(WAIT):
                await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(cancel_some())
    assert done.count(1) == done.count(2) == 40
