"""Example requests and answers of live games, from one made-up game with made-up secrets."""

from functools import cache
from typing import Any, Final

import msgspec
from msgspec import structs

from openapi.examples.guide import REQUEST_ID
from openapi.examples.questions import MID_TRICK, Example
from service.api.games.acts import Rematch
from service.api.games.apps import NO_APPS
from service.api.games.changes import ChangePage
from service.api.games.event_messages import change_message
from service.api.games.games import OpenedGame, OpenedSeat, seats_with_tokens
from service.api.games.my_games import GameAnswer, GameAnswers
from service.api.games.seats import RenewedToken
from service.game.cards import NUMBER, CardCode
from service.game.fairness.commitment import draw_seed_from
from service.game.fairness.shuffle import draw
from service.game.notation.record import format_record
from service.game.rulesets import Seat
from service.http.problem_document import write_problem
from service.live import entries
from service.live.decisions import BAD_VERSION, TOO_MANY_CHANGES, Append, decide_seats
from service.live.ending import EndWriter
from service.live.entries import DealEntry, Entry, OpenEntry, PlayEntry, write_entry
from service.live.log import Game, Step, advance, open_game
from service.live.record import RecordWriter
from service.live.repository import GAME_GONE, NO_SUCH_GAME
from service.live.tokens import derive_secrets, derive_token, hash_token
from service.live.views import summarize, view_change, view_game
from service.schemas.finished_game import FinishedGame, FinishedGames, OpenGames
from service.schemas.ids import Key, Salt
from service.schemas.refusal import ProblemCode, Refusal
from service.schemas.scalars import PlayerLevel

_SECRETS: Final = derive_secrets(4, Key("example"), Salt(b"example"))
_NEXT: Final = derive_secrets(4, Key("the next example"), Salt(b"example"))
LIVE_EXAMPLES: Final[dict[str, tuple[Example, ...]]] = {
    "open_game": (
        Example(
            "four_players",
            "Four players by name, who let a revoke stand and penalise it",
            {
                "rules": "trebor",
                "players": 4,
                "seats": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cho"}, {"name": "Dee"}],
                "on_revoke": "penalise",
                "ttl": 3600,
            },
        ),
        Example(
            "two_players",
            "Two players without names, of whom the second deals first",
            {"rules": "gamerules", "players": 2, "first_dealer": 1},
        ),
        Example(
            "against_computers",
            "One person at a table of four, with a computer as the partner and two others as opponents",
            {
                "rules": "trebor",
                "players": 4,
                "seats": [{"name": "Ann"}, {"computer": "medium"}, {"computer": "hard"}, {"computer": "medium"}],
                "first_dealer": 0,
            },
        ),
        Example(
            "from_position",
            "Four players who go on from a deal in play",
            {"rules": "trebor", "state": MID_TRICK, "move_seconds": 60},
        ),
    ),
    "seat_computer": (Example("medium", "Let it play fairly well", {"level": "medium"}),),
    "change_seats": (Example("by_cards", "Draw cards for partners", {}),),
    "add_entropy": (Example("own_text", "A text that nobody can guess", {"entropy": "my-own-dice-62415"}),),
    "deal_next": (Example("singly", "Deal the cards one by one", {}),),
    "play_card": (Example("lead", "Lead the six of spades", {"card": "6S"}),),
    "resign": (Example("own_seat", "Resign for the own seat", {}),),
    "list_my_games": (
        Example(
            "two_games",
            "A game as one of its seats, and another one that is gone",
            {"games": [{"id": _SECRETS.game, "token": _SECRETS.seats[3]}, {"id": _NEXT.game}]},
        ),
    ),
    "renew_token": (Example("named", "Take the seat under a name", {"name": "Cho"}),),
}
_BEGAN: Final = 1_767_268_800_000
"""New Year's Day of 2026, at noon, in milliseconds since 1970 began."""
_NEW_TOKEN: Final = derive_token(_SECRETS.seats[2], Key("example"), Salt(b"example"))
_RENEWED: Final = entries.TokenEntry(2, hash_token(_NEW_TOKEN), b"", Salt(b"example"), "Cho")
_PLAYS: Final[tuple[tuple[Seat, CardCode], ...]] = ((2, "6S"), (3, "AS"), (0, "TC"))


@cache
def _steps() -> tuple[Step, ...]:
    """Play the game: one seat adds entropy, the cards are dealt, and the third card is a revoke, which ends it."""
    secret = "06" * 32
    _, dealer = draw(4, draw_seed_from(secret))
    opened = OpenEntry(
        rules="trebor",
        sides=((0, 2), (1, 3)),
        on_revoke="penalise",
        ttl=3600,
        drawn=True,
        dealer=dealer,
        secret=secret,
        host=hash_token(_SECRETS.host),
        seats=tuple(hash_token(token) for token in _SECRETS.seats),
        names=("Ann", "Bob", "Cho", "Dee"),
    )
    steps = [Step(open_game(write_entry(opened, b"sample", _BEGAN)), opened)]
    changes: tuple[Entry, ...] = (
        entries.EntropyEntry(2, "my-own-dice-62415"),
        DealEntry(strip=0, threes=False, secret="1" * 64),
        *(PlayEntry(seat, NUMBER[card]) for seat, card in _PLAYS),
    )
    for number, entry in enumerate(changes, start=1):
        steps.append(_advance(steps[-1].game, entry, _BEGAN + 7_250 * number))
    return tuple(steps)


def live_answers() -> dict[str, dict[str, Any]]:
    """Return the answers to the example requests, by operation and example."""
    _, after_entropy, dealt, led, *_ = _steps()
    renewed = _advance(led.game, _RENEWED, led.game.changed_at + 60_000)
    resigned = _advance(led.game, entries.ResignEntry(3), led.game.changed_at + 60_000)
    answers = {
        "open_game": {
            "four_players": _opened(_steps()[0].game),
            "two_players": _open_for_two(),
            "against_computers": _opened(_with_computers(_steps()[0].game)),
            "from_position": _opened(structs.replace(_steps()[0].game, names=())),
        },
        "seat_computer": {"medium": view_change(_seat_computer(led.game, "medium"), None)},
        "add_entropy": {"own_text": view_change(after_entropy, 2)},
        "deal_next": {"singly": view_change(dealt, 1)},
        "play_card": {"lead": view_change(led, 2)},
        "list_my_games": {"two_games": _look_at_two(led.game)},
        "resign": {"own_seat": view_change(resigned, 3)},
        "change_seats": {
            "by_cards": view_game(_SECRETS.game, _change_seats(_steps()[1].game), "host", (0, 2)),
        },
        "renew_token": {"named": RenewedToken(**structs.asdict(view_change(renewed, 2)), seat=2, token=_NEW_TOKEN)},
    }
    built: dict[str, dict[str, Any]] = msgspec.to_builtins(answers)
    return built


def _look_at_two(game: Game) -> GameAnswers:
    problem = write_problem(Refusal("game_gone", GAME_GONE), REQUEST_ID)
    return GameAnswers(
        (GameAnswer(200, summarize(_SECRETS.game, game), None), GameAnswer(problem.status, None, problem))
    )


def _advance(game: Game, entry: Entry, at: int) -> Step:
    return advance(game, entry, write_entry(entry, b"sample", at))


def _seat_computer(game: Game, level: PlayerLevel | None) -> Step:
    return _advance(game, entries.ComputerEntry(3, level), game.changed_at + 30_000)


def _change_seats(game: Game) -> Game:
    decided = decide_seats(game, _SECRETS.host, game.revision, None, "3" * 64, game.changed_at)
    if not isinstance(decided, Append):
        raise TypeError(decided)
    return _advance(game, decided.entry, game.changed_at + 5_000).game


def _opened(game: Game) -> OpenedGame:
    seats = seats_with_tokens(game, _SECRETS.seats)
    return OpenedGame(_SECRETS.game, str(game.revision), seats, _SECRETS.host)


def _with_computers(game: Game) -> Game:
    return structs.replace(game, names=("Ann", None, None, None), computers=(None, "medium", "hard", "medium"))


def _open_for_two() -> OpenedGame:
    secrets = derive_secrets(2, Key("another example"), Salt(b"example"))
    pairs = enumerate(secrets.seats)
    seats = tuple(OpenedSeat(seat, seat, None, None, present=False, token=token) for seat, token in pairs)
    return OpenedGame(secrets.game, "1-1f3a9c02", seats, secrets.host)


def live_responses() -> dict[str, Any]:
    """Return example answers of the GET operations: as seat 0 sees the game after the first card, and its record."""
    led, record = _steps()[3], RecordWriter(_steps()).write()
    back = _seat_computer(_seat_computer(led.game, "easy").game, None)
    asked = _advance(led.game, entries.TakeBackEntry(2), led.game.changed_at + 5_000)
    change = msgspec.json.encode(view_change(led, None)).decode()
    rematch = entries.RematchEntry(_NEXT.game)
    changes = ChangePage(tuple(change_message(step, None) for step in _steps()[2:4]), present=(0, 2), more=False)
    return {
        "get_game": msgspec.to_builtins(view_game(_SECRETS.game, led.game, 0, (0, 2))),
        "get_record": msgspec.to_builtins(record),
        "get_record.text": format_record(record),
        "follow_events": {"event": "change", "id": str(led.game.revision), "data": change},
        "open_rematch": msgspec.to_builtins(Rematch(rematch.game, "1-7d02c5e1")),
        "take_back": msgspec.to_builtins(view_change(asked, 2)),
        "take_seat_back": msgspec.to_builtins(view_change(back, 3)),
        "list_changes": msgspec.to_builtins(changes),
        "list_finished_games": msgspec.to_builtins(_list_finished()),
        "list_games": msgspec.to_builtins(OpenGames((summarize(_SECRETS.game, led.game),), None)),
    }


def _list_finished() -> FinishedGames:
    """Return a page of the feed of an app that has the game alone."""
    writer = EndWriter()
    for step in _steps():
        writer.add(step)
    game = FinishedGame(**structs.asdict(writer.write(_SECRETS.game, b"")), place="1-1f3a9c02")
    return FinishedGames((game,), game.place, more=False, dropped=0)


def live_refusals() -> dict[ProblemCode, Refusal]:
    """Return an example of each problem that only live games have."""
    latest = _steps()[3].game.revision
    stale = f"The game has moved on: it is at version {latest}."
    found: dict[ProblemCode, str] = {
        "no_such_game": NO_SUCH_GAME,
        "game_gone": GAME_GONE,
        "token_missing": "This needs the token of a seat.",
        "unknown_token": "The token is not one of this game.",
        "wrong_token": "Seat 1 deals, or the host does.",
        "not_dealt": "No cards are dealt yet.",
        "game_not_over": "The next game can be opened once this one is over.",
        "computer_plays": "The computer plays seat 3. Take the seat back first.",
        "already_dealt": "Players change seats before the first deal, and in the next game.",
        "not_away": "Seat 3 counts as away in 75 seconds.",
        "cannot_take_back": "In this game no card is taken back.",
        "entropy_given": "Seat 2 has added to the next shuffle already.",
        "too_many_changes": TOO_MANY_CHANGES,
        "version_needed": "Send the version that you saw in If-Match, as its ETag gave it.",
        "bad_version": BAD_VERSION,
        "bad_idempotency_key": "An Idempotency-Key has 16 to 256 characters that nobody can guess.",
        "idempotency_key_reused": "The Idempotency-Key was first sent with another body.",
        "store_down": "The store of live games cannot be reached. Whether a change was made is not known.",
        "no_apps": NO_APPS,
        "store_full": "The store of live games is full. Nothing was changed.",
        "too_many_streams": "10000 of 10000 places for event streams are taken, 20 by you.",
    }
    refusals: dict[ProblemCode, Refusal] = {code: Refusal(code, detail) for code, detail in found.items()}
    return {**refusals, "stale_version": Refusal("stale_version", stale, fact=latest)}
