"""The answers to the corpus, kept in answers.txt: python -m tests.http.golden writes them anew.

Tokens, seeds, nonces and the time are the same in every run, so that an answer is the same as well.
"""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Final
from unittest.mock import patch

from service.live.store.memory import MemoryStore
from service.platform.settings import Settings
from tests.http.corpus import (
    HASHED_KEY,
    Asked,
    ask_examples,
    ask_hostile,
    ask_notations,
    ask_record_texts,
    call_methods,
    provoke_problems,
    use_up_quotas,
)
from tests.http.game_corpus import play_game
from tests.support.games.callers import Live

ANSWERS: Final = Path(__file__).with_name("answers.txt")
SECTIONS: Final[dict[str, Callable[[Asked], None]]] = {
    "examples": ask_examples,
    "record texts": ask_record_texts,
    "problems": provoke_problems,
    "notations": ask_notations,
    "methods": call_methods,
    "quotas": use_up_quotas,
    **{f"hostile {seed}": partial(ask_hostile, seed) for seed in range(8)},
    **{f"game of {rules}": partial(play_game, rules) for rules in ("trebor", "lots-of-kids")},
}
"""The requests by what they are about; each section is sent to a service of its own."""


def _repeat(_: SystemRandom, size: int) -> bytes:
    return b"\x5e" * size


def ask_section(name: str) -> Asked:
    """Send the requests of a section to a new service."""
    return ask_repeatably(
        SECTIONS[name], Settings(api_keys=HASHED_KEY, rate_limit="30/hour") if name == "quotas" else None
    )


def ask_repeatably(ask: Callable[[Asked], None], settings: Settings | None = None) -> Asked:
    """Send requests to a new service whose answers are the same in every run."""
    with asyncio.Runner() as runner, patch.object(SystemRandom, "randbytes", _repeat):
        asked = Asked(Live(runner, MemoryStore(1000, 2**24), settings, lambda: 1_700_000_000_000))
        ask(asked)
    return asked


def read_answers() -> dict[str, list[str]]:
    """Return the lines that are kept, by section."""
    sections = ANSWERS.read_text().removeprefix("# ").split("\n# ")
    return {head: lines for head, *lines in map(str.splitlines, sections)}


def _write(names: Iterable[str]) -> str:
    return "".join(f"# {name}\n" + "".join(f"{line}\n" for line in ask_section(name).lines) for name in names)


if __name__ == "__main__":
    ANSWERS.write_text(_write(SECTIONS))
    print(sum(map(len, read_answers().values())), "answers in", ANSWERS)
