"""The command verify-deal: the proofs in a record, or the proof of the draw for seats in a game."""

import argparse
import re
import sys

import msgspec
from msgspec import Struct

from service.game.fairness import verification
from service.game.fairness.verification import DrawnCards, Expectations, SeatsDraw
from service.game.rules.record import Record
from service.game.rulesets import Sides
from service.schemas.live_game import Seating, Shuffle


class ShownGame(Struct, frozen=True):
    """The part of a game's answer that proves its draw for seats."""

    sides: Sides
    shuffles: tuple[Shuffle, ...]
    seating: Seating | None


def add_arguments(verify: argparse.ArgumentParser) -> None:
    """Add the file to verify, and the notes that were made during the game."""
    verify.add_argument(
        "file", help="the record of a game or of some of its deals, or the game itself; - for standard input"
    )
    verify.add_argument(
        "--commitment",
        type=_parse_commitment,
        action="append",
        default=[],
        metavar="DEAL=HEX",
        help="the commitment that you noted before a deal, with its number in the game; may be given again",
    )
    verify.add_argument(
        "--entropy",
        type=_parse_entropy,
        action="append",
        default=[],
        metavar="DEAL/SEAT=TEXT",
        help="what your seat added to the shuffle of a deal, empty for nothing; may be given again",
    )


def _parse_commitment(text: str) -> tuple[int, str]:
    found = re.fullmatch("([0-9]+)=([0-9a-f]{64})", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not DEAL=HEX, with 64 digits of lower-case hex")
    return int(found[1]), found[2]


def _parse_entropy(text: str) -> tuple[int, int, str]:
    found = re.fullmatch("([0-9]+)/([0-9]+)=(.*)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not DEAL/SEAT=TEXT")
    return int(found[1]), int(found[2]), found[3]


def decode(value: str) -> Record | ShownGame:
    """Read a record or the answer of a game: only a game says how its players were seated.

    Errors: ValueError.
    """
    is_game = "seating" in msgspec.json.decode(value, type=dict[str, msgspec.Raw])
    return msgspec.json.decode(value, type=ShownGame) if is_game else msgspec.json.decode(value, type=Record)


def verify(expected: Expectations, _: str, shown: Record | ShownGame) -> int:
    """Print for each deal of a record, or for a game's draw for seats, if its proof holds; return 0 if all do, else 1.

    Errors: Impossible; ValueError, for a missing expected deal, and for a game without a draw for seats.
    """
    found = _verify_seats(expected, shown) if isinstance(shown, ShownGame) else _verify_deals(expected, shown)
    for name, faults in found.items():
        print(f"{name}: " + ("NOT proved: " + "; ".join(faults) if faults else "proved"))
    if len(found) > len(dict(expected.commitments)):
        print(
            "Note: without a --commitment that you noted beforehand, a proof is only shown to agree with itself.",
            file=sys.stderr,
        )
    return 1 if any(found.values()) else 0


def _verify_deals(expected: Expectations, record: Record) -> dict[str, tuple[str, ...]]:
    return {f"deal {number}": faults for number, faults in verification.verify(record, expected).items()}


def _verify_seats(expected: Expectations, game: ShownGame) -> dict[str, tuple[str, ...]]:
    if game.seating is None or game.seating.proof is None or not game.shuffles:
        raise ValueError("the game has no draw for seats: none was made, or the latest change named them")
    seating, deal = game.seating, game.shuffles[0].deal
    rounds: DrawnCards = tuple(tuple((drawn.seat, drawn.card) for drawn in cards) for cards in seating.rounds)
    shown = SeatsDraw(game.sides, rounds, seating.seats, game.seating.proof)
    return {f"draw for seats before deal {deal}": verification.verify_seats(shown, deal, expected)}
