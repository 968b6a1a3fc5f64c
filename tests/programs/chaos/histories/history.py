"""The answers to callers, change by change, and whether they can be true beside the store at the end.

Every change names its past: the version, and a tag that no other past has there. So all that was told makes a tree, in
which a change has one content and follows one other; the log at the end is one path in it. What was acknowledged and is
not on that path was lost. What was shown and is not on it was taken back.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from service.game.generators import run_to_end
from service.game.rules.record.adjudication import adjudicate_by_deal
from service.live.entries import (
    AbsentPlayEntry,
    ComputerEntry,
    DealEntry,
    EntropyEntry,
    PlayEntry,
    RematchEntry,
    TakeBackEntry,
    TokenEntry,
)
from service.live.log import Step
from service.live.record import RecordWriter
from service.live.turns import find_move_end
from service.schemas.revision import parse_revision

Content: TypeAlias = tuple[object, ...]
"""The content of a change, as far as a caller is told."""
DEALT: Final[Content] = ("dealt",)
UNTOLD: Final[Content] = ()
"""Stands for what a stream does not tell of a change."""


class Change(NamedTuple):
    """A change of a game: the revision that it follows, empty if not told, the one that it makes, and its content."""

    game: str
    before: str
    after: str
    content: Content


class Message(NamedTuple):
    """A message of a stream: the event, its id, and the content of a change."""

    event: str
    id: str = ""
    content: Content = UNTOLD


class Session:
    """All that one client saw of a game in event streams, from one connection to the next.

    Shape: `last` is the id of its last message, empty before the first and after the end of the game.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self.messages: list[Message] = []
        self.last = ""

    def take(self, message: Message) -> None:
        """Take a message in."""
        self.messages.append(message)
        self.last = message.id

    @property
    def shown_anew(self) -> int:
        """How often the whole game came in place of what was shown before."""
        return sum(message.event == "game" for message in self.messages[1:])

    def changes(self) -> Iterator[Change]:
        """Yield each change with the revision after which it was shown."""
        before = ""
        for message in self.messages:
            if message.event == "change":
                yield Change(self.game, before, message.id, message.content)
            before = message.id


class History:
    """All that was told: what was acknowledged, what was shown by an answer, and what by streams."""

    def __init__(self) -> None:
        self.acknowledged: set[Change] = set()
        self.looks: set[tuple[str, str]] = set()
        self.sessions: list[Session] = []


class Findings(NamedTuple):
    """The findings of a check: changes that were lost, revisions that were taken back, and all that can never be."""

    lost: list[Change]
    taken_back: list[tuple[str, str]]
    wrong: list[str]


def check(history: History, kept: Mapping[str, list[Step]]) -> Findings:
    """Hold a history against the logs that the store has at the end."""
    path = {change for game, steps in kept.items() for change in read_changes(game, steps)}
    there = {(game, str(step.game.revision)) for game, steps in kept.items() for step in steps}
    shown = {(session.game, message.id) for session in history.sessions for message in session.messages if message.id}
    told = [change for session in history.sessions for change in session.changes()]
    wrong = [*_contradictions([*path, *history.acknowledged, *told]), *_gaps(told), *_irregular(kept)]
    wrong += [*find_stuck(history, kept), *_too_soon(kept)]
    lost = sorted({change for change in history.acknowledged if (change.game, change.after) not in there}, key=str)
    return Findings(lost, sorted((shown | history.looks) - there), wrong)


def read_changes(game: str, steps: list[Step]) -> Iterator[Change]:
    """Yield the changes of a log."""
    for before, step in pairwise(steps):
        yield Change(game, str(before.game.revision), str(step.game.revision), _content(step))


def _content(step: Step) -> Content:
    content: Content
    match step.entry:
        case PlayEntry(seat, card):
            content = ("played", seat, card)
        case EntropyEntry(seat, entropy):
            content = ("stirred", seat, entropy)
        case DealEntry():
            content = DEALT
        case TokenEntry(seat):
            content = ("renewed", seat)
        case ComputerEntry(seat, level):
            content = ("seated", seat, level)
        case TakeBackEntry(seat):
            content = ("taken back", seat)
        case RematchEntry(rematch):
            content = ("rematch", rematch)
        case _:
            raise AssertionError(step)
    return content


def _contradictions(changes: list[Change]) -> Iterator[str]:
    """Find changes that follow two revisions or have two contents."""
    known: dict[tuple[str, str], Change] = {}
    for change in changes:
        first = known.setdefault((change.game, change.after), change)
        alike = change.content == first.content or UNTOLD in {change.content, first.content}
        if (change.before != first.before and change.before and first.before) or not alike:
            yield f"told in two ways: {first} and {change}"


def _gaps(told: list[Change]) -> Iterator[str]:
    """Find changes in streams that do not follow the version that was shown before."""
    for change in told:
        before, after = parse_revision(change.before), parse_revision(change.after)
        if before is None or after is None or after.version != before.version + 1:
            yield f"a gap in a stream: {change}"


def find_stuck(history: History, kept: Mapping[str, list[Step]]) -> Iterator[str]:
    """Find streams that did not come to where their game is."""
    for session in history.sessions:
        steps = kept[session.game]
        end = str(steps[-1].game.revision) if steps else ""
        if session.last != end:
            yield f"a stream of {session.game} stays at {session.last or 'an end'}; the game is at {end or 'an end'}"


def _too_soon(kept: Mapping[str, list[Step]]) -> Iterator[str]:
    """Find cards that were played for a seat before its time was over."""
    for game, steps in kept.items():
        for before, step in pairwise(steps):
            ends_at = find_move_end(before.game)
            if isinstance(step.entry, AbsentPlayEntry) and (ends_at is None or step.game.changed_at < ends_at):
                yield f"played too soon for an absent seat: {game} at {step.game.revision}"


def _irregular(kept: Mapping[str, list[Step]]) -> Iterator[str]:
    """Find games whose record does not adjudicate."""
    records = {game: RecordWriter(steps).write_whole() for game, steps in kept.items() if steps}
    for game, record in records.items():
        for irregularity in run_to_end(adjudicate_by_deal(record)).irregularities:
            yield f"irregular: {game}: {irregularity}"
