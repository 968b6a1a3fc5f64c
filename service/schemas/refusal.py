"""Refusals of requests: a stable code, a text for people, and every fault with its place."""

from typing import Final, Literal, TypeAlias, get_args

from service.game.faults import (
    MAX_FAULTS,
    Fault,
    FaultCode,
    HandNotSeen,
    Impossible,
    MalformedNotation,
    NoNextDeal,
    NoRevokePenalty,
    NotPlaying,
)
from service.game.rules import play
from service.game.rulesets import Seat
from service.schemas.faults import Error, pointer
from service.schemas.revision import Revision
from service.schemas.verdict import Verdict, write_verdict

ProblemCode: TypeAlias = Literal[
    "malformed_body",
    "invalid_body",
    "malformed_request",
    "invalid_query",
    "not_found",
    "no_such_game",
    "game_gone",
    "method_not_allowed",
    "not_acceptable",
    "body_too_large",
    "body_too_slow",
    "answer_too_large",
    "unsupported_media_type",
    "api_key_missing",
    "unknown_api_key",
    "too_many_requests",
    "share_used_up",
    "too_busy",
    "stopping",
    "deal_over",
    "game_over",
    "deal_not_over",
    "game_not_over",
    "not_your_turn",
    "malformed_notation",
    "impossible_state",
    "impossible_request",
    "impossible_ruleset",
    "unknown_ruleset",
    "players_not_in_ruleset",
    "illegal_play",
    "hand_not_seen",
    "no_revoke_penalty",
    "token_missing",
    "unknown_token",
    "wrong_token",
    "not_dealt",
    "already_dealt",
    "entropy_given",
    "computer_plays",
    "not_away",
    "cannot_take_back",
    "too_many_changes",
    "stale_version",
    "version_needed",
    "bad_version",
    "bad_idempotency_key",
    "idempotency_key_reused",
    "store_down",
    "store_full",
    "too_many_streams",
    "no_apps",
    "suggestions_off",
    "too_many_suggestions",
    "no_answer",
    "internal_error",
]

CODES: Final[tuple[ProblemCode, ...]] = get_args(ProblemCode)
_PROBLEM_OF: Final[dict[FaultCode, ProblemCode]] = {
    "unknown_ruleset": "unknown_ruleset",
    "ruleset_table_twice": "impossible_ruleset",
    "ruleset_too_many_cards": "impossible_ruleset",
    "ruleset_uneven_sides": "impossible_ruleset",
    "ruleset_sides_twice": "impossible_ruleset",
    "ruleset_strips_honour": "impossible_ruleset",
    "ruleset_strip_twice": "impossible_ruleset",
    "ruleset_strip_choice": "impossible_ruleset",
    "ruleset_without_points": "impossible_ruleset",
    "ruleset_printed_id": "impossible_ruleset",
    "ruleset_not_shown": "impossible_ruleset",
    "players_not_in_ruleset": "players_not_in_ruleset",
    "missing_field": "invalid_body",
    "fields_contradict": "impossible_request",
    "strip_not_in_ruleset": "impossible_request",
    "three_at_a_time_not_in_ruleset": "impossible_request",
    "pack_not_the_pack": "impossible_request",
    "name_not_shown": "impossible_request",
    "revoke_found_nowhere": "impossible_request",
    "plays_do_not_fit": "impossible_request",
}

RuleRefusal: TypeAlias = HandNotSeen | Impossible | NoNextDeal | NoRevokePenalty | NotPlaying | play.IllegalPlay
"""Every exception that the rules raise as a refusal."""

Fact: TypeAlias = Verdict | Revision | int
"""The extra fact of some problems: a verdict, a version, a seat or a number of seconds."""


class Refusal(Exception):
    """A refusal of a request: the code of the problem, the faults, and its extra fact."""

    def __init__(
        self,
        code: ProblemCode,
        detail: str,
        errors: tuple[Error, ...] = (),
        fact: Fact | None = None,
    ) -> None:
        super().__init__(detail)
        self.code: ProblemCode = code
        self.detail = detail
        self.errors = errors
        self.fact = fact


def refuse(exc: RuleRefusal, *path: str | int) -> Refusal:
    """Translate an exception of the rules into a refusal; `path` leads to the refused part of the request."""
    match exc:
        case Impossible():
            return refuse_faults(exc.faults, *path)
        case NoRevokePenalty():
            return refuse_at("no_revoke_penalty", str(exc), "on_revoke")
        case NoNextDeal():
            return refuse_at(exc.code, str(exc), *path)
        case NotPlaying():
            return refuse_at(exc.phase, str(exc), *path)
        case HandNotSeen():
            return refuse_at("hand_not_seen", str(exc), *path)
        case play.IllegalPlay():
            verdict = write_verdict(exc.state, exc.verdict)
            error = Error(pointer(*path), str(verdict.reason), verdict.detail)
            return Refusal("illegal_play", verdict.detail, (error,), verdict)


def refuse_malformed(exc: MalformedNotation, *path: str | int) -> Refusal:
    """Refuse a text that is no notation; `path` leads to it."""
    code: ProblemCode = "malformed_notation"
    return Refusal(code, str(exc), (Error(pointer(*path), code, str(exc), exc.column, exc.line),))


def refuse_at(code: ProblemCode, detail: str, *path: str | int) -> Refusal:
    """Refuse a part of a request, with the same code for problem and fault; without a path there is no fault."""
    if not path:
        return Refusal(code, detail)
    return Refusal(code, detail, (Error(pointer(*path), code, detail),))


def refuse_turn(turn: Seat, seat: Seat, *path: str | int) -> Refusal:
    """Refuse a seat that is not to play."""
    detail = f"It is seat {turn}'s turn, not seat {seat}'s."
    return Refusal("not_your_turn", detail, (Error(pointer(*path), "not_your_turn", detail),) if path else (), turn)


def refuse_missing(detail: str) -> Refusal:
    """Refuse a request that lacks a field which other fields, or the caller, make necessary."""
    return refuse_faults((Fault("missing_field", (), detail),))


def refuse_seat(field: str, seat: int, players: int) -> Refusal:
    """Refuse a seat that the table does not have."""
    detail = f"There is no seat {seat} among {players} players."
    return Refusal("impossible_request", detail, (Error(pointer(field), "seat_out_of_range", detail),))


def refuse_count(field: str, entries: int, players: int) -> Refusal:
    """Refuse a list without exactly one entry per seat."""
    detail = f"There are {entries} {field} for {players} players: one entry for each seat is needed."
    return Refusal("impossible_request", detail, (Error(pointer(field), "wrong_number_of_seats", detail),))


def refuse_computers(field: str) -> Refusal:
    """Refuse a table of only computers: nobody would watch."""
    detail = "The computer cannot play every seat: leave one at least to a person."
    return Refusal("impossible_request", detail, (Error(pointer(field), "fields_contradict", detail),))


def refuse_faults(faults: tuple[Fault, ...], *prefix: str | int) -> Refusal:
    """Refuse a request for all faults found; `prefix` leads from the request to the part that was examined."""
    code = _PROBLEM_OF.get(faults[0].code, "impossible_state")
    errors = tuple(Error(pointer(*prefix, *fault.path), fault.code, fault.detail) for fault in faults)
    return Refusal(code, sum_up(errors), errors)


def sum_up(errors: tuple[Error, ...]) -> str:
    """Return the detail of the first fault, with the number of all."""
    if len(errors) == 1:
        return errors[0].detail
    count = f"{len(errors)} or more" if len(errors) == MAX_FAULTS else str(len(errors))
    return f"{errors[0].detail} In all, {count} faults were found."
