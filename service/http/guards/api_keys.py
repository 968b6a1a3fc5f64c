"""The API keys of apps: kept as hashes by app, and reloaded when their file changes."""

import hmac
import re
from collections.abc import Callable
from hashlib import sha256
from logging import getLogger
from pathlib import Path
from secrets import token_urlsafe
from time import monotonic
from typing import Final, NamedTuple, TypeAlias

from service.platform.metrics.apps import make_series
from service.platform.metrics.families import API_KEYS_STALE
from service.platform.settings import BadSettings
from service.schemas.ids import Caller, app_of

CHECK_SECONDS: Final = 2.0
"""Minimum seconds between two checks of the file for changes."""
_KEY_BYTES: Final = 32
_PREFIX: Final = "catchten_"
"""The prefix of every key, known to secret scanners."""
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LINE: Final = re.compile(rf"({_NAME.pattern})\s*:\s*([0-9A-Fa-f]{{64}})")
_Stamp: TypeAlias = tuple[int, int, int] | None
_logger: Final = getLogger(__name__)


class KnownKey(NamedTuple):
    """The hash of a key, and the name of its app."""

    hashed: bytes
    name: str


def draw_key(name: str) -> tuple[str, str]:
    """Draw a new key, and return it with its line for the service's settings.

    Errors: ValueError, for a name that such a line cannot hold.
    """
    if not _NAME.fullmatch(name):
        raise ValueError("a name has 1 to 64 letters, digits, dots, hyphens and underscores")
    key = _PREFIX + token_urlsafe(_KEY_BYTES)
    return key, f"{name}:{sha256(key.encode()).hexdigest()}"


def parse_keys(text: str) -> tuple[KnownKey, ...]:
    """Read entries `name:hash`, separated by line feeds or commas; `#` begins a comment.

    Errors: ValueError, with the number of the line but not its text, which may be a key by mistake.
    """
    known: list[KnownKey] = []
    for number, line in enumerate(text.splitlines(), start=1):
        for part in line.partition("#")[0].split(","):
            if not part.strip():
                continue
            found = _LINE.fullmatch(part.strip())
            if found is None:
                raise ValueError(f"line {number} is not `name:hash`, the hash being SHA-256 in hex")
            known.append(KnownKey(bytes.fromhex(found[2]), found[1]))
    if not known:
        raise ValueError("there is no key in it")
    return tuple(known)


class ApiKeys:
    """The keys of the settings, and those of a file, which may change while the service runs.

    Errors: BadSettings, if they cannot be read at the start.
    """

    def __init__(self, given: str | None, path: str | None, clock: Callable[[], float] = monotonic) -> None:
        self._path = None if path is None else Path(path)
        self._clock = clock
        self._check_at = clock() + CHECK_SECONDS
        self._stamp: _Stamp = None
        try:
            self._given = () if given is None else parse_keys(given)
        except ValueError as exc:
            raise BadSettings((f"API_KEYS: {exc}",)) from exc
        try:
            self._filed = () if self._path is None else self._read(self._path)
        except (OSError, ValueError) as exc:
            raise BadSettings((f"API_KEYS_FILE={path!r}: {exc}",)) from exc
        self._stale = False
        API_KEYS_STALE.set(0)
        self._make_series()

    @property
    def apps(self) -> frozenset[Caller]:
        """Return the apps that have a key."""
        return frozenset(app_of(known.name) for known in (*self._given, *self._filed))

    def find(self, key: bytes) -> str | None:
        """Return the name of a key's app, in constant time; None if no app has the key."""
        self._reload_if_changed()
        hashed, name = sha256(key).digest(), None
        for known in (*self._given, *self._filed):
            if hmac.compare_digest(known.hashed, hashed):
                name = known.name
        return name

    def _reload_if_changed(self) -> None:
        """Read the file again if it has changed. A file that cannot be read changes nothing, and is logged once."""
        now = self._clock()
        if self._path is None or now < self._check_at:
            return
        self._check_at = now + CHECK_SECONDS
        known, was_stale = self._stamp, self._stale
        if _read_stamp(self._path) == known and not was_stale:
            return
        try:
            self._filed = self._read(self._path)
        except (OSError, ValueError) as exc:
            self._stale = True
            if not was_stale or self._stamp != known:
                _logger.error("the API keys stay as they were: %s: %s", self._path, exc)  # noqa: TRY400 – a fault of the file
        else:
            self._stale = False
            _logger.info("%d API keys read from %s", len(self._filed), self._path)
            self._make_series()
        API_KEYS_STALE.set(self._stale)

    def _make_series(self) -> None:
        for known in (*self._given, *self._filed):
            make_series(known.name)

    def _read(self, path: Path) -> tuple[KnownKey, ...]:
        self._stamp = _read_stamp(path)  # before reading, so that the next check finds a change made meanwhile
        return parse_keys(path.read_text())


def _read_stamp(path: Path) -> _Stamp:
    """Return the stat values that change with a file; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
