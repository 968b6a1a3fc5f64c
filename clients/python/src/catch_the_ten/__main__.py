"""The command python -m catch_the_ten play URL: it plays a seat of a live game to its end."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qs, urlsplit

from catch_the_ten._sync.client import Client
from catch_the_ten.cards import name_of
from catch_the_ten.models import CardPlayed, ComputerLevel, GameEvent
from catch_the_ten.refusal import CallFailed

_TOKEN: Final = "CATCH_THE_TEN_TOKEN"  # noqa: S105 # the name of a variable
_KEY: Final = "CATCH_THE_TEN_KEY"
_LEVELS: Final = ("easy", "medium", "hard")
_GAMES: Final = "/v1/games/"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a seat, and return the exit code: 0 if the game is over."""
    parser = argparse.ArgumentParser(prog="python -m catch_the_ten", description=__doc__)
    play = parser.add_subparsers(required=True).add_parser("play", help="play a seat of a live game to its end")
    play.add_argument(
        "url",
        help=f"…{_GAMES}ID, with the token of the seat in {_TOKEN}, which nobody else can read, as they can a "
        f"command line; or the link of a seat, as /table gives it. The key of an app, if one is needed, is in {_KEY}",
    )
    play.add_argument("--level", choices=_LEVELS, default="medium", help="how far to think; medium if left out")
    asked = parser.parse_args(arguments)
    try:
        _play(asked.url, asked.level)
    except CallFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


def read_link(link: str) -> tuple[str, str, str]:
    """Return the address of the service, the id of a game and the token of a seat, "" if the link has none.

    Errors: CallFailed, if it is no link to a game.
    """
    parts = urlsplit(link)
    facts = {name: values[0] for name, values in parse_qs(parts.fragment).items()}
    before, found, game = parts.path.rpartition(_GAMES)
    game = facts.get("game", game if found else "")
    if not game or not parts.netloc:
        raise CallFailed(f"This is no link to a game: {link}", passes=False)
    path = before if found else parts.path.rpartition("/")[0]
    return f"{parts.scheme}://{parts.netloc}{path}", game, facts.get("token", "")


def _play(link: str, level: ComputerLevel) -> None:
    url, game_id, token = read_link(link)
    with Client(url, key=os.environ.get(_KEY, "")) as client:
        game = client.join(game_id, token or os.environ.get(_TOKEN, ""))
        if game.seat is None:
            raise CallFailed("Give the token of a seat.", passes=False)
        for update in client.play_seat(game, level):
            for event in update.events:
                _say(event, game.seat)
        print("Totals by side:", *(game.position.totals if game.position else ()))


def _say(event: GameEvent, seat: int | None) -> None:
    if isinstance(event, CardPlayed) and event.seat == seat:
        print(f"Seat {seat} plays the {name_of(event.card)}.", flush=True)


if __name__ == "__main__":
    sys.exit(main())
