"""Hooks of schemathesis: they write MessagePack, and make requests sound."""

from random import Random
from typing import Any, cast
from zlib import crc32

import msgspec
import schemathesis
from schemathesis import Case, HookContext, Response

from tests.contract.live import make_welcome, remember_game, remember_token, renew_key
from tests.contract.sound import make_sound


@schemathesis.serializer("application/msgpack")
def write_msgpack(_: object, value: object) -> bytes:
    """Write MessagePack; an integer that it cannot hold becomes a float, which is as wrong."""
    return msgspec.msgpack.encode(_within_bounds(value))


@schemathesis.serializer("text/vnd.catch-the-ten.record")
def write_text(_: object, value: object) -> bytes:
    """Write a record as text."""
    return str(value).encode(errors="replace")


@schemathesis.deserializer("application/msgpack")
def read_msgpack(_: object, response: Response) -> object:
    """Read MessagePack."""
    return msgspec.msgpack.decode(response.content)


def _within_bounds(value: object) -> object:
    if isinstance(value, dict):
        return {key: _within_bounds(inner) for key, inner in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_within_bounds(inner) for inner in cast("list[object]", value)]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return float(str(value)[:300])
    return value


@schemathesis.hook
def map_case(_: HookContext, case: Case[Any]) -> Case[Any]:
    """Make every other request that fits the schema a sound one."""
    if _is_valid(case) and isinstance(case.body, dict):
        chance = Random(crc32(repr(case.body).encode()))
        if chance.random() < 0.5:
            case.body = make_sound(str(case.operation.definition.raw["operationId"]), case.body, chance)
    return case


def _is_valid(case: Case[Any]) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_call(_: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Send what makes a valid request on live games a sound one: a fresh key, or a token."""
    if not _is_valid(case):
        return
    if "{game_id}" in case.path:
        make_welcome(case)
    else:
        renew_key(case)


@schemathesis.hook
def after_call(_: HookContext, case: Case[Any], response: Response) -> None:
    """Remember the tokens of the games that were opened."""
    if case.path == "/v1/games" and response.status_code == 201:
        remember_game(response)
    elif case.path.endswith("/tokens") and response.status_code == 201:
        remember_token(case, response)
