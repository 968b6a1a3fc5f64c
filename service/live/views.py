"""Views of a live game: a bearer sees only its own hand in play, and no secret before the deal is over."""

from collections.abc import Collection
from functools import lru_cache

from msgspec import structs

from service.game.cards import card_code, mask_codes
from service.game.fairness.commitment import commit, draw_seed_from, seats_seed_from
from service.game.fairness.shuffle import draw, draw_order
from service.game.fairness.verification import SeatsProof
from service.game.rules import trick
from service.game.rules.record import Proof, RecordedPlay
from service.game.rules.view import view
from service.game.rulesets import Seat
from service.game.state import Seed, State
from service.live import log
from service.live.entries import (
    AbsentPlayEntry,
    ComputerEntry,
    DealEntry,
    EntropyEntry,
    PlayEntry,
    RematchEntry,
    ResignEntry,
    TakeBackEntry,
    TokenEntry,
)
from service.live.log import Game, Step, dealer_next, replay_of
from service.live.tokens import Role, seat_of
from service.live.turns import find_move_end, game_phase, seat_to_act
from service.schemas import events
from service.schemas.draw import DrawRounds, write_rounds
from service.schemas.events import Event, Revoked, TakeBackRequest, write_events, write_resignation
from service.schemas.finished_game import GameSummary
from service.schemas.ids import GameId
from service.schemas.live_game import (
    Change,
    GamePhase,
    GameSeat,
    LastTrick,
    LiveGame,
    NamedSeat,
    Seating,
    Shuffle,
)
from service.schemas.position import Position, write_position
from service.schemas.timestamp import Timestamp, format_timestamp


def list_seats(game: Game, present: Collection[Seat]) -> tuple[GameSeat, ...]:
    """List the seats of a game, with who is present."""
    seats = name_seats(game)
    return tuple([GameSeat(one.seat, one.side, one.name, one.computer, one.seat in present) for one in seats])


def name_seats(game: Game) -> tuple[NamedSeat, ...]:
    """List the seats of a game, with who plays them."""
    nobody, side_of = (None,) * game.table.players, game.table.side_of
    by_seat = enumerate(zip(game.names or nobody, game.computers or nobody, strict=True))
    return tuple([NamedSeat(seat, side_of[seat], name, level) for seat, (name, level) in by_seat])


def view_game(game_id: GameId, game: Game, role: Role, present: Collection[Seat]) -> LiveGame:
    """Return a game as a role may see it, with the present seats."""
    opened, phase, seat = game.opened, game_phase(game), seat_of(role)
    return LiveGame(
        id=game_id,
        version=str(game.revision),
        opened_at=format_timestamp(game.opened_at),
        changed_at=format_timestamp(game.changed_at),
        expires_at=format_timestamp(game.expires_at),
        rules=opened.rules,
        sides=opened.sides,
        on_revoke=opened.on_revoke,
        move_seconds=opened.move_seconds,
        take_back=opened.take_back,
        seats=list_seats(game, present),
        from_position=game.position is not None,
        phase=phase,
        role="seat" if isinstance(role, int) else role,
        seat=seat,
        dealer=_find_dealer(game, phase),
        move_ends_at=_write_move_end(game),
        take_back_asked=_write_request(game),
        draw=_write_draw(game.table.players, opened.secret) if opened.drawn else (),
        seating=None if game.seating is None else _write_seating(game.seating),
        position=view_position(game, seat),
        last_trick=_write_last_trick(game),
        resigned=game.resigned,
        rematch=game.rematch,
        shuffles=_list_shuffles(game, phase),
    )


def summarize(game_id: GameId, game: Game) -> GameSummary:
    """Return a game for a list; the same for everybody."""
    turn = seat_to_act(game)
    return GameSummary(
        id=game_id,
        version=str(game.revision),
        phase=game_phase(game),
        turn=turn,
        turn_since=None if turn is None else format_timestamp(game.turn_at or game.opened_at),
        expires_at=format_timestamp(game.expires_at),
        rules=game.opened.rules,
        seats=name_seats(game),
        rematch=game.rematch,
    )


@lru_cache(maxsize=256)
def _write_draw(players: int, secret: Seed) -> DrawRounds:
    return write_rounds(draw(players, draw_seed_from(secret))[0])


@lru_cache(maxsize=256)
def _write_seating(changed: log.SeatsBefore) -> Seating:
    """Write a change of seats, with the cards and the proof if it was drawn."""
    if not changed.drawn:
        return Seating(changed.seats, changed.first, (), None)
    rounds, _ = draw_order(len(changed.seats), seats_seed_from(changed.secret, changed.entropy))
    proof = SeatsProof(commit(changed.secret), changed.secret, changed.entropy)
    return Seating(changed.seats, changed.first, write_rounds(rounds), proof)


def _write_request(game: Game) -> TakeBackRequest | None:
    agreed = game.take_back_agreed
    return TakeBackRequest(agreed[0], agreed[1:]) if agreed else None


def _write_move_end(game: Game) -> Timestamp | None:
    ends_at = find_move_end(game)
    return None if ends_at is None else format_timestamp(ends_at)


def _find_dealer(game: Game, phase: GamePhase) -> Seat:
    return game.state.dealer if game.state is not None and phase == "playing" else dealer_next(game)


def _write_last_trick(game: Game) -> LastTrick | None:
    state, players = game.state, game.table.players
    if state is None:
        return None
    taken = len(game.played) - len(state.trick)
    cards = game.played[max(taken - players, 0) : taken]
    # The winner leads to the next trick, so the leader is found backward.
    place = trick.winner(cards, state.trump, 0, players, game.table.ruleset)
    if place is None:
        return None
    leader = state.leader - place
    shown = tuple(RecordedPlay((leader + at) % players, card_code(card)) for at, card in enumerate(cards))
    return LastTrick(shown, state.leader)


def view_position(game: Game, seat: Seat | None) -> Position | None:
    """Return the position as a seat may see it. Return None before the first deal."""
    if game.state is None:
        return None
    position = write_position(view(game.state, seat))
    if game.resigned is None:
        return position
    _, won = write_resignation(game.state, game.resigned)
    return structs.replace(position, phase="game_over", turn=None, legal_cards=(), winners=won.winners)


def _list_shuffles(game: Game, phase: GamePhase) -> tuple[Shuffle, ...]:
    done = len(game.shuffles) - (phase == "playing")
    first = 1 if game.position is None else game.position.deal + 1
    past = tuple(
        Shuffle(first + at, commit(parts.secret), write_proof(game, at) if at < done else None)
        for at, parts in enumerate(game.shuffles)
    )
    return (*past, Shuffle(first + len(past), commit(game.secret), None))


def write_proof(game: Game, at: int) -> Proof:
    """Return the proof that opens the commitment of a deal.

    Shape: `at` counts the deals from 0.
    """
    parts = game.shuffles[at]
    return Proof(
        commitment=commit(parts.secret),
        secret=parts.secret,
        entropy=parts.entropy,
        strip=mask_codes(parts.strip),
        three_at_a_time=parts.threes,
        dealer_drawn=at == 0 and game.opened.drawn,
    )


def view_events(step: Step, seat: Seat | None) -> tuple[Event, ...]:
    """Return the events of a step; only the revoking seat sees which cards were legal.

    The opening has none, and neither has a request that changed nothing.
    """
    if not step.previous:
        return ()
    played = replay_of(step)
    if step.before is None or played is None:
        return _write_other_events(step)
    written = [_redact(event, seat) for event in write_events(step.before, played)]
    return tuple(written) if step.game.opened.move_seconds is None else _write_absence(step, written)


def _write_absence(step: Step, written: list[Event]) -> tuple[Event, ...]:
    """Write that a card was played for an absent seat, and that the computer took the seat, if so."""
    entry, computers = step.entry, step.game.computers
    if not isinstance(entry, AbsentPlayEntry):
        return tuple(written)
    level = computers[entry.seat] if computers else None
    taken = () if level is None else (events.ComputerSeated(entry.seat, level),)
    return (events.TimeRanOut(entry.seat), *written, *taken)


def _write_other_events(step: Step) -> tuple[Event, ...]:
    """Write the events of a step in which no card was played."""
    entry, state = step.entry, step.game.state
    if isinstance(entry, EntropyEntry):
        return (events.EntropyAdded(entry.seat),)
    if isinstance(entry, DealEntry) and state is not None:
        return (events.CardsDealt(state.dealer, state.deal, card_code(state.turn_up)),)
    if isinstance(entry, TokenEntry):
        return (events.TokenRenewed(entry.seat, step.game.names[entry.seat] if step.game.names else None),)
    if isinstance(entry, ComputerEntry):
        seat, level = entry.seat, entry.level
        return (events.ComputerLeft(seat) if level is None else events.ComputerSeated(seat, level),)
    if isinstance(entry, RematchEntry):
        return (events.RematchOpened(entry.game),)
    return () if state is None else _write_events_of_deal(step, state)


def _write_events_of_deal(step: Step, state: State) -> tuple[Event, ...]:
    """Write the events of a step in a deal in which no card was played."""
    entry, asked = step.entry, step.game.take_back_agreed
    if isinstance(entry, ResignEntry):
        return write_resignation(state, entry.seat)
    if not isinstance(entry, TakeBackEntry) or step.before is None:
        return ()
    if asked:
        return (events.TakeBackAsked(asked[0], asked[1:]),)
    return (events.TakenBack(state.seat_to_play, card_code(step.before.trick[-1])),)


def _redact(event: Event, seat: Seat | None) -> Event:
    if isinstance(event, Revoked) and event.seat != seat:
        return structs.replace(event, verdict=structs.replace(event.verdict, legal_cards=None))
    return event


def view_change(step: Step, seat: Seat | None) -> Change:
    """Return a change as a seat may see it or, for None, a spectator."""
    game, position = step.game, view_position(step.game, seat)
    phase: GamePhase = "to_deal" if position is None else position.phase
    return Change(
        version=str(game.revision),
        at=format_timestamp(game.changed_at),
        expires_at=format_timestamp(game.expires_at),
        phase=phase,
        dealer=_find_dealer(game, phase),
        move_ends_at=_write_move_end(game),
        take_back_asked=_write_request(game),
        position=position,
        events=view_events(step, seat),
        shuffles=_list_changed_shuffles(step, phase),
    )


def _list_changed_shuffles(step: Step, phase: GamePhase) -> tuple[Shuffle, ...]:
    """List the shuffles that a step commits to or reveals."""
    if not step.previous:
        return ()
    if phase == "playing":
        return _list_shuffles(step.game, phase)[-2:] if isinstance(step.entry, DealEntry) else ()
    return _list_shuffles(step.game, phase)[-2:-1] if isinstance(step.entry, PlayEntry | ResignEntry) else ()
