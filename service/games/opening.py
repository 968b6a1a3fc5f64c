"""How a live game is opened: its table, its secrets, and how a repeated request gets the same ones."""

from hashlib import sha256
from secrets import token_bytes, token_hex
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from service.api import game_bodies, questions
from service.fairness import shuffle
from service.faults import Impossible, NoRevokePenalty
from service.games.log import Opened
from service.games.repository import answered
from service.games.tokens import Secrets, fresh_secrets, hash_token, repeatable_secrets
from service.http.problems import Refusal, refuse_faults
from service.rules import revoke
from service.rulesets import Table, choose_table
from service.store.protocol import Store

REMEMBER_KEY: Final = 24 * 3600
"""How long an Idempotency-Key is remembered, in seconds."""
KEY_AT_LEAST: Final = 16
KEY_AT_MOST: Final = 256


class Opening(NamedTuple):
    """The first entry of a game, and its secrets, of which the entry has only hashes."""

    entry: Opened
    secrets: Secrets


class Kept(Struct, frozen=True, array_like=True):
    """What is kept of an Idempotency-Key: the salt of the secrets and the hash of the body that came first."""

    salt: bytes
    body: bytes


async def draw_opening(store: Store, body: game_bodies.NewGame, key: str | None) -> tuple[Opening, int]:
    """Draw the opening of a game, with an Idempotency-Key the same secrets each time.

    Unit: the second value is for how many seconds the game is not to be made again.
    Errors: Refusal.
    """
    table = _table(body)
    if key is None:
        return _open(body, table, fresh_secrets(table.players)), 0
    return _open(body, table, await _repeated(store, body, key, table.players)), REMEMBER_KEY


async def _repeated(store: Store, body: game_bodies.NewGame, key: str, players: int) -> Secrets:
    if not KEY_AT_LEAST <= len(key) <= KEY_AT_MOST:
        detail = f"An Idempotency-Key has {KEY_AT_LEAST} to {KEY_AT_MOST} characters that nobody can guess."
        raise Refusal("bad_idempotency_key", detail)
    fresh = Kept(token_bytes(32), sha256(msgspec.json.encode(body)).digest())
    name = "key:" + sha256(key.encode()).hexdigest()
    line = await answered(store.remember(name, msgspec.msgpack.encode(fresh), REMEMBER_KEY))
    kept = msgspec.msgpack.decode(line, type=Kept)
    if kept.body != fresh.body:
        raise Refusal("idempotency_key_reused", "The Idempotency-Key came first with another body.")
    return repeatable_secrets(players, key, kept.salt)


def _table(body: game_bodies.NewGame) -> Table:
    try:
        table = choose_table(body.rules, body.players, body.sides)
    except Impossible as exc:
        raise refuse_faults(exc.faults) from exc
    if body.on_revoke == "penalise":
        try:
            revoke.require_penalty(table)
        except NoRevokePenalty as exc:
            raise questions.refuse_penalty(table) from exc
    return table


def _open(body: game_bodies.NewGame, table: Table, secrets: Secrets) -> Opening:
    draw_seed = token_hex(16)
    _, dealer = shuffle.draw(table.players, draw_seed)
    entry = Opened(
        rules=body.rules,
        sides=table.sides,
        on_revoke=body.on_revoke,
        ttl=body.ttl,
        draw_seed=draw_seed,
        dealer=dealer,
        secret=token_hex(32),
        host=hash_token(secrets.host),
        seats=tuple(hash_token(token) for token in secrets.seats),
    )
    return Opening(entry, secrets)
