"""The keys of apps: drawn once, shown once, kept only as hashes under a name, and read anew when their file changes."""

import hmac
import re
from collections.abc import Callable
from hashlib import sha256
from logging import getLogger
from pathlib import Path
from secrets import token_urlsafe
from time import monotonic
from typing import Final, NamedTuple, TypeAlias

from service.settings import BadSettings

LOOK_EVERY: Final = 2.0
"""The file is looked at no more often, in seconds."""
_KEY_BYTES: Final = 32
_SHOWN_BY: Final = "catchten_"
"""How every key begins, so that those who search code for secrets find it."""
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LINE: Final = re.compile(rf"({_NAME.pattern})\s*:\s*([0-9A-Fa-f]{{64}})")
_Stamp: TypeAlias = tuple[int, int, int] | None
_logger: Final = getLogger(__name__)


class Known(NamedTuple):
    """A key that is known: its hash and the name of the app."""

    hashed: bytes
    name: str


def draw_key(name: str) -> tuple[str, str]:
    """Draw a key from the operating system; tell it and the line that makes it known.

    Errors: ValueError, for a name that cannot stand in such a line.
    """
    if not _NAME.fullmatch(name):
        raise ValueError("a name has 1 to 64 letters, digits, dots, hyphens and underscores")
    key = _SHOWN_BY + token_urlsafe(_KEY_BYTES)
    return key, f"{name}:{sha256(key.encode()).hexdigest()}"


def parse_keys(text: str) -> tuple[Known, ...]:
    """Read lines, or what commas part, of `name:hash`; # begins a remark.

    Errors: ValueError, which names the line and shows nothing of it: it may hold a key itself by mistake.
    """
    known: list[Known] = []
    for number, line in enumerate(text.splitlines(), start=1):
        for part in line.partition("#")[0].split(","):
            if not part.strip():
                continue
            found = _LINE.fullmatch(part.strip())
            if found is None:
                raise ValueError(f"line {number} is not `name:hash`, the hash being SHA-256 in hex")
            known.append(Known(bytes.fromhex(found[2]), found[1]))
    if not known:
        raise ValueError("there is no key in it")
    return tuple(known)


class ApiKeys:
    """The keys that the settings give, and those of a file, which may change while the service runs.

    Errors: BadSettings, when they cannot be read at the start.
    """

    def __init__(self, given: str | None, path: str | None, clock: Callable[[], float] = monotonic) -> None:
        self._path = None if path is None else Path(path)
        self._clock = clock
        self._look_at = clock() + LOOK_EVERY
        self._stamp: _Stamp = None
        try:
            self._given = () if given is None else parse_keys(given)
        except ValueError as exc:
            raise BadSettings((f"API_KEYS: {exc}",)) from exc
        try:
            self._filed = () if self._path is None else self._read(self._path)
        except (OSError, ValueError) as exc:
            raise BadSettings((f"API_KEYS_FILE={path!r}: {exc}",)) from exc

    def find(self, key: bytes) -> str | None:
        """Tell the name of the app that has a key; every hash is compared, whatever the others gave."""
        self._look()
        hashed, name = sha256(key).digest(), None
        for known in (*self._given, *self._filed):
            if hmac.compare_digest(known.hashed, hashed):
                name = known.name
        return name

    def _look(self) -> None:
        """Read the file anew if it has changed; a bad one changes nothing, and is told to the log once."""
        now = self._clock()
        if self._path is None or now < self._look_at:
            return
        self._look_at = now + LOOK_EVERY
        if _stamp(self._path) == self._stamp:
            return
        try:
            self._filed = self._read(self._path)
        except (OSError, ValueError) as exc:
            _logger.error("the API keys stay as they were: %s: %s", self._path, exc)  # noqa: TRY400 – no fault of ours
        else:
            _logger.info("%d API keys read from %s", len(self._filed), self._path)

    def _read(self, path: Path) -> tuple[Known, ...]:
        self._stamp = _stamp(path)  # before it is read: a change meanwhile is found at the next look
        return parse_keys(path.read_text())


def _stamp(path: Path) -> _Stamp:
    """Tell what changes with a file, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
