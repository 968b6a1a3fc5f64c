"""Serves the service as it is, but with every nonce and time the same: the load then knows each version's ETag.

python -m tests.programs.bench.foretold; HOST and PORT come from the environment. Nothing is imported that the
service does not need, so that its memory can be measured.
"""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import service.app
from service.live import repository
from service.server import cli

NONCE: Final = b"bench."


def _repeat_nonce(_: int) -> bytes:
    return NONCE


def _repeat_time() -> int:
    return 0


FORETOLD: Final[tuple[tuple[ModuleType, str, Callable[..., Any]], ...]] = (
    (repository, "token_bytes", _repeat_nonce),
    (service.app, "_read_clock", _repeat_time),
)
"""Replacements: the module, the name of its function, and the function in its place."""


def main() -> int:
    """Serve until told to stop."""
    for module, name, function in FORETOLD:
        setattr(module, name, function)
    return cli.main(["serve"])


if __name__ == "__main__":
    sys.exit(main())
