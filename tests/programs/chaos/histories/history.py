"""A history: the requests of callers, and the answers and messages about each game.

Every change names its past: the version, and a tag of that past. So all messages form a tree: a change has one content
and one predecessor. The final log is one path in the tree.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

Content: TypeAlias = tuple[object, ...]
"""The known part of a change: its kind, then the seat and more."""


class Change(NamedTuple):
    """A change of a game: the revision before it, empty if unknown, the one after it, and its content.

    Shape: `token` is the one with which it was asked for, empty where a stream tells of it; `at` is when it was told.
    """

    game: str
    before: str
    after: str
    content: Content
    token: str = ""
    at: float = 0.0


class Message(NamedTuple):
    """A message of a stream: the event, its id, and the content of a change."""

    event: str
    id: str = ""
    content: Content = ()


class View(NamedTuple):
    """A game as an answer shows it; of the hands, the one that the bearer of the token holds."""

    phase: str
    turn: int | None
    computers: tuple[str | None, ...]
    trick: tuple[str, ...]
    move_ends_at: int | None
    resigned: int | None
    rematch: str | None
    agreed: tuple[int, ...]


class Look(NamedTuple):
    """An answer that shows a game to a seat; `is_current` if only the primary could answer when it was asked, `at`."""

    game: str
    id: str
    at: float
    is_current: bool
    view: View
    hand: tuple[int, frozenset[str]] | None


class Session:
    """All that one client saw of a game in event streams, from one connection to the next.

    Shape: `last` is the id of its last message, empty before the first message and after the end of the game. `seat` is
    the seat of the open stream, if any. `stays` has each stream of a seat, with its start and end.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self.messages: list[Message] = []
        self.last = ""
        self.seat: int | None = None
        self.stays: list[tuple[int, float, float]] = []

    def take(self, message: Message) -> None:
        """Take a message in."""
        self.messages.append(message)
        self.last = message.id

    def has_seen(self, version: str) -> bool:
        """Return True if a version was told, or, for the empty one, that the game is gone."""
        return self.last == version or any(message.id == version for message in self.messages[-100:] if version)

    @property
    def shown_anew(self) -> int:
        """How often the whole game replaced everything shown before."""
        return sum(message.event == "game" for message in self.messages[1:])

    def changes(self) -> Iterator[Change]:
        """Yield each change with the revision after which it was shown."""
        before = ""
        for message in self.messages:
            if message.event == "change":
                yield Change(self.game, before, message.id, message.content)
            before = message.id


class History:
    """All that was asked for and told.

    Shape: `lossless` is true if replicas are asked for: nothing may be lost. `keyed` has the answers to requests with
    an Idempotency-Key; a renewal has its version. `wrong` lists faults seen at once.

    `finished` has what the feed showed, in order. Some games have an expected outcome in `outcomes`.
    """

    def __init__(self, *, lossless: bool) -> None:
        self.lossless = lossless
        self.asked = defaultdict[str, set[Content]](set)
        self.acknowledged: dict[Change, None] = {}
        self.deleted: set[str] = set()
        self.looks: list[Look] = []
        self.keyed = defaultdict[str, set[str]](set)
        self.sessions: list[Session] = []
        self.finished: list[Any] = []
        self.outcomes: dict[str, str] = {}
        self.wrong: list[str] = []


def bare(text: str) -> str:
    """Return a token, or a text with tokens, without the beginnings that 1.0.0 leaves out when it repeats an answer."""
    return re.sub("ctt_(seat|host)_", "", text)


def read_view(seen: Any) -> View:
    """Read what an answer shows of a game."""
    position, asked, ends_at = seen["position"], seen["take_back_asked"], seen["move_ends_at"]
    return View(
        seen["phase"],
        position and position["turn"],
        tuple(seat["computer"] for seat in seen["seats"]),
        tuple(position["state"]["trick"]) if position else (),
        ends_at and round(datetime.fromisoformat(ends_at).timestamp() * 1000),
        seen["resigned"],
        seen["rematch"],
        (asked["seat"], *asked["agreed"]) if asked else (),
    )


def read_content(events: Any) -> Content:
    """Read from the events of a change what it was."""
    found = {event["type"]: event for event in events}
    if (played := found.get("card_played")) is not None:
        taken = ("taken",) if "computer_seated" in found else ()
        return ("absent" if "time_ran_out" in found else "played", played["seat"], played["card"], *taken)
    kind: str = next(iter(found), "")
    event: dict[str, Any] = found.get(kind, {})
    shown: dict[str, Content] = {
        "cards_dealt": ("dealt",),
        "computer_seated": ("seated", event.get("seat"), event.get("level")),
        "computer_left": ("seated", event.get("seat"), None),
        "take_back_asked": ("asked", event.get("seat"), *event.get("agreed", ())),
        "taken_back": (kind, event.get("seat"), event.get("card")),
        "rematch_opened": (kind, event.get("game")),
        "": (),
    }
    return shown.get(kind, (kind, event.get("seat")))
