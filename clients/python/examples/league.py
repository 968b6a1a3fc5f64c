"""A league: it plays some tables with computers at once, and counts from the feed of finished games alone.

python league.py http://localhost:8000 THE-KEY-OF-YOUR-APP 500
"""

import asyncio
import json
import sys
from collections import Counter
from contextlib import aclosing, suppress

from catch_the_ten import AsyncClient, NoAnswer
from catch_the_ten.models import FinishedGame, SeatSetup
from catch_the_ten.problems import StaleVersion

MEMBERS = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")


class League:
    """The results by game, and the place in the feed. A repeated game counts once.

    Keep both in your database, in one transaction.
    """

    def __init__(self) -> None:
        self.results: dict[str, tuple[list[str], list[str]]] = {}
        self.place = ""

    def count(self, game: FinishedGame) -> None:
        """Count a finished game."""
        names = [seat.name or "" for seat in game.seats]
        won = [seat.name or "" for seat in game.seats if seat.side in game.winners]
        self.results[game.id], self.place = (names, won), game.place

    def table(self) -> dict[str, list[int]]:
        """Return the games that each member has played, and won."""
        played = Counter(name for names, _ in self.results.values() for name in names)
        won = Counter(name for _, names in self.results.values() for name in names)
        return {name: [played[name], won[name]] for name in MEMBERS}


async def play(client: AsyncClient, number: int) -> None:
    """Open a table for four members in turn, and play the first seat. Computers play the others."""
    names = [MEMBERS[(number + seat) % len(MEMBERS)] for seat in range(4)]
    seats = [SeatSetup(name=name, computer="easy" if seat else None) for seat, name in enumerate(names)]
    opened = await client.open_game("trebor", players=4, scores=[30, 30], first_dealer=0, seats=seats)
    game = await client.join(opened.id, opened.seats[0].token)
    async with aclosing(game.changes()) as changes:
        async for _ in changes:
            with suppress(StaleVersion):  # the next change shows the events in between
                if game.is_my_deal:
                    await game.deal()
                elif game.legal_cards:
                    await game.play(game.legal_cards[0])


async def count(client: AsyncClient, league: League, games: int) -> None:
    """Count finished games until there are enough, even through a long outage."""
    while len(league.results) < games:
        with suppress(NoAnswer):
            async with aclosing(client.finished_games(league.place)) as finished:
                async for game in finished:
                    league.count(game)
                    if len(league.results) == games:
                        break


async def main(url: str, key: str, tables: int) -> League:
    """Play the tables, and return the league."""
    league = League()
    async with AsyncClient(url, key=key, patience=600) as client, asyncio.TaskGroup() as group:
        group.create_task(count(client, league, tables))
        for number in range(tables):
            group.create_task(play(client, number))
    return league


if __name__ == "__main__":
    ended = asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    print(json.dumps({"table": ended.table(), "games": [*ended.results]}))
