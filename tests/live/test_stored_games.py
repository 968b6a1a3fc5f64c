"""Games that released versions stored: read by this one, and written by it in the same bytes, but for what is gone.

Each file is of one version: for some games their entries as they are stored, and what a spectator sees at the end.
Never change the file of a release; where an entry gets another form, add the file of the new version.
"""

from base64 import b64decode
from pathlib import Path
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec import Struct

from service.game.rules import score, view
from service.game.rulesets.ruleset import Source
from service.game.state import Claim
from service.live import entries
from service.live import log as game_log
from service.live.repository import new_entry_bytes
from service.schemas.ids import GameId
from tests.live.test_positions import PAIRS, open_from, played
from tests.support.claims import house
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
    position: dict[str, object]


FILES: Final = sorted((Path(__file__).parent / "stored").glob("*.json"))
READ: Final = {file.stem: msgspec.json.decode(file.read_bytes(), type=list[Stored]) for file in FILES}


def _shares_by_hand(stored: Stored) -> bool:
    return b"share\xa4hand" in b64decode(stored.lines[0])


GAMES: Final = [
    pytest.param(game, id=f"{version} {at}")
    for version, games in READ.items()
    for at, game in enumerate(games)
    if not _shares_by_hand(game)
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
    position = msgspec.convert(entries.leave_out_share(stored.position), Seen)
    assert msgspec.convert(msgspec.to_builtins(write_position(seen)), Seen) == position


@pytest.mark.parametrize("stored", GAMES)
def test_every_version_writes_the_same_entry_but_for_the_share_that_is_gone(stored: Stored) -> None:
    for line in map(b64decode, stored.lines):
        entry = entries.parse_entry(line)
        written = entries.write_entry(entry, line[: entries.NONCE_BYTES], entries.time_of(line))
        assert entries.parse_entry(written) == entry
        assert written == line or b"share" in line


FIELDS: Final = {
    "OpenEntry": "rules sides on_revoke ttl drawn dealer secret host seats scores names computers owner "
    "move_seconds take_back",
    "PositionEntry": "rules sides on_revoke ttl drawn dealer secret host seats scores names computers owner "
    "move_seconds take_back position",
    "EntropyEntry": "seat entropy",
    "DealEntry": "strip threes secret",
    "PlayEntry": "seat card",
    "AbsentPlayEntry": "seat card",
    "ResignEntry": "seat",
    "TokenEntry": "seat token request salt name",
    "ComputerEntry": "seat level",
    "TakeBackEntry": "seat",
    "RematchEntry": "game",
}
"""The fields of the entries up to format 4."""


def test_a_change_of_the_entries_raises_their_format() -> None:
    written = {kind.__name__: " ".join(kind.__struct_fields__) for kind in get_args(entries.Entry)}
    assert (entries.FORMAT, written) == (4, FIELDS)


def _with_share(opening: bytes) -> bytes:
    """Return an opening with a position by house rules as it was stored with the share."""
    entry: Any = msgspec.to_builtins(entries.parse_entry(opening), builtin_types=(bytes,))
    position = entry[-1]
    for rules in (entry[1], position["rules"]):
        rules["share"] = "deal"
        rules["sources"]["share"] = msgspec.to_builtins(Source())
    position["taken_by_hand"] = []
    start = entries.NONCE_BYTES + 6
    return opening[: start + 1] + msgspec.msgpack.encode(entry)


def test_house_rules_and_a_position_are_read_without_the_share_that_is_gone(live: Live) -> None:
    table = open_from(live, played(Random(1), 5, house(), PAIRS))
    opening = live.run(live.store.load(table.opened.id)).entries[0]
    stored = _with_share(opening)
    assert stored != opening
    assert entries.parse_entry(stored) == entries.parse_entry(opening)


def test_a_game_in_which_each_hand_counts_by_itself_cannot_be_read(live: Live) -> None:
    game = GameId("a" * 22)
    [stored] = filter(_shares_by_hand, READ["1.0.0"])
    assert live.run(live.store.create(game, b64decode(stored.lines[0]), 600))
    problem = refused(live.call("GET", f"/v1/games/{game}"), "store_down")
    assert "Another version" in problem.detail


def test_an_entry_of_a_later_format_is_neither_read_nor_changed(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    table = live.open("denexa", 2)
    opening = live.run(live.store.load(table.opened.id)).entries[0]
    now = new_entry_bytes(entries.EntropyEntry(0, "new"), 1)
    at = now.index(b"\x03\x93", entries.NONCE_BYTES)
    entry = b"%b%c%b" % (now[:at], entries.FORMAT + 1, now[at + 1 :])
    assert live.run(live.store.append(table.opened.id, 1, entry, 600, opening))
    for answer in (table.call(None, "GET"), table.stir(0, "x"), table.call(None, "GET", "/record"), table.deal()):
        problem = refused(answer, "store_down")
        assert "Another version" in problem.detail
        assert answer.headers["retry-after"]
    assert live.run(live.store.load(table.opened.id)).entries == [opening, entry]
    assert all("format 5, where this version knows 4" in record.getMessage() for record in caplog.records)
    assert caplog.records
