"""The reader of records as text: it notes where each part stands, so that a fault can name its line and column."""

import re
from typing import Any, Final

import msgspec
from msgspec import structs

from service.game.cards import CODES, CardCode
from service.game.faults import MalformedNotation
from service.game.generators import Sliced
from service.game.notation.cards import CARD_NUMBER
from service.game.rules.record import MAX_PLAYS, Record, RecordedDeal
from service.game.rulesets import MAX_DEALS
from service.game.state import HandClaim

VERSION: Final = 1
MAX_LINES: Final = 10_000
"""Lines of a text: twice those of the longest record with a play on each."""
MAX_CHARACTERS: Final = 4096
"""Characters of a line without its comment: twice those of 40 revokes, or of a proof for eight seats."""
MAX_RULES_CHARACTERS: Final = 16 * MAX_CHARACTERS
"""Characters of the line of the rules: those of the longest house rules, each written as six, as in `\\u00e9`."""
_BLANKS: Final = " \t\r"
_TAG: Final = re.compile(r"[ \t\r]*\[([A-Z][A-Za-z]*)[ \t\r]+([^ \t\r].*)\][ \t\r]*")
_WORD: Final = re.compile(r"[^ \t\r;]+")
_SEAT: Final = re.compile("([0-7]):")
_HAND: Final = re.compile("(?:[6-9TJQKA]+[shdc])+")
_GROUP: Final = re.compile("([6-9TJQKA]+)([shdc])")
_SIZE: Final = re.compile("0|[1-9][0-9]?")
_BYTE: Final = re.compile(r"\(byte (\d+)\)$")
_AT: Final = re.compile(r"\.([a-z_]+)|\[(\d+)\]")
_HEAD: Final = {field.name for field in structs.fields(Record)} - {"deals"}
_DEAL: Final = {field.name for field in structs.fields(RecordedDeal)} - {"plays"}


class TextPosition(msgspec.Struct, frozen=True):
    """A place in a text, counted from 1."""

    line: int
    column: int


class ReadRecord(Record, frozen=True, kw_only=True):
    """A record that was read from a text, and by JSON Pointer the place of each part of it."""

    places: dict[str, TextPosition]


def parse_record(text: str) -> Sliced[ReadRecord]:
    """Return the record of a text, and yield between its lines.

    Errors: MalformedNotation.
    """
    reader, lines = _Reader(), text.split("\n", MAX_LINES)
    if len(lines) > MAX_LINES:
        raise MalformedNotation(f"at most {MAX_LINES} lines", 1, MAX_LINES + 1)
    for number, line in enumerate(lines, start=1):
        reader.read_line(line, number)
        yield
    return reader.finish()


def find_place(places: dict[str, TextPosition], pointer: str) -> TextPosition:
    """Return the place of a part of a record, or of the smallest part around it whose place is known."""
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
    """Return the number of seats of all sides; 0 if they are no sides."""
    try:
        return sum(map(len, msgspec.convert(sides, list[list[int]])))
    except msgspec.ValidationError:
        return 0


class _Reader:
    """The parts read so far: the fields of the record, its deals, and the place of each part."""

    def __init__(self) -> None:
        self._line = 1
        self._players = 0
        self._has_version = False
        self._fields: dict[str, Any] = {}
        self._deals: list[dict[str, Any]] = []
        self._places = {"": TextPosition(1, 1)}

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
        """Return the record, now that every line was read.

        Errors: MalformedNotation.
        """
        if not self._has_version:
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
        """Return the fault of a record whose fields are not as they should be."""
        said, _, path = message.partition(" - at `$")
        pointer = "".join("/" + (name or index) for name, index in _AT.findall(path))
        place = find_place(self._places, pointer)
        return MalformedNotation(f"a record: {said[0].lower()}{said[1:]}", place.column, place.line)

    def _read_tag(self, tag: str, text: str, name_at: int, value_at: int) -> None:
        value = self._read_json(text, value_at)
        if not self._has_version:
            if (tag, value) != ("CatchTheTen", VERSION):
                raise self._expected_version(name_at - 1)
            self._has_version = True
            return
        name = re.sub("(?<=.)([A-Z])", r"_\1", tag).lower()
        if name == "dealer":
            if len(self._deals) == MAX_DEALS:
                raise self._expected(f"at most {MAX_DEALS} deals", name_at)
            self._deals.append({"plays": []})
            self._note(name_at)
        fields, known = (self._deals[-1], _DEAL) if self._deals else (self._fields, _HEAD)
        if name not in known or name in fields:
            left = ", ".join(sorted(field.title().replace("_", "") for field in known - fields.keys()))
            raise self._expected(f"one of the tags {left}", name_at)
        self._note(name_at, name)
        fields[name] = value
        if name == "sides":
            self._players = _count_players(value)
        self._read_cards(fields, name, value, value_at + 1)

    def _read_cards(self, fields: dict[str, Any], name: str, value: object, at: int) -> None:
        """Read the turn-up or the hands where they are written as in a notation."""
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
            raise self._expected_version(start) if not self._has_version else self._expected("a tag", start)
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
