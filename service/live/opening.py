"""The opening of a live game: its table and its secrets. A repeated request gets the same secrets."""

from hashlib import sha256
from secrets import token_bytes
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from service.game.fairness import shuffle
from service.game.fairness.commitment import draw_seed_from
from service.game.faults import Fault, HandNotSeen, Impossible, NoRevokePenalty
from service.game.names import find_name_faults
from service.game.rules import revoke, setup
from service.game.rules.visibility import find_hidden_seat
from service.game.rulesets import Seat, Table, choose_table
from service.game.state import Claim, to_claim
from service.live.entries import HastyRematchEntry, Milliseconds, OpenEntry, PositionEntry, write_entry
from service.live.log import MINUTE, Game
from service.live.repository import ask_store
from service.live.store.protocol import Store
from service.live.tokens import Secrets, derive_secrets, draw_secrets, hash_token
from service.schemas.described_state import admit_described, refuse_state, require_playing
from service.schemas.ids import Caller, GameId, Key, Salt
from service.schemas.new_game import NewGame, NewSeat
from service.schemas.refusal import Refusal, refuse, refuse_computers, refuse_count, refuse_faults, refuse_seat
from service.schemas.scalars import PlayerLevel

KEY_SECONDS: Final = 24 * 3600
"""Seconds for which an Idempotency-Key is remembered."""
MIN_KEY_LENGTH: Final = 16
MAX_KEY_LENGTH: Final = 256


class Opening(NamedTuple):
    """The stored first entry of a game, and its secrets; the entry has only the tokens' hashes."""

    raw: bytes
    secrets: Secrets


class RememberedKey(Struct, frozen=True, array_like=True):
    """A used Idempotency-Key as stored: the salt of the secrets, the hash of the first body, and its time."""

    salt: Salt
    body: bytes
    at: Milliseconds = 0


async def draw_opening(store: Store, wanted: NewGame, caller: Caller, key: Key | None, at: Milliseconds) -> Opening:
    """Return the opening of a new game: the same for the same caller and Idempotency-Key.

    Errors: Refusal.
    """
    wanted = _spread_state(wanted)
    table = _set_up_table(wanted)
    if key is None:
        return Opening(_write_entry(wanted, table, secrets := draw_secrets(table.players), caller, at), secrets)
    kept = await _remember_key(store, wanted, caller, key, at)
    secrets = derive_secrets(table.players, key, kept.salt)
    return Opening(_write_entry(wanted, table, secrets, caller, kept.at), secrets)


def draw_rematch(over: Game, at: Milliseconds) -> tuple[GameId, bytes]:
    """Return the id and the opening of the next game of the same people, with the same tokens.

    A game from a position has shown its hands: its rematch deals new cards, at the same scores.
    """
    secrets = draw_secrets(over.table.players)
    opened = replace(
        OpenEntry(**{name: getattr(over.opened, name) for name in OpenEntry.__struct_fields__}),
        dealer=_draw_dealer(secrets, over.table.players) if over.opened.drawn else over.opened.dealer,
        secret=secrets.shuffle,
        seats=over.tokens,
        names=over.names,
        computers=over.computers,
    )
    until = over.rematches_until + MINUTE
    if until > at:
        opened = HastyRematchEntry(**asdict(opened), counted_until=until)
    return secrets.game, write_entry(opened, secrets.nonce, at)


def _draw_dealer(secrets: Secrets, players: int) -> Seat:
    return shuffle.draw(players, draw_seed_from(secrets.shuffle))[1]


async def _remember_key(store: Store, wanted: NewGame, caller: Caller, key: Key, at: Milliseconds) -> RememberedKey:
    require_key(key)
    fresh = RememberedKey(Salt(token_bytes(32)), sha256(msgspec.json.encode(wanted)).digest(), at)
    name = "key:" + sha256(f"{caller}\0{key}".encode()).hexdigest()
    raw = await ask_store(store.remember(name, msgspec.msgpack.encode(fresh), KEY_SECONDS, caller))
    kept = msgspec.msgpack.decode(raw, type=RememberedKey)
    if kept.body != fresh.body:
        raise Refusal("idempotency_key_reused", "The Idempotency-Key was first sent with another body.")
    return kept


def require_key(key: Key) -> Key:
    """Return an Idempotency-Key.

    Errors: Refusal, if it is too short or too long.
    """
    if not MIN_KEY_LENGTH <= len(key) <= MAX_KEY_LENGTH:
        detail = f"An Idempotency-Key has {MIN_KEY_LENGTH} to {MAX_KEY_LENGTH} characters that nobody can guess."
        raise Refusal("bad_idempotency_key", detail)
    return key


def _spread_state(wanted: NewGame) -> NewGame:
    """Return a game to open, with table and sides from its state; unchanged if it has none.

    Errors: Refusal, if the state is impossible, not in play or hides a hand, or the game repeats its fields.
    """
    described = wanted.state
    if described is None:
        return wanted
    for field in ("players", "sides", "first_dealer", "scores"):
        if getattr(wanted, field) is not None:
            raise refuse_faults((Fault("fields_contradict", (field,), f"`state` says this: leave out `{field}`."),))
    state = admit_described(described)
    if state.table.rules != wanted.rules:
        raise refuse_faults((Fault("fields_contradict", ("rules",), "The state has other `rules`."),))
    require_playing(state, described)
    if (hidden := find_hidden_seat(state)) is not None:
        raise refuse_state(HandNotSeen(hidden), described, path=("hands", hidden))
    claim = to_claim(state)
    return replace(wanted, state=claim, sides=claim.sides, first_dealer=claim.dealer, scores=claim.scores)


def _set_up_table(wanted: NewGame) -> Table:
    try:
        table = choose_table(wanted.rules, wanted.players, wanted.sides)
        if wanted.on_revoke == "penalise":
            revoke.require_penalty(table)
        if wanted.first_dealer is not None and wanted.first_dealer >= table.players:
            raise refuse_seat("first_dealer", wanted.first_dealer, table.players)
        if wanted.seats is not None:
            _require_seats(wanted.seats, table)
        if wanted.state is None:
            setup.set_up_first_deal(table, 0, wanted.scores)
    except (Impossible, NoRevokePenalty) as exc:
        raise refuse(exc) from exc
    return table


def _require_seats(seats: tuple[NewSeat, ...], table: Table) -> None:
    if len(seats) != table.players:
        raise refuse_count("seats", len(seats), table.players)
    if faults := tuple(fault for at, seat in enumerate(seats) for fault in find_name_faults(seat.name, "seats", at)):
        raise refuse_faults(faults)
    if all(seat.computer for seat in seats):
        raise refuse_computers("seats")


def _write_entry(wanted: NewGame, table: Table, secrets: Secrets, caller: Caller, at: Milliseconds) -> bytes:
    named = wanted.first_dealer
    names = tuple(seat.name for seat in wanted.seats or ())
    computers: tuple[PlayerLevel | None, ...] = tuple(seat.computer for seat in wanted.seats or ())
    opened = OpenEntry(
        rules=wanted.rules,
        sides=table.sides,
        on_revoke=wanted.on_revoke,
        ttl=wanted.ttl,
        drawn=named is None,
        dealer=_draw_dealer(secrets, table.players) if named is None else named,
        secret=secrets.shuffle,
        host=hash_token(secrets.host),
        seats=tuple(hash_token(token) for token in secrets.seats),
        scores=wanted.scores or (),
        names=names if any(names) else (),
        computers=computers if any(computers) else (),
        owner=caller,
        move_seconds=wanted.move_seconds,
        take_back=wanted.take_back,
    )
    if isinstance(wanted.state, Claim):
        opened = PositionEntry(**asdict(opened), position=wanted.state)
    return write_entry(opened, secrets.nonce, at)
