"""The command line: serve, openapi, settings, api-key, verify-deal."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from service import __version__
from service.fairness import verification
from service.fairness.verification import Noted
from service.faults import Impossible
from service.http.middleware.api_keys import draw_key
from service.http.problems import KEY_HEADER
from service.openapi.document import encoded_document
from service.rules.record import Record
from service.runtime.server import serve
from service.settings import write_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Errors: SystemExit, for --help, --version (0) and arguments that cannot be parsed (2).
    """
    chosen = _make_parser().parse_args(arguments)
    if chosen.command == "verify-deal":
        return verify_deal(chosen.file, Noted(dict(chosen.commitment), dict(chosen.entropy)))
    if chosen.command == "api-key":
        return print_key(chosen.name)
    if chosen.command == "serve":
        return serve(os.environ)
    if chosen.command == "openapi":
        sys.stdout.buffer.write(encoded_document())
    else:
        sys.stdout.write(write_table())
    return 0


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="catch-the-ten", description="The rules of Catch the Ten over HTTP.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve the API; settings come from the environment")
    commands.add_parser("openapi", help="write the OpenAPI document to standard output")
    api_key = commands.add_parser("api-key", help="make an API key for an app, and the line to configure it")
    api_key.add_argument("name", help="the name of the app")
    commands.add_parser("settings", help="write a Markdown table of all settings")
    verify = commands.add_parser("verify-deal", help="check the proofs in a record; exit code 0 if all hold")
    verify.add_argument("file", help="the record of a game, or of some of its deals, as JSON; - for standard input")
    verify.add_argument(
        "--commitment",
        type=_parse_commitment,
        action="append",
        default=[],
        metavar="DEAL=HEX",
        help="the commitment that you noted before a deal, which is counted from 1 in the file; may be given again",
    )
    verify.add_argument(
        "--entropy",
        type=_parse_entropy,
        action="append",
        default=[],
        metavar="DEAL/SEAT=TEXT",
        help="what your seat added to the shuffle of a deal, empty for nothing; may be given again",
    )
    return parser


def _parse_commitment(text: str) -> tuple[int, str]:
    deal, _, commitment = text.partition("=")
    if not re.fullmatch("[0-9a-f]{64}", commitment):
        raise argparse.ArgumentTypeError(f"{text!r} is not DEAL=HEX, with 64 digits of lower-case hex")
    return int(deal), commitment


def _parse_entropy(text: str) -> tuple[tuple[int, int], str]:
    place, _, entropy = text.partition("=")
    deal, _, seat = place.partition("/")
    return (int(deal), int(seat)), entropy


def print_key(name: str) -> int:
    """Print a new key for an app, which is shown nowhere else; return 0, or 2 for a name that is not allowed."""
    try:
        key, line = draw_key(name)
    except ValueError as exc:
        print(f"{name!r}: {exc}", file=sys.stderr)
        return 2
    print(f"For the app, shown only now, to be sent as {KEY_HEADER}:\n  {key}")
    print(f"For API_KEYS_FILE, as a line of its own, or for API_KEYS:\n  {line}")
    return 0


def verify_deal(path: str, noted: Noted) -> int:
    """Print for each deal of a record if it is proved; return 0 if all are, 1 if not, 2 if this is no such record."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        faults = verification.verify(msgspec.json.decode(raw, type=Record), noted)
        _refuse_unknown_deals(noted, len(faults))
    except (OSError, ValueError, RecursionError, Impossible) as exc:
        print(f"{path}: {exc}", file=sys.stderr)
        return 2
    for number, found in enumerate(faults, start=1):
        print(f"deal {number}: " + ("NOT proved: " + "; ".join(found) if found else "proved"))
    if len(noted.commitments) < len(faults):
        print(
            "Note: a deal without a --commitment that you noted before it is only shown to agree with its own proof.",
            file=sys.stderr,
        )
    return 1 if any(faults) else 0


def _refuse_unknown_deals(noted: Noted, deals: int) -> None:
    for deal in (*noted.commitments, *(deal for deal, _ in noted.entropy)):
        if not 1 <= deal <= deals:
            raise ValueError(f"there is no deal {deal} in it")
