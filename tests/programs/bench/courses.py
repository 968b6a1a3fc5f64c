"""Live games to be played by a load that knows every card: opened and dealt in Redis itself, not through the service.

A course is a deal played at random, once, in memory. Any number of games follow it: they differ in their ids alone.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from typing import Final, NamedTuple

from redis import Redis

from service.game.cards import card_code, cards_of
from service.game.rules import follow, game
from service.game.rulesets import Table
from service.live.entries import DealEntry, Entry, OpenEntry, PlayEntry, write_entry
from service.live.log import Game, advance, open_game
from service.live.store.redis.store import key_of
from service.live.tokens import hash_token
from service.schemas.ids import Token
from service.schemas.revision import Revision, revision_of
from tests.programs.bench.foretold import NONCE
from tests.programs.bench.games import tables

AT_ONCE: Final = 256
"""Games under way at once: enough that a play has long been answered when the next one of its game is sent."""
_TTL: Final = 3600
_HOST: Final = hash_token(Token("host"))
TOKENS: Final = tuple(Token(token_urlsafe(32)) for _ in range(8))
"""By seat, in every game."""


class Course(NamedTuple):
    """A deal of a game: the log up to its first card, and the cards with the seat of each; version 2 is before them."""

    opening: tuple[bytes, ...]
    plays: tuple[PlayEntry, ...]

    @property
    def whole(self) -> tuple[bytes, ...]:
        """The log after the last card."""
        return (*self.opening, *map(_line, self.plays))

    @property
    def revisions(self) -> Iterator[Revision]:
        """The revision before each play, and the last one."""
        return map(revision_of, count(2), self.whole[1:])


def draw_courses(each: int = 2) -> list[Course]:
    """Draw `each` courses for every ruleset and count of players."""
    chance = Random(5)
    return [_draw(table, chance) for _ in range(each) for table in tables()]


def _draw(table: Table, chance: Random) -> Course:
    seats = tuple(map(hash_token, TOKENS[: table.players]))
    opened = OpenEntry(table.rules, table.sides, "refuse", _TTL, False, 0, _secret(chance), _HOST, seats)
    dealt = DealEntry(table.strips[0], threes=False, secret=_secret(chance))
    lines = (_line(opened), _line(dealt))
    return Course(lines, tuple(_play(advance(open_game(lines[0]), dealt, lines[1]).game, chance)))


def _line(entry: Entry) -> bytes:
    return write_entry(entry, NONCE, 0)


def _secret(chance: Random) -> str:
    return chance.randbytes(32).hex()


def _play(now: Game, chance: Random) -> Iterator[PlayEntry]:
    while (state := now.state) is not None and game.phase(state, game.won(state)) == "playing":
        entry = PlayEntry(state.seat_to_play, chance.choice(cards_of(follow.legal_cards(state) or 0)))
        yield entry
        now = advance(now, entry, _line(entry)).game


class Begun(NamedTuple):
    """A game in Redis with its course."""

    id: str
    course: Course


def begin(redis: Redis, courses: Sequence[Course], plays: int) -> list[Begun]:
    """Begin as many games in Redis as a number of plays needs."""
    begun: list[Begun] = []
    pipeline = redis.pipeline(transaction=False)
    turns = cycle(courses)
    while plays > 0:
        begun.append(Begun(token_urlsafe(16), next(turns)))
        pipeline.rpush(key_of(begun[-1].id), *begun[-1].course.opening)
        pipeline.expire(key_of(begun[-1].id), _TTL)
        plays -= len(begun[-1].course.plays)
    pipeline.execute()
    return begun


def end(redis: Redis, begun: Sequence[Begun]) -> None:
    """Take games away."""
    for start in range(0, len(begun), 500):
        redis.delete(*(key_of(each.id) for each in begun[start : start + 500]))


def write_plays(begun: Sequence[Begun], to: Path) -> int:
    """Write plays for live.lua: id, token, revision and card, the games under way in turn; return how many."""
    lines = [
        f"{each.id} {TOKENS[play.seat]} {revision} {card_code(play.card)}\n" for each, revision, play in _in_turn(begun)
    ]
    to.write_text("".join(lines))
    return len(lines)


def _in_turn(begun: Sequence[Begun]) -> Iterator[tuple[Begun, Revision, PlayEntry]]:
    """Yield plays of the games under way in turn; a game that has ended gives its turn to the next."""
    waiting = ((each, zip(each.course.revisions, each.course.plays, strict=False)) for each in begun)
    under_way = deque(islice(waiting, AT_ONCE))
    while under_way:
        each, left = under_way.popleft()
        found = next(left, None)
        if found is None:
            fresh = next(waiting, None)
            if fresh is None:
                return  # The last games stay unfinished: they would soon be alone.
            each, left = fresh
            found = next(left)
        yield each, *found
        under_way.append((each, left))
