"""Computer players think in time slices, and stop when nobody waits for their card."""

import asyncio
from collections.abc import Generator
from random import Random
from typing import Final

import msgspec
import pytest

from service.api.reasoning import thinking
from service.api.reasoning.thinking import think
from service.game.cards import Card
from service.game.generators import run_to_end
from service.game.rules.admission import admit
from service.game.rules.view import view
from service.game.rulesets import make_table, usual_sides
from service.game.state import Claim, State
from service.platform import time_slices
from service.players.player import EFFORTS, Effort, Level, Option, RankedOptions, weigh_cards
from service.schemas.ids import Caller
from tests.platform.metrics.readings import value
from tests.support.call_counts import CallCount
from tests.support.http.samples import STATE
from tests.support.patience import WAIT
from tests.support.strategies import deal_at_random

MAX_CALLS: Final = 3000
"""Calls of Python functions in a piece: some tenths of a millisecond of work."""
DEAL = admit(msgspec.convert(STATE, Claim))
FOUND = RankedOptions((Option(0, 1.0, 2.0, 0.0, 0.0, 0.0, (), 0.0, None),), 1, 9, exact=False)


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every thought take three pieces, each longer than a slice, and list whose piece was done."""
    done: list[str] = []

    def weigh(
        _state: State, _effort: Effort, seed: str, _played: tuple[Card, ...]
    ) -> Generator[None, None, RankedOptions]:
        for _ in range(3):
            done.append(seed)
            yield
        return FOUND

    clock = iter(range(10**9))
    monkeypatch.setattr(thinking, "weigh_cards", weigh)
    monkeypatch.setattr(time_slices, "perf_counter", lambda: float(next(clock)))
    return done


async def think_at_once(*callers: str) -> None:
    async with asyncio.timeout(WAIT):
        await asyncio.gather(*[think(Caller(each), DEAL, "easy", each) for each in callers])


def test_a_thought_is_what_the_player_finds() -> None:
    assert asyncio.run(think(Caller("caller"), DEAL, "easy", "1")) == run_to_end(
        weigh_cards(DEAL, EFFORTS["easy"], "1")
    )


def test_all_thoughts_share_the_time_of_the_process(pieces: list[str]) -> None:
    asyncio.run(think_at_once("a", "b"))
    assert "".join(pieces) == "ababab"


def test_a_thought_that_is_cancelled_goes_no_further_and_leaves_its_place(pieces: list[str]) -> None:
    async def cancel_one() -> None:
        task = asyncio.create_task(think(Caller("a"), DEAL, "easy", "a"))
        await asyncio.sleep(0)
        assert value("catchten_thinking") == 1
        task.cancel()
        await asyncio.wait([task])
        await think_at_once("b")

    asyncio.run(cancel_one())
    assert "".join(pieces) == "abbb"
    assert value("catchten_thinking") == 0


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_thought_is_counted_under_its_level_with_its_time_and_its_nodes(level: Level, pieces: list[str]) -> None:
    thoughts, nodes = (value(f"catchten_thinking_{name}", level=level) for name in ("seconds_count", "nodes_total"))
    asyncio.run(think(Caller("caller"), DEAL, level, "a"))
    assert value("catchten_thinking_seconds_count", level=level) == thoughts + 1
    assert value("catchten_thinking_nodes_total", level=level) == nodes + FOUND.nodes


@pytest.mark.parametrize(("rules", "players"), [("denexa", 2), ("denexa", 3), ("trebor", 4), ("trebor", 8)])
def test_no_piece_of_a_thought_is_long(rules: str, players: int) -> None:
    table = make_table(rules, usual_sides(rules, players))
    deal = deal_at_random(table, Random(1), 0, 1, (0,) * len(table.sides))
    seen, count, longest = view(deal, deal.seat_to_play), CallCount(), 0
    run_to_end(weigh_cards(seen, EFFORTS["easy"], "1"))  # makes what is remembered of the ruleset and the trump
    work = weigh_cards(seen, EFFORTS["hard"], "1")
    while True:
        try:
            with count.counted():
                next(work)
        except StopIteration:
            break
        longest = max(longest, count.calls)
    assert 0 < longest < MAX_CALLS
