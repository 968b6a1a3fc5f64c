"""The command line: serve, games, openapi, settings, api-key, verify-deal, adjudicate, to-text, to-json."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from service.api.openapi.document import document
from service.game.fairness.verification import Expectations
from service.game.faults import Impossible, MalformedNotation, NoRevokePenalty
from service.game.generators import run_to_end
from service.game.notation.encoding import decode_text
from service.game.notation.record import format_record
from service.game.notation.record_reader import ReadRecord, find_place, parse_records
from service.game.rules.record import Record
from service.game.rules.record.adjudication import adjudicate_by_deal
from service.http.guards.api_keys import draw_key
from service.http.problem_kinds import KEY_HEADER
from service.live.store.protocol import StoreDown
from service.platform.build import ABOUT
from service.platform.settings import BadSettings, read_settings, write_table
from service.schemas.adjudication import write_adjudication
from service.schemas.refusal import Refusal
from service.server import verify_command
from service.server.server import serve

Value = TypeVar("Value")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Errors: SystemExit, for --help, --version (0) and arguments that cannot be parsed (2).
    """
    chosen = _make_parser().parse_args(arguments)
    try:
        return _run(chosen)
    except BadSettings as exc:
        sys.stderr.write(f"{exc}\n")
        return 2


def _run(chosen: argparse.Namespace) -> int:
    if chosen.command == "verify-deal":
        expected = Expectations(tuple(chosen.commitment), tuple(chosen.entropy))
        return _read_and(verify_command.decode, partial(verify_command.verify, expected), chosen.file)
    if chosen.command in _ON_RECORDS:
        return _read_and(partial(msgspec.json.decode, type=Record), _ON_RECORDS[chosen.command][0], chosen.file)
    if chosen.command == "api-key":
        return print_key(chosen.name)
    if chosen.command == "games":
        return run_on_games(chosen)
    if chosen.command == "serve":
        serve(read_settings(os.environ))
    elif chosen.command == "openapi":
        _write_json(document())
    else:
        sys.stdout.write(write_table())
    return 0


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="catch-the-ten", description="The rules of Catch the Ten over HTTP.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {ABOUT}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve the API; settings come from the environment")
    _add_actions(commands.add_parser("games", help="count, list, show or end the games in the Redis of REDIS_URL"))
    commands.add_parser("openapi", help="write the OpenAPI document to standard output")
    api_key = commands.add_parser("api-key", help="make an API key for an app, and the line to configure it")
    api_key.add_argument("name", help="the name of the app")
    commands.add_parser("settings", help="write a Markdown table of all settings")
    proved = "check the proofs in a record, or of a game's draw for seats; exit code 0 if all hold"
    verify_command.add_arguments(commands.add_parser("verify-deal", help=proved))
    for name, (_, says) in _ON_RECORDS.items():
        on_record = commands.add_parser(name, help=says)
        on_record.add_argument("file", help="the record of a game, as JSON or as text; - for standard input")
    return parser


def _add_actions(games: argparse.ArgumentParser) -> None:
    """Add the actions on live games."""
    actions = games.add_subparsers(dest="action", required=True)
    actions.add_parser("count", help="count the games of each caller")
    listing = actions.add_parser("list", help="list games: id, seconds since opened and changed, size, rules, caller")
    listing.add_argument("--caller", help="only those of this one, such as key/APP or address/192.0.2.1")
    showing = actions.add_parser("show", help="show a game as a spectator sees it, and what Redis has of it")
    showing.add_argument("game", help="the id of the game")
    ending = actions.add_parser("end", help="end one game, or all of a caller")
    ended = ending.add_mutually_exclusive_group(required=True)
    ended.add_argument("game", nargs="?", help="the id of the game")
    ended.add_argument("--caller", help="whose games are to end")


def run_on_games(chosen: argparse.Namespace) -> int:
    """Count, list, show or end live games; return 0, or 1 if they cannot be read.

    Errors: BadSettings.
    """
    from service.server.games_command import GAME_ACTIONS, open_store  # noqa: PLC0415 – brings redis-py

    async def run() -> None:
        store = open_store(read_settings(os.environ))
        try:
            await GAME_ACTIONS[chosen.action](store, chosen)
        finally:
            await store.close()

    try:
        asyncio.run(run())
    except Refusal as exc:
        sys.stderr.write(f"{exc.detail}\n")
        return 1
    except StoreDown as exc:
        sys.stderr.write(f"Redis does not answer: {exc.__cause__!r}\n")
        return 1
    return 0


def print_key(name: str) -> int:
    """Print a new key for an app, shown only here; return 0, or 2 for a name that is not allowed."""
    try:
        key, line = draw_key(name)
    except ValueError as exc:
        print(f"{name!r}: {exc}", file=sys.stderr)
        return 2
    print(f"For the app, shown only now, to be sent as {KEY_HEADER}:\n  {key}")
    print(f"For API_KEYS_FILE, as a line of its own, or for API_KEYS:\n  {line}")
    return 0


def _read_values(path: str, decode: Callable[[str], Value]) -> Sequence[Value | Record]:
    """Read records as text or, with `decode`, values of JSON, one after the other.

    Errors: OSError; ValueError; RecursionError; MalformedNotation.
    """
    text = decode_text(sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes())
    if not text.lstrip().startswith("{"):
        return run_to_end(parse_records(text))
    return [decode(value) for value in _split_values(text.strip())]


def _split_values(text: str) -> Iterator[str]:
    """Yield the values of concatenated JSON.

    Errors: ValueError; RecursionError.
    """
    decoder = json.JSONDecoder()
    while text:
        end = decoder.raw_decode(text)[1]
        yield text[:end]
        text = text[end:].lstrip()


def _read_and(decode: Callable[[str], Value], work: Callable[[str, Value | Record], int], path: str) -> int:
    """Handle each record or value, and return the highest exit code; 2 if there is none."""
    try:
        return max(work(path, value) for value in _read_values(path, decode))
    except MalformedNotation as exc:
        print(f"{path}:{exc.line}:{exc.column}: expected {exc.expected}", file=sys.stderr)
    except (OSError, ValueError, RecursionError, Impossible, NoRevokePenalty) as exc:
        print(f"{path}: {exc}", file=sys.stderr)
    return 2


def print_adjudication(path: str, record: Record) -> int:
    """Print a record's adjudication as JSON, and irregularities as errors; return 0 if there are none, else 1.

    Errors: Impossible; NoRevokePenalty.
    """
    adjudication = run_to_end(write_adjudication(run_to_end(adjudicate_by_deal(record))))
    _write_json(adjudication)
    for found in adjudication.irregularities:
        place = find_place(record.places, found.pointer) if isinstance(record, ReadRecord) else None
        where = found.pointer if place is None else f"{place.line}:{place.column}"
        print(f"{path}:{where}: {found.code}: {found.detail}", file=sys.stderr)
    return 1 if adjudication.irregularities else 0


def print_text(_: str, record: Record) -> int:
    """Print a record as text; return 0."""
    sys.stdout.buffer.write(format_record(record).encode())
    return 0


def print_json(_: str, record: Record) -> int:
    """Print a record as JSON; return 0."""
    _write_json(Record(**{name: getattr(record, name) for name in Record.__struct_fields__}))
    return 0


def _write_json(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


_ON_RECORDS: Final[dict[str, tuple[Callable[[str, Record], int], str]]] = {
    "adjudicate": (print_adjudication, "adjudicate a record; exit code 0 if it is regular, 1 if not"),
    "to-text": (print_text, "write a record as a text of tags and plays"),
    "to-json": (print_json, "write a record as JSON"),
}
"""The commands on records: what each does, and its help."""
