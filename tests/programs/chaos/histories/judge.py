"""The judge: a second walk of the log of each game, which shares no code with the service.

It decodes the entries itself, deals and plays with the second engine (tests/reference), and has its own rules of who
may do what and when. Answers and streams must agree with this walk.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b, sha256
from itertools import count
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, cast

import msgspec

from tests.programs.chaos.histories.history import Change, Content, History, Look, View
from tests.reference import engine

Logs: TypeAlias = Mapping[str, Sequence[bytes]]
Versions: TypeAlias = "Mapping[tuple[str, str], Version]"
PACK: Final = [rank + suit for suit in engine.SUITS for rank in engine.RANKS]
CLOCKS_APART: Final = 200
"""Milliseconds by which the clocks of two servers of the store may differ."""
ABSENCES: Final = 3
AWAY: Final = 120.0
"""Seconds of absence after which another seat may hand a seat to the computer."""
SLACK: Final = 45.0
"""Seconds by which a caller and the service may differ about that: clocks, and what a dead process had not told."""
HOST: Final = "host"
BEGINNINGS: Final = ("", "ctt_seat_", "ctt_host_")
"""What may be missing before a token: 1.0.0 repeats answers without it."""


class Version(NamedTuple):
    """A version of a game: its id and that before it, what made it, what it shows, and who may change it."""

    id: str
    before: str
    content: Content
    view: View
    hands: Sequence[Sequence[str]]
    roles: Mapping[bytes, int | str]
    dealer: int
    is_full: bool
    at: int


def name(version: int, raw: bytes) -> str:
    """Return the id of a version."""
    return f"{version}-{sha256(raw).hexdigest()[:8]}"


def hashed(purpose: str, *parts: str) -> str:
    """Hash a secret and what was added to it, for a purpose."""
    return sha256("/".join((f"catch-the-ten/{purpose}", *parts)).encode()).hexdigest()


def bytes_of(purpose: str, seed: str) -> Iterator[int]:
    """Yield the bytes of a seed."""
    return (byte for block in count() for byte in sha256(f"catch-the-ten/{purpose}/{seed}/{block}".encode()).digest())


def draw_order(seed: str, seats: Sequence[int]) -> list[int]:
    """Let seats draw until they are in order, the highest first: in few rounds, for which one pack is enough."""
    pack = shuffle(bytes_of("draw", seed))

    def order(drawing: Sequence[int]) -> list[int]:
        if len(drawing) < 2:
            return list(drawing)
        ranks = {seat: engine.RANKS.index(pack.pop(0)[0]) for seat in drawing}
        groups = [[seat for seat in drawing if ranks[seat] == rank] for rank in sorted({*ranks.values()}, reverse=True)]
        return [seat for group in groups for seat in order(group)]

    return order(seats)


def shuffle(source: Iterator[int]) -> list[str]:
    """Shuffle the pack."""
    order = list(PACK)
    for at in range(len(order) - 1, 0, -1):
        place = next(byte for byte in source if byte < 256 - 256 % (at + 1)) % (at + 1)
        order[at], order[place] = order[place], order[at]
    return order


class Table:
    """A game, entry by entry. `wrong` is what should not have been."""

    def __init__(self, raw: bytes, asked: set[Content], dead: set[str]) -> None:
        opened: Any = msgspec.msgpack.decode(raw[13:])
        self._rules, self._sides, self._first_dealer = opened[1], opened[2], opened[6]
        self._secret, self._host, tokens = opened[7], opened[8], opened[9]
        self._players = len(tokens)
        self._scores = list(opened[10]) or [0] * len(self._sides)
        self._limit, self._takes_back = opened[14], opened[15]
        self._tokens, self._doors, self._is_drawn = list(tokens), list(tokens), opened[5]
        self._keyed = [b""] * self._players
        self._names = list(opened[11]) or [None] * self._players
        self._computers = list(opened[12]) or [None] * self._players
        self._state: engine.State | None = {**opened[16]} if opened[0] == "s" else None
        self._asked, self._dead = asked, dead
        self._entropy = [""] * self._players
        self._absences = [0] * self._players
        self._agreed: tuple[int, ...] = ()
        self._undo: engine.State | None = None
        self._resigned: int | None = None
        self._rematch: str | None = None
        self._turn_at = 0
        self._at = int.from_bytes(raw[6:12])
        self._number = 0
        self._id = ""
        self.wrong: list[str] = []
        self.opening = self._note(raw, ("opened",))

    def take(self, raw: bytes) -> Version:
        """Take the next entry.

        Errors: ValueError, for a card or a deal against the rules.
        """
        at, entry = int.from_bytes(raw[6:12]), msgspec.msgpack.decode(raw[13:])
        if self._limit and at < self._at - CLOCKS_APART:
            self._blame("the clock goes back")
        content = self._apply(at, *entry)
        self._at = at
        return self._note(raw, content)

    def _apply(self, at: int, kind: str, *fields: Any) -> Content:
        match kind, *fields:
            case "p" | "a", seat, card:
                return self._play(at, seat, PACK[int(card)], is_absent=kind == "a")
            case "d", strip, threes, secret:
                return self._deal(at, strip, secret, three=threes)
            case "b", seat:
                return self._ask_back(at, seat)
            case "n", game:
                return self._open_next(game)
            case "m", seats, is_drawn, secret, _:
                return self._change_seats(seats, secret, is_drawn=is_drawn)
            case _:
                act = self._change_seat(kind, *fields)
                self._require(act)
                return act

    def _change_seat(self, kind: str, seat: int, *fields: Any) -> Content:
        match kind, *fields:
            case "e", text:
                self._blame_if(self.phase in {"playing", "game_over"} or self._entropy[seat], "entropy out of turn")
                self._entropy[seat] = text
                return ("entropy_added", seat)
            case "r", *_:
                self._blame_if(self.phase in {"to_deal", "game_over"}, "resigned out of turn")
                self._resigned, self._undo, self._agreed = seat, None, ()
                return ("resigned", seat)
            case "t", token, request, _, player:
                self._blame_if(request and request == self._keyed[seat], "renewed twice by one request")
                self._tokens[seat], self._keyed[seat] = token, request
                self._names[seat] = player or self._names[seat]
                return ("token_renewed", seat)
            case "c", level:
                self._computers[seat], self._agreed = level, ()
                self._blame_if(all(self._computers), "no seat is left to a person")
                return ("seated", seat, level)
            case _:
                raise ValueError(kind)

    def _change_seats(self, seats: Sequence[int], secret: str, *, is_drawn: bool) -> Content:
        self._blame_if(self.phase != "to_deal", "seats changed after a deal")
        self._require(("seats_changed", *(() if is_drawn else seats)))
        if is_drawn:
            order = draw_order(hashed("seats-seed", self._secret, *self._entropy), range(self._players))
            places = [seat for side in self._sides for seat in side]
            self._blame_if([seats[seat] for seat in places] != order, "seats that were not drawn")
        for values in (self._tokens, self._doors, self._keyed, self._names, self._computers):
            values[:] = [values[seat] for seat in seats]
        self._secret, self._entropy = secret, [""] * self._players
        if self._is_drawn:
            self._first_dealer = draw_order(hashed("draw-seed", secret), range(self._players))[0]
        return ("seats_changed", *seats)

    def _open_next(self, game: str) -> Content:
        self._blame_if(self.phase != "game_over", "a rematch of a game that is not over")
        self._blame_if(self._rematch is not None and self._rematch not in self._dead, "two next games")
        self._require(("rematch_opened",))
        self._rematch = game
        return ("rematch_opened", game)

    def _play(self, at: int, seat: int, card: str, *, is_absent: bool) -> Content:
        before, ends_at = self._state, self.move_ends_at
        if before is None or self.turn != seat:
            raise ValueError("a card out of turn")
        if is_absent:
            self._blame_if(ends_at is None or at < ends_at, "played too soon for an absent seat")
        elif self._computers[seat] is None:
            self._require(("played", seat, card))
        after = self._state = engine.play(before, card)
        self._undo = before if self._takes_back and after["trick"] else None
        self._agreed, self._turn_at = (), at if self._limit else 0
        self._absences[seat] = self._absences[seat] + 1 if is_absent else 0
        others = self._computers[:seat] + self._computers[seat + 1 :]
        is_taken = self._absences[seat] >= ABSENCES and not all(others)
        if is_taken:
            self._computers[seat], self._absences[seat] = "medium", 0
        return ("absent" if is_absent else "played", seat, card, *(("taken",) if is_taken else ()))

    def _deal(self, at: int, strip: int, secret: str, *, three: bool) -> Content:
        ends_at = self.move_ends_at
        is_due = self._computers[self.dealer] is not None or (ends_at is not None and at >= ends_at)
        self._blame_if(not is_due and ("dealt",) not in self._asked, "dealt too soon")
        self._blame_if(self._resigned is not None or strip, "dealt against the rules")
        order = shuffle(bytes_of("deal", hashed("seed", self._secret, *self._entropy)))
        if self._state is None:
            self._state = engine.deal(self._rules, self._sides, self.dealer, order, 1, self._scores, three)
        else:
            self._state = engine.next_deal(self._state, order, three)
        self._secret, self._entropy, self._turn_at = secret, [""] * self._players, at
        return ("dealt",)

    def _ask_back(self, at: int, seat: int) -> Content:
        self._require(("back", seat))
        if self._undo is None or (not self._agreed and engine.turn(self._undo) != seat) or seat in self._agreed:
            raise ValueError("a card taken back out of turn")
        self._agreed = (*self._agreed, seat)
        if any(level is None and other not in self._agreed for other, level in enumerate(self._computers)):
            return ("asked", *self._agreed)
        last = self._state and self._state["trick"][-1]
        self._state, self._undo, self._agreed, self._turn_at = self._undo, None, (), at
        return ("taken_back", engine.turn(self._state), last)

    @property
    def phase(self) -> str:
        if self._resigned is not None:
            return "game_over"
        return "to_deal" if self._state is None else engine.phase(self._state)

    @property
    def turn(self) -> int | None:
        return engine.turn(self._state) if self._state is not None and self._resigned is None else None

    @property
    def dealer(self) -> int:
        """The seat that deals next."""
        dealer: int = self._first_dealer if self._state is None else (self._state["dealer"] + 1) % self._players
        return dealer

    @property
    def move_ends_at(self) -> int | None:
        if not self._limit or not self._turn_at or self.phase in {"to_deal", "game_over"}:
            return None
        turn = self.turn
        return None if self._computers[self.dealer if turn is None else turn] else self._turn_at + self._limit * 1000

    def _require(self, act: Content) -> None:
        self._blame_if(act not in self._asked, f"{act} was asked for by nobody")

    def _blame_if(self, is_wrong: object, what: str) -> None:
        if is_wrong:
            self._blame(what)

    def _blame(self, what: str) -> None:
        self.wrong.append(f"{what}: after {self._id}")

    def _note(self, raw: bytes, content: Content) -> Version:
        before, self._number = self._id, self._number + 1
        self._id = name(self._number, raw)
        trick = tuple(self._state["trick"]) if self._state else ()
        view = View(
            self.phase,
            self.turn,
            tuple(self._computers),
            trick,
            self.move_ends_at,
            self._resigned,
            self._rematch,
            self._agreed,
        )
        roles: dict[bytes, int | str] = {
            token: f"guest {seat}"
            for seat, token in enumerate(self._doors)
            if self._computers[seat] is not None and self._names[seat] is None
        }
        roles |= {self._host: HOST, **{token: seat for seat, token in enumerate(self._tokens)}}
        is_full = all(map(any, zip(self._names, self._computers, strict=True)))
        hands = self._state["hands"] if self._state else ()
        is_full = is_full and self._state is None
        return Version(self._id, before, content, view, hands, roles, self.dealer, is_full, self._at)


def walk(raws: Sequence[bytes], asked: set[Content], dead: set[str]) -> tuple[list[Version], list[str]]:
    """Walk a log. Return its versions, and what should not have been."""
    if not raws:
        return [], []
    table = Table(raws[0], asked, dead)
    versions = [table.opening]
    try:
        versions += map(table.take, raws[1:])
    except ValueError as exc:
        return versions, [*table.wrong, f"{exc}: after {versions[-1].id}"]
    return versions, table.wrong


def judge(history: History, logs: Logs) -> list[str]:
    """Hold a history against the logs at the end. Return what can not be; where changes may be lost, less of it."""
    dead = history.deleted | {game for game, raws in logs.items() if not raws}
    walked = {game: walk(raws, history.asked[game], dead) for game, raws in logs.items()}
    versions = {(game, each.id): each for game, (found, _) in walked.items() for each in found}
    told = [change for session in history.sessions for change in session.changes()]
    wrong = [f"{each}, in {game}" for game, (_, found) in walked.items() for each in found]
    wrong += [*history.wrong, *_find_contradictions([*history.acknowledged, *told], versions), *_find_gaps(told)]
    wrong += _find_wrong_looks(history.looks, versions)
    for change in history.acknowledged:
        wrong += _find_unauthorized(change, versions, partial(_was_away, history, change))
    return [*wrong, *_find_lost(history, versions, logs)] if history.lossless else wrong


def find_finished(history: History, logs: Logs) -> dict[str, str]:
    """Return the finished games, each with the version that ended it; empty for a deleted one."""
    finished = dict.fromkeys(sorted(history.deleted), "")
    for game, raws in logs.items():
        versions, _ = walk(raws, history.asked[game], set())
        ends = [each.id for each in versions if each.view.phase == "game_over"]
        finished |= {game: ends[0]} if ends else {}
    return finished


def find_wrong_games(
    finished: Mapping[str, str], feed: Sequence[Any], outcomes: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """Find games that a feed lacks, shows though they go on, shows twice, or shows with another end than they had."""
    shown = {each["id"]: each for each in feed}
    times = Counter(each["id"] for each in feed)
    yield from (f"{many} times in the feed: {game}" for game, many in times.items() if many > 1)
    yield from (f"not in the feed: {game}" for game in finished if game not in shown)
    for game, each in shown.items():
        if game not in finished:
            yield f"in the feed as {each['outcome']}, but goes on: {game}"
        elif finished[game] not in {"", each["version"]}:
            yield f"in the feed at {each['version']}, but it ended at {finished[game]}: {game}"
        elif each["outcome"] != outcomes.get(game, each["outcome"]):
            yield f"in the feed as {each['outcome']}, but it was {outcomes[game]}: {game}"


def is_unnamed(shown: Any) -> bool:
    """Return True if a feed shows a game that may have been opened by a process that died before it named the game.

    Nobody can change such a game, so it ends as it was opened.
    """
    version: str = shown["version"]
    return shown["outcome"] == "abandoned" and version.startswith("1-")


def count_absent(logs: Logs) -> int:
    """Count the cards that were played for absent seats."""
    return sum(msgspec.msgpack.decode(raw[13:])[0] == "a" for raws in logs.values() for raw in raws)


def _find_contradictions(changes: Sequence[Change], versions: Versions) -> Iterator[str]:
    """Find changes that follow two revisions or have two contents."""
    known = {key: Change(key[0], each.before, each.id, each.content) for key, each in versions.items()}
    for change in changes:
        first = known.setdefault((change.game, change.after), change)
        if (change.before and first.before and change.before != first.before) or change.content != first.content:
            yield f"told in two ways: {first} and {change}"


def _find_gaps(told: Sequence[Change]) -> Iterator[str]:
    """Find changes in streams that do not follow the version that was shown before."""
    for change in told:
        before, after = (int(each.partition("-")[0] or 0) for each in (change.before, change.after))
        if after != before + 1 or not before:
            yield f"a gap in a stream: {change}"


def _find_wrong_looks(looks: Sequence[Look], versions: Versions) -> Iterator[str]:
    """Find looks that show something else than the log has."""
    for look in looks:
        version = versions.get((look.game, look.id))
        if version is not None and version.view != look.view:
            yield f"shown as {look.view}, but it is {version.view}: {look.game} at {look.id}"
        if version is not None and look.hand is not None and version.hands:
            seat, hand = look.hand
            if frozenset(version.hands[seat]) != hand:
                yield f"seat {seat} sees a hand that it does not have: {look.game} at {look.id}"


def _was_away(history: History, change: Change, before: Version, after: Version, seat: int) -> bool:
    """Return True if a seat can have been away for long enough when another one let the computer play it."""
    stays = [stay for each in history.sessions if each.game == change.game for stay in each.stays]
    ends = [ended for at, begun, ended in stays if at == seat and begun < change.at - SLACK]
    if ends:
        return max(ends) < change.at - AWAY + SLACK
    return before.view.turn == seat and after.at - before.at > 1000 * (AWAY - SLACK)


def _find_unauthorized(
    change: Change, versions: Versions, was_away: Callable[[Version, Version, int], bool]
) -> Iterator[str]:
    """Find changes acknowledged to a caller who may not make them."""
    version = versions.get((change.game, change.after))
    before = version and versions.get((change.game, version.before))
    if version is None or before is None:
        return
    kind, *rest = version.content
    kept = [blake2b(f"{begin}{change.token}".encode(), digest_size=16).digest() for begin in BEGINNINGS]
    role = next((before.roles[each] for each in kept if each in before.roles), None)
    admitted: set[object] = (
        {HOST} if kind in {"dealt", "resigned", "token_renewed", "seated", "seats_changed"} else set()
    )
    match kind:
        case "dealt" | "seats_changed":
            waiting: set[int] = {before.dealer} if kind == "dealt" else set()
            admitted |= {*range(len(version.view.computers))} if before.is_full else waiting
        case "asked":
            admitted.add(rest[-1])
        case "taken_back":
            admitted |= {*range(len(version.view.computers))}
        case "token_renewed":
            admitted |= {rest[0], f"guest {rest[0]}"}
        case "seated" if rest[1] == "medium" and was_away(before, version, cast("int", rest[0])):
            admitted |= {*range(len(version.view.computers))}
        case _:
            admitted.add(rest[0])
    if role not in admitted:
        yield f"acknowledged to {role}: {change}"


def _find_lost(history: History, versions: Versions, logs: Logs) -> Iterator[str]:
    """Find acknowledged changes that are lost, shown changes that were undone, and stale reads."""
    yield from (f"deleted, but there: {game}" for game in history.deleted if logs.get(game))
    yield from (f"an Idempotency-Key got {answers}" for answers in history.keyed.values() if len(answers) > 1)
    alive = [change for change in history.acknowledged if change.game not in history.deleted]
    yield from (f"lost: {change}" for change in alive if (change.game, change.after) not in versions)
    shown = {(session.game, message.id) for session in history.sessions for message in session.messages if message.id}
    shown |= {(look.game, look.id) for look in history.looks}
    gone = [key for key in shown if key[0] not in history.deleted and key not in versions]
    yield from (f"taken back: {game} at {id_}" for game, id_ in sorted(gone))
    yield from _find_stale(history)


def _find_stale(history: History) -> Iterator[str]:
    """Find looks that show less than was acknowledged before they were asked for."""
    events = [(change.at, 0, change.game, change.after) for change in history.acknowledged]
    events += [(look.at, 1, look.game, look.id) for look in history.looks if look.is_current]
    latest: dict[str, int] = {}
    for _, is_look, game, id_ in sorted(events):
        number = int(id_.partition("-")[0])
        if not is_look:
            latest[game] = max(number, latest.get(game, 0))
        elif number < latest.get(game, 0):
            yield f"stale: {game} at {id_}, after {latest[game]} was acknowledged"
