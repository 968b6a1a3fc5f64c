"""Whole live games by players with a stream each, and the checks at their end."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from catch_the_ten import AsyncClient, Client, Game, NoAnswer, Update
from catch_the_ten.models import Card, LiveGame, OpenedGame, Seat
from catch_the_ten.problems import StaleVersion
from catch_the_ten.sight import number_of
from msgspec.structs import replace

Result = TypeVar("Result")

TO_DEAL: Final = ("to_deal", "deal_over")


class Play(NamedTuple):
    """A play that was acknowledged, by the number of its version."""

    number: int
    seat: Seat | None
    card: Card


class Seen(NamedTuple):
    """The plays of one bearer that were acknowledged, and the updates it was shown, until the game was over."""

    plays: list[Play]
    updates: list[Update]


def open_game(client: Client, deals: int) -> OpenedGame:
    """Open a game for four that is over after a number of deals."""
    rules = replace(client.get_ruleset("trebor"), id="short", deals=deals, target=1000)
    return client.open_game(rules=rules, players=4)


def play_in_threads(url: str, opened: OpenedGame, seed: str, **limits: Any) -> list[Seen]:
    """Play a game by threads, each with a client of its own: one for each seat, and one for the host."""
    with ThreadPoolExecutor(len(opened.seats) + 1) as threads:
        begun = [threads.submit(_play_seat, url, opened.id, token, seed, **limits) for token in _tokens(opened)]
        return [bearer.result() for bearer in begun]


async def play_in_tasks(url: str, opened: OpenedGame, seed: str, **limits: Any) -> list[Seen]:
    """Play a game by tasks, each with a client of its own: one for each seat, and one for the host."""
    tasks = [_play_seat_in_task(url, opened.id, token, seed, **limits) for token in _tokens(opened)]
    return await asyncio.gather(*tasks)


def _tokens(opened: OpenedGame) -> list[str]:
    return [*(seat.token for seat in opened.seats), opened.host_token]


def _play_seat(url: str, game_id: str, token: str, seed: str, **limits: Any) -> Seen:
    seen, rng = Seen([], []), Random(seed + token)
    with Client(url, **limits) as client:
        game = _insist(lambda: client.join(game_id, token))
        while game.phase != "game_over":
            with suppress(NoAnswer):
                for update in game.changes():
                    seen.updates.append(update)
                    while game.is_my_turn:
                        card = rng.choice(game.legal_cards)
                        with suppress(StaleVersion):  # the store has lost changes
                            played = _insist(partial(game.play, card))
                            seen.plays.append(Play(number_of(played.version), game.seat, card))
                    if game.seat is None and game.phase in TO_DEAL:
                        _insist(game.deal)
    return seen


async def _play_seat_in_task(url: str, game_id: str, token: str, seed: str, **limits: Any) -> Seen:
    seen, rng = Seen([], []), Random(seed + token)
    async with AsyncClient(url, **limits) as client:
        game = await _insist_in_task(lambda: client.join(game_id, token))
        while game.phase != "game_over":
            with suppress(NoAnswer):
                async for update in game.changes():
                    seen.updates.append(update)
                    while game.is_my_turn:
                        card = rng.choice(game.legal_cards)
                        with suppress(StaleVersion):
                            played = await _insist_in_task(partial(game.play, card))
                            seen.plays.append(Play(number_of(played.version), game.seat, card))
                    if game.seat is None and game.phase in TO_DEAL:
                        await _insist_in_task(game.deal)
    return seen


def _insist(call: Callable[[], Result]) -> Result:
    """Make the same call until it is answered."""
    while True:
        with suppress(NoAnswer):
            return call()


async def _insist_in_task(call: Callable[[], Awaitable[Result]]) -> Result:
    while True:
        with suppress(NoAnswer):
            return await call()


def check_game(game: Game, seen: list[Seen]) -> None:
    """Compare what every bearer saw and had acknowledged with the service's record."""
    acknowledged = sorted(play for bearer in seen for play in bearer.plays)
    assert [(seat, card) for _, seat, card in acknowledged] == _kept(game), "a play is missing, or was made twice"
    _check_updates(game, seen)


def check_game_with_a_loss(game: Game, seen: list[Seen]) -> int:
    """Hold the same for a game after the store has lost changes of it, and return how many plays were lost."""
    acknowledged = Counter((play.seat, play.card) for bearer in seen for play in bearer.plays)
    kept = Counter(_kept(game))
    assert set(kept.values()) == {1}, "a card was played twice"
    assert kept <= acknowledged, "a play was made that nobody was told of"
    kept_past = {number_of(update.version): update.version for update in seen[0].updates}
    for bearer in seen:
        saw_lost = any(kept_past.get(number_of(now.version), now.version) != now.version for now in bearer.updates)
        assert sum(update.whole for update in bearer.updates) == 1 + saw_lost, "the loss was not shown once"
    _check_updates(game, seen)
    return acknowledged.total() - kept.total()


def _kept(game: Game) -> list[tuple[Seat, Card]]:
    return [(play.seat, play.card) for deal in game.get_record().deals for play in deal.plays]


def _show(game: LiveGame) -> LiveGame:
    """Return a game as everybody sees it, without who is present."""
    seats = [replace(seat, present=False) for seat in game.seats]
    return replace(game, seat=None, role="host", position=None, seats=seats)


def _check_updates(game: Game, seen: list[Seen]) -> None:
    for bearer in seen:
        end = bearer.updates[-1]
        assert end.version == game.latest.version, "the end was not shown"
        assert _show(end.game) == _show(game.state), "changes folded wrong"
        for before, after in pairwise(bearer.updates):
            assert after.whole or number_of(after.version) == number_of(before.version) + 1, (
                "a change is missing, or was shown twice"
            )
