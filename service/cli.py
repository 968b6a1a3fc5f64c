"""The command line: serve, openapi, settings, api-key, verify-deal."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from service.fairness.verification import verify
from service.faults import Impossible
from service.http.middleware.api_keys import draw_key
from service.http.problems import KEY_HEADER
from service.openapi.document import encoded_document
from service.rules.record import Record
from service.runtime.server import serve
from service.settings import write_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and tell its exit code: 0, or 2 for settings that cannot be used."""
    parser = argparse.ArgumentParser(prog="catch-the-ten", description="Catch the Ten, adjudicated over HTTP.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve the API; settings come from the environment")
    commands.add_parser("openapi", help="write the OpenAPI document to standard output")
    keying = commands.add_parser("api-key", help="draw a key for an app, and the line that makes it known")
    keying.add_argument("name", help="the name of the app")
    commands.add_parser("settings", help="write the table of all settings, as Markdown")
    verifying = commands.add_parser("verify-deal", help="check the proofs of a record: exit code 0 if all hold")
    verifying.add_argument("file", help="the record of a game, or of some of its deals, as JSON; - for standard input")
    chosen = parser.parse_args(arguments)
    if chosen.command == "verify-deal":
        return verify_deal(chosen.file)
    if chosen.command == "api-key":
        return api_key(chosen.name)
    if chosen.command == "serve":
        return serve(os.environ)
    if chosen.command == "openapi":
        sys.stdout.buffer.write(encoded_document())
    else:
        sys.stdout.write(write_table())
    return 0


def api_key(name: str) -> int:
    """Draw a key for an app and show it this once; tell 0, or 2 for a name that cannot be had."""
    try:
        key, line = draw_key(name)
    except ValueError as exc:
        print(f"{name!r}: {exc}", file=sys.stderr)
        return 2
    print(f"For the app, shown only now, to be sent as {KEY_HEADER}:\n  {key}")
    print(f"For API_KEYS_FILE, as a line of its own, or for API_KEYS:\n  {line}")
    return 0


def verify_deal(path: str) -> int:
    """Say of each deal of a record whether it is proved; tell 0 if all are, 1 if not, 2 for what is no record."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        faults = verify(msgspec.json.decode(raw, type=Record))
    except (OSError, ValueError, RecursionError, Impossible) as exc:
        print(f"{path}: {exc}", file=sys.stderr)
        return 2
    for number, found in enumerate(faults, start=1):
        print(f"deal {number}: " + ("NOT proved: " + "; ".join(found) if found else "proved"))
    return 1 if any(faults) else 0
