"""Bodies that nobody should send: sound ones, broken in every way that we know, by a chance with a seed.

Trees are broken first (cards swapped, seats out of range, fields gone), bytes after them (cut off, not UTF-8, deep).
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Final, TypeAlias

import msgspec
from msgspec.msgpack import Ext

from openapi.examples.questions import RECORD_TEXT
from service.game.cards import CODES
from service.game.notation.record import MEDIA_TYPE, format_record
from service.game.rules.record import Record
from tests.support.http.client import JSON, MSGPACK, Request
from tests.support.http.pointers import Json, cut, get, places, put
from tests.support.http.samples import EVERY_PATH
from tests.support.http.sound import KINDS, Body, plain, sound_body

Breaker: TypeAlias = Callable[[bytes, Random], bytes]

VALUES: Final[tuple[Json, ...]] = (
    None, True, False, -1, 0, 1, 2, 3, 7, 8, 9, 18, 19, 36, 41, 1000, 1001, 2**31, 2**63 - 1, 2**64 - 1, -(2**63),
    1.5, 3.0, -0.0, 1e308, "", " ", "zz", "6c", "10S", "4", "é", "\0", "😀", "trebor", "denexa", "house", "no-such",
    "6C", "9D", "TH", "JS", "AS", "a" * 300, "/~01", "penalise", [], {}, [[]], [[[[]]]], [0, 2],
    ["AS" for _ in range(40)], {"a": 1}, {"card": "AS"}, [None], "positions", "trebor\n",
)  # fmt: skip
HEAVY: Final = ("analyses", "claims")
"""The kinds of questions that are searched for an answer: asking many of them takes long."""
LIGHT: Final = tuple(kind for kind in KINDS if kind not in HEAVY)
NAMES: Final = ("x", "", "state ", "State", "kind", "seat", "a/b~c", "é", "`x` - at `$.y", "n" * 300, "__class__")


# ── Trees ──


def broken_tree(body: Body, chance: Random, times: int) -> Body:
    """Break a body in some places, at most `times`."""
    for _ in range(times):
        chance.choice(chance.choice((_SHAPE_BREAKERS, _RULE_BREAKERS, _RULE_BREAKERS)))(body, chance)
    return body


def _replace(body: Body, chance: Random) -> None:
    if found := [*places(body)]:
        put(chance.choice(found), plain(chance.choice(VALUES)))


def _swap(body: Body, chance: Random) -> None:
    """Let two leaves of one type change places, such as two cards."""
    leaves = [place for place in places(body) if not isinstance(get(place), dict | list)]
    if leaves:
        one = chance.choice(leaves)
        other = chance.choice([place for place in leaves if type(get(place)) is type(get(one))])
        kept = get(one)
        put(one, get(other))
        put(other, kept)


def _recard(body: Body, chance: Random) -> None:
    cards = [place for place in places(body) if get(place) in CODES]
    if cards:
        put(chance.choice(cards), chance.choice(CODES))


def _move(body: Body, chance: Random) -> None:
    """Move a card or a seat from one list to another."""
    lists = [value for place in places(body) if isinstance(value := get(place), list)]
    full = [entries for entries in lists if entries and not isinstance(entries[0], dict | list)]
    if full:
        entries = chance.choice(full)
        chance.choice(lists).append(entries.pop(chance.randrange(len(entries))))


def _double(body: Body, chance: Random) -> None:
    if found := [place[0] for place in places(body) if isinstance(place[0], list)]:
        entries = chance.choice(found)
        entries.insert(chance.randrange(len(entries) + 1), plain(chance.choice(entries)))


def _drop(body: Body, chance: Random) -> None:
    if found := [*places(body)]:
        cut(chance.choice(found))


def _add(body: Body, chance: Random) -> None:
    objects = [body, *(value for place in places(body) if isinstance(value := get(place), dict))]
    chance.choice(objects)[chance.choice(NAMES)] = plain(chance.choice(VALUES))


def _nudge(body: Body, chance: Random) -> None:
    numbers = [place for place in places(body) if type(get(place)) is int]
    if numbers:
        place = chance.choice(numbers)
        put(place, (int(str(get(place))) + chance.choice((-1, 1, 8))) % 2**63)


_SHAPE_BREAKERS: Final = (_replace, _double, _drop, _add)
_RULE_BREAKERS: Final = (_swap, _swap, _recard, _move, _nudge)


# ── Bytes of JSON ──


def _truncate(raw: bytes, chance: Random) -> bytes:
    return raw[: chance.randrange(len(raw) + 1)]


def _flip(raw: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(raw)) if raw else 0
    return raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]


def _insert(*texts: bytes) -> Breaker:
    def insert(raw: bytes, chance: Random) -> bytes:
        at = chance.randrange(len(raw) + 1)
        return raw[:at] + chance.choice(texts) + raw[at:]

    return insert


def _at_value(*texts: bytes) -> Breaker:
    """Put a text in the place of a number, a string or null."""

    def at_value(raw: bytes, chance: Random) -> bytes:
        found = [*re.finditer(rb'(?<=[:\[,])(?:-?\d+|"[^"]*"|null)(?=[,\]}])', raw)]
        if not found:
            return raw
        place = chance.choice(found)
        return raw[: place.start()] + chance.choice(texts) + raw[place.end() :]

    return at_value


def _around(raw: bytes, chance: Random) -> bytes:
    before, after = chance.choice(
        ((b"\xef\xbb\xbf", b""), (b"  \n", b"\t"), (b"", b" x"), (b"[", b"]"), (b"", raw), (b"'", b"'"), (b"\0", b""))
    )
    return before + raw + after


def _twice(raw: bytes, chance: Random) -> bytes:
    """Say a field of the top twice, with another value."""
    name = re.match(rb'\{("[a-z_]+"):', raw)
    return raw[:-1] + b"," + name[1] + b":" + chance.choice((b"null", b"1", b'"AS"', b"[]")) + b"}" if name else raw


def _nothing(raw: bytes, chance: Random) -> bytes:
    return chance.choice((b"", b" ", b"null", b"[]", b'"', b"{}", b"1e999", b"nul", b"{", b"\xff", b"{}{}"))


_HUGE: Final = (b"1e999", b"-1e999", b"9" * 5000, b"-" + b"9" * 400, b"1" * 25, b"0." + b"1" * 5000, b"1E-9999")
_ODD: Final = (b"NaN", b"Infinity", b"-Infinity", b"01", b"0x10", b"+1", b".5", b"1.", b"True", b"undefined", b"/**/1")
_STRINGS: Final = (
    rb'"\ud800"', rb'"\udc00\ud800"', rb'"\ud83d\ude00"', rb'"\u0000"', rb'"\x"', b'"\xff"', b'"\xed\xa0\x80"',
    b'"a\nb"', b'"' + b"a" * 10_000 + b'"',
)  # fmt: skip
_DEEP: Final = (b"[" * 100_000, b'{"a":' * 20_000, b"[" * 900 + b"]" * 900, b"[" * 100_000 + b"]" * 100_000)
_JSON_BREAKERS: Final[tuple[Breaker, ...]] = (
    _truncate, _flip, _insert(b"\xff", b"\xc3", b"\0", b'"', b",", b"}", b"\\"), _at_value(*_HUGE), _at_value(*_ODD),
    _at_value(*_STRINGS), _around, _twice, _nothing,
)  # fmt: skip


def broken_bytes(raw: bytes, chance: Random) -> bytes:
    """Break the bytes of JSON."""
    return chance.choice(_JSON_BREAKERS)(raw, chance)


# ── Bytes of MessagePack ──

_STRANGE: Final[tuple[object, ...]] = (
    Ext(5, b"x"), Ext(-2, b""), datetime(2020, 1, 1, tzinfo=UTC), b"6C", float("nan"), float("inf"), 2**64 - 1,
    {1: 2}, {None: 1}, {True: 1}, {b"state": 1}, {(1, 2): 3},
)  # fmt: skip
_RAW: Final = (
    b"\xc1", b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x05", b"\xc7\x0c\xff" + b"\xff" * 12, b"\x81\x80\x01", b"\x81\x90\x01", b"\xa1\xff",
    b"\x91" * 100_000, b"\x81\xa1a" * 20_000, b"\x91" * 900 + b"\xc0",
)  # fmt: skip
_MARK: Final = "\u241f mark"


def _msgpack(body: Body, chance: Random) -> bytes:
    """Write a body as MessagePack, with something in it that JSON does not have."""
    found = [*places(body)]
    if not found or chance.random() < 0.3:
        return msgspec.msgpack.encode(body)
    put(chance.choice(found), _MARK)
    strange = chance.choice((*_STRANGE, *(Ext(0, raw) for raw in _RAW)))
    raw = chance.choice(_RAW) if isinstance(strange, Ext) and strange.code == 0 else msgspec.msgpack.encode(strange)
    return msgspec.msgpack.encode(body).replace(msgspec.msgpack.encode(_MARK), raw)


# ── Records as text ──


def _shuffle_lines(raw: bytes, chance: Random) -> bytes:
    lines = raw.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def _repeat_line(raw: bytes, chance: Random) -> bytes:
    lines = raw.split(b"\n")
    lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return b"\n".join(lines)


_TEXT_BREAKERS: Final[tuple[Breaker, ...]] = (
    _truncate, _flip, _insert(b"[", b"]", b'"', b"\n", b":", b";", b"0", b"\r", b"\0", b"\xff", b"\xc3\xa9"),
    _at_value(*_HUGE, *_ODD, *_STRINGS, *_DEEP), _shuffle_lines, _repeat_line, _around,
)  # fmt: skip


def _text(body: Body, chance: Random) -> bytes:
    """Write a record as a text; one that is broken so that no text can hold it is another record."""
    try:
        text = format_record(msgspec.convert(body, Record))
    except msgspec.ValidationError:
        text = RECORD_TEXT
    raw = text.encode()
    for breaker in chance.choices(_TEXT_BREAKERS, k=chance.choice((0, 1, 1, 2))):
        raw = breaker(raw, chance)
    return raw


# ── Requests ──


def hostile_request(chance: Random, kinds: tuple[str, ...] = (*LIGHT, "batches")) -> Request:
    """Make a request whose body is broken somewhere, or here and there is not."""
    kind = chance.choice(kinds)
    body = _batch(chance) if kind == "batches" else sound_body(kind, chance)
    body = broken_tree(body, chance, chance.choice((0, 1, 1, 2, 3)))
    if kind == "adjudications" and chance.random() < 0.5:
        return Request(EVERY_PATH[kind], (_text(body, chance),), headers=(("content-type", MEDIA_TYPE),))
    if chance.random() < 0.25:
        raw = _msgpack(body, chance)
        raw = chance.choice((_truncate, _flip))(raw, chance) if chance.random() < 0.3 else raw
        return Request(EVERY_PATH[kind], (raw,), headers=(("content-type", MSGPACK),))
    raw = msgspec.json.encode(body)
    if chance.random() < 0.3:
        raw = broken_bytes(raw, chance)
    elif chance.random() < 0.01:
        raw = _at_value(*_DEEP)(raw, chance)
    return Request(EVERY_PATH[kind], (raw,), headers=(("content-type", JSON),))


def _batch(chance: Random) -> Body:
    questions: list[Json] = []
    for kind in chance.choices(LIGHT, k=chance.randint(1, 4)):
        body: Body = {"kind": kind, **sound_body(kind, chance)}
        questions.append(broken_tree(body, chance, chance.choice((0, 1, 2))))
    return {"questions": questions}
