"""A sound body for every question, and the paths that there are."""

from typing import Any, Final

import msgspec

from service.api.batches.batch import PATH
from service.game.cards import CODES
from tests.support.claims import claim
from tests.support.questions import QUESTIONS

Body = dict[str, Any]

STATE: Final[Body] = msgspec.to_builtins(
    claim(
        "trebor",
        ((0, 2), (1, 3)),
        hands=(
            "6C 7C 8C 6D 7D 8D 6H 7H 6S",
            "9C TC JC 9D TD JD 8H 9H 7S",
            "QC KC AC QD KD AD TH JH 8S",
            "QH KH AH 9S TS JS QS KS AS",
        ),
        turn_up="AS",
    )
)
"""Four in partnership, nothing played yet, spades are trumps, seat 0 to lead."""

OVER: Final[Body] = {
    **STATE,
    "hands": ((), (), (), ()),
    "taken": (CODES[:16], CODES[16:]),
    "leader": 1,
    "deal": 3,
    "scores": (5, 7),
}
"""The same deal, played out."""

RECORD: Final[Body] = {
    "rules": "trebor",
    "sides": STATE["sides"],
    "deals": [
        {
            "dealer": 3,
            "turn_up": "AS",
            "hands": STATE["hands"],
            "plays": [{"seat": 0, "card": "6C"}, {"seat": 1, "card": "9C"}],
        }
    ],
}

LAST_TRICKS: Final[Body] = msgspec.to_builtins(
    claim(
        "trebor",
        ((0, 2), (1, 3)),
        hands=("6S 7H", "7S 9H", "8S JH", "AS QS"),
        turn_up="AS",
        tricks=(4, 3),
    )
)
"""Four in partnership, two tricks left."""

BODIES: Final[dict[str, Body]] = {
    "deals": {"rules": "trebor", "players": 4, "dealer": 3, "seed": "one"},
    "positions": {"state": STATE},
    "legal_moves": {"state": STATE},
    "verdicts": {"state": STATE, "card": "6C", "seat": 0},
    "trick_winners": {"trick": {"trump": "S", "leader": 1, "players": 4, "cards": ["9C", "KC"]}},
    "next_states": {"state": STATE, "cards": ["6C", "9C"]},
    "scores": {"state": OVER},
    "diagnoses": {"state": STATE},
    "views": {"state": STATE, "seat": 2},
    "knowledge": {"state": STATE, "seat": 2},
    "claims": {"state": STATE, "seat": 2, "tricks": 9},
    "analyses": {"state": LAST_TRICKS},
    "adjudications": RECORD,
    "draws": {"players": 4, "seed": "two"},
}
"""By kind of question."""
PATHS: Final = {question.kind: question.path for question in QUESTIONS} | {"batches": PATH}
"""By kind of question, batches among them."""
EVERY_PATH: Final = PATHS | {"suggestions": "/v1/suggestions"}
"""The same with suggestions."""
EVERY: Final[dict[str, Body]] = BODIES | {
    "batches": {"questions": [{"kind": kind, **body} for kind, body in BODIES.items()]}
}
"""The same with a batch of them all."""
