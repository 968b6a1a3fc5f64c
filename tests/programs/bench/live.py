"""Live plays over a real Redis: bare and as shipped, in games that were opened and dealt in Redis itself."""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from redis import Redis

from service.game.cards import CardCode, card_code, cards_of
from service.game.rules import play
from service.game.rulesets import Table, make_table
from service.live.entries import DealEntry, Entry, OpenEntry, write_entry
from service.live.log import advance, open_game
from service.live.store.redis.store import key_of
from service.live.tokens import hash_token
from service.schemas.ids import Token
from service.schemas.revision import Revision, revision_of
from tests.programs.bench import load
from tests.programs.bench.questions import RESTARTS
from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.targets import SERVICE, Plan, Server, as_shipped, started, url_of
from tests.support.redis_server import running
from tests.support.strategies import ARRANGEMENTS, legal, phase

HELD: Final = "live play"
SHIPPED: Final = "live play as shipped"
STORE_TIMEOUT: Final = "10"
"""Seconds; generous, so a busy machine slows the measurement down but does not fail it."""
GAMES_A_SECOND: Final = 500
"""More than any service on one core plays to the end."""
_TTL: Final = 3600
_HOST: Final = hash_token(Token("host"))
TOKENS: Final = tuple(Token(token_urlsafe(32)) for _ in range(8))
"""By seat, in every game."""
_ABOUT: Final = """\
The service over one Redis. Every play carries a token and If-Match, is judged, and is one script call, which also
notifies watchers. Games were opened and dealt beforehand, and the process has seen each game."""


class Course(NamedTuple):
    """A deal of a game: the log up to its first card, and the cards with the seat of each."""

    opening: tuple[bytes, ...]
    plays: tuple[tuple[int, CardCode], ...]

    @property
    def revision(self) -> Revision:
        """The revision before the first play."""
        return revision_of(len(self.opening), self.opening[-1])


def draw_courses() -> list[Course]:
    """Draw a course for every ruleset, count of players and sides."""
    chance = Random(5)
    return [_draw(make_table(*each), chance) for each in ARRANGEMENTS]


def _draw(laid: Table, chance: Random) -> Course:
    seats = tuple(map(hash_token, TOKENS[: laid.players]))
    secrets = [chance.randbytes(32).hex() for _ in range(2)]
    opened = _line(OpenEntry(laid.rules, laid.sides, "refuse", _TTL, False, 0, secrets[0], _HOST, seats))
    dealt = DealEntry(laid.strips[0], threes=False, secret=secrets[1])
    state, plays = advance(open_game(opened), dealt, _line(dealt)).game.state, list[tuple[int, CardCode]]()
    while state is not None and phase(state) == "playing":
        card = chance.choice(cards_of(legal(state)))
        plays.append((state.seat_to_play, card_code(card)))
        state = play.play(state, card).state
    return Course((opened, _line(dealt)), tuple(plays))


def _line(entry: Entry) -> bytes:
    return write_entry(entry, b"bench.", 0)


def begin(redis: Redis, courses: Sequence[Course], games: int) -> dict[str, Course]:
    """Begin games in Redis, on the courses in turn; return them by their ids."""
    begun = {token_urlsafe(16): course for course in islice(cycle(courses), games)}
    pipeline = redis.pipeline(transaction=False)
    for game, course in begun.items():
        pipeline.rpush(key_of(game), *course.opening)
        pipeline.expire(key_of(game), _TTL)
    pipeline.execute()
    return begun


def write_plays(begun: dict[str, Course], to: Path) -> None:
    """Write the games play by play, as load.lua reads them: id, token, revision or a dash, and card."""
    lines = [
        f"{game} {TOKENS[seat]} {'-' if at else course.revision} {card}\n"
        for game, course in begun.items()
        for at, (seat, card) in enumerate(course.plays)
    ]
    to.write_text("".join(lines))


def measure_live(plan: Plan) -> Iterator[Section]:
    """Measure plays, bare and as shipped, in turn."""
    taken: dict[str, load.Taken] = {}
    with running() as port, Redis(port=port) as redis:
        bare = SERVICE._replace(settings=(("REDIS_URL", url_of(port)),))
        for _ in range(RESTARTS):
            with started((bare, as_shipped(port)), plan.serving, STORE_TIMEOUT=STORE_TIMEOUT) as servers:
                measured = {
                    name: playing(server, redis, plan) for name, server in zip((HELD, SHIPPED), servers, strict=True)
                }
                load.take_turns(measured, -(-plan.rounds // RESTARTS), taken)
    print("measured live plays", file=sys.stderr)
    figures = (
        Figure("live play, µs", taken[HELD].micros),
        Figure("live play as shipped, µs more", taken[SHIPPED].above(taken[HELD])),
        Figure("live plays as shipped, a second", taken[SHIPPED].rate),
    )
    rows = [(name, f"{each.micros:.1f}", *each.cells()) for name, each in taken.items()]
    head = ("what", "CPU µs", "a second", "p50 µs", "p99 µs", "spread")
    yield Section(f"## Live plays\n\n{_ABOUT}\n\n{table([head, *rows])}", figures)


def playing(server: Server, redis: Redis, plan: Plan) -> Callable[[], load.Sample]:
    """Return a function that replays live games known to the server."""
    return partial(_play, server, redis, draw_courses(), plan)


def _play(server: Server, redis: Redis, courses: Sequence[Course], plan: Plan) -> load.Sample:
    begun = begin(redis, courses, GAMES_A_SECOND * plan.seconds)
    _see(server, begun)
    with TemporaryDirectory() as folder:
        plays = Path(folder, "plays")
        write_plays(begun, plays)
        sample = load.play(server, plays, plan)
    redis.delete(*map(key_of, begun))
    return sample


def _see(server: Server, begun: dict[str, Course]) -> None:
    """Look at every game once, so that the process knows it."""
    connection = HTTPConnection(server.address, timeout=30)
    for game in begun:
        connection.request("GET", f"/v1/games/{game}")
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"a game is not there: {response.status}")
    connection.close()
