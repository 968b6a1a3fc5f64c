"""The reader of records as text: it notes the place of each part, so faults have line and column."""

import re
from typing import Any, Final

import msgspec
from msgspec import structs

from service.game.cards import CODES, CardCode
from service.game.faults import MalformedNotation
from service.game.generators import Sliced
from service.game.notation.cards import CARD_NUMBER
from service.game.rules.record import MAX_PLAYS, MAX_TAGS, Record, RecordedDeal, is_field, tag_of
from service.game.rulesets import MAX_DEALS
from service.game.state import HandClaim

VERSION: Final = 1
MAX_LINES: Final = 10_000
"""Lines of a text: twice those of the longest record with a play on each."""
MAX_CHARACTERS: Final = 4096
"""Characters of a line without its comment: twice those of 40 revokes, or of a proof for eight seats."""
MAX_RULES_CHARACTERS: Final = 16 * MAX_CHARACTERS
"""Characters of the line of the rules: those of the longest house rules, each written as six, as in `\\u00e9`."""
_BLANKS: Final = " \t"
_TAG: Final = re.compile(r"[ \t]*\[([A-Z][A-Za-z0-9_]*)[ \t]+([^ \t].*)\][ \t]*")
_VERSION_TAG: Final = re.compile(r"[ \t]*\[CatchTheTen[ \t]")
_WORD: Final = re.compile(r"[^ \t;]+")
_SEAT: Final = re.compile("([0-7]):")
_HAND: Final = re.compile("(?:[6-9TJQKA]+[shdc])+")
_GROUP: Final = re.compile("([6-9TJQKA]+)([shdc])")
_SIZE: Final = re.compile("0|[1-9][0-9]?")
_BYTE: Final = re.compile(r"\(byte (\d+)\)$")
_AT: Final = re.compile(r"\.([a-z_]+)|\[(\d+)\]")
_MISSING: Final = re.compile("missing required field `([a-z_]+)`")
_HEAD: Final = {tag_of(field): field for field in Record.__struct_fields__ if field not in {"deals", "tags"}}
_DEAL: Final = {tag_of(field): field for field in RecordedDeal.__struct_fields__ if field not in {"plays", "tags"}}
_NEEDED: Final = {field.name for part in (Record, RecordedDeal) for field in structs.fields(part) if field.required}
_UNKNOWN: Final = "?"
"""The value of a tag for "unknown"."""
_VALUES: Final = {
    "rules": 'the id of a ruleset, as in "trebor", or house rules',
    "sides": "the seats of each side, as in [[0, 2], [1, 3]]",
    "on_revoke": '"refuse" or "penalise"',
    "deal": "a number from 1 to 100",
    "scores": "the score of each side, as in [14, 20]",
    "resigned": "a seat from 0 to 7",
    "dealer": "a seat from 0 to 7",
    "turn_up": 'a card, as in "Ad"',
    "hands": 'the hand of each seat, as in "AK9sJ7h 6"',
    "ended_by": 'a claim or a concession, as in {"how": "claim", "seat": 2}',
}
"""By field: the value that its tag takes, in words of the notation."""


class TextPosition(msgspec.Struct, frozen=True):
    """A place in a text, counted from 1."""

    line: int
    column: int


class ReadRecord(Record, frozen=True, kw_only=True):
    """A record from a text, and the place of each part of it by JSON Pointer."""

    places: dict[str, TextPosition]


def parse_record(text: str) -> Sliced[ReadRecord]:
    """Return the record of a text, and yield between its lines.

    Errors: MalformedNotation, also for a text with several records.
    """
    first, *more = yield from parse_records(text)
    for record in more:
        start = record.places[""]
        raise MalformedNotation("the end: only one record is read here", start.column, start.line)
    return first


def parse_records(text: str) -> Sliced[tuple[ReadRecord, ...]]:
    """Return the records of a text, at least one, and yield between its lines; each begins with its version.

    Errors: MalformedNotation.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n", MAX_LINES)
    if len(lines) > MAX_LINES:
        raise MalformedNotation(f"at most {MAX_LINES} lines", 1, MAX_LINES + 1)
    reader, records = _Reader(), list[ReadRecord]()
    for number, line in enumerate(lines, start=1):
        if reader.has_version and _VERSION_TAG.match(line):
            records.append(reader.finish())
            reader = _Reader(number)
        reader.read_line(line, number)
        yield
    return (*records, reader.finish())


def find_place(places: dict[str, TextPosition], pointer: str) -> TextPosition:
    """Return the place of a part of a record, or of the smallest known part around it."""
    while pointer not in places:
        pointer = pointer.rpartition("/")[0]
    return places[pointer]


def parse_hands(text: str) -> tuple[tuple[HandClaim, ...], tuple[tuple[HandClaim, ...], ...]]:
    """Return the hands by seat, and the later hands by seat.

    Errors: ValueError, with the hand that cannot be read.
    """
    by_seat = [tuple(_parse_hand(hand) for hand in hands.split("-")) for hands in text.split()]
    later = tuple(hands[1:] for hands in by_seat)
    return tuple(hands[0] for hands in by_seat), later if any(later) else ()


def _parse_hand(text: str) -> HandClaim:
    if text == "0":
        return ()
    if _SIZE.fullmatch(text):
        return int(text)
    if not _HAND.fullmatch(text):
        raise ValueError(text)
    groups: list[tuple[str, str]] = _GROUP.findall(text)
    cards: list[CardCode] = [_code(rank + suit) for ranks, suit in groups for rank in ranks]
    return tuple(cards)


def _code(card: str) -> CardCode:
    return CODES[CARD_NUMBER[card]]


def _count_players(sides: object) -> int:
    """Return the number of seats of all sides; 0 for malformed sides."""
    try:
        return sum(map(len, msgspec.convert(sides, list[list[int]])))
    except msgspec.ValidationError:
        return 0


class _Reader:
    """The parts read so far: the fields of the record, its deals, and the place of each part."""

    def __init__(self, line: int = 1) -> None:
        self.has_version = False
        self._line = line
        self._players = 0
        self._fields: dict[str, Any] = {}
        self._deals: list[dict[str, Any]] = []
        self._places = {"": TextPosition(line, 1)}

    def read_line(self, line: str, number: int) -> None:
        """Read a line: a tag, plays, or nothing but a comment.

        Errors: MalformedNotation.
        """
        self._line = number
        start = len(line) - len(line.lstrip(_BLANKS))
        if not line[start:] or line[start] == ";":
            return
        self._check_length(line, start)
        if line[start] != "[":
            self._read_plays(line, start)
            return
        tag = _TAG.fullmatch(line)
        if tag is None:
            raise self._expected('a tag, as in [Rules "trebor"]', start)
        self._read_tag(tag[1], tag[2], tag.start(1), tag.start(2))

    def _check_length(self, line: str, start: int) -> None:
        content = line if line[start] == "[" else line.partition(";")[0]
        limit = MAX_RULES_CHARACTERS if line.startswith("[Rules", start) else MAX_CHARACTERS
        if len(content) > limit:
            raise self._expected(f"at most {limit} characters in a line", limit)

    def finish(self) -> ReadRecord:
        """Return the record, once every line was read.

        Errors: MalformedNotation.
        """
        if not self.has_version:
            raise self._expected_version(0)
        try:
            record = msgspec.convert({**self._fields, "deals": self._deals}, Record)
        except msgspec.ValidationError as exc:
            raise self._explain(str(exc)) from exc
        return ReadRecord(**structs.asdict(record), places=self._places)

    def _expected(self, what: str, at: int) -> MalformedNotation:
        return MalformedNotation(what, at + 1, self._line)

    def _expected_version(self, at: int) -> MalformedNotation:
        return self._expected(f"[CatchTheTen {VERSION}], the version of the notation", at)

    def _explain(self, message: str) -> MalformedNotation:
        """Return the fault of a record with a malformed field."""
        said, _, path = message.partition(" - at `$")
        steps: list[str] = [name or index for name, index in _AT.findall(path)]
        place = find_place(self._places, "".join(f"/{step}" for step in steps))
        missing = _MISSING.search(said)
        field = next((step for step in steps if step in _VALUES), "")
        if missing:
            expected = f"the tag {tag_of(missing[1])}"
        elif field:
            expected = f"{_VALUES[field]} as the value of {tag_of(field)}"
        else:
            expected = f"a record: {said[0].lower()}{said[1:]}"
        return MalformedNotation(expected, place.column, place.line)

    def _read_tag(self, tag: str, text: str, name_at: int, value_at: int) -> None:
        if not self.has_version:
            if (tag, text.strip()) != ("CatchTheTen", str(VERSION)):
                raise self._expected_version(name_at - 1)
            self.has_version = True
            return
        if tag == "Dealer":
            if len(self._deals) == MAX_DEALS:
                raise self._expected(f"at most {MAX_DEALS} deals", name_at)
            self._deals.append({"plays": []})
            self._note(name_at)
        fields, known = (self._deals[-1], _DEAL) if self._deals else (self._fields, _HEAD)
        if not is_field(tag):
            self._keep_tag(fields, tag, text, name_at, value_at)
            return
        name = known.get(tag)
        if name is None or name in fields:
            left = ", ".join(sorted(other for other, field in known.items() if field not in fields))
            raise self._expected(f"one of the tags {left}", name_at)
        self._note(name_at, name)
        self._read_field(fields, name, self._read_json(text, value_at), value_at)

    def _read_field(self, fields: dict[str, Any], name: str, value: Any, at: int) -> None:
        if value == _UNKNOWN:
            self._pass_over(name, at)
            return
        fields[name] = value
        if name == "sides":
            self._players = _count_players(value)
        self._read_cards(fields, name, value, at + 1)

    def _pass_over(self, name: str, at: int) -> None:
        """Leave out a field with an unknown value.

        Errors: MalformedNotation, if a record needs it.
        """
        if name in _NEEDED:
            raise self._expected(f"{_VALUES[name]}: a record is not read without {tag_of(name)}", at)

    def _keep_tag(self, fields: dict[str, Any], tag: str, text: str, name_at: int, value_at: int) -> None:
        """Keep a tag that no rule reads: a JSON string as its characters, anything else as written."""
        kept = fields.setdefault("tags", [])
        if len(kept) == MAX_TAGS:
            raise self._expected(f"at most {MAX_TAGS} tags that are no fields", name_at)
        value = self._read_json(text, value_at) if text.startswith('"') else text.rstrip(_BLANKS)
        self._note(name_at, "tags", len(kept))
        kept.append({"name": tag, "text": value})

    def _read_cards(self, fields: dict[str, Any], name: str, value: object, at: int) -> None:
        """Read the turn-up or the hands if they are written as in a notation."""
        if not isinstance(value, str):
            return
        if name == "turn_up" and value in CARD_NUMBER:
            fields[name] = _code(value)
        elif name == "hands":
            try:
                fields["hands"], later = parse_hands(value)
            except ValueError as exc:
                raise self._expected("a hand, as in AK9sJ7h or 6", at + value.index(str(exc))) from exc
            if later:
                fields["later_hands"] = later

    def _read_json(self, text: str, at: int) -> Any:
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as exc:
            byte = _BYTE.search(str(exc))
            good = text.encode()[: int(byte[1])].decode(errors="ignore") if byte else ""
            raise self._expected("a value as JSON has it", at + len(good)) from exc

    def _read_plays(self, line: str, start: int) -> None:
        if not self._deals:
            raise self._expected_version(start) if not self.has_version else self._expected("a tag", start)
        plays, seat = self._deals[-1]["plays"], None
        for word in _WORD.finditer(line.partition(";")[0]):
            found = _SEAT.fullmatch(word[0])
            if found:
                seat = int(found[1])
                continue
            if seat is None or word[0] not in CARD_NUMBER:
                what = "a seat, as in 2:" if seat is None else "a card, as in Th"
                raise self._expected(what, word.start())
            if len(plays) == MAX_PLAYS:
                raise self._expected(f"at most {MAX_PLAYS} plays of a deal", word.start())
            self._note(word.start(), "plays", len(plays))
            plays.append({"seat": seat, "card": _code(word[0])})
            if not self._players:
                raise self._expected("the tag Sides before the first deal, as in [Sides [[0, 2], [1, 3]]]", start)
            seat = (seat + 1) % self._players

    def _note(self, at: int, *steps: str | int) -> None:
        """Note the place of a part of the record, or of the running deal."""
        deal = ("deals", len(self._deals) - 1) if self._deals else ()
        self._places["".join(f"/{step}" for step in (*deal, *steps))] = TextPosition(self._line, at + 1)
