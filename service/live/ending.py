"""The end of a live game for its app's feed: derived from the log alone, so every process finds the same."""

import zlib

import msgspec
from msgspec.structs import asdict

from service.game.rules import game as winning
from service.game.rules import score
from service.live.entries import Milliseconds
from service.live.log import Game, Step
from service.live.record import RecordWriter
from service.live.turns import game_phase
from service.live.views import name_seats
from service.schemas.events import write_won_by
from service.schemas.finished_game import EndedGame, FinishedGame, Outcome
from service.schemas.ids import GameId
from service.schemas.revision import Revision
from service.schemas.timestamp import format_timestamp

_OUTCOMES: dict[bytes, Outcome] = {b"deleted": "deleted", b"expired": "abandoned"}
"""The outcome of a game without a winner, by the word behind its log."""


class EndWriter:
    """Writes how a game ended, step by step. Acts after the end are left out."""

    def __init__(self) -> None:
        self._record = RecordWriter()
        self._last: Game | None = None

    def add(self, step: Step) -> None:
        """Add the next step."""
        if self._last is None or game_phase(self._last) != "game_over":
            self._record.add(step)
            self._last = step.game

    def write(self, game_id: GameId, mark: bytes) -> EndedGame:
        """Write the ended game.

        Shape: `mark` is the store's mark behind the log, empty while the game exists.
        Errors: ValueError, if there was no step, or the game has not ended.
        """
        last, (how, _, at) = self._last, mark.partition(b" ")
        if last is None or (not mark and game_phase(last) != "game_over"):
            raise ValueError(mark)
        won, opened = _find_won(last), last.opened
        ended_at: Milliseconds = int(at) if won is None else last.changed_at
        return EndedGame(
            id=game_id,
            version=str(last.revision),
            opened_at=format_timestamp(last.opened_at),
            ended_at=format_timestamp(ended_at),
            outcome="won" if won else _OUTCOMES[how],
            won_by=write_won_by(last.table.ruleset, won) if won else None,
            winners=won.winners if won else (),
            totals=score.totals(last.state) if last.state else opened.scores or (0,) * len(opened.sides),
            seats=name_seats(last),
            record=self._record.write_whole(),
        )


def _find_won(game: Game) -> winning.Won | None:
    if game.resigned is not None:
        return winning.won_from(game.table, game.table.side_of[game.resigned], "resignation")
    return None if game.state is None else winning.won(game.state)


def pack_ended(game: EndedGame) -> bytes:
    """Encode a finished game for the store, in a quarter of its length as JSON."""
    return zlib.compress(msgspec.msgpack.encode(game))


def unpack_ended(stored: bytes, place: Revision) -> FinishedGame:
    """Decode a finished game from the store, with its place in the feed."""
    ended = msgspec.msgpack.decode(zlib.decompress(stored), type=EndedGame)
    return FinishedGame(**asdict(ended), place=str(place))
