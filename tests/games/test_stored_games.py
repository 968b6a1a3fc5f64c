"""Games that other versions stored: read by this one, and written by it in the same bytes.

Each file is of one version: for some games their entries as they were stored, and what a spectator saw at the end.
Never change a file; where an entry gets another form, add the file of the new version.
"""

from base64 import b64decode
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec import Struct

from service.games import entries
from service.games import log as game_log
from service.rules import score, view
from service.state import Claim
from tests.support.wire import write_position


class Seen(Struct, frozen=True):
    """The position at the end, with the fields that it had in every version."""

    state: Claim
    phase: str
    turn: int | None
    legal_cards: tuple[str, ...] | None
    trick_winner: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]


class Stored(Struct, frozen=True):
    """A game as it was stored, and as it stood."""

    lines: tuple[str, ...]
    version: int
    scores: tuple[int, ...]
    position: Seen


FILES: Final = sorted((Path(__file__).parent / "stored").glob("*.json"))
GAMES: Final = [
    pytest.param(game, id=f"{file.stem} {at}")
    for file in FILES
    for at, game in enumerate(msgspec.json.decode(file.read_bytes(), type=list[Stored]))
]


def test_there_are_games_of_other_versions() -> None:
    assert GAMES


@pytest.mark.parametrize("stored", GAMES)
def test_a_game_of_another_version_goes_on_where_it_was(stored: Stored) -> None:
    *_, last = game_log.steps(b64decode(line) for line in stored.lines)
    assert last.game.version == stored.version
    assert last.game.state is not None
    assert score.totals(last.game.state) == stored.scores
    seen = view.view(last.game.state, None)
    assert msgspec.convert(msgspec.to_builtins(write_position(seen)), Seen) == stored.position


@pytest.mark.parametrize("stored", GAMES)
def test_every_version_writes_the_same_entry_after_the_opening(stored: Stored) -> None:
    for line in map(b64decode, stored.lines):
        entry = entries.parse_entry(line)
        again = entries.write_entry(entry, bytes(entries.NONCE_BYTES), entries.time_of(line))
        assert entries.time_of(again) == entries.time_of(line)
        if isinstance(entry, entries.OpenEntry):
            # An opening and a whole ruleset have more fields now, which other versions do not know.
            assert entries.parse_entry(again) == entry
        else:
            assert line.endswith(again[2 + entries.NONCE_BYTES + 6 :])
