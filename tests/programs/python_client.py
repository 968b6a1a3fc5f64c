"""Play many live games through a proxy that fails, and print what happened.

PYTHONPATH=clients/python/src python -m tests.programs.python_client [GAMES]
"""

import asyncio
import sys
from collections import Counter
from contextlib import ExitStack
from time import monotonic
from typing import Final

from catch_the_ten import Client

from tests.python_client.flaky import Faults, FlakyProxy
from tests.python_client.playing import check_game, open_game, play_in_tasks, play_in_threads
from tests.support.http.server import serving

FAULTS: Final = (
    Faults(dropped=11, lost=7, delayed=5, cut=23),
    Faults(dropped=5, lost=3, delayed=2, cut=7),
    Faults(dropped=11, lost=7, delayed=5, held=1),
    Faults(dropped=11, lost=7, delayed=5, refused=1),
)
SILENCE: Final = 1.0
"""Seconds without a sign of life after which a stream is dead here, where one is given ten times a second."""
PATIENCE: Final = (30.0, 0.0)


def main(games: int) -> int:
    """Play a number of games, by threads and tasks, and with callers of both kinds in turn."""
    counts, began = Counter[str](), monotonic()
    with ExitStack() as stack:
        served = stack.enter_context(serving(STREAM_HEARTBEAT="0.1"))
        client = stack.enter_context(Client(f"http://127.0.0.1:{served.port}"))
        for game in range(games):
            with FlakyProxy(served.port, FAULTS[game // 4 % len(FAULTS)], seed=game) as proxy:
                opened = open_game(client, 1 + game % 2)
                limits = {"patience": PATIENCE[game // 2 % 2], "silence": SILENCE}
                if game % 2:
                    seen = play_in_threads(proxy.url, opened, str(game), **limits)
                else:
                    seen = asyncio.run(play_in_tasks(proxy.url, opened, str(game), **limits))
            check_game(client.join(opened.id, opened.host_token), seen)
            counts += proxy.counts
            counts["acknowledged plays"] += sum(len(bearer.plays) for bearer in seen)
            counts["updates"] += sum(len(bearer.updates) for bearer in seen)
    print(f"{games} games in {monotonic() - began:.0f} s, 0 wrong")
    for name, count in sorted(counts.items()):
        print(f"{count:7} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 40))
