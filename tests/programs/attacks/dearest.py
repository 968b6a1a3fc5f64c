"""For every operation its dearest sound request: the longest message, the deepest question, the longest game."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final, NamedTuple, TypeAlias

from service.api.games.my_games import MAX_GAMES
from service.api.operation_list import OPERATIONS
from service.platform.settings import Settings
from tests.programs.attacks.games import long_record
from tests.programs.attacks.rules import house_rules
from tests.support.http.samples import BODIES, EVERY, STATE
from tests.support.http.server import Line, head

CALLERS: Final = 100
MAX_MB: Final = 200
"""The most memory of a process that stands them all."""
MAX_P99: Final = 1.5 * CALLERS
"""CPU that 99 of 100 light questions wait for at most. Unit: the CPU of a light question alone, on the same machine.

Each caller has one request under way, so a light question waits for a turn of each.
"""
FIRST_CARD: Final = "ctt1_trebor_02.13_1_0.0_2-Ts_J96s98h976dTc.KQsAThKQJT8d.AT8sQ7hAK87c.7sKJ6hAdQJ96c_3_0.0"
"""A deal before its first card."""
_RULES: Final = house_rules("ü" * 1000)
_LIMITS: Final = {each.operation_id: each.max_body_bytes or Settings().max_body_bytes for each in OPERATIONS}
_HANDS: Final = {"rules": _RULES, "sides": STATE["sides"], "state": {**STATE, "rules": _RULES}}
Headers: TypeAlias = tuple[tuple[str, str], ...]


class Call(NamedTuple):
    """A request."""

    path: str
    method: str = "GET"
    body: bytes = b""
    headers: Headers = ()


class LongGame:
    """A game with the longest rules, texts and names, whose seats have changed many times."""

    def __init__(self, port: int, changes: int, *, computer: bool = False) -> None:
        seats = [{"name": "ü" * 40} for _ in range(3)]
        seats.append({"computer": "hard"} if computer else {"name": "ü" * 40})
        self._port = port
        body = {"rules": _RULES, "players": 4, "seats": seats, "first_dealer": 3, "take_back": True}
        made = self.ask(Call("/v1/games", "POST", json.dumps(body).encode()))
        self.path = f"/v1/games/{made['id']}"
        self.first = made["version"]
        self.tokens = [seat["token"] for seat in made["seats"]]
        self.host: Headers = (("authorization", f"Bearer {made['host_token']}"),)
        for at in range(changes):
            seat = at % 3
            self.tokens[seat] = self.ask(Call(f"{self.path}/seats/{seat}/tokens", "POST", b"", self.host))["token"]

    def ask(self, call: Call) -> dict[str, Any]:
        """Ask, and return the answer, which is a sound one."""
        with Line(self._port) as line:
            answer = line.ask(call.path, call.body, *call.headers, method=call.method)
        assert answer.status < 300, (call, answer)
        read: dict[str, Any] = json.loads(answer.body)
        return read

    def seen(self, bearer: int | None = None) -> Headers:
        """Return the headers of a seat, or the host, who has seen the latest version."""
        version = ("if-match", f'"{self.ask(Call(self.path))["version"]}"')
        return (*(self.host if bearer is None else self.bearer(bearer)), version)

    def bearer(self, seat: int) -> Headers:
        """Return the header of a seat."""
        return (("authorization", f"Bearer {self.tokens[seat]}"),)

    def write(self, act: str, body: bytes = b"{}", bearer: int | None = None, method: str = "POST") -> Call:
        """Return a write at the latest version."""
        return Call(f"{self.path}/{act}", method, body, self.seen(bearer))

    def deal(self) -> None:
        """Deal."""
        self.ask(self.write("deals"))

    def play(self) -> Call:
        """Return the play that is next."""
        shown = self.ask(Call(self.path, headers=self.bearer(0)))["position"]
        return self.write("plays", json.dumps({"card": shown["legal_cards"][0]}).encode(), 0)


Make: TypeAlias = Callable[[int, int], Call]
"""Makes the request, for the port of a service and a number of changes of its game."""


def _ask(operation: str, path: str, body: dict[str, Any] | bytes) -> Make:
    """Ask a question as long as it may be."""
    raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    return lambda _port, _changes: Call(path, "POST", raw[:-1].ljust(_LIMITS[operation] - 1) + b"}")


def _question(kind: str, **fields: object) -> Make:
    """Ask a question of this kind about the longest rules."""
    body = {name: _HANDS.get(name, value) for name, value in (BODIES[kind] | fields).items()}
    return _ask(kind, f"/v1/{kind.replace('_', '-')}", body)


def _look(path: str) -> Make:
    return lambda _port, _changes: Call(path)


def _in_game(act: Callable[[LongGame], Call], *, computer: bool = False) -> Make:
    return lambda port, changes: act(LongGame(port, changes, computer=computer))


def _dealt(act: Callable[[LongGame], Call]) -> Make:
    def make(port: int, changes: int) -> Call:
        game = LongGame(port, changes)
        game.deal()
        return act(game)

    return make


def _over(game: LongGame) -> Call:
    game.ask(game.write("resignations", b'{"seat":0}'))
    return Call(f"{game.path}/rematches", "POST", b"", game.host)


def _take_back(game: LongGame) -> Call:
    game.ask(game.play())
    return game.write("take-backs", b"", 0)


def _look_at_fifty(game: LongGame) -> Call:
    asked = {"id": game.path.rpartition("/")[2], "token": game.tokens[0]}
    return Call("/v1/my-games", "POST", json.dumps({"games": [asked] * MAX_GAMES}).encode())


def _batch() -> dict[str, Any]:
    return {"questions": [{"kind": "adjudications", **json.loads(long_record())}]}


_NAME: Final = json.dumps({"name": "ü" * 40}).encode()
_NEW: Final = {"rules": _RULES, "players": 4, "seats": [{"name": "ü" * 40}] * 4, "first_dealer": 3}
DEAREST: Final[dict[str, Make]] = {
    **{kind: _question(kind) for kind in BODIES if kind not in {"claims", "analyses", "adjudications", "scores"}},
    "scores": _ask("scores", "/v1/scores", EVERY["scores"]),
    "claims": _ask("claims", "/v1/claims", {"state": FIRST_CARD, "seat": 3, "tricks": 5}),
    "analyses": _ask("analyses", "/v1/analyses", {"state": FIRST_CARD}),
    "adjudications": _ask("adjudications", "/v1/adjudications", long_record()),
    "batches": _ask("batches", "/v1/batches", _batch()),
    "suggestions": _ask("suggestions", "/v1/suggestions", {"state": FIRST_CARD, "level": "hard"}),
    "get_position": _look(f"/v1/positions/{FIRST_CARD}"),
    "get_legal_moves": _look(f"/v1/legal-moves/{FIRST_CARD}"),
    "get_scores": _look(f"/v1/scores/{FIRST_CARD}"),
    "get_suggestion": _look(f"/v1/suggestions/{FIRST_CARD}?level=hard"),
    "open_game": _ask("open_game", "/v1/games", _NEW),
    "get_game": _dealt(lambda game: Call(game.path, headers=game.bearer(0))),
    "list_my_games": _dealt(_look_at_fifty),
    "delete_game": _dealt(lambda game: Call(game.path, "DELETE", b"", game.host)),
    "add_entropy": _in_game(lambda game: game.write("entropy", b'{"entropy":"' + b"x" * 100 + b'"}', 0)),
    "change_seats": _in_game(lambda game: game.write("seatings")),
    "deal_next": _in_game(lambda game: game.write("deals")),
    "play_card": _dealt(LongGame.play),
    "get_record": _dealt(lambda game: Call(f"{game.path}/record")),
    "resign": _dealt(lambda game: game.write("resignations", b'{"seat":0}')),
    "take_back": _dealt(_take_back),
    "open_rematch": _dealt(_over),
    "renew_token": _in_game(lambda game: Call(f"{game.path}/seats/0/tokens", "POST", _NAME, game.host)),
    "seat_computer": _dealt(lambda game: game.write("seats/0/computer", b'{"level":"hard"}', method="PUT")),
    "take_seat_back": _in_game(lambda game: game.write("seats/3/computer", b"", method="DELETE"), computer=True),
    "list_changes": _dealt(lambda game: Call(f"{game.path}/changes?after={game.first}")),
    "follow_events": _dealt(lambda game: Call(f"{game.path}/events", headers=(("last-event-id", game.first),))),
    "list_rulesets": _look("/v1/rulesets"),
    "get_ruleset": _look("/v1/rulesets/trebor"),
    "list_problems": _look("/v1/problems"),
}
"""By operation."""


def read_head(line: Line, call: Call) -> int:
    """Send a request, and return the status of its answer."""
    line.send(head(call.path, ("content-length", str(len(call.body))), *call.headers, method=call.method) + call.body)
    return line.receive("HEAD").status


def make_dearest(operation: str, port: int, changes: int = 1000) -> Callable[[int, float], None]:
    """Return the attack that sends the dearest request of an operation on a hundred connections, again and again."""
    call, is_stream = DEAREST[operation](port, changes), operation == "follow_events"

    def attack(port: int, seconds: float) -> None:
        send = partial(_send_until, monotonic() + seconds, port, call, is_stream=is_stream)
        threads = [Thread(target=send, daemon=True) for _ in range(CALLERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return attack


def _send_until(end: float, port: int, call: Call, *, is_stream: bool) -> None:
    while monotonic() < end:
        with suppress(OSError, IndexError), Line(port) as line:
            while monotonic() < end:
                if is_stream:  # which has no end
                    read_head(line, call)
                    sleep(max(end - monotonic(), 0))
                else:
                    line.ask(call.path, call.body, *call.headers, method=call.method)


def read_status(operation: str, port: int, changes: int) -> int:
    """Send the dearest request of an operation once, and return the status of its answer."""
    call = DEAREST[operation](port, changes)
    with Line(port) as line:
        return read_head(line, call)
