"""Games that released versions stored: read by this one, and written by it in the same bytes.

Each file is of one version: for some games their entries as they are stored, and what a spectator sees at the end.
Never change the file of a release; where an entry gets another form, add the file of the new version.
"""

from base64 import b64decode
from pathlib import Path
from typing import Final, get_args

import msgspec
import pytest
from msgspec import Struct

from service.game.rules import score, view
from service.game.state import Claim
from service.live import entries
from service.live import log as game_log
from service.live.repository import new_entry_bytes
from service.live.tokens import hash_game
from service.schemas.ids import GameId
from tests.platform.metrics.readings import value
from tests.support.games.callers import Live
from tests.support.http.client import refused
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
READ: Final = {file.stem: msgspec.json.decode(file.read_bytes(), type=list[Stored]) for file in FILES}


GAMES: Final = [
    pytest.param(game, id=f"{version} {at}") for version, games in READ.items() for at, game in enumerate(games)
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
def test_every_version_writes_the_same_entry(stored: Stored) -> None:
    for line in map(b64decode, stored.lines):
        entry = entries.parse_entry(line)
        assert entries.write_entry(entry, line[: entries.NONCE_BYTES], entries.time_of(line)) == line


FIELDS: Final = {
    "OpenEntry": "rules sides on_revoke ttl drawn dealer secret host seats scores names computers owner "
    "move_seconds take_back",
    "PositionEntry": "rules sides on_revoke ttl drawn dealer secret host seats scores names computers owner "
    "move_seconds take_back position",
    "HastyRematchEntry": "rules sides on_revoke ttl drawn dealer secret host seats scores names computers owner "
    "move_seconds take_back counted_until",
    "EntropyEntry": "seat entropy",
    "DealEntry": "strip threes secret",
    "PlayEntry": "seat card",
    "AbsentPlayEntry": "seat card",
    "ResignEntry": "seat",
    "TokenEntry": "seat token request salt name",
    "ComputerEntry": "seat level",
    "TakeBackEntry": "seat",
    "RematchEntry": "game",
    "SeatsEntry": "seats drawn secret by",
}
"""The fields of the entries up to format 6."""


def test_a_change_of_the_entries_raises_their_format() -> None:
    written = {kind.__name__: " ".join(kind.__struct_fields__) for kind in get_args(entries.Entry)}
    assert (entries.FORMAT, written) == (6, FIELDS)


def test_an_entry_of_a_later_format_is_neither_read_nor_changed(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    table = live.open("denexa", 2)
    opening = live.run(live.store.load(table.opened.id)).entries[0]
    now = new_entry_bytes(entries.EntropyEntry(0, "new"), 1)
    at = now.index(b"\x03\x93", entries.NONCE_BYTES)
    entry = b"%b%c%b" % (now[:at], entries.FORMAT + 1, now[at + 1 :])
    assert live.run(live.store.append(table.opened.id, 1, entry, 600, opening))
    before = value("catchten_games_unreadable_total")
    table = table.over(Live(live.runner, live.store))  # whose log has said nothing yet
    for answer in (table.call(None, "GET"), table.stir(0, "x"), table.call(None, "GET", "/record"), table.deal()):
        problem = refused(answer, "store_down")
        assert "Another version" in problem.detail
        assert answer.headers["retry-after"]
    assert live.run(live.store.load(table.opened.id)).entries == [opening, entry]
    assert value("catchten_games_unreadable_total") == before + 4
    [line] = [record.getMessage() for record in caplog.records]
    assert f"of the hash {hash_game(table.opened.id)}, cannot be read: format 7, where this version knows 6" in line
    assert table.opened.id not in line


def test_a_ruleset_that_only_another_version_knows_is_not_read(live: Live) -> None:
    table = live.open("denexa", 2)
    opening = live.run(live.store.load(table.opened.id)).entries[0]
    game = GameId("b" * 22)
    assert live.run(live.store.create(game, opening.replace(b"\xa6denexa", b"\xa6renexa"), 600))
    assert "Another version" in refused(live.call("GET", f"/v1/games/{game}"), "store_down").detail
