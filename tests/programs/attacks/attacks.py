"""The attacks: each sends to a port for some seconds what a client could send."""

import socket
from collections.abc import Callable
from contextlib import suppress
from itertools import count, cycle
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final, TypeAlias

import msgspec

from service.api.mcp.endpoint import MAX_MESSAGE_BYTES
from service.game.cards import FULL_PACK
from service.game.fairness.shuffle import shuffle
from service.game.notation.position import format_position
from service.game.rules import deal
from service.game.rulesets import make_table, usual_sides
from service.platform.settings import Settings
from service.server.bounds import MAX_HEAD_BYTES
from tests.programs.attacks.games import illegal_record, long_record
from tests.programs.attacks.rules import house_rules
from tests.support.http.client import MSGPACK
from tests.support.http.samples import BODIES, STATE
from tests.support.http.server import Line, chunk, head

Attack: TypeAlias = Callable[[int, float], None]
MOST: Final = Settings().max_body_bytes
"""Bytes of the longest body that the service reads."""
RECORD: Final = illegal_record(house_rules("x"))
_ITEMS: Final = 1000


def _on_all(connections: int, work: Callable[[int], None]) -> None:
    """Do some work on several connections at once, until each is done or closed."""

    def do(number: int) -> None:
        with suppress(OSError):
            work(number)

    threads = [Thread(target=do, args=(number,), daemon=True) for number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _repeat(port: int, seconds: float, connections: int, path: str, bodies: list[bytes]) -> None:
    """Send these bodies again and again, each connection beginning with another one."""
    end = monotonic() + seconds

    def work(number: int) -> None:
        first = number % len(bodies)
        with Line(port) as line:
            for body in cycle(bodies[first:] + bodies[:first]):
                line.ask(path, body)
                if monotonic() > end:
                    return

    _on_all(connections, work)


def _batch(kind: str, body: Any) -> bytes:
    """As many of one question as a batch takes."""
    one = msgspec.json.encode({"kind": kind, **body})
    return b'{"questions":[' + b",".join([one] * min(_ITEMS, (MOST - 100) // (len(one) + 1))) + b"]}"


def _fill(start: bytes, middle: bytes, end: bytes, most: int = MOST) -> bytes:
    """A body of the most bytes that the service reads."""
    return start + middle * ((most - len(start) - len(end)) // len(middle)) + end


def _control_characters(port: int, seconds: float) -> None:
    """Send house rules with control characters, which an answer would repeat and write six times as long."""
    rules = {**house_rules("x")}
    source = {"where": "\x01" * 1000, "says": "\x01" * 1000}
    rules["sources"] = {"following": source, "void": source}
    one = {"kind": "adjudications", **RECORD, "rules": rules}
    raw = msgspec.msgpack.encode({"questions": [one] * (MOST // (len(msgspec.msgpack.encode(one)) + 1))})
    end = monotonic() + seconds
    with Line(port) as line:
        while monotonic() < end:
            line.ask("/v1/batches", raw, ("content-type", MSGPACK), ("accept", "application/json"))


def _no_reading(port: int, seconds: float) -> None:
    """Ask for long answers on 60 connections, and read none."""
    raw = _batch("adjudications", RECORD)

    def work(_: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as made:
            made.sendall(head("/v1/batches", ("content-length", str(len(raw)))) + raw)
            sleep(seconds)

    _on_all(60, work)


def _nothing(_: int, seconds: float) -> None:
    """Send nothing, to compare with."""
    sleep(seconds)


def _heavy(connections: int) -> Attack:
    def attack(port: int, seconds: float) -> None:
        kinds = {"adjudications": RECORD, "next_states": BODIES["next_states"], "deals": BODIES["deals"]}
        _repeat(port, seconds, connections, "/v1/batches", [_batch(kind, body) for kind, body in kinds.items()])

    return attack


def _adjudications(port: int, seconds: float) -> None:
    _repeat(port, seconds, 16, "/v1/adjudications", [long_record()])


def _first_cards(path: str, **options: str) -> Attack:
    """Ask about the first card of deals for two, three, four and eight."""
    deals = (("denexa", 2), ("trebor", 4), ("denexa", 3), ("trebor", 8))
    lines = [_first_line(rules, players) for rules, players in deals]

    def attack(port: int, seconds: float) -> None:
        _repeat(port, seconds, 4, path, [msgspec.json.encode({"state": line, **options}) for line in lines])

    return attack


def _first_line(rules: str, players: int) -> str:
    """Return the notation of a deal before its first card."""
    table = make_table(rules, usual_sides(rules, players))
    order = shuffle(FULL_PACK & ~table.strips[0], "suggest")
    return str(format_position(deal.deal(table, order, 0, 1, (0,) * len(table.sides), threes=False)))


def _computers(port: int, seconds: float) -> None:
    """Open games of one person against seven hard computers, and deal, so that six of them play."""
    body = {"rules": "trebor", "players": 8, "seats": [{}, *[{"computer": "hard"}] * 7], "first_dealer": 1}
    raw, end = msgspec.json.encode(body), monotonic() + seconds

    def work(_: int) -> None:
        with Line(port) as line:
            while monotonic() < end:
                opened = msgspec.json.decode(line.ask("/v1/games", raw).body)
                if "host_token" not in opened:  # the store has no room for more
                    sleep(0.1)
                    continue
                host = ("authorization", f"Bearer {opened['host_token']}")
                seen = ("if-match", f'"{opened["version"]}"')
                line.ask(f"/v1/games/{opened['id']}/deals", b"{}", host, seen)

    _on_all(4, work)


def _junk(port: int, seconds: float) -> None:
    """Send the longest refused bodies that are read, in the forms that are slowest to read."""
    bodies = [
        _fill(b'{"questions":[', b"0,", b"0]}"),
        _fill(b'{"questions":[{"kind":"adjudications","sides":[', b"[0],", b"[0]]}]}"),
        _fill(b'{"questions":[{"kind":"positions","state":{"hands":[', b"[],", b"[]]}}]}"),
    ]
    _repeat(port, seconds, 4, "/v1/batches", bodies)


def _floats(port: int, seconds: float) -> None:
    """Send bodies of the wrong shape that are full of numbers to be read as integers."""
    raw = b'{"card":1.0,"x":[' + b"1e9," * 16_000 + b"0]}"
    _repeat(port, seconds, 4, "/v1/verdicts", [raw])


def _maps(port: int, seconds: float) -> None:
    """Send batches full of wrong maps, a byte each in MessagePack."""
    one = msgspec.msgpack.encode({"kind": "positions", "f": 1.0, "x": [{}] * 60_000})
    raw = msgspec.msgpack.encode({"questions": [msgspec.Raw(one)] * (MOST // len(one))})
    end = monotonic() + seconds
    with Line(port) as line:
        while monotonic() < end:
            line.ask("/v1/batches", raw, ("content-type", MSGPACK))


def long_message(filling: bytes, argument_bytes: int) -> bytes:
    """Write the longest message to /mcp: a call whose arguments are short, and what nobody reads is full of this."""
    record = msgspec.json.encode(BODIES["adjudications"])
    arguments = record[:-1].ljust(argument_bytes - 1) + b"}"
    start = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"adjudications","arguments":' + arguments
    start += b',"_meta":{"io.modelcontextprotocol/clientCapabilities":{"x":['
    return _fill(start, filling, b"0]}}}}", MAX_MESSAGE_BYTES)


def _messages(port: int, seconds: float) -> None:
    """Send calls of a tool full of ignored data, on 100 connections."""
    _repeat(port, seconds, 100, "/mcp", [long_message(filling, 4096) for filling in (b"[],", b'{"":0},', b"1.5,")])


def _many_rules(port: int, seconds: float) -> None:
    """Open games and ask questions under house rules that are others each time."""
    numbers, end = count(), monotonic() + seconds

    def work(_: int) -> None:
        with Line(port) as line:
            while monotonic() < end:
                rules = house_rules("ü" * 300, next(numbers))
                line.ask("/v1/games", msgspec.json.encode({"rules": rules, "players": 4}))
                line.ask("/v1/positions", msgspec.json.encode({"state": {**STATE, "rules": rules}}))

    _on_all(4, work)


def _pipelining(port: int, seconds: float) -> None:
    """Send on 100 connections as many small requests at once as fit, and read no answer; connect again if closed."""
    small = head("/livez", method="GET")
    end = monotonic() + seconds

    def work(number: int) -> None:
        while monotonic() < end:
            with suppress(OSError):
                send(number)

    def send(_: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as made:
            made.settimeout(seconds)
            while monotonic() < end:
                made.sendall(small * 20_000)

    _on_all(100, work)


def _renewals(connections: int, asked: str) -> Attack:
    def attack(port: int, seconds: float) -> None:
        """Renew tokens for half of the time, and then ask for the past of the game again and again."""
        end, half = monotonic() + seconds, monotonic() + seconds / 2
        with Line(port) as line:
            made = line.ask("/v1/games", msgspec.json.encode({"rules": "trebor", "players": 4}))
            opened, first = msgspec.json.decode(made.body), made.headers["etag"].strip('"')
        path, host = f"/v1/games/{opened['id']}", ("authorization", f"Bearer {opened['host_token']}")

        def work(number: int) -> None:
            with Line(port) as line:
                while monotonic() < half:
                    line.ask(f"{path}/seats/{number % 4}/tokens", b"", host)
                while monotonic() < end:
                    line.ask(f"{path}/{asked.format(first=first)}", method="GET")

        _on_all(connections, work)

    return attack


def _conditions(port: int, seconds: float) -> None:
    """Look at the rulesets on the condition that they are none of very many versions."""
    tags, end = ", ".join(['W/"1-00000000"'] * 100_000), monotonic() + seconds

    def work(_: int) -> None:
        while monotonic() < end:
            with suppress(IndexError), Line(port) as line:
                line.ask("/v1/rulesets", b"", ("if-none-match", tags), method="GET")

    _on_all(4, work)


def _heads(port: int, seconds: float) -> None:
    """Send the longest allowed heads, in the slowest form to read."""
    size, end = MAX_HEAD_BYTES - 2000, monotonic() + seconds
    query = f"/v1/suggestions/{_first_line('trebor', 4)}?" + "a=b&" * (size // 4)
    accept = ("accept", "*/*," * (size // 4))

    def work(number: int) -> None:
        with Line(port) as line:
            while monotonic() < end:
                if number % 2:
                    line.ask(query, method="GET")
                else:
                    line.ask("/v1/problems", b"", accept, method="GET")

    _on_all(16, work)


def _chunks(port: int, seconds: float) -> None:
    """Send bodies in chunks of one byte."""
    raw = head("/v1/batches", ("transfer-encoding", "chunked")) + chunk(b" ") * (MOST // 2) + chunk(b"{}") + chunk(b"")
    end = monotonic() + seconds

    def work(_: int) -> None:
        while monotonic() < end:
            with suppress(OSError, IndexError), Line(port) as line:
                line.send(raw)
                line.receive()

    _on_all(4, work)


def _broken(port: int, seconds: float) -> None:
    """Send what is no HTTP on ever new connections."""
    end = monotonic() + seconds

    def work(_: int) -> None:
        while monotonic() < end:
            with suppress(OSError), Line(port) as line:
                line.send(b"\x16\x03\x01" * 1000)
                line.closed()

    _on_all(16, work)


ATTACKS: Final[dict[str, Attack]] = {
    "nothing": _nothing,
    "control-characters": _control_characters,
    "no-reading": _no_reading,
    "16-heavy": _heavy(16),
    "16-adjudications": _adjudications,
    "4-analyses": _first_cards("/v1/analyses"),
    "4-easy-suggestions": _first_cards("/v1/suggestions", level="easy"),
    "4-suggestions": _first_cards("/v1/suggestions", level="medium"),
    "4-hard-suggestions": _first_cards("/v1/suggestions", level="hard"),
    "computers": _computers,
    "50-heavy": _heavy(50),
    "junk": _junk,
    "floats": _floats,
    "maps": _maps,
    "messages": _messages,
    "house-rules": _many_rules,
    "pipelining": _pipelining,
    "renewals": _renewals(4, "changes?after={first}"),
    "records": _renewals(100, "record"),
    "conditions": _conditions,
    "heads": _heads,
    "chunks": _chunks,
    "broken": _broken,
}
