"""Print a digest of the answers to many requests of every question: python -m tests.programs.digests 5000.

Two builds of the service that print the same lines answer alike, byte by byte.
"""

import sys
from collections import Counter
from functools import partial
from hashlib import sha256
from random import Random

import msgspec

from tests.http.corpus import Asked
from tests.http.golden import ask_repeatably
from tests.support.http.client import JSON, Request
from tests.support.http.hostile import hostile_request
from tests.support.http.samples import EVERY_PATH
from tests.support.http.sound import sound_body


def digest(kind: str, requests: int) -> str:
    """Send requests of a kind, sound and broken ones, and return how often each status came, and a digest of it all."""
    answers = [answer for _, answer in ask_repeatably(partial(_ask_many, kind, requests)).pairs if answer]
    statuses = sorted(Counter(answer.status for answer in answers).items())
    counted = ", ".join(f"{count} × {status}" for status, count in statuses)
    whole = msgspec.json.encode([(answer.status, answer.headers, answer.body) for answer in answers])
    return f"{kind}: {counted}; {sha256(whole).hexdigest()}"


def _ask_many(kind: str, requests: int, asked: Asked) -> None:
    chance = Random(kind)
    for at in range(requests):
        sound = at % 2 and kind != "batches"
        asked.ask(_sound_request(kind, chance) if sound else hostile_request(chance, (kind,)))


def _sound_request(kind: str, chance: Random) -> Request:
    return Request(
        EVERY_PATH[kind], (msgspec.json.encode(sound_body(kind, chance)),), headers=(("content-type", JSON),)
    )


if __name__ == "__main__":
    for name in EVERY_PATH:
        print(digest(name, int(sys.argv[1])), flush=True)
