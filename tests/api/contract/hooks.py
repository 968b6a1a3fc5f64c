"""Hooks of schemathesis: they make requests sound."""

from random import Random
from typing import Any
from zlib import crc32

import schemathesis
from schemathesis import Case, HookContext, Response

import tests.api.contract.formats  # noqa: F401 # schemathesis is told of them by their decorators
from tests.api.contract.live import (
    forget_game,
    is_linked,
    make_welcome,
    remember_game,
    remember_seats,
    remember_token,
    renew_key,
)
from tests.api.contract.sound import make_sound


@schemathesis.hook
def map_case(_: HookContext, case: Case[Any]) -> Case[Any]:
    """Make every other request that fits the schema a sound one, and most of those whose answers lead on."""
    if _is_valid(case) and isinstance(case.body, dict):
        chance = Random(crc32(repr(case.body).encode()))
        if chance.random() < (0.9 if is_linked(case) else 0.5):
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
    """Remember the tokens of the games that were opened, until they are gone."""
    if case.path == "/v1/games" and response.status_code == 201:
        remember_game(response)
    elif case.path.endswith("/tokens") and response.status_code == 200:
        remember_token(case, response)
    elif case.path.endswith("/seatings") and response.status_code == 200:
        remember_seats(case, response)
    elif (case.method, response.status_code) == ("DELETE", 204) or response.status_code == 410:
        forget_game(case)
