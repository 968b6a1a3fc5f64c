"""The simulated Redis answers as the real ones do, word for word: the last of Redis 6, and a newer one."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final, cast

import pytest

from service.live.store.redis.scripts import (
    ANNOUNCE,
    APPEND,
    CHARGE,
    CREATE,
    DROP,
    INDEX,
    IS_GONE,
    LOAD,
    LOAD_ENDED,
    LOAD_FEED,
    REMEMBER,
    TAKE_SWEEP,
    Script,
)
from tests.live.simulation.asking import AGES, SHORT_WAIT, Real, Simulated, Words, find_program, said, simulate
from tests.support import redis_server

KEYS: Final = (b"a", b"b", b"{c}", b"list")
_MOMENT: Final = re.compile(rb"\b\d{13}\b")
NUMBERS: Final = (b"0", b"1", b"-1", b"-2", b"3", b"100", b"x", b"", b"01", b"-0", b"99999999999999999999")
SPANS: Final = (b"1000", b"5000", b"0", b"-1", b"x")


def _make_command(rng: Random) -> Words:
    key, number, span = rng.choice(KEYS), rng.choice(NUMBERS), rng.choice(SPANS)
    long_span = span + b"000" if span.isdigit() else span
    made: Sequence[Words] = (
        ("GET", key),
        ("SET", key, number),
        ("SET", key, b"v", rng.choice(("EX", "NO")), span),
        ("SET", key, b"v", "px", long_span),
        ("SET", key, b"v", "EX", span, "PX", span),
        ("DEL", key, rng.choice(KEYS)),
        ("EXISTS", key, key),
        ("EXPIRE", key, span),
        ("PEXPIRE", key, long_span),
        ("PTTL", key),
        ("RPUSH", b"list", number, b"e"),
        ("RPUSH", key, number),
        ("LPOP", key),
        ("LPOP", b"list"),
        ("RENAME", key, rng.choice(KEYS)),
        ("ZADD", b"set", rng.choice((b"3", b"1", b"2")), rng.choice(KEYS)),
        ("ZADD", key, b"1", number),
        ("ZREM", b"set", rng.choice(KEYS)),
        ("ZSCORE", b"set", rng.choice(KEYS)),
        ("ZSCORE", key, number),
        ("ZRANGEBYSCORE", b"set", b"(1", "+inf", "WITHSCORES", "LIMIT", 0, 2),
        ("ZRANGEBYSCORE", key, b"(0", "+inf", "WITHSCORES", "LIMIT", 0, 2),
        ("LLEN", key),
        ("LINDEX", key, number),
        ("LRANGE", key, number, rng.choice(NUMBERS)),
        ("PUBLISH", b"nobody", number),
        ("PING",),
        ("GET",),
        ("LRANGE", key),
        ("NOSUCH", key, number),
        ("NOSUCH",),
        ("EVALSHA", "0" * 40, 1, key),
        ("EVAL", "return redis.call('GET', KEYS[1])", 1, key),
        ("EVAL", "return redis.call('LRANGE', KEYS[1], 0, -1)", 1, key),
        ("EVAL", "return {1, 2.9, 'three', false, 'lost'}", 0),
        ("WAIT", 0, 0),
        ("WAIT", number, SHORT_WAIT),
        ("WAIT", 0, number),
    )
    return rng.choice(made)


def _make_script_call(rng: Random) -> Words:
    game = rng.choice((b"g", b"h"))
    entries = (b"first", b"second", b"third")
    entry, after, version = rng.choice(entries), rng.choice(entries), rng.randrange(4)
    call: tuple[Script, Words] = rng.choice(
        (
            (CREATE, (entry, 60, 60)),
            (IS_GONE, ()),
            (LOAD, (rng.randrange(3), rng.choice((-1, 0, 1, 2)))),
            (APPEND, (version, after, entry, 60, rng.choice((60, 600)), "PUBLISH", b"changes", b"it")),
            (APPEND, (version, after, entry, 60, rng.choice((60, 600)), "PUBLISH", b"changes", b"it")),
            (DROP, (60, "PUBLISH", b"changes", b"", 0, "deleted")),
            (DROP, (60, "PUBLISH", b"changes", b"", 60, "deleted")),
            (DROP, (60, "PUBLISH", b"changes", b"", rng.choice((30, 60)), "expired", after)),
            (LOAD_ENDED, ()),
            (INDEX, (game, 60)),
            (INDEX, (entry, 60)),
            (ANNOUNCE, (rng.choice((game, entry)), rng.choice((b"", b"an entry")), 60, 30, "PUBLISH", b"app", b"")),
            (LOAD_FEED, (rng.randrange(3), rng.randrange(1, 4), 20)),
            (TAKE_SWEEP, (60, 60)),
            (REMEMBER, (entry, 60)),
            (CHARGE, (1_000_000_000, 2_500_000_000)),
        )
    )
    script, arguments = call
    by_hash = rng.random() < 0.5
    key = game if script not in {REMEMBER, CHARGE} else b"of " + script.hash.encode()
    return ("EVALSHA" if by_hash else "EVAL", script.hash if by_hash else script.text, 1, key, *arguments)


def _compare(words: Words, answer: Any) -> Any:
    """Leave out of an answer what depends on the clock."""
    if words[0] == "PTTL" and isinstance(answer, int) and answer > 0:
        return round(answer, -5)
    if len(words) > 1 and words[1] in {CHARGE.hash, CHARGE.text} and isinstance(answer, list):
        charged, owed = cast("list[int]", answer)
        return charged, round(owed, -8)
    if isinstance(answer, list):
        items = cast("Iterable[Any]", answer)
        return [_MOMENT.sub(b"then", each) if isinstance(each, bytes) else said(each) for each in items]
    return said(answer)


@pytest.fixture(scope="module", params=AGES)
def age(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.fixture(scope="module")
def port(age: str) -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REDIS_SERVER", find_program(age))
        with redis_server.running() as port:
            yield port


@pytest.mark.parametrize("make", [_make_command, _make_script_call])
@pytest.mark.parametrize("seed", range(10))
def test_commands_have_the_same_answers(age: str, port: int, seed: int, make: Callable[[Random], Words]) -> None:
    rng, real, simulated = Random(seed), Real(port), Simulated(simulate(age))
    try:
        real.ask("FLUSHALL")
        real.ask("SCRIPT", "FLUSH")
        for _ in range(300):
            words = make(rng)
            assert _compare(words, simulated.ask(*words)) == _compare(words, real.ask(*words)), words
    finally:
        real.close()
