"""The keys of a server, and the commands on them.

Every value is immutable, so a command's changes are a few keys with new values: replicas and the disk get these.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias


class Scores(NamedTuple):
    """A sorted set: its members with their scores, in order."""

    pairs: tuple[tuple[int, bytes], ...] = ()


Content: TypeAlias = bytes | tuple[bytes, ...] | Scores


class Status(bytes):
    """An answer in a word."""

    __slots__ = ()


class Fault(Exception):
    """An answer that says what is wrong."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text.encode()


class Refused(Fault):
    """A command that this server does not carry out now."""


Reply: TypeAlias = "int | bytes | list[Reply] | Fault | None"
OK: Final = Status(b"OK")
WRONG_TYPE: Final = "WRONGTYPE Operation against a key holding the wrong kind of value"
NOT_AN_INTEGER: Final = "ERR value is not an integer or out of range"
SYNTAX: Final = "ERR syntax error"


class Value(NamedTuple):
    """A value, and the millisecond in which it expires; 0 for never."""

    content: Content
    expires: int = 0


Changes: TypeAlias = dict[bytes, Value | None]
"""Keys with their new values; None for one that is gone."""


class Database:
    """The keys of a server.

    Shape: `changes` is what the command under way has changed.
    """

    def __init__(self, clock: Callable[[], int], version: int) -> None:
        self.clock = clock
        self.version = version
        self.values: dict[bytes, Value] = {}
        self.changes: Changes = {}

    def apply(self, changes: Changes) -> None:
        """Make changes that another server has made."""
        for key, value in changes.items():
            if value is None:
                self.values.pop(key, None)
            else:
                self.values[key] = value

    def find(self, key: bytes) -> Value | None:
        """Return a value that has not expired."""
        value = self.values.get(key)
        return None if value is None or 0 < value.expires <= self.clock() else value

    def put(self, key: bytes, value: Value | None) -> None:
        self.changes[key] = value
        self.apply({key: value})

    def find_text(self, key: bytes) -> bytes | None:
        value = self.find(key)
        if value is None:
            return None
        if not isinstance(value.content, bytes):
            raise Fault(WRONG_TYPE)
        return value.content

    def find_list(self, key: bytes) -> tuple[bytes, ...]:
        value = self.find(key)
        if value is None:
            return ()
        if isinstance(value.content, bytes | Scores):
            raise Fault(WRONG_TYPE)
        return value.content

    def find_scores(self, key: bytes) -> Scores:
        value = self.find(key)
        if value is None:
            return Scores()
        if not isinstance(value.content, Scores):
            raise Fault(WRONG_TYPE)
        return value.content

    def put_content(self, key: bytes, content: Content) -> None:
        """Change a value, which expires when it would have; an empty one is gone."""
        known = self.find(key)
        is_empty = not (content.pairs if isinstance(content, Scores) else content)
        self.put(key, None if is_empty else Value(content, known.expires if known else 0))


def read_integer(text: bytes) -> int:
    """Read a number as Redis does.

    Errors: Fault.
    """
    digits = text.removeprefix(b"-")
    if not digits.isdigit() or (digits.startswith(b"0") and text != b"0") or not -(2**63) <= int(text) < 2**63:
        raise Fault(NOT_AN_INTEGER)
    return int(text)


def get(db: Database, key: bytes) -> Reply:
    return db.find_text(key)


UNITS: Final = {b"EX": 1000, b"PX": 1}


def set_(db: Database, key: bytes, content: bytes, *options: bytes) -> Reply:
    expires = 0
    if options:
        if len(options) != 2 or options[0].upper() not in UNITS:
            raise Fault(SYNTAX)
        span = read_integer(options[1]) * UNITS[options[0].upper()]
        if span <= 0:
            where = "'set' command" if db.version >= 7 else "set"
            raise Fault(f"ERR invalid expire time in {where}")
        expires = db.clock() + span
    db.put(key, Value(content, expires))
    return OK


def delete(db: Database, *keys: bytes) -> Reply:
    found = [key for key in dict.fromkeys(keys) if db.find(key) is not None]
    for key in found:
        db.put(key, None)
    return len(found)


def exists(db: Database, *keys: bytes) -> Reply:
    return sum(db.find(key) is not None for key in keys)


def expire(db: Database, key: bytes, seconds: bytes) -> Reply:
    return _expire_after(db, key, read_integer(seconds) * 1000)


def pexpire(db: Database, key: bytes, span: bytes) -> Reply:
    return _expire_after(db, key, read_integer(span))


def _expire_after(db: Database, key: bytes, span: int) -> Reply:
    value = db.find(key)
    if value is None:
        return 0
    db.put(key, value._replace(expires=db.clock() + span) if span > 0 else None)
    return 1


def pttl(db: Database, key: bytes) -> Reply:
    value = db.find(key)
    if value is None:
        return -2
    return value.expires - db.clock() if value.expires else -1


def rpush(db: Database, key: bytes, *entries: bytes) -> Reply:
    before = db.find_list(key)
    db.put_content(key, (*before, *entries))
    return len(before) + len(entries)


def lpop(db: Database, key: bytes) -> Reply:
    entries = db.find_list(key)
    if not entries:
        return None
    db.put_content(key, entries[1:])
    return entries[0]


def rename(db: Database, key: bytes, to: bytes) -> Reply:
    value = db.find(key)
    if value is None:
        raise Fault("ERR no such key")
    db.put(key, None)
    db.put(to, value)
    return OK


def zadd(db: Database, key: bytes, score: bytes, member: bytes) -> Reply:
    others = [pair for pair in db.find_scores(key).pairs if pair[1] != member]
    is_new = len(others) == len(db.find_scores(key).pairs)
    db.put_content(key, Scores(tuple(sorted([*others, (_read_score(score), member)]))))
    return int(is_new)


def zrem(db: Database, key: bytes, member: bytes) -> Reply:
    before = db.find_scores(key).pairs
    after = tuple(pair for pair in before if pair[1] != member)
    if len(after) < len(before):
        db.put_content(key, Scores(after))
    return len(before) - len(after)


def zscore(db: Database, key: bytes, member: bytes) -> Reply:
    return next((b"%d" % score for score, each in db.find_scores(key).pairs if each == member), None)


def zrangebyscore(db: Database, key: bytes, least: bytes, most: bytes, *options: bytes) -> Reply:
    """Answer the pairs above a score, as far as the service asks for them."""
    if not least.startswith(b"(") or most != b"+inf" or options[:2] != (b"WITHSCORES", b"LIMIT") or len(options) != 4:
        raise Fault(SYNTAX)
    above, start, count = _read_score(least[1:]), read_integer(options[2]), read_integer(options[3])
    found = [pair for pair in db.find_scores(key).pairs if pair[0] > above][start : start + count]
    return [part for score, member in found for part in (member, b"%d" % score)]


def _read_score(text: bytes) -> int:
    try:
        return read_integer(text)
    except Fault:
        raise Fault("ERR value is not a valid float") from None


def llen(db: Database, key: bytes) -> Reply:
    return len(db.find_list(key))


def lindex(db: Database, key: bytes, at: bytes) -> Reply:
    entries = db.find_list(key)
    if not entries:
        return None
    index = read_integer(at)
    return entries[index] if -len(entries) <= index < len(entries) else None


def lrange(db: Database, key: bytes, first: bytes, last: bytes) -> Reply:
    start, end, entries = read_integer(first), read_integer(last), db.find_list(key)
    start, end = (
        max(0, at + len(entries)) if at < 0 else at for at in (start, end + len(entries) + 1 if end == -1 else end)
    )
    return list(entries[start : end + 1])


def time(db: Database) -> Reply:
    now = db.clock()
    return [b"%d" % (now // 1000), b"%d" % (now % 1000 * 1000)]


class Command(NamedTuple):
    """A command: what it does, how many arguments it takes, and whether it writes."""

    call: Callable[..., Reply]
    least: int
    most: int | None
    writes: bool = False


COMMANDS: Final = {
    b"get": Command(get, 1, 1),
    b"set": Command(set_, 2, None, writes=True),
    b"del": Command(delete, 1, None, writes=True),
    b"exists": Command(exists, 1, None),
    b"expire": Command(expire, 2, 2, writes=True),
    b"pexpire": Command(pexpire, 2, 2, writes=True),
    b"pttl": Command(pttl, 1, 1),
    b"rpush": Command(rpush, 2, None, writes=True),
    b"lpop": Command(lpop, 1, 1, writes=True),
    b"rename": Command(rename, 2, 2, writes=True),
    b"zadd": Command(zadd, 3, 3, writes=True),
    b"zrem": Command(zrem, 2, 2, writes=True),
    b"zscore": Command(zscore, 2, 2),
    b"zrangebyscore": Command(zrangebyscore, 3, None),
    b"llen": Command(llen, 1, 1),
    b"lindex": Command(lindex, 2, 2),
    b"lrange": Command(lrange, 3, 3),
    b"time": Command(time, 0, 0),
}


def encode(reply: Reply) -> bytes:
    """Write an answer."""
    if isinstance(reply, int):
        return b":%d\r\n" % reply
    if isinstance(reply, Status):
        return b"+%b\r\n" % reply
    if isinstance(reply, bytes):
        return b"$%d\r\n%b\r\n" % (len(reply), reply)
    if isinstance(reply, Fault):
        return b"-%b\r\n" % reply.text
    if reply is None:
        return b"$-1\r\n"
    return b"*%d\r\n%b" % (len(reply), b"".join(map(encode, reply)))
